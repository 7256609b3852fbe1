import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import UsageError
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import read_track
from tests.places import TIMED
from tests.properties import examples

NETFLIX = Guideline.load("netflix", "de")


def track(*cues: tuple[int, int, str], format: str = "srt") -> Track:
    return Track(tuple(Cue(start, end, text) for start, end, text in cues), format)


def kinds(report, cue: int = 0) -> dict[str, tuple[float, float]]:
    return {v.kind: (v.value, v.limit) for v in report.cues[cue].violations}


@pytest.mark.parametrize(
    ("cue", "guideline", "expected"),
    [
        ((0, 2000, "Wie geht es dir?"), NETFLIX, {}),
        ((0, 1000, "x" * 17), NETFLIX, {}),
        ((0, 1000, "x" * 18), NETFLIX, {"cps": (18, 17)}),
        ((0, 1000, "<i>" + "x" * 17 + "</i>"), NETFLIX, {}),
        ((0, 1000, "x" * 9 + "\n" + "x" * 8), NETFLIX, {}),
        ((0, 6000, "x" * 43), NETFLIX, {"cpl": (43, 42)}),
        ((0, 6000, "x" * 42 + "  \nx"), NETFLIX, {}),  # spaces at the end are not seen
        ((0, 6000, "a\nb\nc"), NETFLIX, {"lines": (3, 2)}),
        ((0, 500, "Ja."), NETFLIX, {"min_duration": (500, 833)}),
        ((0, 8000, "Ja."), NETFLIX, {"max_duration": (8000, 7000)}),
        ((1000, 1000, "Ja."), NETFLIX, {"no_duration": (0, 0)}),
        ((1000, 400, "Ja."), NETFLIX, {"no_duration": (-600, 0)}),
        ((1000, 1000, "Ja."), Guideline(), {"no_duration": (0, 0)}),
        ((0, 2000, ""), NETFLIX, {}),
        ((0, 1, "x" * 999), Guideline(), {}),
        (
            (0, 7000, "x" * 42 + "\n" + "y" * 42 + "\n" + "z" * 10),
            Guideline.load("ted", "de"),
            {"lines": (3, 2), "characters": (94, 84), "line_balance": (10 / 42, 0.5)},
        ),
        ((0, 2000, "one two three four five six"), Guideline.load("bbc", "en"), {}),
        # Neither dashes nor the marks that French has behind a space are words.
        ((0, 2000, "- Un deux\u00a0?\n- Trois quatre cinq six !"), Guideline.load("bbc", "fr"), {}),
        (
            (0, 2000, "one two three four five six seven"),
            Guideline.load("bbc", "en"),
            {"wpm": (210, 180)},
        ),
    ],
)
def test_every_limit_is_checked(cue, guideline, expected):
    found = kinds(check_track(track(cue), guideline))
    assert found == {kind: pytest.approx(values) for kind, values in expected.items()}


def test_gaps_and_overlaps_are_those_in_time():
    report = check_track(
        track((5000, 6000, "third"), (0, 2000, "first"), (2040, 5500, "second")), NETFLIX
    )
    assert [cue.gap for cue in report.cues] == [None, 40, -500]
    assert kinds(report, 1) == {"gap": (40, 83)}
    assert kinds(report, 2) == {"overlap": (500, 0)}


def test_a_cue_over_its_budget_overflows():
    report = check_track(
        track((0, 1000, "x" * 20), (2000, 2000, "Ja."), (3000, 5000, "Ja")), NETFLIX
    )
    assert [(cue.budget, cue.binding, cue.overflow) for cue in report.cues] == [
        (17, "cps", 3),
        (0, "cps", 3),
        (34, "cps", 0),
    ]
    assert [report.totals["overflow"][name] for name in ("over", "characters")] == [2, 6]


def test_totals():
    report = check_track(
        track((0, 1000, "x" * 10), (2000, 4000, "x" * 60), (5000, 6000, ""), (7000, 7000, "x")),
        NETFLIX,
    )
    assert report.totals["cps"] == {"mean": 20, "sd": 10, "count": 2, "worst": 30}
    assert list(report.violations.items()) == [("cps", 1), ("cpl", 1), ("no_duration", 1)]
    assert report.totals["compliant_cues"] == 2
    assert (report.pairing, report.totals["lengths"]) == (None, None)


def test_a_translation_is_compared_with_its_source_by_position():
    source = track((0, 2000, "x" * 20), (3000, 5000, "<b>" + "x" * 20 + "</b>"))
    target = track((0, 2000, "y" * 22), (9000, 9500, "y" * 30))
    report = check_track(target, Guideline(), source)
    assert report.pairing == "position"
    assert [cue.source.length_ratio for cue in report.cues] == [1.1, 1.5]
    assert report.totals["lengths"]["length_ratio"]["mean"] == pytest.approx(1.3)
    assert report.totals["lengths"]["compliance"] == {"iwslt": 0.5, "strict": 0.5, "count": 2}
    assert report.violations == {}


def test_numbers_and_addresses_that_no_cue_nearby_has_are_told_and_break_no_limit():
    source = track((0, 2000, "In 2003, see"), (3000, 5000, "www.example.org."), (6000, 8000, "17!"))
    target = track((0, 2000, "Siehe"), (3000, 5000, "www.example.org, 2003."), (6000, 8000, "71!"))
    report = check_track(target, Guideline(language="de"), source)
    assert [[each.source for each in cue.source.lost] for cue in report.cues] == [[], [], ["17"]]
    assert report.to_dict()["totals"]["lost"] == 1
    assert report.violations == {}


def test_songs_have_no_hashtags():
    source = track((0, 2000, "♪ When #I was young in 2003 ♪"))
    report = check_track(track((0, 2000, "♪ La la ♪")), Guideline(language="de"), source)
    assert report.totals["lost"] == 0


def test_separators_are_read_as_the_languages_have_them():
    source, target = track((0, 2000, "12,500 at 3.5")), track((0, 2000, "12.500 zu 3,5"))
    assert check_track(target, Guideline(language="de"), source).totals["lost"] == 0
    source, target = target, source
    report = check_track(target, Guideline(language="en"), source, source_language="de")
    assert report.totals["lost"] == 0


def test_a_ratio_that_is_asked_for_is_checked():
    source = track((0, 2000, "x" * 20), (3000, 5000, "x" * 20))
    target = track((0, 2000, "y" * 25), (3000, 5000, "y" * 10))
    report = check_track(target, Guideline(), source, length_ratio=LengthRatio(0.9, 1.1))
    assert [kinds(report, n) for n in (0, 1)] == [
        {"length_ratio": (1.25, 1.1)},
        {"length_ratio": (0.5, 0.9)},
    ]
    assert [cue.overflow for cue in report.cues] == [3, 0]


def test_cues_that_were_merged_or_split_are_paired_by_time():
    source = track(
        (0, 1000, "one"), (1000, 2000, "two"), (3000, 6000, "three"), (20_000, 21_000, "lost")
    )
    target = track((0, 2000, "eins zwei"), (3000, 5000, "drei"), (5000, 6000, "Rest"))
    target = replace(target, cues=(*target.cues, Cue(30_000, 31_000, "neu"), Cue(40_000, 1, "?")))
    report = check_track(target, NETFLIX, source)
    assert report.pairing == "time"
    assert [cue.source and cue.source.cues for cue in report.cues] == [(1, 2), (3,), *[None] * 3]
    assert report.cues[0].source.text == "one\ntwo"
    assert report.totals["unpaired_source_cues"] == 1
    assert report.totals["lengths"]["length_ratio"]["count"] == 2


@pytest.mark.parametrize(
    ("source", "text", "kept"),
    [
        ("[DOOR SLAMS]", "[DOOR SLAMS]", True),
        ("<i>♪ My bonnie lies ♪</i>", "♪ My bonnie\nlies ♪", True),
        ("", "", True),
        ("[DOOR SLAMS]", "[TÜR KNALLT LAUT ZU]", False),
        ("Anna!", "Anna!", False),
        ("Who is it?", "", False),
    ],
)
def test_what_is_kept_as_it_is_has_no_ratio(source, text, kept):
    spoken = (3000, 5000, "Who is there?")
    report = check_track(
        track((0, 2000, text), (3000, 5000, "Wer ist da?")),
        NETFLIX,
        track((0, 2000, source), spoken),
        length_ratio=LengthRatio(maximum=0.9),
    )
    assert report.cues[0].source.kept is kept
    assert report.totals["kept"] == kept
    assert report.totals["lengths"]["length_ratio"]["count"] == (1 if kept or not source else 2)
    assert ("length_ratio" in kinds(report)) == (not kept and bool(text))


def test_plain_text_is_measured_against_its_source_only():
    source = track((0, 0, "How are you?"), format="txt")
    target = track((0, 0, "x" * 100), format="txt")
    report = check_track(target, NETFLIX, source, length_ratio=LengthRatio(0.9, 1.1))
    assert list(kinds(report)) == ["length_ratio"]
    assert (report.cues[0].gap, report.cues[0].cps) == (None, None)


def test_plain_text_of_other_length_cannot_be_paired():
    with pytest.raises(UsageError, match="the source has 2 lines and its translation 1"):
        check_track(
            track((0, 0, "a"), format="txt"), NETFLIX, track((0, 0, "a"), (0, 0, "b"), format="txt")
        )


def test_an_empty_file_has_nothing_to_tell():
    report = check_track(track(), NETFLIX, track())
    assert (report.cues, report.violations, report.totals["overflow"]["texts"]) == ((), {}, 0)
    assert json.dumps(report.to_dict(), allow_nan=False)


def test_the_report_is_plain_data_with_its_settings():
    cue = Cue(0, 1000, "x" * 20, identifier="7", line=12)
    report = check_track(Track((cue,), "srt"), NETFLIX, track((0, 1000, "y" * 20)))
    data = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert data["guideline"]["name"] == "netflix" and data["guideline"]["cps"] == 17
    assert data["totals"]["violations"] == {"cps": {"cues": 1, "share": 1}}
    assert data["totals"]["overflow"] == {"texts": 1, "over": 1, "characters": 3, "share": 1}
    assert data["totals"]["lengths"]["compliance"] == {"iwslt": 1, "strict": 1, "count": 1}
    (entry,) = data["cues"]
    assert list(entry)[:5] == ["position", "identifier", "line", "start", "end"]
    assert (entry["identifier"], entry["line"], entry["cps"]) == ("7", 12, 20)
    assert entry["violations"] == [{"kind": "cps", "value": 20, "limit": 17}]
    assert entry["source"]["length_ratio"] == 1
    assert check_track(track((0, 0, "x")), Guideline()).to_dict()["cues"][0]["budget"] is None


cues = st.lists(
    st.builds(Cue, st.integers(0, 9000), st.integers(0, 9000), st.text("ab<i> \n漢", max_size=50)),
    max_size=6,
).map(tuple)


@examples(50)
@given(cues, cues)
def test_any_two_files_can_be_compared(target, source):
    report = check_track(Track(target, "srt"), NETFLIX, Track(source, "vtt"))
    assert [cue.cue for cue in report.cues] == list(target)
    paired = [n for cue in report.cues if cue.source for n in cue.source.cues]
    assert sorted(paired) == sorted(set(paired))
    assert len(paired) + report.totals["unpaired_source_cues"] == len(source)
    for cue in report.cues:
        if cue.overflow:
            assert cue.violations
    assert json.dumps(report.to_dict(), allow_nan=False)


@pytest.mark.skipif(not TIMED.is_dir(), reason="no ../shared/subtitles/timed beside the project")
def test_real_translations_are_measured():
    paths = sorted(TIMED.glob("*.de.srt"))[::3]
    assert paths
    for path in paths:
        source = read_track(path.with_name(path.name.replace(".de.", ".en.")))
        report = check_track(read_track(path), NETFLIX, source)
        assert 0.5 < report.totals["lengths"]["length_ratio"]["mean"] < 2
        assert len(report.cues) == report.totals["overflow"]["texts"]


def test_a_number_that_the_source_has_nowhere_near_is_told():
    source = track((0, 2000, "3,000,000 copies"), (3000, 5000, "in 1985."))
    target = track((0, 2000, "3.000.000 Kopien 1985"), (3000, 5000, "im Jahr 1986."))
    report = check_track(target, Guideline(language="de"), source)
    assert [cue.source.added for cue in report.cues] == [(), ("1986",)]
