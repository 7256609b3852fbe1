"""Anyone's translation, made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import subfit
from subfit.decoding.any_translator import Capabilities
from subfit.decoding.hypotheses import Hypothesis
from subfit.errors import UsageError
from subfit.subtitles.formats import parse_track, render_track
from subfit.terms.persons import Person
from tests.places import EN_MULTI
from tests.scripted import KnownWords, ScriptedTranslator

GUIDELINE = subfit.Guideline.load("netflix", "de")
FILM = (
    "1\r\n00:00:01,000 --> 00:00:04,000\r\n{\\an8}<i>Sie  kommt</i> heute.\r\n\r\n"
    "2\r\n00:00:05,000 --> 00:00:09,000\r\n"
    "Der Kapitän hat gesagt, dass die Fähre erst morgen fährt.\r\n\r\n"
    "3\r\n00:00:10,000 --> 00:00:12,000\r\nNa ja, <i>wir</i> warten eben bis morgen früh.\r\n\r\n"
    "4\r\n00:00:13,000 --> 00:00:15,200\r\n"
    "- Wo ist denn das Boot?\r\n- Ehrlich gesagt, am Strand.\r\n"
    "\r\n5\r\n00:00:16,000 --> 00:00:16,900\r\nNiemand hat das Licht gesehen, auch Anna nicht.\r\n"
)


def film(text: str = FILM) -> subfit.Track:
    return parse_track(text.encode(), name="film.de.srt", format="srt")


def test_what_fits_stays_byte_for_byte_and_the_least_that_helps_is_done_to_the_rest() -> None:
    done = subfit.fit(film(), GUIDELINE)
    assert render_track(done.track).decode() == (
        FILM.replace("dass die Fähre", "\r\ndass die Fähre")
        .replace("gesagt, \r\n", "gesagt,\r\n")
        .replace("Na ja, <i>wir</i>", "<i>Wir</i>")
        .replace("Ehrlich gesagt, am", "Am")
        .replace("gesehen, auch", "gesehen,\r\nauch")
    )
    assert dict(done.report.totals["fit"]) == {
        "over": 4, "lines": 1, "split": 0, "time": 0, "wording": 2, "with_losses": 0, "left": 1,
    }  # fmt: skip
    third, last = done.outcomes[2], done.outcomes[4]
    assert third.natural == "Na ja, wir warten eben bis morgen früh."
    assert third.omitted == ("Na ja",)
    assert last.status == "overflow" and last.target.split() == last.natural.split()


def test_a_cue_ends_later_before_its_words_change() -> None:
    done = subfit.fit(film(), GUIDELINE, options=subfit.Options(timing="extend"))
    third = done.outcomes[2]
    assert third.target == third.natural and 12_000 < third.written_end < 13_000
    assert [cue.start for cue in done.track.cues] == [cue.start for cue in film().cues]


@pytest.mark.parametrize(
    ("shots", "end", "start"), [((), "07.666", "07.750"), ((8_000,), "07.916", "08.000")]
)
def test_a_cue_with_time_but_no_lines_becomes_two(shots, end, start):
    said = (
        "<i>Der Kapitän hat gestern gesagt, dass die alte Fähre wegen des Sturms erst übermorgen "
        "fährt.</i>"
    )
    text = (
        f"WEBVTT\n\nNOTE a harbour\n\nfirst\n00:05.000 --> 00:13.000 line:0\n{said}\n\n"
        "00:14.000 --> 00:16.000\nGut.\n"
    )
    track = replace(parse_track(text.encode(), name="film.de.vtt"), shot_changes=shots)
    done = subfit.fit(track, GUIDELINE, split=True)
    assert render_track(done.track).decode() == text.replace("00:13.000", f"00:{end}").replace(
        said,
        "<i>Der Kapitän hat gestern gesagt,</i>\n\n"
        f"00:00:{start} --> 00:00:13.000 line:0\n"
        "<i>dass die alte Fähre\nwegen des Sturms erst übermorgen fährt.</i>",
    )
    assert done.report.totals["fit"]["split"] == 1 and done.report.clean


def test_where_time_is_nearly_enough_for_two_the_least_words_that_help_go() -> None:
    rest = "weil der alte Kapitän nach diesem Sturm endlich wieder gesund ist."
    text = f"1\n00:00:05,000 --> 00:00:10,700\nIn der Regel fahren wir zum Hafen, {rest}\n"
    done = subfit.fit(film(text), GUIDELINE, split=True)
    said = [" ".join(cue.text.split()) for cue in done.track.cues]
    assert len(said) == 2 and " ".join(said) == f"Meist fahren wir zum Hafen, {rest}"
    assert done.report.clean
    assert done.report.totals["fit"]["split"] == 1 and done.outcomes[0].omitted


def test_a_subrip_file_counts_on_behind_a_cue_that_was_split() -> None:
    said = "Der Kapitän hat gesagt, dass die Fähre erst morgen fährt."
    longer = said.replace(", dass", ", als wir ihn alle am Hafen trafen, dass")
    text = FILM.replace(said, longer).replace("05,000 --> 00:00:09,000", "04,100 --> 00:00:09,900")
    done = subfit.fit(film(text), GUIDELINE, only=[2], split=True)
    numbers = [line for line in render_track(done.track).decode().splitlines() if line.isdigit()]
    assert numbers == ["1", "2", "3", "4", "5", "6"]
    assert [one.status for one in done.outcomes[1:3]] == ["fits", "fits"]
    assert done.outcomes[3].payload == film().cues[2].text


def test_only_the_cues_that_are_named_change() -> None:
    done = subfit.fit(film(), GUIDELINE, only=[3])
    changed = [n for n, one in enumerate(done.outcomes, 1) if one.payload != one.cue.text]
    assert changed == [3]


class Rewriter(ScriptedTranslator):
    """A language model that says things in other words."""

    able = Capabilities(lengths=True, prompted=True)

    def __init__(self, *answers: str) -> None:
        super().__init__({"Niemand hat das Licht gesehen, auch Anna nicht.": answers})
        self._script = dict.fromkeys(map(one_line, FILM_TEXTS)) | dict(self._script)
        self._script = {text: own or () for text, own in self._script.items()}


FILM_TEXTS = [cue.text for cue in film().cues]


def one_line(text: str) -> str:
    return " ".join(text.replace("<i>", "").replace("</i>", "").split())


@pytest.mark.parametrize(
    ("answer", "losses"),
    [
        ("Anna sah es nicht.", ()),
        ("Anna sah es.", ("negation",)),
        ("Keiner sah es.", ("name",)),
    ],
)
def test_what_a_rewriter_says_is_judged(answer: str, losses: tuple[str, ...]) -> None:
    text = FILM.replace("16,900", "17,800")
    translator = Rewriter(answer)
    guideline = replace(GUIDELINE, counting=translator.counting)
    only = subfit.fit(film(text), guideline, translator=translator, only=[5])
    last = only.outcomes[4]
    if losses:
        assert last.status == "overflow" and last.target.split() == last.natural.split()
        assert set(losses) <= set(last.withheld)
        assert [other.text for other in last.alternatives] == [answer]
        options = subfit.Options(strict_budget=True)
        only = subfit.fit(film(text), guideline, None, translator, options, only=[5])
        last = only.outcomes[4]
        assert set(losses) <= set(last.losses)
    assert (last.status, last.target) == ("fits", answer)


def test_the_names_of_persons_stay() -> None:
    light = Person(("Light",), (("de", ("Licht",)),))
    translator = Rewriter("Anna sah es nicht.")
    guideline = replace(GUIDELINE, counting=translator.counting)
    options = subfit.Options(people=(light,))
    text = film(FILM.replace("16,900", "17,800"))
    last = subfit.fit(text, guideline, None, translator, options, only=[5]).outcomes[4]
    assert (last.status, last.withheld) == ("overflow", ("name",))


def test_a_model_spares_what_says_least(loaded_once: None) -> None:
    source = parse_track(
        b"1\n00:00:10,000 --> 00:00:12,800\nNow it's time to clean up the mess.\n",
        name="film.en.srt",
        format="srt",
    )
    text = "Nun ist es Zeit, das ganze Durcheinander aufzuräumen."
    track = film(f"1\n00:00:10,000 --> 00:00:12,800\n{text}\n")
    translator = subfit.load_translator(
        EN_MULTI, source_language="en", target_language="de", counting=GUIDELINE.counting
    )
    (one,) = subfit.fit(track, GUIDELINE, source, translator).outcomes
    assert one.status == "fits" and not one.losses
    assert one.target.replace("\n", " ") == "Nun ist es Zeit, das Durcheinander aufzuräumen."
    assert one.omitted == ("ganze",)


class Rating(ScriptedTranslator):
    """A translating model that tells how probable some words are, in nats."""

    word_scores = KnownWords(
        {
            "lights": {"zündet": 1.0, "angezündet": 1.0},
            "night": {"Abend": 1.0, "abends": 1.0, "Nachts": 1.0},
            "lamp": "Lampe",
            "tower": "Turms",
            "wait": "warten",
        }
    )

    def __init__(self, script: dict[str, str | Sequence[str]], nats: dict[str, float]) -> None:
        super().__init__(script, GUIDELINE.counting)
        self._nats = nats

    def rate(self, texts: Sequence[str], nbest: Any, formalities: Sequence[str | None] = ()) -> Any:
        """Of words not known -0.1."""
        return [[self._rated(one) for one in own] for own in nbest]

    def _rated(self, one: Hypothesis) -> Hypothesis:
        words = one.text.split()
        nats = [self._nats.get(word, -0.1) for word in (*words, "")]
        pieces = tuple(sum(map(ord, word)) for word in words)
        return replace(one, score=sum(nats) / len(nats), token_ids=pieces, rated=tuple(nats))


LAMP = "Die Lampe des Turms wird am Abend von Anna angezündet."


@pytest.mark.parametrize(
    ("said", "nats", "taken"),
    [
        ("Anna zündet abends die Lampe des Turms an.", {}, True),
        ("Anna zündet abends die Lampe des Turms an.", {"abends": -2.0}, True),  # less probable
        ("Anna zündet abends die Lampe des Turms an.", {"abends": -3.0}, False),  # as one word
        (  # as a whole
            "Anna zündet abends die Lampe des Turms an.",
            dict.fromkeys(["zündet", "abends", "die", "des", "an."], -1.5),
            False,
        ),
        ("Nachts zündet er die Lampe des Turms an.", {}, False),  # without the name
        ("Die Lampe des Turms zündet Anna nie an.", {}, False),  # denied
        ("Die Lampe Turms wird Abend Anna angezündet.", {}, False),  # no sentence
    ],
)
def test_a_wording_may_be_less_likely_than_what_cannot_be_read_but_loses_nothing(said, nats, taken):
    text = f"1\n00:00:05,000 --> 00:00:07,500\n{LAMP}\n"
    source = "Anna lights the lamp of the tower at night."
    track = parse_track(text.replace(LAMP, source).encode(), name="film.en.srt", format="srt")
    translator = Rating({source: said}, nats)
    (one,) = subfit.fit(film(text), GUIDELINE, track, translator).outcomes
    assert one.target.split() == (said if taken else LAMP).split()
    assert (one.status, one.losses) == ("fits" if taken else "overflow", ())
    if "Anna" not in said:
        assert "name" in one.withheld


def test_of_many_other_words_those_are_judged_that_change_least() -> None:
    said = [f"{letter}q" for letter in "abcdefghijklmnopqrstuvwxyz"]
    text = f"1\n00:00:05,000 --> 00:00:09,450\n{' '.join(said)}\n"
    source = parse_track(text.replace("q", "k").encode(), name="film.en.srt")
    # Half of the words are shorter: 79 texts that fit have two of these, or all.
    other = " ".join(word[: 1 + n % 2] for n, word in enumerate(said))
    translator = Rating({" ".join(said).replace("q", "k"): other}, {})
    judged: list[list[str]] = []

    def rate(texts: Sequence[str], nbest: Any, formalities: Sequence[str | None] = ()) -> Any:
        judged.extend([one.text for one in own] for own in nbest)
        return nbest

    translator.rate = rate  # type: ignore[method-assign]
    subfit.fit(film(text), GUIDELINE, source, translator)
    ((_, *wordings),) = judged
    assert 13 < len(wordings) < 60
    changed = [sum(a != b for a, b in zip(one.split(), said, strict=True)) for one in wordings]
    assert changed[0] == 2 and changed == sorted(changed)


def test_a_cue_within_a_sentence_is_reworded_in_its_place() -> None:
    cues = (
        "1\n00:00:05,000 --> 00:00:09,000\n{}\n\n"
        "2\n00:00:09,100 --> 00:00:11,000\n{}\n\n3\n00:00:11,100 --> 00:00:15,000\n{}\n"
    )
    source = ("When the old ferry comes,", "we will wait for Anna", "at the end of the pier.")
    stood = ("Wenn die alte Fähre kommt,", "da werden wir auf die Anna warten", "am Pier.")
    track = parse_track(cues.format(*source).encode(), name="film.en.srt", format="srt")
    whole = "Kommt die alte Fähre, warten wir auf Anna am Pier."
    translator = Rating({" ".join(source): whole, source[1]: "warten wir auf Anna"}, {})
    done = subfit.fit(film(cues.format(*stood)), GUIDELINE, track, translator)
    assert [cue.text for cue in done.track.cues] == [
        stood[0],
        "warten wir auf die Anna",
        stood[2],
    ]


def test_one_of_two_speakers_who_goes_on_in_the_next_cue_is_not_translated_anew() -> None:
    cues = "1\n00:00:05,000 --> 00:00:07,300\n- {}\n- {}\n\n2\n00:00:07,400 --> 00:00:11,000\n{}\n"
    source = ("Now?", "Anna lights the lamp of the", "old tower at night.")
    stood = ("Jetzt?", "Anna zündet heute Nacht die Lampe", "des Turms am Hafen an.")
    track = parse_track(cues.format(*source).encode(), name="film.en.srt", format="srt")
    translator = Rating({source[1]: "Anna zündet die Lampe des"}, {})
    done = subfit.fit(film(cues.format(*stood)), GUIDELINE, track, translator)
    assert done.outcomes[0].status == "overflow"
    assert not translator.asked


def test_both_halves_of_a_cue_last_as_long_as_a_cue_must() -> None:
    names = "Wir sahen Anna Maria Peter Hans Karl Otto\nFranz Emma Anna Maria Peter Hans Meier."
    text = f"1\n00:00:01,000 --> 00:00:06,220\n{names}\nJa, ja.\n"
    done = subfit.fit(film(text), GUIDELINE, options=subfit.Options(timing="extend"), split=True)
    assert all(cue.duration >= GUIDELINE.min_duration for cue in done.track.cues)


def test_a_file_without_cues_stays() -> None:
    empty = parse_track(b"WEBVTT\n", format="vtt")
    assert render_track(subfit.fit(empty, GUIDELINE).track) == b"WEBVTT\n"


def test_better_lines_of_a_language_without_spaces_are_no_other_words() -> None:
    text = "1\n00:00:01,000 --> 00:00:11,000\nこれはとても長い字幕ですので二行にする必要がある。\n"
    done = subfit.fit(film(text), subfit.Guideline.load("netflix", "ja"))
    assert done.report.totals["fit"]["lines"] == 1
    assert done.report.totals["compliance"]["count"] == 0  # there is no source


def test_sounds_that_are_kept_are_not_counted_as_over() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\n[EIN GERÄUSCH, DAS NIEMAND IN DIESER ZEIT LIEST]\n"
    done = subfit.fit(film(text), GUIDELINE)
    assert done.outcomes[0].status == "passed"
    assert (done.report.totals["fit"]["over"], done.report.totals["fit"]["left"]) == (0, 0)


def test_a_cue_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="no cue 9: the last one is 5"):
        subfit.fit(film(), GUIDELINE, only=[9])


def test_a_text_without_times_has_no_limits() -> None:
    with pytest.raises(UsageError, match="times"):
        subfit.fit(parse_track(b"Hallo.\n", name="a.txt", format="txt"), GUIDELINE)
