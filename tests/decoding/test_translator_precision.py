"""What another arithmetic or device chooses: the translations of float32 on the CPU, nearly all."""

from __future__ import annotations

import pytest

from subfit.decoding import linears
from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.model.config import EXACT, Computing
from tests.accelerator import on_gpu
from tests.tiny import PAIRS


@pytest.mark.parametrize(
    ("device", "precision"),
    [("cpu", "int8"), ("cpu", "bf16"), on_gpu("bf16"), on_gpu("fp16"), on_gpu("fp32")],
)
def test_nearly_all_lines_are_those_of_float32(tiny_model_folder, device, precision):
    """Nineteen of twenty; eighteen with weights of 7 bits.

    Int8 has these on processors without instructions for 8-bit products, whose sums of two would
    overflow with 8: steps between weights are twice as wide, and a line more of twenty differs.
    """
    requests = [
        Request(pair.source, ceiling=ceiling)
        for pair in PAIRS
        for ceiling in (float("inf"), 1.1 * len(pair.source))
    ]
    exact = texts(Translator.load(tiny_model_folder, computing=EXACT), requests)
    translator = Translator.load(tiny_model_folder, computing=Computing(device, precision))
    assert translator.precision == precision
    found = texts(translator, requests)
    same = sum(one == other for one, other in zip(exact, found, strict=True))
    coarse = precision == "int8" and not linears._multiplies_bytes()
    assert same >= (0.9 if coarse else 0.95) * len(requests)


def texts(translator: Translator, requests: list[Request]) -> list[str]:
    return [nbest[0].text if nbest else "" for nbest in translator.translate(requests)]
