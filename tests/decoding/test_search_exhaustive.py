"""The budgeted search beside the best of all sequences, on a vocabulary of six pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
import torch
from transformers import MarianMTModel

from subfit.decoding.hypotheses import SearchSettings, TokenRequest
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting, count_characters
from tests.tiny import tiny_marian

PIECES = ("", " ab", "c", " d", "efg", "")
END, PAD = 0, 5
WORDS = (1, 2, 3, 4)
INSIDE_WORD = (2, 4)
MOST_TOKENS = 4
SOURCE = [1, 2, 4, END]


class Pieces:
    eos_id, pad_id, piece_texts = END, PAD, PIECES


def model_of(seed: int) -> MarianMTModel:
    """A random model that is about as likely to go on with a word as not."""
    model = tiny_marian(len(PIECES), seed=seed, end_bias=-1.0)
    model.final_logits_bias[0, list(INSIDE_WORD)] += 0.7
    return model


def text_of(sequence: tuple[int, ...]) -> str:
    return "".join(PIECES[each] for each in sequence).lstrip(" ")


def all_log_probabilities(
    models: Sequence[Any], sequences: list[tuple[int, ...]], before: tuple[int, ...]
) -> torch.Tensor:
    """(sequences, MOST_TOKENS, pieces): of every next token, by the models' own forward passes."""
    rows = [(*before, *each, *[END] * (MOST_TOKENS - 1 - len(each))) for each in sequences]
    fed = torch.tensor(rows)
    source = torch.tensor([SOURCE]).expand(len(fed), -1)
    with torch.inference_mode():
        each = [
            model(input_ids=source, decoder_input_ids=fed).logits[:, len(before) - 1 :]
            for model in models
        ]
    return torch.stack([logits.log_softmax(-1) for logits in each]).mean(0)


def every_hypothesis(
    models: Sequence[Any],
    ceiling: float,
    counting: Counting,
    penalty: float,
    before: tuple[int, ...] = (PAD,),
):
    """All sequences the rules allow, with their scores, best first.

    A piece is allowed while the text stays within the ceiling; what is forbidden keeps its
    probability. Where something was forbidden, the end is so too if nothing has been printed yet;
    and if the models give more than half of its probability to pieces that go on with the word,
    only these are allowed. All begin with the tokens ``before``, of which those behind the start
    count as tokens that cost nothing.
    """
    sequences = [each for count in range(MOST_TOKENS) for each in product(WORDS, repeat=count)]
    tables = all_log_probabilities(models, sequences, before)
    found = []
    for sequence, table in zip(sequences, tables, strict=True):
        if count_characters(text_of(sequence), counting) > ceiling:
            continue
        tokens = (*sequence, END)
        if not all(
            follows(token, sequence[:step], table[step], ceiling, counting)
            for step, token in enumerate(tokens)
        ):
            continue
        total = sum(float(table[step, token]) for step, token in enumerate(tokens))
        found.append((sequence, total / (len(before) - 1 + len(tokens)) ** penalty))
    return sorted(found, key=lambda each: -each[1])


def follows(
    token: int, before: tuple[int, ...], log_probs: torch.Tensor, ceiling: float, counting: Counting
) -> bool:
    """Whether a token that fits may follow others."""
    longer = [count_characters(text_of((*before, word)), counting) for word in WORDS]
    if max(longer) <= ceiling:
        return True
    if not text_of(before):
        return token != END
    return token in INSIDE_WORD or bool(log_probs[list(INSIDE_WORD)].exp().sum() <= 0.5)


@pytest.mark.parametrize(
    ("seed", "penalty", "spaces"),
    [(0, 1.0, True), (1, 0.0, True), (2, 1.0, False), (0, 0.0, False)],
)
def test_a_wide_beam_finds_all_there_is(seed, penalty, spaces):
    counting = Counting(spaces=spaces)
    model = model_of(seed)
    table = piece_table(Checkpoint("x", model, Pieces()), counting)
    settings = SearchSettings(beams=330, nbest=330, length_penalty=penalty, max_steps=MOST_TOKENS)
    search = BudgetedBeamSearch(Network([model]), table, settings)
    ceilings = [float("inf"), 9.0, 6.0, 4.0, 3.0, 2.0, 1.0]
    found = search.search([TokenRequest(tuple(SOURCE), 0, ceiling) for ceiling in ceilings])
    for ceiling, nbest in zip(ceilings, found, strict=True):
        wanted = every_hypothesis([model], ceiling, counting, penalty)
        assert {each.token_ids for each in nbest} == {sequence for sequence, _ in wanted}
        assert [each.score for each in nbest] == pytest.approx(
            [score for _, score in wanted], abs=1e-4
        )
        assert [each.token_ids for each in nbest[:1]] == [each for each, _ in wanted[:1]]
        for each in nbest:
            assert each.characters == count_characters(text_of(each.token_ids), counting)


@pytest.mark.parametrize("seed", range(2))
def test_a_ceiling_without_spaces_is_that_of_a_count_without_spaces(seed):
    checkpoint = Checkpoint("x", model_of(seed), Pieces())
    settings = SearchSettings(beams=330, nbest=330, max_steps=MOST_TOKENS)
    ceilings = [float("inf"), 8.0, 5.0, 3.0, 2.0, 1.0]

    def search(counting: Counting, *limits: tuple[float, float]) -> list[list[tuple[int, ...]]]:
        beams = BudgetedBeamSearch(
            Network([checkpoint.model]), piece_table(checkpoint, counting), settings
        )
        requests = [TokenRequest(tuple(SOURCE), 0, most, dense=dense) for most, dense in limits]
        return [[each.token_ids for each in nbest] for nbest in beams.search(requests)]

    dense = search(Counting(), *((float("inf"), ceiling) for ceiling in ceilings))
    assert dense == search(
        Counting(spaces=False), *((ceiling, float("inf")) for ceiling in ceilings)
    )
    both = search(Counting(), *((6.0, ceiling) for ceiling in ceilings))
    for ceiling, nbest in zip(ceilings, both, strict=True):
        texts = [text_of(each) for each in nbest]
        assert texts or ceiling < 3
        assert all(len(text) <= 6 for text in texts)
        assert all(len(text.replace(" ", "")) <= ceiling for text in texts)
