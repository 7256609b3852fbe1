"""GGUF files that are damaged, or tell absurd sizes: refused by their header, nothing allocated."""

from __future__ import annotations

import struct
import tracemalloc
from importlib.util import find_spec
from pathlib import Path

import pytest
import torch

from subfit.errors import ModelError
from subfit.model.gguf_header import Values, check_gguf, read_gguf_header
from tests.tiny_gguf import Value, gguf, save_tiny_gguf, text_of

needs_gguf = pytest.mark.skipif(
    not all(map(find_spec, ("gguf", "accelerate"))), reason="needs subfit[gguf]"
)
KEYS: dict[str, Value] = {
    "general.architecture": "llama",
    "llama.block_count": 1,
    "llama.embedding_length": 4,
    "llama.context_length": 131_072,
    "llama.attention.head_count_kv": [2, 0, 2],
    "tokenizer.ggml.tokens": ["a", "b", "ü"],
}
TENSORS = {
    "token_embd.weight": torch.zeros(3, 4),
    "blk.0.attn_q.weight": torch.zeros(4, 4),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.gguf"


def refusal(path: Path, data: bytes) -> str:
    """Why a file is refused, with hardly any memory."""
    path.write_bytes(data)
    tracemalloc.start()
    with pytest.raises(ModelError) as caught:
        check_gguf(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1_000_000
    told = str(caught.value)
    assert told.startswith(f"{path}: ") and "\n" not in told
    return told.removeprefix(f"{path}: ")


def test_the_header_of_a_sound_file(path: Path) -> None:
    path.write_bytes(gguf(KEYS, TENSORS))
    check_gguf(path)
    header = read_gguf_header(path)
    assert header.keys["general.architecture"] == "llama"
    assert header.keys["llama.attention.head_count_kv"] == Values(3, 0, 2)
    assert header.keys["tokenizer.ggml.tokens"] == Values(3)
    assert header.shapes == {"token_embd.weight": (4, 3), "blk.0.attn_q.weight": (4, 4)}


def test_a_file_of_the_other_byte_order_is_read(path: Path) -> None:
    key = struct.pack(">Q", 20) + b"general.architecture" + struct.pack(">IQ", 8, 4) + b"bert"
    path.write_bytes(b"GGUF" + struct.pack(">IQQ", 3, 0, 1) + key)
    assert read_gguf_header(path).keys == {"general.architecture": "bert"}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("llama.block_count", 100_000),
        ("llama.embedding_length", 10**12),
        ("llama.feed_forward_length", 2**62),
        ("llama.attention.head_count", -1),
        ("llama.attention.head_count_kv", [2, 10**9, 2]),
        ("llama.vocab_size", 10**9),
    ],
)
def test_sizes_that_no_tensor_has_are_refused_by_their_key(
    path: Path, key: str, value: Value
) -> None:
    assert refusal(path, gguf({**KEYS, key: value}, TENSORS)).startswith(f"{key} is ")


def test_more_weights_than_there_are_bytes_are_refused(path: Path) -> None:
    data = gguf(KEYS, TENSORS).replace(struct.pack("<QQ", 4, 3), struct.pack("<QQ", 4, 10**9))
    assert "4,000,000,016 weights are told" in refusal(path, data)


def array(kind: int, count: int) -> bytes:
    """A file with one key, an array."""
    key = text_of("llama.odd") + struct.pack("<IIQ", 9, kind, count)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + key


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "cannot be read, or is empty"),
        (b"\0" * 64, "it does not begin as one"),
        (b"GGUF" + struct.pack("<I", 3), "it is cut off"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0), "version 1; known are 2 and 3"),
        (b"GGUF" + struct.pack("<IQQ", 3, 2**60, 0), "1,152,921,504,606,846,976 entries"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "1,152,921,504,606,846,976 entries"),
        (array(4, 2**60), r"llama.odd: 1,152,921,504,606,846,976 entries"),
        (array(8, 2**60), r"llama.odd: 1,152,921,504,606,846,976 entries"),
        (array(9, 2**60), r"llama.odd: 1,152,921,504,606,846,976 entries"),
        (array(77, 1), "llama.odd: an array is of the type 77, which is none"),
        (array(9, 1) + struct.pack("<IQ", 9, 1) * 5000, "an array is of the type 9"),
        (gguf({"general.name": "x"}), "general.architecture is missing"),
        (gguf(KEYS, TENSORS)[:200], "there is no room for them"),
    ],
)
def test_damaged_files_are_refused(path: Path, data: bytes, told: str) -> None:
    assert told in refusal(path, data)


def test_a_file_cut_off_anywhere_in_its_header_is_refused(path: Path) -> None:
    whole = gguf(KEYS, TENSORS)
    for length in range(whole.index(b"blk.0") + 20):
        refusal(path, whole[:length])


@needs_gguf
@pytest.mark.parametrize("key", ["llama.block_count", "llama.embedding_length"])
def test_no_library_is_given_an_absurd_file(key: str, tmp_path: Path, monkeypatch) -> None:
    from subfit.decoding.loading import load_model

    def opened(*_: object, **__: object) -> None:
        raise AssertionError("a library was given it")

    monkeypatch.setattr("gguf.GGUFReader", opened)
    path = save_tiny_gguf(tmp_path / "tiny.gguf", **{key.replace(".", "__"): 10**9})
    with pytest.raises(ModelError, match=rf"{key} is 1000000000, "):
        load_model(str(path))


@needs_gguf
def test_a_tiny_file_translates(tmp_path: Path) -> None:
    from subfit.decoding.hypotheses import Request
    from subfit.decoding.loading import Wanted, load_model
    from subfit.model.computing import Computing

    path = save_tiny_gguf(tmp_path / "tiny.gguf")
    model = load_model(str(path), Computing(device="cpu", precision="fp32"))
    (found,) = model.translator(Wanted("en", "de")).translate([Request("How are you?", 20.0)])
    assert all(each.characters <= 20 for each in found)
