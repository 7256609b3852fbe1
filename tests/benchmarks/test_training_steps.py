"""Losses of runs on the same texts, and what their differences are worth."""

from __future__ import annotations

import pytest
import torch
from torch.nn.functional import cross_entropy

from benchmarks.training_steps import Losses, Texts, kinds_of_texts, losses, rows
from subfit.evaluation.corpus import Pair
from subfit.training.run.folder import TrainedRun
from tests.tiny import PAIRS, RECIPE, tiny_model, tiny_tokenizer


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    tokenizer = tiny_tokenizer(tmp_path_factory.mktemp("tokenizer"))
    return TrainedRun(RECIPE, tiny_model(tokenizer).eval(), tokenizer)


def test_losses_are_the_models_own_text_by_text(run):
    pairs = PAIRS[:9]
    found = losses(run, Texts("all", pairs))
    for number, pair in enumerate(pairs):
        source = torch.tensor([[*run.tokenizer.encode(pair.source), run.tokenizer.eos_id]])
        labels = torch.tensor([[*run.tokenizer.target.encode(pair.target), run.tokenizer.eos_id]])
        with torch.inference_mode():
            logits = run.model(input_ids=source, labels=labels).logits[0]
        assert found.tokens[number] == labels.numel()
        expected = cross_entropy(logits, labels[0], reduction="sum").item()
        assert found.nats[number] == pytest.approx(expected, rel=0.01)  # of bfloat16


def test_the_error_is_that_of_texts_drawn_again():
    """Against the spread of the difference over texts drawn with replacement."""
    generator = torch.Generator().manual_seed(3)
    tokens = torch.randint(3, 40, (300,), generator=generator).double()
    one = tokens * 1.5 + torch.randn(300, generator=generator, dtype=torch.float64) * tokens
    other = one + 0.02 * tokens + torch.randn(300, generator=generator, dtype=torch.float64)
    difference, error = Losses(other, tokens).against(Losses(one, tokens))
    draws = torch.randint(300, (4000, 300), generator=generator)
    again = (other - one)[draws].sum(1) / tokens[draws].sum(1)
    assert difference == pytest.approx(((other - one).sum() / tokens.sum()).item())
    assert error == pytest.approx(again.std().item(), rel=0.1)


def test_texts_like_cues_and_joined_ones_are_made_of_the_pairs():
    pairs = [
        Pair("tatoeba", "If it rains, I stay.", "Wenn es regnet, bleibe ich.", "de"),
        Pair("tatoeba", "Who knows?", "Wer weiß?", "de"),
        Pair("wesnoth", "Wait here for me.", "Aspettami qui.", "it"),
        Pair("tatoeba", "He sleeps.", "Dorme.", "it"),
    ] * 5
    kinds = {each.name: each for each in kinds_of_texts(pairs)}
    assert len(kinds["everyday (Tatoeba)"].pairs) == 15
    assert len(kinds["all others"].pairs) == 5
    varied = kinds["like cues"].pairs
    assert varied
    assert not {each.source for each in varied} & {each.source for each in pairs}
    joined = {(each.source, each.target) for each in kinds["two joined"].pairs}
    assert ("Wait here for me. He sleeps.", "Aspettami qui. Dorme.") in joined
    assert len(joined) == 2  # none of two languages


def test_the_first_row_has_losses_and_the_others_differences(tmp_path):
    found = iter(
        [
            {"all": Losses(torch.tensor([2.0, 4.0]), torch.tensor([1.0, 2.0]))},
            {"all": Losses(torch.tensor([1.9, 3.8]), torch.tensor([1.0, 2.0]))},
        ]
    )
    table = list(rows([tmp_path / "control", tmp_path / "other"], [], lambda *_: next(found)))
    assert table == [["control", "2.000"], ["other", "-0.1000 ± 0.0000"]]
