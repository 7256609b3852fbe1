"""Steps over packed texts: what Hugging Face's Marian computes, in one shape, recorded on a GPU."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from subfit.training.dataset import IGNORED, Dataset, tensors_of
from subfit.training.forward import packed_states
from subfit.training.loss import TrainingLoss, target_states, token_losses
from subfit.training.predictor import joint_length_loss
from subfit.training.sampling import epoch, shape_of
from subfit.training.sections import Length
from subfit.training.train import train
from tests.tiny import PAIRS, RECIPE, tiny_model
from tests.training.runs import assert_same, steps, weights

SIGNALS = {
    "abs": Length(encodings=("abs", "rel"), predictor="encoder"),
    "all": Length(encodings=("abs", "rel", "lrpe", "leninit", "lc")),
    "without positions": Length(encodings=("abs",), positions=False),
    "tokens": Length(encodings=("abs",), unit="tokens"),
}
UNITS = [*((number,) for number in range(12)), (12, 13), (14, 15)]


@pytest.fixture
def made(tokenizer, request):
    model = tiny_model(tokenizer, length=SIGNALS[request.param])
    return model, Dataset(PAIRS, tokenizer, model.config, 128)


@pytest.mark.parametrize("made", SIGNALS, indirect=True)
@pytest.mark.parametrize("shaped", [False, True])
def test_packed_texts_have_the_states_of_padded_ones(made, shaped):
    model, dataset = made
    shape = shape_of(dataset, RECIPE.data, 900) if shaped else None
    batch, packed = dataset.batch(UNITS), dataset.packed(UNITS, shape)
    states, labels, encoded = target_states(model, batch)
    found, found_labels, _ = target_states(model, packed)
    assert torch.equal(found_labels, labels)
    torch.testing.assert_close(found, states, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(token_losses(model, packed), token_losses(model, batch))
    _, of_sources = packed_states(model, packed, torch.float32)
    real = encoded[batch.source_mask.bool()]
    torch.testing.assert_close(of_sources[: len(real)], real, rtol=1e-4, atol=1e-5)
    if model.length_head is not None:
        torch.nn.init.normal_(model.length_head.attention)
        torch.nn.init.normal_(model.length_head.output)
        losses = (
            joint_length_loss(model, packed, of_sources),
            joint_length_loss(model, batch, encoded),
        )
        torch.testing.assert_close(*losses)


@pytest.mark.parametrize("made", ["all"], indirect=True)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_gradients_are_those_of_the_padded_loss(made, dtype):
    model, dataset = made
    gradients = []
    recipe = replace(RECIPE, optimizer=replace(RECIPE.optimizer, label_smoothing=0.1))
    for batch, name in ((dataset.batch(UNITS), "float32"), (dataset.packed(UNITS), dtype)):
        model.zero_grad()
        loss = TrainingLoss(replace(recipe, run=replace(recipe.run, dtype=name)), model)
        loss(batch).backward()
        gradients.append(torch.cat([each.grad.flatten() for each in model.parameters()
                                    if each.grad is not None]))  # fmt: skip
    same = torch.nn.functional.cosine_similarity(*gradients, dim=0)
    assert same > (0.9999 if dtype == "float32" else 0.98)


@pytest.mark.parametrize("made", ["abs"], indirect=True)
def test_batches_of_one_shape_hold_every_text_once(made):
    _, dataset = made
    shape = shape_of(dataset, RECIPE.data, 300)
    order = epoch(dataset, 1, RECIPE.data, 300, shape)
    assert sorted(unit for units in order for unit in units) == [(n,) for n in range(len(PAIRS))]
    sizes = set()
    for units in order:
        batch = dataset.packed(units, shape)
        sizes.add(tuple(tuple(value.shape) for value in tensors_of(batch).values()))
        tokens = sum(len(dataset.text(unit).target) + 1 for unit in units)
        assert (batch.labels != IGNORED).sum() == batch.target_tokens == tokens
        assert (
            batch.target_bounds[-1] == len(batch.target) and (batch.target_bounds.diff() >= 0).all()
        )
        assert (batch.source_bounds.diff() > 0)[: len(units)].all()
    assert len(sizes) == 1


def test_a_packed_run_learns_and_is_cut_without_trace(recipe, tmp_path):
    packed = replace(recipe, run=replace(recipe.run, packed=True, batch_tokens=400))
    train(steps(packed, 8), tmp_path / "whole")
    train(steps(packed, 3), tmp_path / "cut")
    ahead = replace(packed, run=replace(packed.run, workers=1))
    train(steps(ahead, 8), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))
    lines = [
        json.loads(line) for line in (tmp_path / "whole" / "log.jsonl").read_text().splitlines()
    ]
    losses = [line["loss"] for line in lines if "loss" in line]
    assert losses[-1] < losses[0]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_recorded_and_compiled_run_is_nearly_one_without(recipe, tmp_path, dtype):
    """Heads of 16 are enough for FlashAttention; what is compiled rounds otherwise."""
    plain = replace(recipe.model, dropout=0.0)
    recipe = replace(recipe, model=plain, length=replace(recipe.length, predictor="encoder"))
    losses = []
    for name, fast in (("eager", False), ("fast", True)):
        run = replace(
            recipe.run, dtype=dtype, packed=True, graph=fast, compile=fast, log_steps=1, workers=1,
            batch_tokens=600,
        )  # fmt: skip
        train(steps(replace(recipe, run=run), 12), tmp_path / name)
        lines = map(json.loads, (tmp_path / name / "log.jsonl").read_text().splitlines())
        losses.append([line["loss"] for line in lines if "loss" in line])
    assert losses[1] == pytest.approx(losses[0], rel=0.02)
