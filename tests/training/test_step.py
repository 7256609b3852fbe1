"""Steps: what Hugging Face's Marian computes, in batches of one shape, recorded on a GPU."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from itertools import pairwise

import pytest
import torch
from torch.nn.functional import cross_entropy, kl_div, linear

from subfit.training.dataset import IGNORED, Dataset, Shown, epoch, shape_of, tensors_of
from subfit.training.loss import (
    CPU_ROWS,
    Other,
    TrainingLoss,
    projected_cross_entropy,
    projected_divergence,
)
from subfit.training.sections import Length
from subfit.training.train import train
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, RECIPE, tiny_model
from tests.training.runs import changed, logged, steps

SIGNALS = {
    "abs": Length(encodings=("abs", "rel"), predictor="encoder"),
    "all": Length(encodings=("abs", "rel", "lrpe", "leninit", "lc")),
    "without positions": Length(encodings=("abs",), positions=False),
    "tokens": Length(encodings=("abs",), unit="tokens"),
}
UNITS = [*((number,) for number in range(12)), (12, 13), (14, 15)]


SINK = 377
ATTENTION = {
    "coverage vector": {"coverage_vector": True},
    "csoftmax": {"source_attention": "csoftmax", "constant_fertility": 1.5, "exhaustion": 0.6},
    "csparsemax": {"source_attention": "csparsemax", "fertility": "predicted"},
}


@pytest.fixture
def made(tokenizer, request):
    name = request.param
    changes = ATTENTION.get(name, {})
    sink = SINK if "source_attention" in changes else None
    length = SIGNALS.get(name, Length())
    model = tiny_model(tokenizer, length=length, sink_token=sink, **changes)
    return model, Dataset(PAIRS, tokenizer, model.config, 64)


def padded(row: torch.Tensor, bounds: torch.Tensor, value: int) -> torch.Tensor:
    """Texts in one row as rows of a tensor."""
    texts = [row[a:b] for a, b in pairwise(bounds.tolist()) if b > a]
    return torch.nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=value)


@pytest.mark.parametrize("made", [*SIGNALS, *ATTENTION], indirect=True)
def test_the_loss_and_its_gradients_are_those_of_hugging_faces_marian(made):
    model, dataset = made
    batch = dataset.batch(UNITS)
    labels = padded(batch.labels, batch.target_bounds, IGNORED)
    source = padded(batch.source, batch.source_bounds, 0)
    reference = hub_model(model)
    logits = reference(
        input_ids=source,
        attention_mask=(source != 0).long(),
        decoder_input_ids=padded(batch.target, batch.target_bounds, 0),
        decoder_char_budget=batch.asked,
    ).logits
    wanted = cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="sum")
    wanted.backward()
    model.zero_grad()  # of embeddings with lengths, which both have from it
    plain = replace(RECIPE, optimizer=replace(RECIPE.optimizer, label_smoothing=0.0))
    found = TrainingLoss(plain, model)(replace(batch, fertilities=None))
    torch.testing.assert_close(found, wanted)
    found.backward()
    theirs = dict(reference.named_parameters())
    for name, weight in model.named_parameters():
        if (
            "length_" not in name
            and "shared" not in name
            and weight.grad is not None
            and theirs[name].grad is not None
        ):
            torch.testing.assert_close(weight.grad, theirs[name].grad, rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("made", ["abs", "tokens"], indirect=True)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_one_shape_or_half_precision_changes_nothing_but_rounding(made, dtype):
    model, dataset = made
    torch.nn.init.normal_(model.length_head.output) if model.length_head else None
    with torch.no_grad():  # random queries point too sharply for gradients to bear rounding
        [weight.mul_(0.1) for name, weight in model.named_parameters() if "q_proj" in name]
    recipe = replace(RECIPE, length=replace(RECIPE.length, predictor="encoder"))
    recipe = recipe if model.length_head else RECIPE
    gradients = []
    for shape, name in ((None, "float32"), (shape_of(dataset, RECIPE.data, 900), dtype)):
        model.zero_grad()
        loss = TrainingLoss(replace(recipe, run=replace(recipe.run, dtype=name)), model)
        loss(dataset.batch(UNITS, shape)).backward()
        gradients.append(torch.cat([each.grad.flatten() for each in model.parameters()
                                    if each.grad is not None]))  # fmt: skip
    same = torch.nn.functional.cosine_similarity(*gradients, dim=0)
    assert same > (0.9999 if dtype == "float32" else 0.98)


@pytest.mark.parametrize("made", ["csparsemax"], indirect=True)
def test_fertilities_are_predicted_in_half_precision_too(made):
    model, dataset = made
    recipe = replace(RECIPE, run=replace(RECIPE.run, dtype="bfloat16"))
    losses = [TrainingLoss(one, model)(dataset.batch(UNITS)) for one in (RECIPE, recipe)]
    torch.testing.assert_close(*losses, rtol=2e-2, atol=1.0)


@pytest.mark.parametrize("made", ["abs"], indirect=True)
def test_batches_of_one_shape_hold_every_text_once(made):
    _, dataset = made
    shape = shape_of(dataset, RECIPE.data, 300)
    order = epoch(dataset, 1, RECIPE.data, 300, shape)
    assert sorted(unit for units in order for unit in units) == [(n,) for n in range(len(PAIRS))]
    sizes = set()
    for units in order:
        batch = dataset.batch(units, shape)
        sizes.add(tuple(tuple(value.shape) for value in tensors_of(batch).values()))
        tokens = sum(len(dataset.text(unit).target) + 1 for unit in units)
        assert (batch.labels != IGNORED).sum() == batch.target_tokens == tokens
        assert (
            batch.target_bounds[-1] == len(batch.target) and (batch.target_bounds.diff() >= 0).all()
        )
        assert (batch.source_bounds.diff() > 0)[: len(units)].all()
    assert len(sizes) == 1


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_recorded_and_compiled_run_is_nearly_one_without(recipe, tmp_path, dtype):
    """Heads of 16 are enough for FlashAttention; what is compiled rounds otherwise."""
    run = {"dtype": dtype, "packed": True, "log_steps": 1, "workers": 1, "batch_tokens": 600}
    recipe = changed(recipe, model={"dropout": 0.0}, length={"predictor": "encoder"}, run=run)
    losses = []
    for name, fast in (("eager", False), ("fast", True)):
        made = changed(recipe, run={"graph": fast, "compile": fast})
        train(steps(made, 12), tmp_path / name)
        losses.append([*logged(tmp_path / name, "loss").values()])
    assert losses[1] == pytest.approx(losses[0], rel=0.02)


ROWS = (1, CPU_ROWS, 2 * CPU_ROWS + 5)


def inputs(rows: int) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(rows)
    states = torch.randn(rows, 8, generator=generator).requires_grad_()
    weight = torch.randn(50, 8, generator=generator).requires_grad_()
    bias = torch.randn(50, generator=generator)
    return states, weight, bias, torch.randint(50, (rows,), generator=generator)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_it_has_the_value_and_the_gradients_of_pytorchs(rows, smoothing):
    states, weight, bias, labels = inputs(rows)
    found = projected_cross_entropy(states, (weight, bias), labels, smoothing=smoothing)
    gradients = torch.autograd.grad(3 * found, (states, weight))
    wanted = cross_entropy(
        linear(states, weight, bias), labels, label_smoothing=smoothing, reduction="sum"
    )
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-4)
    expected = torch.autograd.grad(3 * wanted, (states, weight))
    torch.testing.assert_close(gradients, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", ROWS)
def test_the_divergence_from_another_model_is_pytorchs(rows):
    states, weight, bias, _ = inputs(rows)
    other = Other(*(torch.randn_like(each).detach() for each in (states, weight, bias)))
    counted = torch.arange(rows) % 3 != 1
    found = projected_divergence(states, (weight, bias), counted, other)
    gradients = torch.autograd.grad(3 * found, (states, weight))
    wanted = kl_div(
        linear(states, weight, bias)[counted].log_softmax(1),
        linear(*other)[counted].log_softmax(1),
        log_target=True,
        reduction="sum",
    )
    torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-4)
    expected = torch.autograd.grad(3 * wanted, (states, weight))
    torch.testing.assert_close(gradients, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("made", ["abs"], indirect=True)
@pytest.mark.parametrize("packed", [False, True])
def test_only_what_is_rehearsed_is_taught_by_the_teacher(made, packed):
    model, plain = made
    pairs = [replace(each, corpus="old") if n % 2 else each for n, each in enumerate(PAIRS)]
    shown = Shown(rehearsed={"old"})
    dataset = Dataset(pairs, plain.tokenizer, model.config, 64, shown)
    shape = shape_of(dataset, RECIPE.data, 300) if packed else None
    teacher = deepcopy(model)
    loss = TrainingLoss(RECIPE, model, teacher=teacher)
    new, old = [(n,) for n in range(0, 12, 2)], [(n,) for n in range(1, 12, 2)]
    assert loss(dataset.batch(old, shape)).item() == 0  # it is its own teacher
    both = loss(dataset.batch(new + old, shape))
    torch.testing.assert_close(both, TrainingLoss(RECIPE, model)(plain.batch(new)))
    torch.nn.init.normal_(teacher.model.shared.weight)
    assert loss(dataset.batch(new + old, shape)) > both


def test_in_half_precision_only_the_products_are_rounded():
    states, weight, bias, labels = inputs(70)
    exact = projected_cross_entropy(states, (weight, bias), labels)
    exact_gradient = torch.autograd.grad(exact, weight)[0]
    rounded = projected_cross_entropy(states.bfloat16(), (weight, bias), labels)
    gradient = torch.autograd.grad(rounded, weight)[0]
    assert rounded.dtype == gradient.dtype == torch.float32
    assert rounded.item() == pytest.approx(exact.item(), rel=0.01)
    assert rounded.item() != exact.item()
    torch.testing.assert_close(gradient, exact_gradient, rtol=0.05, atol=0.1)


def test_the_divergence_too_rounds_only_its_products_in_half_precision():
    states, weight, bias, _ = inputs(70)
    other = Other(*(torch.randn_like(each).detach() for each in (states, weight, bias)))
    counted = torch.ones(70, dtype=torch.bool)
    exact = projected_divergence(states, (weight, bias), counted, other)
    halved = other._replace(states=other.states.bfloat16())  # its output layer stays in float32
    rounded = projected_divergence(states.bfloat16(), (weight, bias), counted, halved)
    gradient = torch.autograd.grad(rounded, weight)[0]
    assert rounded.dtype == gradient.dtype == torch.float32
    assert rounded.item() == pytest.approx(exact.item(), rel=0.01)
