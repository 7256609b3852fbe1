"""GGUF files so small that tests can write them, with what a library would believe in them."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from safetensors.torch import load_file
from torch import Tensor

from tests.tiny_causal import SHAPE, save_tiny_causal

Value = int | float | bool | str | Sequence[int] | Sequence[str]
_ALIGNED = 32
_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""Of Llama's weights, as GGML has them."""


def save_tiny_gguf(path: Path, **changes: Value) -> Path:
    """Save a random Llama as a GGUF file.

    Args:
        path: The file; its folder is made if absent.
        changes: Other values for keys, dots as two underscores.
    """
    folder = save_tiny_causal(path.parent / "as-safetensors")
    weights = load_file(folder / "model.safetensors")
    tokenizer = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    keys = {**_keys(tokenizer), **{key.replace("__", "."): each for key, each in changes.items()}}
    path.write_bytes(gguf(keys, {_name(name): each for name, each in weights.items()}))
    return path


def _keys(tokenizer: Mapping[str, Any]) -> dict[str, Value]:
    pieces = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].__getitem__)
    added = {each["content"] for each in tokenizer["added_tokens"]}
    return {
        "general.architecture": "llama",
        "general.name": "tiny",
        "llama.block_count": SHAPE["num_hidden_layers"],
        "llama.context_length": SHAPE["max_position_embeddings"],
        "llama.embedding_length": SHAPE["hidden_size"],
        "llama.feed_forward_length": SHAPE["intermediate_size"],
        "llama.attention.head_count": SHAPE["num_attention_heads"],
        "llama.attention.head_count_kv": SHAPE["num_key_value_heads"],
        "llama.rope.dimension_count": SHAPE["head_dim"],
        "llama.attention.layer_norm_rms_epsilon": 1e-6,
        "llama.vocab_size": len(pieces),
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "default",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.token_type": [3 if piece in added else 1 for piece in pieces],
        "tokenizer.ggml.merges": [" ".join(pair) for pair in tokenizer["model"]["merges"]],
        "tokenizer.ggml.eos_token_id": pieces.index("<|end|>"),
        "tokenizer.chat_template": (
            "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>\n{% endfor %}"
            "<|assistant|>"
        ),
    }


def _name(name: str) -> str:
    if ".layers." in name:
        _, _, number, block, *inner, kind = name.split(".")
        return f"blk.{number}.{_NAMES['.'.join([block, *inner])]}.{kind}"
    head, _, kind = name.rpartition(".")
    return f"{_NAMES[head]}.{kind}"


def gguf(keys: Mapping[str, Value], tensors: Mapping[str, Tensor] | None = None) -> bytes:
    """Return a GGUF file, its weights in float32."""
    tensors = tensors or {}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    head += b"".join(text_of(key) + _typed(value) for key, value in keys.items())
    body = b""
    for name, tensor in tensors.items():
        shape = tuple(reversed(tensor.shape))
        head += text_of(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
        head += struct.pack("<IQ", 0, len(body))
        body += _padded(tensor.float().contiguous().numpy().tobytes())
    return _padded(head) + body


def text_of(text: str) -> bytes:
    """Return a text as it stands in a GGUF file."""
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _typed(value: Value) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + text_of(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<Iq", 11, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if value and isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text_of, map(str, value)))
    return struct.pack(f"<IIQ{len(value)}q", 9, 11, len(value), *value)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNED)
