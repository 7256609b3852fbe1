"""What is read from corpus files."""

from __future__ import annotations

import gzip
import lzma

import pytest

from subfit.errors import InputFileError
from subfit.evaluation.corpus import Pair, pair_writer, read_pairs, read_sources

LINES = "games\tHello.\tHallo.\r\n\tSoft\u00adware\tSoft\u00a0 ware\nte\u0301a\tb\n"
PAIRS = [Pair("games", "Hello.", "Hallo."), Pair("", "Software", "Soft ware"), Pair("", "téa", "b")]


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("a.tsv", lambda data: data),
        ("a.tsv.xz", lzma.compress),
        ("a.tsv.gz", gzip.compress),
        ("bom.tsv", lambda data: b"\xef\xbb\xbf" + data),
    ],
)
def test_plain_and_packed_files_give_the_same_pairs(tmp_path, name, pack):
    path = tmp_path / name
    path.write_bytes(pack(LINES.encode()))
    assert list(read_pairs(path)) == PAIRS


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "a.tsv",
            b"a\tb\nonly one\n",
            r"a\.tsv:2: 1 column; expected source and target, or corpus, source and target, parted",
        ),
        ("a.tsv", b"a\tb\tc\td\n", r"a\.tsv:1: 4 columns"),
        ("a.tsv", b"a\t\xff\n", "is not UTF-8"),
        ("a.tsv.xz", b"not packed", "cannot be read"),
        ("a.tsv.gz", b"not packed", "cannot be read"),
        ("a.tsv.gz", gzip.compress(b"a\tb\n" * 999, mtime=0)[:-20], "cannot be read"),
        ("a.tsv.xz", lzma.compress(b"a\tb\n" * 999)[:-20], "cannot be read"),
        (None, b"", r"a\.tsv: cannot be read \(no such file"),
    ],
)
def test_broken_files_are_told_in_one_line(tmp_path, name, content, problem):
    path = tmp_path / (name or "a.tsv")
    if name:
        path.write_bytes(content)
    with pytest.raises(InputFileError, match=problem) as caught:
        list(read_pairs(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.xz", "a.tsv.gz"])
def test_what_is_written_is_read_again(tmp_path, name):
    with pair_writer(tmp_path / name, overwrite=False) as write:
        for pair in PAIRS:
            write(pair)
    assert list(read_pairs(tmp_path / name)) == PAIRS
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_sources_stand_alone_or_in_pairs(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"  Just\u00a0 this.\n{LINES}", encoding="utf-8", newline="")
    assert list(read_sources(path)) == ["Just this.", "Hello.", "Software", "téa"]
    path.write_text("a\tb\tc\td\n", encoding="utf-8")
    with pytest.raises(InputFileError, match="4 columns"):
        list(read_sources(path))
