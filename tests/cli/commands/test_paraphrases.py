from pathlib import Path

import pytest

from tests.cli.conftest import Cli

LINES = """\
talk\tI do not know where the boat is today.\tIch weiß nicht, wo das Boot ist.
talk\tI have no idea where the boat is.\tIch weiß nicht, wo das Boot ist.
talk\tI don't know where that boat is.\tIch weiß nicht, wo das Boot ist.
news\tThe harbour is closed.\tDer Hafen ist zu.
news\tThe harbour's been closed.\tDer Hafen ist zu.
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "train.en-de.tsv"
    path.write_text(LINES, encoding="utf-8")
    return path


def test_pairs_of_one_language_are_written(pairs: Path, cli: Cli) -> None:
    done = cli("paraphrases", pairs, "-o", "out.tsv", "--copied", "1", "--json")
    assert done.code == 0, done.err
    rows = [line.split("\t") for line in (pairs.parent / "out.tsv").read_text().splitlines()]
    assert {corpus for corpus, *_ in rows} >= {"paraphrases", "copied"}
    assert done.json["pairs"] == 5 and done.json["written"] == len(rows)
    assert ["paraphrases", "The harbour is closed.", "The harbour's been closed."] in rows


def test_corpora_are_chosen_and_pairs_held_out(pairs: Path, cli: Cli) -> None:
    options = ("--corpus", "news", "--shortened", "0", "--copied", "0", "--json")
    assert cli("paraphrases", pairs, "-o", "a.tsv", *options).json["written"] == 2
    held = ("--held-out", "dev.tsv", "--held-out-pairs", "1")
    done = cli("paraphrases", pairs, "-o", "b.tsv", *options, *held)
    assert done.json["held_out"] == 1 and done.json["written"] == 0
    assert len((pairs.parent / "dev.tsv").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("missing.tsv",), 1, "missing.tsv"),
        (("train.en-de.tsv", "--corpus", "none"), 1, "no two sources have the same target"),
        (("train.en-de.tsv", "-s", "de"), 2, "--shortened 0"),
        (("broken.tsv",), 1, "expected source and target"),
        (("train.en-de.tsv", "-o", "train.en-de.tsv"), 1, "exists"),
    ],
)
def test_wrong_use_is_told_in_a_line(
    pairs: Path, cli: Cli, arguments: tuple[str, ...], code: int, told: str
) -> None:
    (pairs.parent / "broken.tsv").write_text("one column\n")
    options = () if "-o" in arguments else ("-o", "out.tsv")
    done = cli("paraphrases", *arguments, *options)
    assert done.code == code and told in done.err and "Traceback" not in done.err
