"""A subtitle file and its translation as a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError
from subfit.memory.files import read_entries
from tests.memory.test_reading import GERMAN

ENGLISH = """1
00:00:01,000 --> 00:00:02,000
- Who is it?
- <i>The postman.</i>

2
00:00:03,000 --> 00:00:04,000
He waited,

3
00:00:04,100 --> 00:00:05,000
but nobody came.
"""
GERMAN_SRT = """1
00:00:01,000 --> 00:00:02,000
- Wer ist da?
- Der Postbote.

2
00:00:03,000 --> 00:00:04,000
Er wartete,

3
00:00:04,100 --> 00:00:05,000
aber niemand kam.
"""


def test_a_pair_of_subtitle_files_gives_sentences_and_turns(tmp_path: Path) -> None:
    (tmp_path / "film.de.srt").write_text(GERMAN_SRT, encoding="utf-8")
    (tmp_path / "film.en.srt").write_text(ENGLISH, encoding="utf-8")
    pair = f"{tmp_path / 'film.en.srt'}:{tmp_path / 'film.de.srt'}"
    assert [(entry.source, entry.target) for entry in read_entries(pair, GERMAN)] == [
        ("Who is it?", "Wer ist da?"),
        ("The postman.", "Der Postbote."),
        ("He waited, but nobody came.", "Er wartete, aber niemand kam."),
    ]


def test_half_a_pair_says_which_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "film.en.srt").write_text(ENGLISH, encoding="utf-8")
    with pytest.raises(InputFileError, match=r"film\.de\.srt: there is no such file"):
        list(read_entries(f"{tmp_path / 'film.en.srt'}:{tmp_path / 'film.de.srt'}", GERMAN))
