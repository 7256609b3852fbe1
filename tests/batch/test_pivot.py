"""Two legs through English: limits of the second, sources and times of the first."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import subfit.model.bundled as bundled
from subfit.batch.pivot import localize_through
from subfit.cli.main import run
from subfit.errors import UsageError
from subfit.fitting.options import Options
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

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
        [track],
        (first, second),
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


def test_progress_is_of_both_legs() -> None:
    seen: list[tuple[int, int]] = []
    track = parse_track(FILM.encode(), name="film.de.srt", format="srt")
    legs = Leg(INTO), Leg(FROM)
    legs[0].language, legs[1].language = "en", "fr"
    localize_through(
        [track],
        legs,
        Guideline.load("netflix", "fr"),
        Options(source_language="de"),
        lambda done, total: seen.append((done, total)),
    )
    assert all(done <= total for done, total in seen)
    assert seen == sorted(seen) and seen[-1][0] >= seen[-1][1] // 2


def test_progress_goes_on_where_each_film_has_its_own_form() -> None:
    seen: list[tuple[int, int]] = []
    said = ("Haben Sie den Schlüssel?", "Hast du den Schlüssel?", "Haben Sie den Schlüssel?")
    films = (f"1\n00:00:01,000 --> 00:00:03,000\n{text}\n" for text in said)
    tracks = [parse_track(film.encode(), name="film.srt", format="srt") for film in films]
    first = Leg(dict.fromkeys(said, "Do you have the key?"))
    second = Polite({"Do you have the key?": "Avez-vous la clé ?"})
    first.language, second.language, first.source_language = "en", "fr", "de"
    localize_through(
        tracks,
        (first, second),
        Guideline.load("netflix", "fr"),
        Options(source_language="de", formality="auto"),
        lambda done, total: seen.append((done, total)),
    )
    shares = [done / total for done, total in seen]
    assert shares == sorted(shares) and shares[-1] > 0.8
    assert len({share for share in shares if share >= 0.5}) == len(said)


class Polite(Leg):
    """Knows both forms of address, and what it was asked for."""

    formalities = ("formal", "informal")

    def __init__(self, script) -> None:
        super().__init__(script)
        self.forms: list[str | None] = []

    def translate(self, requests, on_done=None):
        self.forms += [each.formality for each in requests]
        return super().translate(requests, on_done)


@pytest.mark.parametrize("wish", ["auto", None])
@pytest.mark.parametrize(
    ("language", "said", "form"),
    [
        ("de", "Haben Sie den Schlüssel?", "formal"),
        ("de", "Hast du den Schlüssel?", "informal"),
        ("es", "¿Tiene usted la llave?", "formal"),
        ("es", "¿Tienes la llave?", "informal"),
        ("it", "Mi dica, signora.", "formal"),
        ("it", "Hai la chiave?", "informal"),
    ],
)
def test_the_form_of_the_source_is_followed_which_english_lacks(language, said, form, wish) -> None:
    film = f"1\n00:00:01,000 --> 00:00:03,000\n{said}\n"
    track = parse_track(film.encode(), name="film.srt", format="srt")
    first = Leg({said: "Do you have the key?"})
    second = Polite({"Do you have the key?": "Avez-vous la clé ?"})
    second.bars_words = True
    first.language, second.language, first.source_language = "en", "fr", language
    (done,) = localize_through(
        [track],
        (first, second),
        Guideline.load("netflix", "fr"),
        Options(source_language=language, formality=wish),
    )
    assert {*second.forms} == {form}
    assert done.address is not None
    assert (done.address.asked, done.address.taken) == ("auto", form)
    assert done.report.to_dict()["totals"]["address"]["taken"] == form


def test_what_cannot_be_kept_to_a_form_is_translated_on_as_it_comes() -> None:
    said = {"Hast du ihn?": "Do you have it?", "Können Sie es, Herr?": "Can you, sir?"}
    film = "".join(
        f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{text}\n\n" for n, text in enumerate(said, 1)
    )
    track = parse_track(film.encode(), name="film.srt", format="srt")
    first = Leg(said)
    second = Polite({"Do you have it?": "Tu l'as ?", "Can you, sir?": "Vous pouvez ?"})
    first.language, second.language, first.source_language = "en", "fr", "de"
    options = Options(source_language="de", join=False)
    (done,) = localize_through([track], (first, second), Guideline.load("none", "fr"), options)
    assert done.address is None
    assert {*second.forms} == {None, "formal"}


def test_dubbing_scripts_are_refused() -> None:
    table = b"start,end,source\n00:00:01.000,00:00:02.000,Wo ist er?\n"
    script = parse_track(table, name="film.csv", format="csv")
    with pytest.raises(UsageError, match="dubbing scripts"):
        localize_through([script], (Leg({}), Leg({})), Guideline.load("none", "fr"), Options())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-t", "en"), "--pivot-model is for pairs of languages without English"),
        (("-s", "en", "-t", "fr"), "--pivot-model is for pairs of languages without English"),
        (("-t", "fr", "--isometric"), "--length-ratio or --isometric is about the source"),
        (("-t", "fr", "--memory-out", "m.tsv"), "--memory-out is about the source"),
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


def test_a_film_goes_through_two_models(
    tiny_marian_folder: Path, tmp_path, monkeypatch, capsys
) -> None:
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
