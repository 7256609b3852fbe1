"""The beam search beside Hugging Face's, and under ceilings."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import MarianMTModel

from subfit.decoding.hypotheses import BROKEN_BYTES, Hypothesis, SearchSettings, TokenRequest
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.search import BudgetedBeamSearch
from subfit.model.checkpoint import Checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.text.counting import EVERYTHING, Counting
from tests.hub_reference import hub_model
from tests.properties import examples
from tests.tiny import PAIRS, tiny_model

STEPS = 24


def search_with(model: MarianMTModel, tokenizer: object, **changes: int) -> BudgetedBeamSearch:
    table = piece_table(Checkpoint("x", model, tokenizer), EVERYTHING)
    return BudgetedBeamSearch(
        Network([model]), table, SearchSettings(**{"max_steps": STEPS, **changes})
    )


def sources(vocab_size: int, rows: int, seed: int, end: int, pad: int) -> torch.Tensor:
    """Random sentences of different lengths, padded."""
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, 9, (rows,), generator=draw).tolist()
    source = torch.full((rows, max(lengths) + 1), pad)
    for row, length in enumerate(lengths):
        source[row, :length] = torch.randint(6, vocab_size - 1, (length,), generator=draw)
        source[row, length] = end
    return source


def theirs(model: MarianMTModel, source: torch.Tensor, mask: torch.Tensor, beams: int, asked):
    """The best hypothesis per sentence by `generate`, or None where it was cut off."""
    config = model.config
    barred = [config.pad_token_id, *getattr(config, "source_token_ids", ())]
    length = {} if asked is None else {"decoder_char_budget": asked}
    # Up to transformers 5.17 `generate` takes the size of the sources' vocabulary for both.
    reference = hub_model(model)
    with patch.object(reference.config, "vocab_size", model.lm_head.out_features):
        made = reference.generate(
            input_ids=source,
            attention_mask=mask,
            num_beams=beams,
            early_stopping=False,
            length_penalty=1.0,
            do_sample=False,
            max_new_tokens=STEPS,
            bad_words_ids=[[each] for each in barred],
            output_scores=True,
            return_dict_in_generate=True,
            **length,
        )
    best = []
    for row, score in zip(made.sequences[:, 1:].tolist(), made.sequences_scores, strict=True):
        ended = config.eos_token_id in row
        tokens = tuple(row[: row.index(config.eos_token_id)]) if ended else None
        best.append((tokens, score.item()))
    return best


def unpadded(source: torch.Tensor, mask: torch.Tensor) -> list[tuple[int, ...]]:
    return [tuple(row[real].tolist()) for row, real in zip(source, mask.bool(), strict=True)]


def compare(
    model: MarianMTModel,
    tokenizer: object,
    source: torch.Tensor,
    beams: int,
    asked,
    batch_size: int = 4,
) -> int:
    """Check that both searches agree; return for how many sentences there was something to say."""
    mask = (source != model.config.pad_token_id).long()
    lengths = [0] * len(source) if asked is None else asked.tolist()
    search = search_with(model, tokenizer, beams=beams, nbest=beams, batch_size=batch_size)
    ours = search.search(
        [TokenRequest(*each) for each in zip(unpadded(source, mask), lengths, strict=True)]
    )
    compared = 0
    for (tokens, score), nbest in zip(theirs(model, source, mask, beams, asked), ours, strict=True):
        # `generate` ends what it cuts off at the last step; we only return what ended by itself.
        if tokens is None or not nbest or len(tokens) >= STEPS - 1:
            continue
        assert nbest[0].token_ids == tokens
        assert nbest[0].score == pytest.approx(score, abs=1e-4)
        compared += 1
    return compared


@cache
def model_of(tokenizer: Tokenizer, seed: int, end_bias: float) -> MarianMTModel:
    return tiny_model(tokenizer, seed=seed, end_bias=end_bias)


@pytest.mark.parametrize(
    ("beams", "rows", "wish"),
    [
        *((2, 1, "none"), (2, 7, "asked"), (3, 1, "free")),
        *((3, 7, "none"), (5, 1, "asked"), (5, 7, "free")),
    ],
)
def test_without_ceiling_the_search_is_that_of_generate(tokenizer, beams, rows, wish):
    compared = 0
    for seed in range(4):
        model = model_of(tokenizer, seed, 4.5)
        source = sources(len(tokenizer), rows, seed, tokenizer.eos_id, tokenizer.pad_id)
        asked = {
            "none": None,
            "free": torch.zeros(rows, dtype=torch.int64),
            "asked": torch.arange(5, 5 + 6 * rows, 6),
        }[wish]
        compared += compare(model, tokenizer, source, beams, asked)
    assert compared > rows  # most sentences ended


def run(
    search: BudgetedBeamSearch, source: torch.Tensor, ceilings: list[float]
) -> list[list[Hypothesis]]:
    mask = (source != search.network.config.pad_token_id).long()
    asked = [min(int(min(each, 99)), 99) for each in ceilings]
    rows = zip(unpadded(source, mask), asked, ceilings, strict=True)
    return search.search([TokenRequest(*each) for each in rows])


CEILING = st.one_of(
    st.just(float("inf")),
    st.integers(-3, 40).map(float),
    st.integers(0, 60).map(lambda each: each / 2),
)


@examples(30)
@given(ceilings=st.lists(CEILING, min_size=1, max_size=6), seed=st.integers(0, 5))
def test_no_hypothesis_passes_its_ceiling(tokenizer, ceilings, seed):
    model = model_of(tokenizer, seed, 3.0)
    source = sources(len(tokenizer), len(ceilings), seed, tokenizer.eos_id, tokenizer.pad_id)
    found = run(search_with(model, tokenizer), source, ceilings)
    for ceiling, nbest in zip(ceilings, found, strict=True):
        assert len({each.token_ids for each in nbest}) == len(nbest)
        assert [each.score for each in nbest] == sorted(
            (each.score for each in nbest), reverse=True
        )
        for each in nbest:
            assert each.characters <= ceiling
            text = tokenizer.decode(each.token_ids)
            # A random model also strings bytes together that are no characters; the translator
            # drops what prints such.
            assert BROKEN_BYTES in text or len(text) <= max(ceiling, 0)
            assert each.score == pytest.approx(
                each.log_probability / (len(each.token_ids) + 1), rel=1e-5
            )


@pytest.mark.parametrize("ceiling", [-1.0, 0.0, 0.5])
def test_where_nothing_fits_nothing_is_found(tokenizer, ceiling):
    model = tiny_model(tokenizer)
    source = sources(len(tokenizer), 2, 3, tokenizer.eos_id, tokenizer.pad_id)
    found = run(search_with(model, tokenizer), source, [ceiling, 30.0])
    assert found[0] == []
    assert found[1] != []


def test_all_sentences_get_done_also_those_without_room(tokenizer):
    requests = [
        TokenRequest((7, 8, tokenizer.eos_id), 0, ceiling) for ceiling in (-1.0, 30.0, 0.0, 20.0)
    ]
    done: list[int] = []
    search_with(tiny_model(tokenizer), tokenizer).search(requests, done.append)
    assert sum(done) == len(requests)


def test_length_tokens_never_stand_in_a_target(tokenizer):
    model = tiny_model(tokenizer)
    classes = [each.token_id for each in model.config.classes]
    model.final_logits_bias[0, classes] += 20.0
    source = sources(len(tokenizer), 3, 1, tokenizer.eos_id, tokenizer.pad_id)
    model.final_logits_bias[0, tokenizer.eos_id] += 20.0  # so that what has them is finished too
    found = 0
    for nbest in run(search_with(model, tokenizer), source, [9.0, 20.0, float("inf")]):
        for each in nbest:
            found += len(each.token_ids)
            assert not set(classes) & set(each.token_ids)
    assert found


def search_of(checkpoint: Checkpoint, batch_size: int) -> BudgetedBeamSearch:
    settings = SearchSettings(beams=3, nbest=3, batch_size=batch_size, max_steps=STEPS)
    network = Network([checkpoint.model], checkpoint.precision)
    return BudgetedBeamSearch(network, piece_table(checkpoint, Counting()), settings)


def random_sources(checkpoint: Checkpoint, count: int, seed: int) -> list[tuple[int, ...]]:
    """Sentences of the trained model's words in any order."""
    draw, tokenizer = random.Random(seed), checkpoint.tokenizer
    words = sorted({word for pair in PAIRS for word in pair.source.split()})
    texts = [" ".join(draw.choices(words, k=draw.randint(1, 7))) for _ in range(count)]
    return [(*tokenizer.encode(text), tokenizer.eos_id) for text in texts]


def queries_of(checkpoint: Checkpoint) -> list[TokenRequest]:
    """Sources of 1 to 64 tokens, free, asked for a length, and under a ceiling."""
    end, draw = checkpoint.tokenizer.eos_id, random.Random(5)
    longest = max(random_sources(checkpoint, 40, 1), key=len)[:-1]
    sources = [((*(longest * 20)[: length - 1], end)) for length in (1, 3, 16, 17, 33, 64)]
    sources += random_sources(checkpoint, 5, 2)
    requests = [TokenRequest(source, *limits) for source in sources for limits in ((), (12, 14.0))]
    draw.shuffle(requests)
    return requests


@pytest.mark.parametrize("precision", ["fp32", "int8"])
def test_rows_that_come_and_go_change_no_bit(checkpoint, precision):
    computed = replace(checkpoint, precision=precision)
    requests = queries_of(checkpoint)
    alone = search_of(computed, 1).search(requests)
    assert sum(map(bool, alone)) > len(requests) // 2
    for batch_size in (3, 64):
        assert search_of(computed, batch_size).search(requests) == alone
    shuffled = random.Random(1).sample(range(len(requests)), len(requests))
    again = search_of(computed, 3).search([requests[number] for number in shuffled])
    assert again == [alone[number] for number in shuffled]


def test_more_threads_change_no_bit(checkpoint):
    requests = queries_of(checkpoint)[:16]
    alone = search_of(checkpoint, 8).search(requests)
    torch.set_num_threads(2)
    try:
        assert search_of(checkpoint, 8).search(requests) == alone
    finally:
        torch.set_num_threads(1)


@pytest.mark.parametrize("asked", [None, 18])
def test_random_sentences_are_searched_as_generate_does(checkpoint, asked):
    rows = random_sources(checkpoint, 60, 4)
    width, pad = max(map(len, rows)), checkpoint.tokenizer.pad_id
    source = torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])
    lengths = None if asked is None else torch.full((len(rows),), asked)
    assert compare(checkpoint.model, checkpoint.tokenizer, source, 3, lengths, batch_size=16) >= 40
