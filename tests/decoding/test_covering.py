"""Attention that remembers what it has spent, in the search, beside Hugging Face's."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from subfit.decoding.hypotheses import SearchSettings, TokenRequest
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.model.attention import SourceAttention
from subfit.model.checkpoint import Checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.model.transformer import Transformer
from subfit.text.counting import EVERYTHING
from subfit.training.sections import Length
from tests.decoding.test_search import compare, sources
from tests.hub_reference import hub_model
from tests.tiny import tiny_model

SINK = 377
PLAIN_LENGTH = Length()
WAYS: dict[str, dict[str, Any]] = {
    "coverage vector": {"coverage_vector": True},
    "csoftmax": {"source_attention": "csoftmax", "constant_fertility": 1.5, "exhaustion": 0.6},
    "csparsemax, tight": {"source_attention": "csparsemax", "constant_fertility": 0.4},
    "csparsemax, max-align": {"source_attention": "csparsemax", "fertility": "max-align"},
    "csparsemax, predicted": {
        "source_attention": "csparsemax",
        "fertility": "predicted",
        "exhaustion": 0.4,
        "coverage_vector": True,
    },
}


def model_of(tokenizer: Tokenizer, way: str, seed: int = 1) -> Transformer:
    """A random model; what would start at nothing is drawn, too."""
    changes = WAYS.get(way, {})
    sink = SINK if "source_attention" in changes else None
    shape = {"decoder_layers": 2, "sink_token": sink, **changes}
    model = tiny_model(tokenizer, seed=seed, end_bias=4.5, length=PLAIN_LENGTH, **shape)
    with torch.no_grad():
        if model.config.coverage_vector:
            vector = model.model.decoder.layers[-1].encoder_attn.coverage_vector
            vector.copy_(torch.randn_like(vector))
        if model.config.fertility == "max-align":
            model.fertility.set_table(torch.randint(1, 3, (len(tokenizer),)).tolist())
        if model.fertility is not None and model.fertility.out is not None:
            model.fertility.out.weight.normal_(0.5)
    return model


def with_sink(source: torch.Tensor, pad: int) -> torch.Tensor:
    """Put the sink behind the end of every source."""
    source = source.masked_fill(source == SINK, SINK - 1)
    wide = torch.cat([source, torch.full((len(source), 1), pad)], dim=1)
    ends = (wide != pad).sum(1)
    wide[torch.arange(len(wide)), ends] = SINK
    return wide


def drawn_sources(tokenizer: Tokenizer, model: Any, rows: int, seed: int) -> torch.Tensor:
    source = sources(len(tokenizer), rows, seed, tokenizer.eos_id, tokenizer.pad_id)
    return source if model.config.sink_token is None else with_sink(source, tokenizer.pad_id)


@pytest.mark.parametrize("way", WAYS)
def test_without_ceiling_the_search_is_that_of_generate(tokenizer, way) -> None:
    compared = 0
    for seed in range(2):
        model = model_of(tokenizer, way, seed)
        source = drawn_sources(tokenizer, model, 6, seed)
        compared += compare(model, tokenizer, source, 3, None)
    assert compared > 4


def test_sparsemax_is_searched_as_generate_does(tokenizer) -> None:
    pytest.importorskip("entmax")
    model = tiny_model(tokenizer, end_bias=4.5, length=PLAIN_LENGTH, source_attention="sparsemax")
    source = drawn_sources(tokenizer, model, 6, 3)
    assert compare(model, tokenizer, source, 3, None) > 2


@pytest.mark.parametrize("way", WAYS)
def test_forced_decoding_gives_the_scores_of_the_search(tokenizer, way) -> None:
    model = model_of(tokenizer, way)
    found = searched(model, tokenizer, 0.0)
    network = Network([model])
    for request, nbest in found:
        memory = network.encode([request.source])
        for each in nbest:
            rated = network.rate([[*each.token_ids, tokenizer.eos_id]], memory)[0]
            assert sum(rated) == pytest.approx(each.log_probability, abs=1e-3)


def searched(model: Any, tokenizer: Tokenizer, penalty: float, batch_size: int = 4):
    rows = drawn_sources(tokenizer, model, 9, 5)
    requests = [TokenRequest(tuple(row[row != tokenizer.pad_id].tolist())) for row in rows]
    search = search_of(model, tokenizer, penalty, batch_size)
    return list(zip(requests, search.search(requests), strict=True))


def search_of(
    model: Any, tokenizer: Tokenizer, penalty: float, batch_size: int = 4
) -> BudgetedBeamSearch:
    settings = SearchSettings(
        beams=3, nbest=3, max_steps=24, batch_size=batch_size, coverage_penalty=penalty
    )
    table = piece_table(Checkpoint("x", model, tokenizer), EVERYTHING)
    return BudgetedBeamSearch(Network([model]), table, settings)


@pytest.mark.parametrize("way", [way for way in WAYS if "source_attention" in WAYS[way]])
def test_no_source_token_has_more_attention_than_its_fertility(tokenizer, way, monkeypatch) -> None:
    model = model_of(tokenizer, way)
    attention: list[tuple[torch.Tensor, torch.Tensor]] = []
    sinks: list[float] = []
    share_all = SourceAttention.share_all

    def watched(way, scores, bounds, leaning=None):
        attention.append((share_all(way, scores, bounds, leaning), bounds))
        return attention[-1][0]

    monkeypatch.setattr(SourceAttention, "share_all", watched)
    network, fertility = Network([model]), hub_model(model).source_inputs
    for row in drawn_sources(tokenizer, model, 6, 2):
        source = row[row != tokenizer.pad_id]
        network.rate([torch.randint(6, 300, (20,)).tolist()], network.encode([source.tolist()]))
        shares, used = attention.pop()
        with torch.no_grad():
            bounds = fertility(source[None], torch.ones_like(source[None]))["source_bounds"][0]
        places = len(source)
        coverage = shares.mean(1).sum(1)[0]
        assert torch.allclose(used[0, :places], bounds, atol=1e-4)
        assert (coverage[:places] <= bounds + 1e-4).all()
        assert torch.allclose(shares.sum(-1), torch.ones(()), atol=1e-5)
        sinks.append(coverage[:places][source == SINK].item())
        assert not coverage[places:].any()
    assert max(sinks) > 1  # twenty steps are more than the words can have


def test_plain_models_are_searched_with_a_coverage_penalty_of_wu_et_al(tokenizer) -> None:
    model = model_of(tokenizer, "plain")
    without = dict(searched(model, tokenizer, 0.0))
    changed = 0
    for request, nbest in searched(model, tokenizer, 0.7):
        for each in nbest:
            coverage = coverage_by_hand(model, request.source, each.token_ids)
            expected = 0.7 * sum(math.log(min(max(each, 0.01), 1.0)) for each in coverage)
            assert each.uncovered == pytest.approx(expected, abs=1e-4)
            tokens = len(each.token_ids) + 1
            assert each.score == pytest.approx(
                each.log_probability / tokens + each.uncovered, abs=1e-4
            )
        scores = [each.score for each in nbest]
        assert scores == sorted(scores, reverse=True)
        before = without[request]
        changed += bool(before and nbest and before[0].token_ids != nbest[0].token_ids)
    assert changed


def coverage_by_hand(model: Any, source: tuple[int, ...], target: tuple[int, ...]) -> list[float]:
    """What each source token has of the last layer's attention, by Hugging Face's own code."""
    reference = hub_model(model)
    reference.set_attn_implementation("eager")
    start = model.config.decoder_start_token_id
    made = reference(
        input_ids=torch.tensor([source]),
        attention_mask=torch.ones(1, len(source), dtype=torch.int64),
        decoder_input_ids=torch.tensor([[start, *target]]),
        output_attentions=True,
    )
    return made.cross_attentions[-1][0].mean(0).sum(0).tolist()
