"""Automatic captions: their words and times, and cues that keep a guideline and lose nothing."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subfit.captions import Word, is_automatic, readable, segment, segmented, words_of
from subfit.errors import InputFileError
from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track

YOUTUBE = """WEBVTT
Kind: captions

00:00:01.000 --> 00:00:03.000 align:start position:0%
\x20
good<00:00:01.500><c> morning</c><00:00:02.000><c> everyone</c>

00:00:03.000 --> 00:00:03.010 align:start position:0%
good morning everyone
\x20

00:00:03.010 --> 00:00:05.000 align:start position:0%
good morning everyone
we<00:00:03.400><c> sail</c><00:00:04.000><c> today</c>

00:00:05.000 --> 00:00:05.010 align:start position:0%
we sail today
\x20
"""
WORDS = [
    ("good", 1000, 1500),
    ("morning", 1500, 2000),
    ("everyone", 2000, 3010),
    ("we", 3010, 3400),
    ("sail", 3400, 4000),
    ("today", 4000, 5000),
]


def said(track: Track) -> list[tuple[str, int, int]]:
    return [(word.text, word.start, word.end) for word in words_of(track)]


def test_a_line_that_youtube_says_three_times_is_said_once_with_its_word_times() -> None:
    track = parse_track(YOUTUBE.encode())
    assert is_automatic(track)
    assert said(track) == WORDS


def test_rolled_up_captions_are_read_line_by_line_and_arrows_begin_a_turn() -> None:
    texts = ["A STORM COMES", "A STORM COMES\nFROM THE WEST.", "FROM THE WEST.\n>> THANK YOU."]
    track = Track(tuple(Cue(1000 * n, 1000 * n + 1000, t) for n, t in enumerate(texts)), "srt")
    assert is_automatic(track)
    words = words_of(track)
    assert " ".join(word.text for word in words) == "A STORM COMES FROM THE WEST. THANK YOU."
    assert [word.text for word in words if word.turn] == ["THANK"]
    assert words[3].start == 1000


GOOD, DAY = {"word": " good", "start": 1.0, "end": 1.5}, {"word": " day", "start": 1.5, "end": 3.0}
SAID = {"start": 1.0, "end": 3.0, "text": " good day"}
SEGS = [{"utf8": "good"}, {"utf8": " day", "tOffsetMs": 500}]
JSON = {
    "json3": {
        "wireMagic": "pb3",
        "events": [
            {"tStartMs": 0, "dDurationMs": 9000, "id": 1},
            {"tStartMs": 1000, "dDurationMs": 2000, "segs": SEGS},
            {"tStartMs": 2900, "dDurationMs": 100, "aAppend": 1, "segs": [{"utf8": "\n"}]},
        ],
    },
    "whisper": {"text": " good day", "segments": [{**SAID, "words": [GOOD, DAY]}]},
    "whisperx": {
        "segments": [{**SAID, "words": [{"word": "good"}, DAY]}],
        "word_segments": [{"word": "good"}],
    },
    "faster-whisper": [{"id": 1, **SAID}],
    "whisper.cpp": {"transcription": [{"offsets": {"from": 1000, "to": 3000}, "text": "good day"}]},
}


@pytest.mark.parametrize("kind", JSON)
def test_json_of_recognisers_is_told_by_its_text_and_read_word_by_word(kind: str) -> None:
    track = parse_track(json.dumps(JSON[kind], indent=1).encode(), name="talk")
    assert is_automatic(track)
    words = said(track)
    assert [text for text, _, _ in words] == ["good", "day"]
    assert words[0][1] == 1000 and words[-1][2] == 3000
    assert words[0][2] <= words[1][1] <= 2200


def test_another_speaker_begins_a_turn() -> None:
    segments = [
        {"start": n, "end": n + 1, "text": text, "speaker": who}
        for n, (who, text) in enumerate([("A", "Is he here?"), ("A", "I ask."), ("B", "No.")])
    ]
    words = words_of(parse_track(json.dumps({"segments": segments}).encode(), format="speech"))
    assert [word.text for word in words if word.turn] == ["No."]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"segments": 3}',
        '{"segments": [{"start": "x", "text": "a"}]}',
        '{"events": [1, null]}',
    ],
)
def test_other_json_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputFileError, match=r"^talk\.json"):
        parse_track(text.encode(), name="talk.json", format="speech")


def test_pieces_of_a_stream_go_by_its_clock_and_a_cue_in_two_of_them_is_one() -> None:
    def piece(ticks: int, *cues: str) -> str:
        head = f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:{ticks},LOCAL:00:00:00.000\n\n"
        return head + "\n\n".join(cues) + "\n"

    stream = piece(
        900_000,
        "00:00:01.000 --> 00:00:03.000\nThe ferry leaves.",
        "00:00:05.000 --> 00:00:07.000\nCome on.",
    ) + piece(
        1_440_000,
        "-00:00:01.000 --> 00:00:01.000\nCome on.".removeprefix("-"),
        "00:00:02.000 --> 00:00:03.000\nNow.",
    )
    words = said(parse_track(stream.encode()))
    assert ("Now.", 8000, 9000) in words


@pytest.mark.parametrize(
    "texts",
    [
        ["He waited at the pier.", "Nobody came.", "Nobody came."],
        ["Yes.", "No, I am not going there.", "Why?", "Because."],
        ["♪ La la ♪", "♪ La la ♪", "♪ La la ♪"],
    ],
)
def test_cues_of_people_are_no_automatic_captions(texts: list[str]) -> None:
    track = Track(tuple(Cue(2000 * n, 2000 * n + 1000, t) for n, t in enumerate(texts)), "srt")
    assert not is_automatic(track)


EN = Guideline.load("netflix", "en")
TALK = (
    "I have never seen such a beautiful lighthouse. It stands on a cliff above the sea, "
    "and every evening the old keeper climbs the stairs to light the lamp. "
    "Nobody knows how long he has been there."
)


def spoken(text: str, start: int = 1000, each: int = 330) -> list[Word]:
    return [
        Word(word, start + n * each, start + (n + 1) * each) for n, word in enumerate(text.split())
    ]


def test_a_talk_is_cut_at_sentences_and_phrases_within_every_limit() -> None:
    cues = segment(spoken(TALK), EN)
    assert " ".join(cue.text for cue in cues).split() == TALK.split()
    assert cues[0].text == "I have never seen\nsuch a beautiful lighthouse."
    assert cues[-1].text == "Nobody knows how long he has been there."
    assert not check_track(Track(tuple(cues), "srt"), EN).violations


def test_words_keep_their_times_and_a_silence_or_a_turn_ends_a_cue() -> None:
    first, second = spoken("Is anybody there", 1000), spoken("hello again", 9000)
    words = [*first, *second, Word("Yes", 9660, 10_000, turn=True)]
    cues = segment(words, EN)
    assert [(cue.start, cue.text) for cue in cues] == [
        (1000, "Is anybody there"),
        (9000, "hello again"),
        (9660, "Yes"),
    ]
    assert cues[0].end <= first[-1].end + 500


def test_one_word_cues_and_minute_long_ones_are_segmented_and_told() -> None:
    words = spoken(TALK)
    single = Track(tuple(Cue(word.start, word.end, word.text) for word in words), "srt")
    long = Track((Cue(words[0].start, words[-1].end, TALK),), "srt")
    assert readable(single, EN) == segmented(single, EN)
    for track in (single, long):
        new = segmented(track, EN)
        assert 4 <= len(new.cues) <= 7
        assert "automatic caption" in new.repairs[-1].problem
        assert not check_track(new, EN).violations


def test_out_times_keep_off_shot_changes() -> None:
    words = spoken("The boat leaves before noon.")
    track = Track((Cue(words[0].start, words[-1].end, "The boat leaves before noon."),), "srt")
    at = words[-1].end + 300
    new = segmented(Track(track.cues, "srt", shot_changes=(at,)), EN)
    assert new.cues[-1].end == pytest.approx(at - 84, abs=20)


def test_scripts_without_spaces_are_joined_without_them() -> None:
    words = [
        Word(word, 500 * n, 500 * n + 500) for n, word in enumerate(["今日", "は", "雨", "です。"])
    ]
    (cue,) = segment(words, Guideline.load("netflix", "ja"))
    assert cue.text.replace("\n", "") == "今日は雨です。"


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.text("abc,.<&", min_size=1, max_size=60), st.integers(0, 3000)), max_size=30
    ),
    st.sampled_from(["netflix", "bbc", "ted", "none"]),
)
def test_no_word_is_lost_and_times_never_run_backwards(said, guideline) -> None:
    words, at = [], 0
    for text, pause in said:
        words.append(Word(text, at + pause, at + pause + 200))
        at += pause + 200
    cues = segment(words, Guideline.load(guideline, "en"), "vtt")
    assert [cue.start for cue in cues] == sorted(cue.start for cue in cues)
    assert all(cue.start < cue.end for cue in cues)
    assert {cue.start for cue in cues} <= {word.start for word in words}
    joined = "".join("".join(cue.text.split()) for cue in cues)
    joined = joined.replace("&lt;", "<").replace("&amp;", "&")
    assert joined == "".join(word.text for word in words)
