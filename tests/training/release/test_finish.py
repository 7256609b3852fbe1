"""The end of a run: figures, card, and both beside the exported model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.evaluation.corpus import Pair
from subfit.evaluation.weaknesses import by_source_length, least_like_references, worst_lengths
from subfit.model.marian_config import SubfitConfig
from subfit.training.recipe.model import Length
from subfit.training.recipe.recipe import Recipe
from subfit.training.release.card_text import length_signals
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


@pytest.mark.parametrize(
    ("length", "config", "told"),
    [
        (Length(), SubfitConfig(), "none"),
        (
            Length(encodings=("rel",), rel_steps=7, positions=False),
            SubfitConfig(length_encodings=["rel"], rel_steps=7, decoder_positions=False),
            "encodings `rel` instead of positions in the decoder; 7 steps of `rel`; noise ±0"
            " characters in training; 0% of the training texts without any",
        ),
    ],
)
def test_length_signals_are_told(length, config, told):
    assert length_signals(replace(RECIPE, length=length), config) == told


class TestWeaknesses:
    PAIRS = (Pair("", "s" * 20, "abcdef"), Pair("", "s" * 21, "ghijkl"), Pair("", "s" * 90, "mnop"))

    def test_lines_are_parted_by_the_length_of_their_source(self):
        buckets = by_source_length(self.PAIRS, ["abcdef", "ghijkl", "x"])
        assert [(each.label, each.lines) for each in buckets] == [
            ("1 to 20", 1),
            ("21 to 40", 1),
            ("over 80", 1),
        ]
        assert buckets[0].chrf == pytest.approx(100)
        assert buckets[2].reference_ratio.mean == pytest.approx(0.25)

    def test_the_worst_lines_come_first(self):
        outputs = ["abcdef", "ghixyz", "nothing"]
        assert [line.output for line in least_like_references(self.PAIRS, outputs)] == [
            "nothing",
            "ghixyz",
            "abcdef",
        ]

    def test_too_short_is_as_wrong_as_too_long_and_nothing_is_worst(self):
        outputs = ["abcdefabcdefabcdef", "", "mn"]  # 3 times, nothing, half
        found = worst_lengths(self.PAIRS, outputs)
        assert [line.value for line in found] == [0, 3, 0.5]
