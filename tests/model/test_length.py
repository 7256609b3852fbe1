"""The length encodings beside their equations, written out number by number."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from subfit.model.config import ModelConfig
from subfit.model.length import (
    LC_UNIT,
    LengthSignal,
    characters_emitted,
    encode_abs,
    encode_lrpe,
    encode_rel,
)
from tests.tiny import PAIRS

WIDTH = 8
ASKED = [1, 7, 30, 250]
EMITTED = [[0, 0, 0, 1], [0, 3, 6, 7], [0, 11, 29, 45], [0, 1, 100, 249]]


def sines(value: float, frequencies: list[float]) -> list[float]:
    return [math.sin(value * each) for each in frequencies] + [
        math.cos(value * each) for each in frequencies
    ]


def frequencies(base: float) -> list[float]:
    return [base ** (-2 * i / WIDTH) for i in range(WIDTH // 2)]


def by_abs(asked: int, emitted: int) -> list[float]:
    return sines(max(asked - emitted, 0), frequencies(10000))


def by_rel(asked: int, emitted: int) -> list[float]:
    share = min(emitted / asked, 1)  # q_N is defined on [0, 1]
    return sines(math.floor(5 * share), frequencies(10000))


def by_lrpe(asked: int, emitted: int) -> list[float]:
    return sines(emitted, frequencies(asked))


@pytest.mark.parametrize(
    ("encode", "equation"),
    [
        (encode_abs, by_abs),
        (lambda asked, emitted, width: encode_rel(asked, emitted, width, 5), by_rel),
        (encode_lrpe, by_lrpe),
    ],
    ids=["abs", "rel", "lrpe"],
)
def test_encodings_are_their_equations(encode, equation):
    found = encode(torch.tensor(ASKED).unsqueeze(1), torch.tensor(EMITTED), WIDTH)
    wanted = [
        [equation(asked, each) for each in row] for asked, row in zip(ASKED, EMITTED, strict=True)
    ]
    np.testing.assert_allclose(found.numpy(), np.array(wanted), atol=2e-5)


def signal_of(*names: str, **config: int) -> LengthSignal:
    return LengthSignal(
        ModelConfig(d_model=WIDTH, vocab_size=10, length_encodings=list(names), **config)
    )


def test_signals_are_summed_and_silent_where_no_length_is_asked():
    signal = signal_of("abs", "lrpe")
    asked, emitted = torch.tensor([12, 0]), torch.tensor([[0, 5], [0, 5]])
    found = signal(asked, emitted, torch.ones(2, 2, dtype=torch.int64), torch.randn(2, 2, WIDTH))
    column = asked[:1].unsqueeze(1)
    wanted = encode_abs(column, emitted[:1], WIDTH) + encode_lrpe(column, emitted[:1], WIDTH)
    torch.testing.assert_close(found[:1], wanted)
    assert not found[1].any()


def test_leninit_adds_the_length_times_a_trained_vector_at_the_start_alone():
    signal = signal_of("leninit", decoder_start_token_id=7)
    with torch.no_grad():
        signal.start_vector.copy_(torch.randn(WIDTH))
    asked, tokens = torch.tensor([12, 30, 0]), torch.tensor([[7, 1, 2]] * 3)
    found = signal(asked, torch.zeros(3, 3), tokens, torch.randn(3, 3, WIDTH))
    torch.testing.assert_close(found[0, 0], 12 * signal.start_vector)
    torch.testing.assert_close(found[1, 0], 30 * signal.start_vector)
    assert not found[:, 1:].any()
    assert not found[2].any()


def test_lc_multiplies_every_embedding_with_the_length():
    signal = signal_of("lc")
    embedded = torch.randn(3, 4, WIDTH)
    asked = torch.tensor([25, 100, 0])
    found = embedded + signal(asked, torch.zeros(3, 4), torch.ones(3, 4), embedded)
    torch.testing.assert_close(found[0], embedded[0] * 25 / LC_UNIT["characters"])
    torch.testing.assert_close(found[1], embedded[1] * 100 / LC_UNIT["characters"])
    torch.testing.assert_close(found[2], embedded[2])


@pytest.mark.parametrize(
    "text",
    [
        *(pair.target for pair in PAIRS),
        *(pair.source for pair in PAIRS),
        "Œuvre 😀 naïve 漢字 – „so“…",
        "😀",
        "漢 字",
        "ß",
    ],
)
def test_characters_so_far_are_those_of_the_detokenized_prefix(tokenizer, text):
    tokens = tokenizer.encode(text)
    table = torch.tensor(tokenizer.piece_characters), torch.tensor(tokenizer.piece_leads)
    found = characters_emitted(torch.tensor([[tokenizer.pad_id, *tokens]]), *table)[0].tolist()
    prefixes = [tokenizer.decode(tokens[:count]) for count in range(len(tokens) + 1)]
    for count, (emitted, prefix) in enumerate(zip(found, prefixes, strict=True)):
        if "\ufffd" not in prefix:  # a character spelt in bytes counts from its first byte on
            assert emitted == len(prefix), (count, prefix)
    assert found[-1] == len(text)
