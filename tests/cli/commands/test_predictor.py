"""``subfit predictor``: a model in, a model that predicts lengths out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, Outcome
from tests.tiny import PAIRS, save_tiny_bert, write_pairs


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.tsv")


def trained(cli: Cli, model: Path, *options: str | Path) -> Outcome:
    data = ("--data", "pairs.tsv", "--dev", "pairs.tsv", "-o", "out")
    return cli("predictor", "train", model, *data, "--steps", "20", *options)


def test_train_then_evaluate(cli: Cli, tiny_model_folder: Path, pairs: Path) -> None:
    outcome = trained(cli, tiny_model_folder, "--json")
    assert outcome.code == 0, outcome.err
    report = outcome.json
    assert (report["kind"], report["lines"]) == ("encoder", len(PAIRS))
    assert report["predictor"].keys() == {"mean_absolute", "variance", "correlation"}
    again = cli("predictor", "evaluate", "out", pairs, "--json").json
    assert again["predictor"] == report["predictor"]
    assert json.loads(Path("out/config.json").read_text())["length_predictor"] is True


def test_the_table_sets_the_trivial_predictor_beside_it(
    cli: Cli, tiny_model_folder: Path, pairs: Path
) -> None:
    out = trained(cli, tiny_model_folder).out
    rows = [line.split()[0] for line in out.splitlines()]
    assert rows == ["length", "characters", "predicted", "source", "line", "source", "model"]
    assert "source x 1.079" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("exists", "out exists already"),
        ("empty", "no sentence pairs"),
        ("none", "has no length predictor to measure"),
    ],
)
def test_requests_that_make_no_sense_are_one_line(
    change: str, said: str, cli: Cli, tiny_model_folder: Path, pairs: Path, tmp_path: Path
) -> None:
    if change == "exists":
        (tmp_path / "out").mkdir()
    if change == "empty":
        pairs.write_text("\t\n")
    if change == "none":
        outcome = cli("predictor", "evaluate", tiny_model_folder, pairs)
    else:
        outcome = trained(cli, tiny_model_folder)
    assert outcome.code in (1, 2)
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_on_a_pretrained_encoder(
    cli: Cli, tiny_marian_folder: Path, pairs: Path, tmp_path: Path
) -> None:
    save_tiny_bert(tmp_path / "bert")
    wish = ("--kind", "pretrained", "--encoder", "bert", "--freeze")
    outcome = trained(cli, tiny_marian_folder, *wish, "--json")
    assert outcome.code == 0, outcome.err
    assert outcome.json["kind"] == "pretrained"
    again = cli("predictor", "evaluate", "out", pairs, "--json").json
    assert again["predictor"] == outcome.json["predictor"]


@pytest.mark.parametrize(
    "options", [("--encoder", "bert"), ("--kind", "pretrained"), ("--freeze",)], ids=" ".join
)
def test_options_that_do_not_go_together(
    options: tuple[str, ...], cli: Cli, tiny_model_folder: Path, pairs: Path
) -> None:
    outcome = trained(cli, tiny_model_folder, *options)
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
