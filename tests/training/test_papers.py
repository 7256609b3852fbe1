"""The papers' own settings train: their methods as they are, everything else tiny."""

from __future__ import annotations

import pytest

from subfit.model.bundled import bundled_recipes
from subfit.training.folder import load_run, read_log
from subfit.training.recipe import load_recipe
from subfit.training.train import train
from tests.tiny import write_pairs

TINY = """
data.train=[toy.tsv] data.dev=toy.tsv vocabulary.pieces=380 vocabulary.character_coverage=1
model.encoder_layers=1 model.decoder_layers=1 model.width=16 model.feed_forward=32 model.heads=2
optimizer.learning_rate=0.01 schedule.warmup=3 schedule.steps=20 run.dtype=float32
run.batch_tokens=400 run.accumulate=1 run.validate_steps=20 run.log_steps=1 run.score_steps=0
"""


@pytest.mark.parametrize(
    ("name", "variant", "more", "has"),
    [
        ("lakew2019-must-c", "token+rel", (), {"length_encodings": ["rel"]}),
        ("takase2019-gigaword", "ldpe-unseen", (), {"decoder_positions": False}),
        ("oka2020-aspec", "ldpe-noise4", ("vocabulary.target_pieces=380",),
         {"length_unit": "tokens", "length_predictor": True}),
        ("ferreira2018-iwslt", "csoftmax-constant", (), {"source_attention": "csoftmax"}),
        ("lakew2019", "verbosity", ("schedule.cooldown=0",), {"length_class_side": "target"}),
    ],
)  # fmt: skip
def test_twenty_steps_lower_the_loss(tmp_path, name, variant, more, has):
    write_pairs(tmp_path / "toy.tsv")
    overrides = [*TINY.split(), f"data.root={tmp_path}", *more]
    recipe = load_recipe(bundled_recipes()[name], overrides, variant=variant)
    train(recipe, tmp_path / "run")
    log = read_log(tmp_path / "run")
    losses = [entry["loss"] for entry in log.values()]
    assert max(log) == 20
    assert sum(losses[-5:]) < 0.95 * sum(losses[:5])
    config = load_run(tmp_path / "run").model.config
    assert {key: getattr(config, key) for key in has} == has
    words = len(load_run(tmp_path / "run").tokenizer.target)
    assert (words < 380) == (name == "takase2019-gigaword")  # characters, and bytes
