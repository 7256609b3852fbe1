"""Models are loaded once, files that fail do so alone, and two legs go through English."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from subfit.batch.engine import _together, localize_through
from subfit.batch.items import Item, Result, Source
from subfit.batch.setup import Prepared
from subfit.cli.main import run
from subfit.fitting.options import Options
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.model import bundled
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

GUIDELINE = Guideline.load("netflix", "de")
ONE_CUE = b"1\n00:00:01,000 --> 00:00:02,000\nHello.\n"


def source(index: int) -> Source:
    return Source(index, Item(f"{index}.srt", f"{index}.de.srt", "de"), ONE_CUE, 1)


def prepared(index: int) -> Prepared:
    return Prepared(source(index), parse_track(ONE_CUE, name="film.srt"), GUIDELINE, "srt")


def done(files: list[Prepared]) -> list[Result]:
    return [Result(file.source.item, source=file.source, data=b"done") for file in files]


def names(files: list[Prepared]) -> tuple[int, ...]:
    return tuple(file.source.index for file in files)


@pytest.mark.parametrize("bad", [{1}, {0, 3}, {0, 1, 2, 3}, set()])
def test_files_that_fail_together_are_worked_on_each_by_itself(bad: set[int]) -> None:
    calls: list[tuple[int, ...]] = []

    def work_on(files: list[Prepared]) -> list[Result]:
        calls.append(names(files))
        if bad & set(names(files)):
            raise RuntimeError("no memory")
        return done(files)

    results = _together([prepared(index) for index in range(4)], work_on)
    assert {one.source.index for one in results if one.failure} == bad
    assert [one.source.index for one in results] == [0, 1, 2, 3]
    assert calls[0] == (0, 1, 2, 3) and len(calls) == (5 if bad else 1)


FILM = """\
1
00:00:01,000 --> 00:00:03,000
<i>Wo ist der Leuchtturm?</i>

2
00:00:03,100 --> 00:00:05,000
[Tür knallt]

3
00:00:05,100 --> 00:00:07,000
MANN: Wir wollen ihn schließen,

4
00:00:07,100 --> 00:00:09,000
weil er so alt ist.

5
00:00:10,000 --> 00:00:12,000
- Er kostet 1.234,50 €.
- Um 15 Uhr 30!

6
00:00:13,000 --> 00:00:14,000
Aha.
"""
INTO = {
    "Wo ist der Leuchtturm?": "Where is the lighthouse?",
    "Wir wollen ihn schließen, weil er so alt ist.": "We will close it as it is so old.",
    "Er kostet 1.234,50 Dollar.": "It costs 1,234.50 dollars.",
    "Um 9 Uhr!": "At 9 o'clock!",
}
FROM = {
    "Where is the lighthouse?": ("Où est le vieux phare, dites-moi donc ?", "Où est le phare ?"),
    "We will close it as it is so old.": "On va le fermer car il est vieux.",
    "It costs 1,234.50 dollars.": "Il coûte 1 234,50 dollars.",
    "At 9 o'clock!": "À 9 heures !",
}


class Leg(ScriptedTranslator):
    """Translates what its script has, and nothing else."""

    def _answers(self, request):
        return super()._answers(request) if request.text in self._script else []

    def rate(self, texts, nbest, formalities=()):
        return nbest


def through(options: Options | None = None) -> Localization:
    track = parse_track(FILM.encode(), name="film.de.srt", format="srt")
    first, second = Leg(INTO), Leg(FROM)
    first.language, second.language = "en", "fr"
    first.source_language = "de"
    guideline = Guideline.load("netflix", "fr")
    (done,) = localize_through(
        first,
        [track],
        second,
        guideline,
        options or Options(source_language="de", strict_budget=True),
    )
    return done


def test_cues_keep_their_times_their_count_and_their_markup() -> None:
    track = through().track
    source = parse_track(FILM.encode(), name="film.de.srt", format="srt")
    assert [(cue.start, cue.end) for cue in track.cues] == [
        (cue.start, cue.end) for cue in source.cues
    ]
    texts = [cue.text.replace("\u00a0", "~") for cue in track.cues]
    assert texts[0] == "<i>Où est le phare~?</i>"
    assert texts[1] == "[Tür knallt]"
    assert texts[2].startswith("MANN: ")
    assert texts[4] == "- Il coûte 1~234,50~€.\n- À 15~h~30~!"
    assert texts[5] == "Aha."


def test_the_report_is_of_the_source_and_of_the_second_budget() -> None:
    done = through()
    assert done.source.cues[0].text == "<i>Wo ist der Leuchtturm?</i>"
    first, *_, unknown = done.outcomes
    assert first.source == "Wo ist der Leuchtturm?"
    assert first.budget is not None and first.budget.characters == 34  # two seconds, 17 a second
    assert first.natural.startswith("Où est le vieux phare")
    assert unknown.status == "untranslated" and unknown.source == unknown.target == "Aha."
    assert done.report.cues[0].outcome is first


def test_labels_go_into_the_target_language_at_once() -> None:
    done = through(Options(source_language="de", sdh="translate"))
    texts = [cue.text for cue in done.track.cues]
    assert texts[1] == "[Une porte claque]" and texts[2].startswith("HOMME")
    assert done.outcomes[1].source == "[Tür knallt]"
    removed = through(Options(source_language="de", sdh="remove"))
    assert len(removed.track.cues) == 5 and removed.labels is not None
    assert [each.text for each in removed.labels.dropped] == ["[Tür knallt]"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-t", "en"), "--pivot-model is for pairs of languages without English"),
        (("-s", "en", "-t", "fr"), "--pivot-model is for pairs of languages without English"),
        (("-t", "fr", "--isometric"), "--length-ratio or --isometric is about the source"),
        (("-t", "fr", "--pivot-model", "nowhere"), "nowhere: no model here"),
        (("-t", "fr", "--model", "./nothing"), "./nothing: no model here"),
        (("-t", "ja"), "no model comes with subfit for en to ja"),
    ],
)
def test_what_two_legs_cannot_have_is_told_in_a_line(
    arguments, message, tiny_marian_folder: Path, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("film.de.srt").write_text(FILM, encoding="utf-8")
    pivot = () if "--pivot-model" in arguments else ("--pivot-model", str(tiny_marian_folder))
    code = run(["translate", "film.de.srt", *pivot, *arguments])
    told = capsys.readouterr().err
    assert code in (1, 2) and message in told
    assert len([line for line in told.splitlines() if line.startswith("subfit: error")]) == 1


def test_a_film_goes_through_two_models(tiny_marian_folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("film.de.srt").write_text(FILM, encoding="utf-8")
    model = str(tiny_marian_folder)
    arguments = ["--pivot-model", model, "--model", model, "--json"]
    assert run(["translate", "film.de.srt", "-t", "fr", *arguments]) in (0, 3)
    out = capsys.readouterr()
    assert "through English: " in out.err
    assert '"through": "en"' in out.out
    assert Path("film.fr.srt").read_text(encoding="utf-8").count(" --> ") == 6


def test_a_pair_that_only_two_bundled_models_make_together_goes_through_english(
    tiny_model_folder: Path, tmp_path, monkeypatch, capsys
) -> None:
    """One command, no model named; the report says which model went first."""
    for name, languages in (("from-en", ("en", "fr")), ("to-en", ("de", "en"))):
        copy = Path(shutil.copytree(tiny_model_folder, tmp_path / "models" / name))
        values = json.loads((copy / "config.json").read_text())
        values |= dict(zip(("source_language", "target_language"), languages, strict=True))
        (copy / "config.json").write_text(json.dumps(values))
        (copy / "SHA256SUMS").unlink(missing_ok=True)
    monkeypatch.setattr(bundled, "bundled_folder", lambda name: tmp_path / name)
    monkeypatch.chdir(tmp_path)
    Path("film.de.srt").write_text(FILM, encoding="utf-8")
    assert run(["translate", "film.de.srt", "-t", "fr", "--json"]) in (0, 3)
    out = capsys.readouterr()
    assert "through English: to-en translates into it first" in out.err
    settings = json.loads(out.out)["files"][0]["settings"]
    assert (settings["through"], settings["pivot_model"]) == ("en", "to-en")
    assert settings["model"] == "from-en"
    assert run(["translate", "film.de.srt", "-t", "fr", "--isometric"]) == 2
    assert "name a model for the pair itself with --model" in capsys.readouterr().err
    assert run(["translate", "film.de.srt", "-t", "en,fr"]) == 2
    assert "from de, -t fr goes through English and -t en does not" in capsys.readouterr().err


def test_the_missing_pair_names_the_way_through_english(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("film.nl.srt").write_text(FILM, encoding="utf-8")
    assert run(["translate", "film.nl.srt", "-t", "fr"]) in (1, 2)
    assert "or one from nl to en with --pivot-model" in capsys.readouterr().err
