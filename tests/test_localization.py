"""The whole way, with the frozen tiny model."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.cli.running import remarks_of
from subfit.decoding.hypotheses import SearchSettings
from subfit.decoding.translator import Translator
from subfit.limits.guideline import Guideline, override
from subfit.localization import Options, localize, localize_all
from subfit.model.checkpoint import load_checkpoint
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.markup.payload import plain_text
from subfit.text.counting import count_characters
from tests.properties import examples
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(
        load_checkpoint(str(tiny_model_folder)), settings=SearchSettings(beams=3, nbest=3)
    )


def srt(*cues: tuple[str, str]) -> Track:
    blocks = [f"{n}\n{times}\n{text}\n" for n, (times, text) in enumerate(cues, start=1)]
    return parse_track("\n".join(blocks).encode(), name="scene.srt", format="srt")


DOOR = ("00:00:04,100 --> 00:00:06,000", "The door is open.")


def test_words_are_translated_and_everything_else_is_kept(translator: Translator) -> None:
    track = srt(
        ("00:00:01,000 --> 00:00:04,000", "{\\an8}<i>How are you?</i>"),
        ("00:00:04,100 --> 00:00:05,000", "[DOOR SLAMS]"),
        ("00:00:05,100 --> 00:00:09,000", "- Who is there?\n- Yes, of course."),
        ("00:00:09,100 --> 00:00:09,900", "♪ la la ♪"),
    )
    done = localize(track, translator, NETFLIX)
    texts = [cue.text for cue in done.track.cues]
    assert texts == [
        "{\\an8}<i>Wie geht es dir?</i>",
        "[DOOR SLAMS]",
        "- Wer ist da?\n- Ja, natürlich.",
        "♪ la la ♪",
    ]
    assert [(cue.start, cue.end) for cue in done.track.cues] == [
        (cue.start, cue.end) for cue in track.cues
    ]
    assert [each.status for each in done.outcomes] == ["fits", "passed", "fits", "passed"]


@pytest.mark.parametrize(
    "text",
    ["♪ Row, row ♪\n♪ Gently  down ♪", "<i>[DOOR SLAMS]</i>\n{\\an8}(SIREN)", "   ", " ♪ \n \n♪"],
)
def test_kept_cues_are_reported_as_they_stand_in_the_file(translator, text):
    track = Track((Cue(0, 4000, text),), "srt")
    done = localize(track, translator, NETFLIX)
    assert done.track.cues[0].text == text
    (told,), (seen,) = done.report.cues, check_track(done.track, NETFLIX, track).cues
    assert (told.outcome.target, told.outcome.source) == (seen.text, seen.text)
    assert (told.characters, told.cps) == (seen.characters, seen.cps)
    assert told.line_characters == seen.line_characters


@pytest.mark.parametrize(
    ("source_language", "language", "text", "model_reads", "translation", "target"),
    [
        ("en", "tr", "WHERE IS IT?", "Where is it?", "Işık iyi mi?", "IŞIK İYİ Mİ?"),
        ("tr", "en", "IŞIK İYİ", "Işık iyi", "The light is good", "THE LIGHT IS GOOD"),
        ("en", "el", "THE SAME TO YOU!", "The same to you!", "Επίσης!", "ΕΠΙΣΗΣ!"),
        ("en", "ka", "A BIG SHIP", "A big ship", "დიდი გემი", "დიდი გემი"),
    ],
)
def test_capitals_are_those_of_each_language(
    source_language, language, text, model_reads, translation, target
) -> None:
    track = srt(("00:00:01,000 --> 00:00:04,000", text))
    guideline = Guideline.load("none", language)
    options = Options(source_language=source_language)
    scripted = ScriptedTranslator({model_reads: translation})
    (outcome,) = localize(track, scripted, guideline, options).outcomes
    assert outcome.target == target


@pytest.mark.parametrize("cps", [8, 30])
def test_speakers_named_in_round_brackets_keep_their_lines(cps: int) -> None:
    track = srt(("00:00:01,000 --> 00:00:04,000", "(JOHN) Who is it?\n(MARY) Me."))
    scripted = ScriptedTranslator({"Who is it?": "Wer?", "Me.": "Ich."})
    guideline = override(NETFLIX, cps=cps)
    (outcome,) = localize(track, scripted, guideline).outcomes
    assert outcome.target == "(JOHN) Wer?\n(MARY) Ich."


COLOURED = [
    ("srt", '<font color="#ffff00">{}</font>\n<font color="#00ffff">{}</font>'),
    ("srt", "<i>{}</i>\n{}"),
    ("srt", "{{\\an8}}{}\n{{\\i1}}{}{{\\i0}}"),
    ("vtt", "<c.yellow>{}</c>\n<c.cyan>{}</c>"),
    ("vtt", "{}\n<v Ann>{}</v>"),
]


@pytest.mark.parametrize(("format", "payload"), COLOURED)
def test_speakers_told_by_colours_and_italics_keep_lines_and_room(format, payload):
    track = Track((Cue(0, 2000, payload.format("Who is it?", "It is me.")),), format)
    scripted = ScriptedTranslator({"Who is it?": ["Wer ist es?", "Wer?"], "It is me.": "Ich."})
    for cps, first in ((10.5, "Wer ist es?"), (10, "Wer?")):
        guideline = override(NETFLIX, cps=cps)
        (outcome,) = localize(track, scripted, guideline, Options(strict_budget=True)).outcomes
        assert outcome.payload == payload.format(first, "Ich.")
        assert outcome.status == "fits"


def test_the_report_and_a_check_of_the_file_give_the_same_length_figures(translator):
    track = srt(
        ("00:00:01,000 --> 00:00:04,000", "The ship comes\nback tomorrow."),
        ("00:00:04,100 --> 00:00:08,000", "He writes a long letter\nto his mother."),
    )
    done = localize(track, translator, override(NETFLIX, cpl=24))
    assert any("\n" in cue.text for cue in done.track.cues)
    checked = check_track(done.track, NETFLIX, track)
    totals = done.report.totals
    assert checked.totals["lengths"]["length_ratio"] == totals["length_ratio"]
    assert checked.totals["lengths"]["compliance"] == totals["compliance"]


COMPANY = [
    srt(("00:00:01,000 --> 00:00:04,000", "It’s cold tonight…"), DOOR),
    srt(*[(f"00:00:{n:02},000 --> 00:00:{n:02},900", "We have no time.") for n in range(5)]),
    srt(
        ("00:00:01,000 --> 00:00:03,000", "The ship comes back"),
        ("00:00:03,100 --> 00:00:04,000", "tomorrow."),
    ),
    srt(("00:00:01,000 --> 00:00:02,000", "♪")),
    srt(("00:00:01,000 --> 00:00:04,000", "It's cold tonight..."), DOOR),
]


def test_tracks_that_are_searched_together_become_what_each_would_alone(translator):
    alone = [render_track(localize(track, translator, NETFLIX).track) for track in COMPANY]
    for tracks, expected in ((COMPANY, alone), (COMPANY[::-1], alone[::-1])):
        together = localize_all(tracks, translator, NETFLIX)
        assert [render_track(each.track) for each in together] == expected
        assert [len(each.outcomes) for each in together] == [len(each.cues) for each in tracks]


def test_processes_that_share_sentences_out_change_nothing(translator: Translator) -> None:
    options = Options(alternatives=2, strict_budget=True)
    alone = localize_all(COMPANY * 3, translator, NETFLIX, options)
    shared = localize_all(COMPANY * 3, translator, NETFLIX, options, processes=3)
    assert shared == alone


def test_each_track_keeps_the_marks_of_its_own_source() -> None:
    script = {"It’s me…": "Ich bin’s…", "It's me...": "Ich bin's..."}
    answers = cast(Any, ScriptedTranslator(script))
    times = "00:00:01,000 --> 00:00:04,000"
    done = localize_all([srt((times, each)) for each in script], answers, NETFLIX)
    assert [each.track.cues[0].text for each in done] == ["Ich bin’s…", "Ich bin's..."]


def test_a_cue_of_no_duration_is_translated_and_marked(translator: Translator) -> None:
    track = srt(("00:00:01,000 --> 00:00:01,000", "The door is open."))
    (outcome,) = localize(track, translator, NETFLIX).outcomes
    assert outcome.status == "overflow"
    assert outcome.target == outcome.natural
    assert outcome.target.startswith("Die Tür")


def test_a_text_longer_than_the_model_takes_is_kept_and_said(translator: Translator) -> None:
    endless = "and so on " * 400
    track = srt(("00:00:01,000 --> 00:00:05,000", endless.strip()))
    (outcome,) = localize(track, translator, NETFLIX).outcomes
    assert outcome.status == "untranslated"
    assert outcome.payload == endless.strip()
    assert outcome.note


TEXTS = st.sampled_from(
    [
        "How are you?",
        "The ship comes back",
        "tomorrow.",
        "- Who is there?\n- My brother lives in the village.",
        "<i>It is cold\ntonight.</i>",
        "He writes a <b>long</b> letter to his mother.",
        "[BANG]",
        "♪ la ♪",
        "",
        "???",
        "Zyxw & <5 qrst",
        "Ω 😀 ...",
    ]
)


@examples(12)
@given(st.lists(st.tuples(TEXTS, st.integers(-200, 4000)), min_size=1, max_size=8), st.booleans())
def test_no_cue_is_lost_and_none_that_fits_is_over_its_budget(translator, cues, across):
    track = Track(
        cues=tuple(
            Cue(start=n * 4100, end=n * 4100 + length, text=text)
            for n, (text, length) in enumerate(cues)
        ),
        format="vtt",
    )
    done = localize(track, translator, NETFLIX, Options(join=across))
    assert len(done.track.cues) == len(done.outcomes) == len(track.cues)
    for source, target, outcome in zip(track.cues, done.track.cues, done.outcomes, strict=True):
        assert (source.start, source.end) == (target.start, target.end)
        shown = plain_text(target.text, "vtt")
        if outcome.status == "fits":
            assert outcome.budget is not None
            assert count_characters(shown, NETFLIX.counting) <= outcome.budget.characters
            assert len(shown.split("\n")) <= 2
            assert all(count_characters(line) <= 42 for line in shown.split("\n"))
        if outcome.status == "passed":
            assert target.text == source.text
        assert bool(shown.strip()) == bool(plain_text(source.text, "vtt").strip())


RUNNING_ON = (
    "He writes a long letter",
    "to his mother in the village",
    "and waits at the bridge.",
    "The storm was stronger...",
    "...than the ship.",
)


@examples(4)
@given(st.lists(st.integers(100, 2600), min_size=5, max_size=5))
def test_joining_never_makes_more_cues_overflow(translator, durations):
    starts = list(accumulate((each + 100 for each in durations), initial=0))
    cues = tuple(
        Cue(start, start + duration, text)
        for start, duration, text in zip(starts, durations, RUNNING_ON, strict=False)
    )
    over = {}
    for across in (False, True):
        done = localize(Track(cues, "srt"), translator, NETFLIX, Options(join=across))
        assert all(each.target.strip() for each in done.outcomes)
        over[across] = sum(each.status == "overflow" for each in done.outcomes)
    assert over[True] <= over[False]


@pytest.mark.parametrize("kept", ["[DOOR SLAMS SHUT]", "♪ la la la la la ♪"])
def test_what_stays_beside_speech_takes_its_room_first(kept: str) -> None:
    said = "I told you to leave this house before the sun went down."
    texts = [
        "Ich hatte dir gesagt, dass du vor Sonnenuntergang gehen sollst.",
        "Ich sagte, geh jetzt los.",
        "Ich sagte, du gehst.",
    ]
    track = srt(("00:00:01,000 --> 00:00:03,500", f"- {kept}\n- {said}"))
    scripted = ScriptedTranslator({said: texts})
    options = Options(strict_budget=True)
    (cue,) = localize(track, scripted, Guideline.load("netflix", "de"), options).outcomes
    assert (cue.status, cue.target) == ("fits", f"- {kept}\n- Ich sagte, du gehst.")


def test_a_number_that_the_source_has_not_is_told() -> None:
    track = srt(("00:00:01,000 --> 00:00:04,000", "We meet in February."))
    model = ScriptedTranslator({"We meet in February.": "Wir treffen uns im Februar um 21."})
    done = localize(track, cast("Any", model), NETFLIX)
    remarks = list(remarks_of(done.report))
    assert any("21" in one and "not in the source" in one for one in remarks), remarks
