"""Timing lines."""

from __future__ import annotations

import pytest

from subfit.subtitles.formats.layout import (
    defused,
    is_strict,
    read_timing,
    why_unread,
    with_end,
    write_timing,
)


@pytest.mark.parametrize(
    ("line", "times"),
    [
        ("00:00:01,000 --> 00:00:02,500", (1000, 2500)),
        ("00:01.000 --> 00:02.500 line:0", (1000, 2500)),
        ("0:0:1,5 -> 0:0:2,25", (1500, 2250)),
        ("00:00:01,000 --&gt; 00:00:02,000", (1000, 2000)),
        ("-00:00:01,000 --> 00:00:02,000", (0, 2000)),
    ],
)
def test_times_are_read_however_files_write_them(line: str, times: tuple[int, int]) -> None:
    timing = read_timing(line)
    assert timing is not None and (timing.start, timing.end) == times


@pytest.mark.parametrize("line", ["Open 10:30 -> 11:30", "a --> b", "00:00:01,000", ""])
def test_dialogue_with_an_arrow_is_no_timing_line(line: str) -> None:
    assert read_timing(line) is None


def test_why_a_line_with_an_arrow_is_text() -> None:
    assert why_unread("a --> b") == "it has no times"
    assert why_unread("00:00:01,000 --> soon") == "it has one time"


def test_text_that_would_be_a_timing_line_is_defused() -> None:
    line = "00:00:01,000 --> 00:00:02,000"
    assert "➝" in defused(line) and read_timing(defused(line)) is None
    assert defused("a --> b") == "a --> b"


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("srt", "00:00:01,000 --> 01:00:02,500"),
        ("vtt", "00:00:01.000 --> 01:00:02.500 line:0"),
    ],
)
def test_what_is_written_is_strict_in_its_format(format: str, line: str) -> None:
    settings = line.partition("line")[1] and "line:0"
    assert write_timing(1000, 3_602_500, settings, format) == line
    assert is_strict(line, format) and not is_strict(line, "vtt" if format == "srt" else "srt")


def test_another_end_changes_nothing_else() -> None:
    assert with_end("00:01.000 --> 00:02.000  line:0", 2040) == "00:01.000 --> 00:02.040  line:0"
    assert with_end("00:01.000 --> 00:02.000", 3_600_000) == "00:01.000 --> 01:00:00.000"
    with pytest.raises(ValueError, match="no strict timing line"):
        with_end("from one to two", 2000)
