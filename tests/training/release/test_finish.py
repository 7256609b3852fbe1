"""The end of a run: figures, card, and both beside the exported model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.evaluation.corpus import Pair
from subfit.training.recipe.recipe import Recipe
from subfit.training.release.finish import finish_run
from subfit.training.run.export import export_run
from subfit.training.run.folder import is_finished
from subfit.training.train import train
from tests.tiny import PAIRS, RECIPE, write_pairs

DEV = (*PAIRS[:5], Pair("toy", "A | B <b>", "Ein sehr langer Satz mit vielen Wörtern, ja."))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Recipe, Path]:
    root = tmp_path_factory.mktemp("run")
    write_pairs(root / "toy.tsv", (*PAIRS, PAIRS[0], Pair("empty", "x", "")))
    write_pairs(root / "dev.tsv", DEV)
    recipe = replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(root), dev="dev.tsv"),
        length=replace(RECIPE.length, noise=2),
        schedule=replace(RECIPE.schedule, steps=4),
    )
    train(recipe, root / "run")
    finish_run(root / "run")
    return recipe, root / "run"


def test_the_figures_are_of_the_whole_dev_set(run):
    metrics = json.loads((run[1] / "metrics.json").read_text())
    assert metrics["training"]["steps"] == 4
    assert metrics["training"]["target_tokens"] > 0
    assert metrics["dev_loss"] > 0 and metrics["dev_loss_free"] > 0
    for name in ("dev", "dev-ref"):
        assert metrics[name]["lines"] == len(DEV)
        assert metrics[name]["command"].startswith("subfit evaluate tiny dev.tsv")
        assert "version:" in metrics[name]["quality"]["bleu"]["signature"]
        assert {"source_ratio", "reference_ratio"} <= metrics[name].keys()
    assert metrics["dev-ref"]["ask"] == "reference"
    assert metrics["dev-ref"]["variance"] is not None


def test_the_card_has_signals_counts_signatures_and_weaknesses(run):
    card = (run[1] / "README.md").read_text(encoding="utf-8")
    metrics = json.loads((run[1] / "metrics.json").read_text())
    for part in (
        "# tiny: en to de",
        "`short` (≤ 0.95), `normal` (≤ 1.15), `long`",
        "`abs` summed with positions",
        "noise ±2 characters",
        "30% of the training texts without any",
        "30 sentence pairs",
        "| toy | 30 | **to be filled in",
        "1: duplicate",
        "1: empty side",
        metrics["dev"]["quality"]["chrf"]["signature"],
        metrics["dev"]["quality"]["bleu_star"]["signature"],
        "subfit evaluate tiny dev.tsv --ask reference",
        "A \\| B &lt;b>",
    ):
        assert part in card, part
    assert str(run[1].parent) not in card  # whoever reads it has other folders


def test_the_export_has_both(run, tmp_path):
    export_run(run[1], tmp_path / "model")
    for name in ("metrics.json", "README.md"):
        assert (tmp_path / "model" / name).read_bytes() == (run[1] / name).read_bytes()
        assert name in (tmp_path / "model" / "SHA256SUMS").read_text()


def test_a_run_that_goes_on_is_no_longer_finished(run, tmp_path):
    recipe, folder = run
    assert is_finished(recipe, folder)
    longer = replace(recipe, schedule=replace(recipe.schedule, steps=5))
    assert not is_finished(longer, folder)
    assert not is_finished(recipe, tmp_path)
    train(recipe, tmp_path / "run")
    (tmp_path / "run" / "metrics.json").write_text("{}")
    train(longer, tmp_path / "run")
    assert not (tmp_path / "run" / "metrics.json").exists()
