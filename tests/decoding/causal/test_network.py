"""The search over decoder-only models beside Hugging Face's, and beside all there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, cast

import pytest
import torch

from subfit.decoding.causal.forward import CausalForward
from subfit.decoding.causal.network import CausalNetwork
from subfit.decoding.causal.token_texts import TokenTexts
from subfit.decoding.network import Network
from subfit.decoding.pieces import table_of
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.text.counting import EVERYTHING, count_characters
from tests.tiny_causal import FAMILIES, tiny_causal

STEPS = 12
SIZE, END, MARK = 40, 0, 39
LETTERS = TokenTexts(
    ("", *["a", " b"] * (SIZE // 2 - 1), ""), frozenset({END}), frozenset({END, MARK})
)


def search_with(
    model: Any, texts: TokenTexts = LETTERS, **settings: Any
) -> tuple[CausalNetwork, BudgetedBeamSearch]:
    known = SearchSettings(**{"beams": 4, "nbest": 4, "max_steps": STEPS, **settings})
    network = CausalNetwork(CausalForward(model, texts), 512, known.max_steps)
    table = table_of(texts.texts, EVERYTHING)
    return network, BudgetedBeamSearch(cast(Network, network), table, known)


def prompts(rows: int, seed: int) -> list[tuple[int, ...]]:
    """Random prompts of different lengths, which begin alike."""
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(2, 9, (rows,), generator=draw).tolist()
    own = [torch.randint(1, MARK, (length,), generator=draw).tolist() for length in lengths]
    return [(MARK, 7, 9, *each) for each in own]


def theirs(model: Any, asked: Sequence[Sequence[int]], beams: int) -> list[tuple[Any, float]]:
    """The best answer to each prompt by `generate`; None where it was cut off."""
    longest = max(map(len, asked))
    padded = torch.tensor([[END] * (longest - len(each)) + [*each] for each in asked])
    mask = torch.tensor([[0] * (longest - len(each)) + [1] * len(each) for each in asked])
    made = model.generate(
        input_ids=padded,
        attention_mask=mask,
        num_beams=beams,
        early_stopping=False,
        do_sample=False,
        length_penalty=1.0,
        max_new_tokens=STEPS,
        suppress_tokens=[MARK],
        output_scores=True,
        return_dict_in_generate=True,
    )
    best = []
    for row, score in zip(made.sequences[:, longest:].tolist(), made.sequences_scores, strict=True):
        tokens = tuple(row[: row.index(END)]) if END in row else None
        best.append((tokens, float(score)))
    return best


@pytest.mark.parametrize("family", FAMILIES)
def test_without_a_ceiling_it_finds_what_generate_finds(family: str) -> None:
    model = tiny_causal(family, SIZE, END, end_bias=3.0)
    asked = prompts(12, seed=5)
    _, search = search_with(model, batch_size=5)  # some wait until others are done
    found = search.search([TokenRequest(each) for each in asked])
    wanted = theirs(model, asked, beams=4)
    assert sum(tokens is not None for tokens, _ in wanted) >= 6
    assert len({tokens for tokens, _ in wanted}) >= 4, "they are not all alike"
    for nbest, (tokens, score) in zip(found, wanted, strict=True):
        if tokens is not None:
            assert nbest[0].token_ids == tokens
            assert nbest[0].score == pytest.approx(score, abs=1e-4)


@pytest.mark.parametrize("family", FAMILIES)
def test_company_changes_nothing_but_roundings(family: str) -> None:
    model = tiny_causal(family, SIZE, END, seed=2)
    asked = [TokenRequest(each, 0, 5.0) for each in prompts(9, seed=1)]
    _, together = search_with(model, batch_size=4)
    found = together.search(asked)
    for request, nbest in zip(asked, found, strict=True):
        _, alone = search_with(model)
        (own,) = alone.search([request])
        assert [each.token_ids for each in own] == [each.token_ids for each in nbest]
        assert [each.score for each in own] == pytest.approx(
            [each.score for each in nbest], abs=1e-4
        )


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("ceiling", [1.0, 3.0, 6.0])
def test_with_a_ceiling_none_is_over_it(family: str, ceiling: float) -> None:
    model = tiny_causal(family, SIZE, END, end_bias=0.0)
    _, search = search_with(model)
    asked = [TokenRequest(each, 0, ceiling) for each in prompts(8, seed=3)]
    found = [each for nbest in search.search(asked) for each in nbest]
    assert all(each.characters <= ceiling for each in found)
    assert any(each.characters for each in found)


def test_ratings_are_the_models_own_probabilities() -> None:
    model = tiny_causal("qwen3", SIZE, END)
    network, _ = search_with(model)
    asked = prompts(3, seed=4)
    targets = [(3, 5, END), (8, END), (1, 2, 3, 4, END)]
    rated = network.rate(targets, network.encode(asked))
    for prompt, target, own in zip(asked, targets, rated, strict=True):
        with torch.inference_mode():
            table = model(torch.tensor([[*prompt, *target]])).logits.log_softmax(-1)[0]
        first = len(prompt) - 1
        wanted = [float(table[first + n, token]) for n, token in enumerate(target)]
        assert own == pytest.approx(wanted, abs=1e-4)


# Seven tokens: the end of a turn, words and parts of words, a line's end, and one that is no text.
TEXTS = ("", " ab", "c", " d", "efg", "\n", "")
SMALL = TokenTexts(TEXTS, frozenset({0}), frozenset({0, 6}))
WORDS, INSIDE_WORD, MOST_TOKENS = (1, 2, 3, 4), (2, 4), 4
PROMPT = (6, 1, 3, 2, 6)


def every_answer(model: Any, ceiling: float) -> list[tuple[tuple[int, ...], float]]:
    """All answers that the rules allow, with their scores, best first.

    An answer ends with its turn or, if it says anything, its line: both together are as probable as
    either. What does not fit is forbidden, and keeps its probability; and where something is, no
    answer is empty, nor ends in a word that the model would rather go on with.
    """
    found = []
    for count in range(MOST_TOKENS):
        for answer in product(WORDS, repeat=count):
            with torch.inference_mode():
                table = model(torch.tensor([[*PROMPT, *answer]])).logits.log_softmax(-1)[0]
            steps = table[len(PROMPT) - 1 :]
            score = answer_score(answer, steps, ceiling)
            if score is not None:
                found.append((answer, score / (len(answer) + 1)))
    return sorted(found, key=lambda each: -each[1])


def answer_score(answer: tuple[int, ...], steps: torch.Tensor, ceiling: float) -> float | None:
    total = 0.0
    for step in range(len(answer) + 1):
        before, log_probs = answer[:step], steps[step]
        longer = [count_characters(text_of((*before, word)), EVERYTHING) for word in WORDS]
        bites = max(longer) > ceiling
        inside = bool(log_probs[list(INSIDE_WORD)].exp().sum() > 0.5)
        if step == len(answer):
            if bites and (not before or inside):
                return None
            return total + float(
                log_probs[[0, 5]].logsumexp(0) if text_of(before) else log_probs[0]
            )
        if longer[WORDS.index(answer[step])] > ceiling:
            return None
        if bites and before and inside and answer[step] not in INSIDE_WORD:
            return None
        total += float(log_probs[answer[step]])
    return None


def text_of(answer: Sequence[int]) -> str:
    return "".join(TEXTS[each] for each in answer).lstrip(" ")


@pytest.mark.parametrize(("family", "seed"), [("llama", 0), ("gemma2", 1)])
def test_a_wide_beam_finds_all_there_is(family: str, seed: int) -> None:
    model = tiny_causal(family, len(TEXTS), 0, seed=seed, end_bias=0.0, initializer_range=0.1)
    _, search = search_with(model, SMALL, beams=330, nbest=330, max_steps=MOST_TOKENS)
    ceilings = [float("inf"), 9.0, 6.0, 4.0, 2.0, 1.0]
    found = search.search([TokenRequest(PROMPT, 0, ceiling) for ceiling in ceilings])
    bitten = 0
    for ceiling, nbest in zip(ceilings, found, strict=True):
        wanted = every_answer(model, ceiling)
        assert {each.token_ids for each in nbest} == {answer for answer, _ in wanted}
        assert [each.score for each in nbest] == pytest.approx(
            [score for _, score in wanted], abs=1e-4
        )
        assert [each.token_ids for each in nbest[:1]] == [answer for answer, _ in wanted[:1]]
        bitten += len(wanted) < sum(4**count for count in range(MOST_TOKENS))
    assert bitten == len(ceilings) - 2
