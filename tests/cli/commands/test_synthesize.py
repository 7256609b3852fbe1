"""``subfit synthesize``: sources in, training pairs out."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from subfit.evaluation.corpus import read_pairs
from tests.cli.conftest import Cli, Outcome
from tests.tiny import PAIRS, write_pairs

SOURCES = [pair.source for pair in PAIRS[:12]]


@pytest.fixture
def make(cli: Cli, tiny_model_folder: Path, tmp_path: Path) -> Cli:
    """Run ``subfit synthesize`` on ``sources.txt`` with a policy that a tiny model can meet."""
    (tmp_path / "sources.txt").write_text("\n".join([*SOURCES, "", SOURCES[0]]), encoding="utf-8")

    def call(*options: str | Path, file: str = "sources.txt") -> Outcome:
        lenient = ("--least-score", "-9", "--margin", "9", "--beam", "2", *options)
        return cli("synthesize", tiny_model_folder, file, *lenient)

    return call


@pytest.mark.parametrize("name", ["out.tsv", "out.tsv.xz", "out.tsv.gz"])
def test_pairs_that_recipes_can_train_on(make: Cli, tmp_path: Path, name: str) -> None:
    outcome = make("-o", name, "--corpus", "own", "--json")
    assert outcome.code == 0, outcome.err
    pairs = list(read_pairs(tmp_path / name))
    assert {pair.corpus for pair in pairs} == {"own"}
    assert {pair.source for pair in pairs} <= set(SOURCES)
    told = outcome.json
    assert told["sources"] == len(SOURCES)
    assert told["kept"] == len({pair.source for pair in pairs}) > 3
    assert told["shorter"] == len(pairs) - told["kept"] > 0
    assert sum(told["refused"].values()) == len(SOURCES) - told["kept"]


def test_a_summary_for_people(make: Cli) -> None:
    out = make("-o", "out.tsv", "--natural-ratios", "").out.splitlines()
    assert out[0] == "sources.txt: 12 sources"
    assert "0 shorter translations" in out[1]
    assert out[-1] == "pairs written to out.tsv"


def test_known_sources_are_left_out(make: Cli, tmp_path: Path) -> None:
    write_pairs(tmp_path / "all.tsv", PAIRS[:9])
    write_pairs(tmp_path / "known.tsv", PAIRS[:4])
    (tmp_path / "more.txt").write_text(PAIRS[5].source + "\n", encoding="utf-8")
    known = ("--known", "known.tsv", "--known", "more.txt")
    told = make("-o", "a.tsv", *known, "--json", file="all.tsv").json
    assert told["sources"] == 4
    assert (
        make("-o", "b.tsv", *known, "--json", "--limit", "2", file="all.tsv").json["sources"] == 2
    )
    pairs = list(read_pairs(tmp_path / "a.tsv"))
    assert {pair.source for pair in pairs} <= {PAIRS[n].source for n in (4, 6, 7, 8)}


def test_a_file_is_not_replaced_unasked(make: Cli, tmp_path: Path) -> None:
    (tmp_path / "out.tsv").write_text("mine")
    outcome = make("-o", "out.tsv")
    assert outcome.code == 1
    assert "--overwrite" in outcome.err
    assert (tmp_path / "out.tsv").read_text() == "mine"
    assert make("-o", "out.tsv", "--overwrite").code == 0
    assert (tmp_path / "out.tsv").read_text().startswith("synthetic\t")


def test_a_failure_on_the_way_leaves_nothing(
    make: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("subfit.decoding.translator.Translator.rate", lambda *_: 1 / 0)
    assert make("-o", "out.tsv.xz").code == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--natural-ratios", "0.9,much"), "is no list of shares"),
        (("--natural-ratios", "1.1"), "is no list of shares"),
        (("--margin", "-1"), "--margin"),
        (("--corpus", "a\tb"), "--corpus must be a name"),
        (("--known", "sources.txt"), "no sources in it that are not known"),
        (("--known", "absent.tsv"), "absent.tsv: cannot be read"),
        (("-t", "it"), "tiny translates into de, not it"),
    ],
)
def test_requests_that_make_no_sense_are_one_line(
    make: Cli, options: tuple[str, ...], said: str
) -> None:
    outcome = make("-o", "out.tsv", *options)
    assert outcome.code in (1, 2)
    assert said in outcome.err
    assert outcome.err.count("\n") == 1
    assert not Path("out.tsv").exists()


def test_packed_sources_can_be_read(make: Cli, tmp_path: Path) -> None:
    data = "".join(f"{source}\n" for source in SOURCES).encode()
    (tmp_path / "sources.txt.xz").write_bytes(lzma.compress(data))
    assert make("-o", "out.tsv", "--json", file="sources.txt.xz").json["sources"] == 12
