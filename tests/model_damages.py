"""Random damages to the files of model folders."""

from __future__ import annotations

import contextlib
import json
import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

_DEEP = 5000
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 7, 31, 64, 381, 1000, 5000, 10**6, 10**9, 2**31, 2**63,
    10**400, -5, 0.5, 1e300, float("nan"), float("inf"), "", "de", "relu", "x" * 9999, "\ud800",
    [], [1], ["abs"], ["abs", "rel", "lc"], [["short", 3, 1.0], ["long", 4, None]], [["short", 3]],
    [[1, 2, 3]], [["short", 3, float("nan")], ["long", 4, None]], {}, {"de": 3}, {"de": -1},
    {"de": "3"}, {"de": 10**9}, {"formal": 4}, {"formal": [4]}, [None], [[[[]]]],
    {"a": {"b": {}}}, "complex64", "float16", "fp8",
)  # fmt: skip
_KEYS = (
    "length_encodings", "rel_steps", "decoder_positions", "closed_gate", "length_classes",
    "free_translation", "length_predictor", "mean_length_ratio", "source_language",
    "target_language", "language_tokens", "lowercase_token", "formality_tokens", "dtype",
    "torch_dtype", "hidden_size", "quantization_config", "auto_map", "model_type",
    "architectures", "tie_word_embeddings", "activation_function", "is_encoder_decoder",
    "num_hidden_layers", "bad_words_ids",
)  # fmt: skip
_KEYS_OF_LANGUAGE_MODELS = (
    "rope_scaling", "partial_rotary_factor", "use_sliding_window", "max_window_layers",
    "pad_token_id", "hidden_act", "text_config", "attn_implementation", "sliding_window",
    "layer_types", "final_logit_softcapping", "attention_chunk_size", "pretraining_tp",
)  # fmt: skip
_PARTS: tuple[Any, ...] = (
    {"rope_type": "yarn", "factor": 0.0}, {"rope_type": "linear"}, {"rope_type": "dynamic"},
    {"rope_type": "longrope", "factor": 1.0, "short_factor": [1], "long_factor": []},
    ["sliding_attention"], ["full_attention"] * 99, [0, 10**9], [0, "1"], "gelu", "eager",
    {"type": "ByteLevel"}, {"type": "Sequence", "normalizers": []}, ["<s>", 0.0],
    [["<2de>", 1e300]], {"content": "<2de>", "id": 3, "special": True}, "▁", " ", "\n", "a",
)  # fmt: skip
_TEMPLATES = (
    "", "{{", "{% for m in messages %}", "{{ messages[9].content }}", "{{ 1 / 0 }}",
    "{{ raise_exception('no system role') }}", "{{ messages }}" * 900, "{% include 'a' %}",
    "{{ ''.__class__.__mro__ }}", "{{ messages | nothing }}", "no message", "\x00", "{{ 3 + 'a' }}",
    "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
)  # fmt: skip


def damage(folder: Path, random: random.Random) -> None:
    """Damage one to three files of a model folder."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in _DAMAGES)
    configs = [path for path in files if path.name == "config.json"]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        path = random.choice(configs if configs and random.random() < 0.4 else files)
        if path.is_file():
            change = _bytes if random.random() < 0.1 else _DAMAGES[path.suffix]
            with contextlib.suppress(
                ValueError, KeyError, IndexError, struct.error, RecursionError
            ):  # damaged before
                change(path, random)


def _config(path: Path, random: random.Random) -> None:
    """Change values of a JSON file, or what it is."""
    if random.random() < 0.08:
        texts = (
            "[]",
            "1",
            "null",
            "[" * _DEEP,
            "[" * _DEEP + "]" * _DEEP,
            "",
            '{"a":' * _DEEP,
            '"',
        )
        path.write_text(random.choice(texts), encoding="utf-8")
        return
    values = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(values, dict) or not values:
        return
    for _ in range(random.choice((1, 1, 2))):
        keys = [*values, *(_KEYS if path.name == "config.json" else ())]
        key = random.choice(keys + list(_KEYS_OF_LANGUAGE_MODELS) * ("rope_parameters" in values))
        if isinstance(values.get(key), dict | list) and values[key] and random.random() < 0.8:
            _part(values[key], random)
        elif random.random() < 0.1:
            values.pop(key, None)
        elif random.random() < 0.3 and type(values.get(key)) is int:
            values[key] += random.choice((-1, 1, 1000, -1000, 10**7))
        else:
            values[key] = random.choice(_VALUES)
    path.write_text(json.dumps(values), encoding="utf-8", errors="surrogatepass")


def _part(values: Any, random: random.Random) -> None:
    """Change a value within others, however deep."""
    key = random.choice(list(values) if isinstance(values, dict) else range(len(values)))
    if isinstance(values[key], dict | list) and values[key] and random.random() < 0.8:
        _part(values[key], random)
    elif random.random() < 0.2:
        del values[key]
    elif random.random() < 0.2 and type(values[key]) is int:
        values[key] += random.choice((-1, 1, 1000, -1000, 10**7))
    else:
        values[key] = random.choice(random.choice((_VALUES, _PARTS)))


def _template(path: Path, random: random.Random) -> None:
    """Put another template for chats in the place of one."""
    path.write_text(random.choice(_TEMPLATES), encoding="utf-8")


def _weights(path: Path, random: random.Random) -> None:
    """Change the header of safetensors, or numbers behind it."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    names = [name for name in header if name != "__metadata__"]
    name = random.choice(names)
    begin, end = header[name]["data_offsets"]
    kind = random.choice(("numbers", "numbers", "type", "shape", "name", "gone", "offsets", "deep"))
    if kind == "numbers":
        word = random.choice(
            (b"\x00\x7c", b"\x00\x7e", b"\xff\x7b", b"\x00\xfc", b"\x80\x7f", b"\xc0\x7f")
        )
        word = random.choice((word, bytes(2) + word))
        count = random.choice((1, 1, (end - begin) // len(word)))
        at = begin + len(word) * random.randrange(max(1, (end - begin) // len(word) - count + 1))
        body[at : at + count * len(word)] = (word * count)[: max(0, end - at)]
    elif kind == "type":
        types = {1: ("BOOL", "U8", "F8_E4M3"), 2: ("I16", "BF16", "U16"), 4: ("I32", "U32", "F32")}
        wide = {8: ("C64", "F64", "I64", "U64")}
        length = (end - begin) // max(1, _product(header[name]["shape"]))
        same = (types | wide).get(length, ("F32",))
        header[name]["dtype"] = random.choice((*same, "C64", "F99"))
    elif kind == "shape":
        shape = header[name]["shape"]
        header[name]["shape"] = random.choice(
            (
                shape[::-1],
                [*shape, 1],
                [_product(shape)],
                [10**12],
                [-1],
                [0, *shape],
                [1, *shape],
                [],
            )
        )
    elif kind == "name":
        header[random.choice((name + "x", "", names[0], "a" * 9999, name.replace("0", "99")))] = (
            header.pop(name)
        )
    elif kind == "gone":
        header.pop(name)
    elif kind == "offsets":
        header[name]["data_offsets"] = [begin + random.choice((-2, 2, 10**12)), end]
    text = b'{"a":' * _DEEP if kind == "deep" else json.dumps(header).encode()
    length = len(text) if random.random() > 0.03 else random.choice((0, 2**63, 10**9))
    path.write_bytes(struct.pack("<Q", length) + text + bytes(body))


def _product(shape: list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _bytes(path: Path, random: random.Random) -> None:
    """Change some bytes, or cut the file."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 4, 30))):
        at = random.randrange(max(1, len(data)))
        if random.random() < 0.1:
            del data[at : at + random.choice((1, 9, 10**6))]
        else:
            data[at : at + 1] = random.randbytes(random.choice((0, 1, 1, 2)))
    path.write_bytes(bytes(data))


_DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    ".json": _config,
    ".jinja": _template,
    ".safetensors": _weights,
    ".model": _bytes,
    ".spm": _bytes,
    ".txt": _bytes,
}
