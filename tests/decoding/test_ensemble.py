"""Several models that translate together, beside searches over their averaged log-probabilities."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import pytest
import torch

from subfit.decoding.hypotheses import Request, SearchSettings, TokenRequest
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting
from tests.decoding.test_search_exhaustive import (
    MOST_TOKENS,
    SOURCE,
    Pieces,
    every_hypothesis,
    model_of,
)
from tests.hub_reference import hub_model
from tests.tiny import PAIRS

STEPS = 24


def shaken(checkpoint: Checkpoint, seed: int) -> Checkpoint:
    """The same model with noise on its weights: what another seed of the training might give."""
    model = deepcopy(checkpoint.model)
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1 + 0.1 * torch.randn(weight.shape, generator=draw))
    return replace(checkpoint, name=f"shaken-{seed}", model=model)


def log_probabilities(models, source, fed, asked: int) -> torch.Tensor:
    """(hypotheses, pieces) of the next token, averaged over Hugging Face's own forward passes."""
    length = {} if not asked else {"decoder_char_budget": torch.full((len(fed),), asked)}
    rows = torch.tensor([source]).expand(len(fed), -1)
    with torch.inference_mode():
        each = [
            model(input_ids=rows, decoder_input_ids=torch.tensor(fed), **length).logits[:, -1]
            for model in models
        ]
    return torch.stack([logits.log_softmax(-1) for logits in each]).mean(0)


def plain_beam_search(models, source, barred, beams: int, asked: int = 0):
    """The best hypothesis without a ceiling, by the textbook; every step from scratch."""
    config = models[0].config
    running, finished = [(0.0, (config.decoder_start_token_id,))], []
    for _ in range(STEPS):
        scores = log_probabilities(models, source, [tokens for _, tokens in running], asked)
        scores[:, barred] = float("-inf")
        totals = scores + torch.tensor([total for total, _ in running]).unsqueeze(1)
        best, places = totals.flatten().topk(2 * beams)
        grown = []
        for rank, (total, place) in enumerate(zip(best.tolist(), places.tolist(), strict=True)):
            parent, token = divmod(place, scores.shape[1])
            tokens = (*running[parent][1], token)
            if token != config.eos_token_id:
                grown.append((total, tokens))
            elif rank < beams:
                finished.append((total / (len(tokens) - 1), tokens[1:-1]))
        finished = sorted(finished, reverse=True)[:beams]
        running = grown[:beams]
        hope = running[0][0] / (len(running[0][1]) - 1)
        if len(finished) == beams and hope <= finished[-1][0]:
            break
    return finished[0] if finished else None


@pytest.mark.parametrize(("seeds", "penalty"), [((0, 1), 0.0), ((1, 2, 3), 1.0)])
def test_a_wide_beam_finds_all_that_the_average_allows(seeds, penalty):
    models = [model_of(seed) for seed in seeds]
    table = piece_table(Checkpoint("x", models[0], Pieces()), Counting())
    settings = SearchSettings(beams=330, nbest=330, length_penalty=penalty, max_steps=MOST_TOKENS)
    search = BudgetedBeamSearch(Network(models), table, settings)
    ceilings = [float("inf"), 9.0, 6.0, 4.0, 3.0, 2.0]
    found = search.search([TokenRequest(tuple(SOURCE), 0, ceiling) for ceiling in ceilings])
    for ceiling, nbest in zip(ceilings, found, strict=True):
        wanted = every_hypothesis(models, ceiling, Counting(), penalty)
        assert {each.token_ids for each in nbest} == {sequence for sequence, _ in wanted}
        assert [each.score for each in nbest] == pytest.approx(
            [score for _, score in wanted], abs=1e-4
        )


def test_the_beam_is_that_of_averaged_hugging_face_models(checkpoint):
    asked = 18
    checkpoints = [checkpoint, shaken(checkpoint, 1), shaken(checkpoint, 2)]
    models = [each.model for each in checkpoints]
    config, tokenizer = checkpoint.model.config, checkpoint.tokenizer
    table = piece_table(checkpoint, Counting())
    settings = SearchSettings(beams=3, nbest=3, max_steps=STEPS)
    search = BudgetedBeamSearch(Network(models), table, settings)
    sources = [(*tokenizer.encode(pair.source), tokenizer.eos_id) for pair in PAIRS[:2]]
    found = search.search([TokenRequest(source, asked) for source in sources])
    barred = [config.pad_token_id, *config.source_token_ids]
    alone = BudgetedBeamSearch(Network(models[:1]), table, settings)
    references = [hub_model(each) for each in models]
    differing = 0
    for source, nbest in zip(sources, found, strict=True):
        wanted = plain_beam_search(references, source, barred, 3, asked)
        if wanted is None:  # nothing ended in so many steps
            assert not nbest
            continue
        assert nbest[0].token_ids == wanted[1]
        assert nbest[0].score == pytest.approx(wanted[0], abs=1e-4)
        differing += abs(alone.search([TokenRequest(source, asked)])[0][0].score - wanted[0]) > 0.01
    assert differing  # the others have a say


def test_an_ensemble_keeps_ceilings_and_rates_with_all(checkpoint):
    together = Translator(checkpoint, beside=[shaken(checkpoint, 3)])
    texts = [pair.source for pair in PAIRS]
    found = together.translate([Request(text, 16, 16) for text in texts])
    assert any(found)
    assert all(each.characters <= 16 for nbest in found for each in nbest)
    free = together.translate([Request(text) for text in texts])
    for searched, rated in zip(free, together.rate(texts, free), strict=True):
        assert [each.score for each in rated] == pytest.approx(
            [each.score for each in searched], abs=1e-4
        )


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"target_language": "fr"}, "languages"),
        ({"length_classes": [["short", 5, 0.9], ["long", 6, None]]}, "length classes"),
        ({"pad_token_id": 3}, "special tokens"),
        ({"decoder_vocab_size": 999}, "numbers of target pieces"),
    ],
)
def test_models_that_differ_are_refused(checkpoint, change, what):
    other = shaken(checkpoint, 1)
    for name, value in change.items():
        setattr(other.model.config, name, value)
    with pytest.raises(UsageError) as caught:
        Translator(checkpoint, beside=[other])
    assert str(caught.value) == (
        f"{checkpoint.name} and shaken-1 cannot translate together: their {what} differ;"
        " take models of one recipe"
    )
