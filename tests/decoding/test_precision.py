"""Linear layers in the arithmetic of a processor, and which one is chosen."""

from __future__ import annotations

import pytest
import torch

from subfit.decoding import linears
from subfit.decoding import loading as devices
from subfit.decoding.hypotheses import Request
from subfit.decoding.linears import FloatLinear, Int8Linear, choose_precision
from subfit.decoding.loading import choose_computing, choose_device
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.model.config import EXACT, Computing
from tests.accelerator import on_gpu
from tests.tiny import PAIRS

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def random_layer(inputs: int, outputs: int, seed: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    return (
        torch.randn(outputs, inputs, generator=draw) / inputs**0.5,
        torch.randn(outputs, generator=draw),
    )


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch):
    """Say what the processor has."""

    def has(*, engines: str = "onednn fbgemm", bytes: bool = True, bf16_gpu: bool = True) -> None:
        supported = property(lambda _: engines.split())
        monkeypatch.setattr(type(torch.backends.quantized), "supported_engines", supported)
        monkeypatch.setattr(linears, "_multiplies_bytes", lambda: bytes)
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: bf16_gpu)

    return has


@pytest.mark.parametrize("bytes", [True, False])
@pytest.mark.parametrize(("inputs", "outputs"), [(32, 96), (64, 33), (200, 70), (640, 50)])
def test_whole_numbers_are_close_to_the_product(inputs, outputs, bytes, processor):
    """Also where sums of two products have but 16 bits."""
    if bytes and not linears._multiplies_bytes():
        pytest.skip("needs a processor with VNNI or AMX")
    processor(bytes=bytes)
    weight, bias = random_layer(inputs, outputs)
    rows = torch.randn(50, inputs, generator=torch.Generator().manual_seed(2))
    exact = torch.nn.functional.linear(rows, weight)
    error = (Int8Linear(weight, None)(rows) - exact).norm() / exact.norm()
    assert 0 < error < 0.03
    assert torch.allclose(
        Int8Linear(weight, bias)(rows), Int8Linear(weight, None)(rows) + bias, atol=1e-5
    )


@pytest.mark.parametrize("kind", [Int8Linear, FloatLinear])
def test_a_row_does_not_depend_on_the_rows_beside_it(kind):
    weight, bias = random_layer(64, 96)
    layer = kind(weight, bias)
    draw = torch.Generator().manual_seed(3)
    rows = torch.randn(70, 64, generator=draw) * 10.0 ** torch.randint(-3, 3, (70, 1))
    together = layer(rows)
    for first, last in ((0, 1), (3, 8), (10, 27), (30, 70), (69, 70)):
        assert torch.equal(layer(rows[first:last].clone()), together[first:last])
    assert torch.equal(layer(rows.flip(0)), together.flip(0))


@pytest.mark.parametrize(
    ("has", "device", "chosen"),
    [
        ({}, CPU, "int8"),
        ({"bytes": False}, CPU, "int8"),
        ({"bytes": False, "engines": "onednn"}, CPU, "fp32"),
        ({"engines": "qnnpack"}, CPU, "fp32"),
        ({}, GPU, "bf16"),
        ({"bf16_gpu": False}, GPU, "fp16"),
    ],
)
def test_auto_is_the_fastest_that_the_processor_is_made_for(processor, has, device, chosen):
    processor(**has)
    assert choose_precision(Computing().precision, device) == chosen


@pytest.mark.parametrize(
    ("has", "device", "wish", "message"),
    [
        ({}, GPU, "int8", "--precision int8 runs on CPUs with oneDNN or FBGEMM only, not on cuda"),
        ({"engines": "qnnpack"}, CPU, "int8", "--precision int8 runs on CPUs with oneDNN or"),
        ({}, CPU, "fp16", "--precision fp16 is for GPUs; on a CPU take int8, bf16 or fp32"),
        ({}, CPU, "int4", "--precision int4: choose auto or one of fp32, int8, bf16, fp16"),
    ],
)
def test_an_impossible_precision_is_one_line(processor, has, device, wish, message):
    processor(**has)
    with pytest.raises(UsageError) as caught:
        choose_precision(wish, device)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_without_a_gpu_auto_is_the_cpu_and_a_gpu_cannot_be_had(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto") == choose_device("cpu") == CPU
    with pytest.raises(UsageError) as caught:
        choose_device("cuda")
    assert str(caught.value).startswith("--device cuda: PyTorch finds no GPU here")
    assert "\n" not in str(caught.value)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert choose_device("auto").type == "cuda"


@pytest.mark.parametrize("fast", [True, False])
def test_a_language_model_computes_in_bfloat16_only_where_that_is_fast(monkeypatch, fast):
    monkeypatch.setattr(devices, "multiplies_bfloat16", lambda: fast)
    assert choose_computing(Computing("cpu"), causal=True) == (CPU, "bf16" if fast else "fp32")
    assert choose_computing(Computing("cpu", "fp32"), causal=True) == (CPU, "fp32")


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
