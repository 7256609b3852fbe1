"""Plain text: one sentence a line."""

import io
import sys
from types import SimpleNamespace

import pytest

from subfit.errors import InputFileError, UsageError
from subfit.subtitles.formats import parse_track, read_track, render_track


def test_plain_text_on_standard_input_must_be_said(monkeypatch):
    stream = io.BytesIO(b"How are you?\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
    with pytest.raises(UsageError, match="--input-format"):
        read_track("-")
    stream.seek(0)
    assert [cue.text for cue in read_track("-", input_format="txt").cues] == ["How are you?"]


@pytest.mark.parametrize("text", ["one\ntwo\n", "one\n\ntwo", "one\r\n\r\n", "\n\none\u2028two\n"])
def test_plain_text_is_written_as_it_was(text):
    track = parse_track(text.encode(), format="txt")
    assert not track.timed
    assert render_track(track) == text.encode()


def test_plain_text_keeps_one_sentence_a_line():
    track = parse_track(b"one\n\ntwo\n", format="txt")
    assert [(cue.text, cue.line) for cue in track.cues] == [("one", 1), ("", 2), ("two", 3)]
    assert render_track(track.with_texts(["eins\neins", "", "zwei"])) == b"eins eins\n\nzwei\n"
    with pytest.raises(InputFileError, match="empty"):
        parse_track(b"\n", format="txt")
