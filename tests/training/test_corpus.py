"""What is read from corpus files, and what is left out and why."""

from __future__ import annotations

import gzip
import lzma

import pytest

from subfit.errors import InputFileError, RecipeError
from subfit.training.corpus import Pair, load_corpus, read_pairs
from subfit.training.recipe_data import Data

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
        ("a.tsv", b"a\tb\nonly one\n", r"a\.tsv:2: 1 column; expected corpus, source and target"),
        ("a.tsv", b"a\tb\tc\td\n", r"a\.tsv:1: 4 columns"),
        ("a.tsv", b"a\t\xff\n", "is not UTF-8"),
        ("a.tsv.xz", b"not packed", "cannot be read"),
        ("a.tsv.gz", b"not packed", "cannot be read"),
        ("a.tsv.gz", gzip.compress(b"a\tb\n" * 999)[:-20], "cannot be read"),
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


def test_pairs_that_teach_nothing_are_left_out_and_counted(tmp_path):
    rows = [
        "games\tHello.\tHallo.",
        "games\tHello.\tHallo.",
        "games\tHello.\tHalli.",
        "law\tHello.\tHallo!",
        "games\t\tHallo.",
        "games\tHello.\t ",
        f"games\t{'a' * 41}\t{'b' * 41}",
        f"games\tabc\t{'b' * 20}",
        f"games\tabc\t{'b' * 19}",
    ]
    (tmp_path / "a.tsv").write_text("\n".join(rows), encoding="utf-8")
    data = Data(
        root=str(tmp_path),
        train=("a.tsv",),
        dev="a.tsv",
        weights={"law": 0.0},
        max_characters=40,
        max_ratio=3.0,
    )
    corpus = load_corpus(data)
    assert [pair.target for pair in corpus.pairs] == ["Hallo.", "Halli.", "b" * 19]
    assert corpus.left_out == {
        "duplicate": 1,
        "corpus law has weight 0": 1,
        "empty side": 2,
        "longer than 40 characters": 1,
        "sides differ by more than 3 times": 1,
    }


@pytest.mark.parametrize("content", ["", "a\t\n\t\n"])
def test_nothing_to_train_on_is_an_error(tmp_path, content):
    (tmp_path / "a.tsv").write_text(content)
    with pytest.raises(RecipeError, match="no pairs to train on"):
        load_corpus(Data(root=str(tmp_path), train=("a.tsv",), dev="a.tsv"))
