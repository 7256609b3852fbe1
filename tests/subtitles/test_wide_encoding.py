"""UTF-16 and UTF-32 that are damaged, and byte order marks that lie."""

import codecs

import pytest

from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import parse_track

CUES = (
    "1\n00:00:01,000 --> 00:00:02,000\nGood night.\n\n"
    "2\n00:00:03,000 --> 00:00:04,000\nДобрый вечер.\n"
)
TIMES = [(1000, 2000), (3000, 4000)]


def times(data):
    return [(cue.start, cue.end) for cue in parse_track(data, format="srt").cues]


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE])
def test_a_mark_of_another_encoding_is_told_and_not_believed(mark):
    track = parse_track(mark + CUES.encode(), format="srt")
    assert [cue.text for cue in track.cues] == ["Good night.", "Добрый вечер."]
    assert "the text is not" in track.repairs[0].problem


@pytest.mark.parametrize("text", ["Good night.\nHow are you?\n", "晚安。", "早上好。\n你好吗？\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_mark_is_believed_where_there_are_no_arrows(text, encoding):
    assert decode(text.encode(encoding), name="film.txt").text == text


def test_plain_text_behind_a_mark_of_utf_16_is_read():
    assert decode(codecs.BOM_UTF16_LE + b"Good night.\n", name="film.txt").text == "Good night.\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("cut", [b"", b"\x0a", b"\x0a\x0a\x0a"], ids=["lost", "one", "three"])
def test_a_byte_too_few_or_too_many_costs_no_cue(encoding, marked, cut):
    mark = "\ufeff".encode(encoding) if marked else b""
    data = CUES.encode(encoding)
    place = len("1\n00:00:01,000 --> 00:00:02,000\nGood".encode(encoding))
    damaged = data[:place] + cut + data[place + (not cut) :]
    assert times(mark + damaged) == TIMES
    problems = [repair.problem for repair in parse_track(mark + damaged, format="srt").repairs]
    assert any("replaced by" in problem for problem in problems)


@pytest.mark.parametrize("junk", [b"?", b"- - ", b"\xe2\x86\x92"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_bytes_before_the_mark_cost_no_cue(encoding, junk):
    data = junk + "\ufeff".encode(encoding) + CUES.encode(encoding)
    track = parse_track(data, format="srt")
    assert [(cue.start, cue.end) for cue in track.cues] == TIMES
    assert track.cues[1].text == "Добрый вечер."


def test_half_a_character_of_nothing_at_the_end_costs_no_cue():
    line = "00:00:11,000 --> 00:00:17,000"
    data = b"- - " + "\ufeff7\n".encode("utf-16-be") + b"0\n" + line.encode("utf-16-le")
    track = parse_track(data, format="srt")
    assert [(cue.start, cue.end) for cue in track.cues] == [(11_000, 17_000)]
