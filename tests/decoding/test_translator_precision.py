"""What another arithmetic or device chooses: the translations of float32 on the CPU, nearly all."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.model.config import EXACT, Computing
from tests.accelerator import on_gpu
from tests.tiny import PAIRS


@pytest.mark.parametrize(
    ("device", "precision"),
    [("cpu", "int8"), ("cpu", "bf16"), on_gpu("bf16"), on_gpu("fp16"), on_gpu("fp32")],
)
def test_nineteen_lines_of_twenty_are_those_of_float32(tiny_model_folder, device, precision):
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
    assert same >= 0.95 * len(requests)


def texts(translator: Translator, requests: list[Request]) -> list[str]:
    return [nbest[0].text if nbest else "" for nbest in translator.translate(requests)]
