"""The papers' own settings train: their methods as they are, everything else tiny."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import MarianConfig, MarianMTModel

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.model.bundled import bundled_recipes
from subfit.model.checkpoint import load_checkpoint
from subfit.model.config import EXACT
from subfit.training.folder import export_run, load_run, read_log
from subfit.training.recipe import Recipe, load_recipe
from subfit.training.sections import Attention, Length, Schedule
from subfit.training.train import prepare, train
from tests.decoding.test_search import compare
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, RECIPE, write_pairs
from tests.training.runs import assert_same, weights

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


WAYS = {
    "predicted": Attention("csparsemax", "predicted", exhaustion=0.4, alignment_pairs=20),
    "max-align": Attention("csoftmax", "max-align", exhaustion=0.6),
}


def tuned(plain: Path, attention: Attention, steps: int) -> Recipe:
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(plain), join=0.3),
        length=Length(),
        model=replace(RECIPE.model, start=str(plain / "run")),
        attention=attention,
        schedule=Schedule(steps=steps, warmup=1),
    )


@pytest.mark.parametrize("way", ["predicted", pytest.param("max-align", marks=pytest.mark.slow)])
def test_a_run_cut_in_two_is_exported_and_translates_as_generate_does(plain, tmp_path, way):
    pytest.importorskip("systran_align")
    train(tuned(plain, WAYS[way], 8), tmp_path / "whole")
    train(tuned(plain, WAYS[way], 3), tmp_path / "cut")
    train(tuned(plain, WAYS[way], 8), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))

    export_run(tmp_path / "whole", tmp_path / "model")
    checkpoint = load_checkpoint(str(tmp_path / "model"))
    tokenizer, sink = checkpoint.tokenizer, checkpoint.model.config.sink_token
    rows = [[*tokenizer.encode(pair.source), tokenizer.eos_id, sink] for pair in PAIRS[:8]]
    width = max(map(len, rows))
    source = torch.tensor([row + [tokenizer.pad_id] * (width - len(row)) for row in rows])
    with torch.no_grad():  # a few steps teach it no end
        checkpoint.model.final_logits_bias[0, tokenizer.eos_id] += 3.0
    assert compare(checkpoint.model, tokenizer, source, 3, None) > 2

    translator = Translator.load(tmp_path / "model", computing=EXACT)
    (nbest,) = translator.translate([Request("It is cold tonight.", ceiling=20.0)])
    assert all(each.characters <= 20 for each in nbest)
    assert load_checkpoint(str(tmp_path / "model")).model.config.fertility == way


def test_a_coverage_vector_begins_as_the_model_it_starts_from(plain, tmp_path):
    batch_of = {}
    for name, attention in {
        "softmax": Attention(),
        "vector": Attention(coverage_vector=True),
    }.items():
        trainer = prepare(tuned(plain, attention, 3), tmp_path / name)
        model = trainer.model.eval()
        source = torch.tensor([[9, 30, 41, 2], [300, 17, 18, 2]])
        with torch.no_grad():
            batch_of[name] = hub_model(model)(input_ids=source, decoder_input_ids=source).logits
    assert torch.allclose(batch_of["softmax"], batch_of["vector"], atol=1e-5)


def test_softmax_attention_is_marians_own_in_every_layer(plain, tmp_path):
    model = prepare(tuned(plain, Attention(), 3), tmp_path / "run").model
    marian = MarianConfig.from_dict(model.config.to_dict())
    ours, theirs = (
        {
            name: weight.shape
            for name, weight in each.state_dict().items()
            if "positions" not in name and not name.startswith("length_signal.")
        }
        for each in (model, MarianMTModel(marian))
    )
    assert ours == theirs
    assert model.config.sink_token is None
