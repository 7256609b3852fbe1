"""Decoder-only models so small that tests can build them, of several families."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from torch import nn
from transformers import (
    Gemma2Config,
    Gemma2ForCausalLM,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from subfit.decoding.hypotheses import Request
from subfit.decoding.prompts import Prompter, find_template
from tests.tiny import PAIRS

SHAPE: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 1024,
    "initializer_range": 0.3,
    "tie_word_embeddings": False,
}
FAMILIES: dict[str, tuple[Any, Any]] = {
    "llama": (LlamaConfig, LlamaForCausalLM),
    "qwen2": (Qwen2Config, Qwen2ForCausalLM),
    "qwen3": (Qwen3Config, Qwen3ForCausalLM),
    "gemma2": (Gemma2Config, Gemma2ForCausalLM),
    "gemma3": (Gemma3TextConfig, Gemma3ForCausalLM),
}
CHAT = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def tiny_causal(
    family: str, size: int, end: int, *, seed: int = 1, end_bias: float = 2.0, **changes: Any
) -> Any:
    """Return a random model whose output layer likes the end."""
    torch.manual_seed(seed)
    config, kind = FAMILIES[family]
    values = {**SHAPE, "vocab_size": size, "eos_token_id": end, "pad_token_id": end, **changes}
    model = kind(config(**values))
    biased = nn.Linear(SHAPE["hidden_size"], size)
    with torch.no_grad():
        biased.weight.copy_(model.lm_head.weight)
        biased.bias.zero_()
        biased.bias[end] = end_bias
    model.lm_head = biased
    return model.eval()


def tiny_chat_tokenizer() -> PreTrainedTokenizerFast:
    """Train a byte-level tokenizer on the toy pairs, with the marks of turns."""
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"],
        show_progress=False,
    )
    backend.train_from_iterator([f"{p.source}\n{p.target}" for p in PAIRS], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=backend, eos_token=AddedToken("<|end|>", special=True)
    )
    tokenizer.chat_template = CHAT
    return tokenizer


def save_tiny_causal(folder: Path, family: str = "llama", **changes: Any) -> Path:
    """Save a random model as Hugging Face has it, without a bias in its output layer."""
    tokenizer = tiny_chat_tokenizer()
    torch.manual_seed(3)
    config, kind = FAMILIES[family]
    end = tokenizer.eos_token_id
    values = {**SHAPE, "vocab_size": len(tokenizer), "eos_token_id": end, "pad_token_id": end}
    kind(config(**{**values, **changes})).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_trained_causal(folder: Path, *, pairs: int = 8, steps: int = 60) -> Path:
    """Save a model that has learnt some toy pairs by heart, as answers to the prompt for chats."""
    save_tiny_causal(folder, initializer_range=0.02, hidden_size=48)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    model = LlamaForCausalLM.from_pretrained(folder)
    prompter = Prompter(find_template("chat", "", ""), "en", "de")
    rows = []
    for pair in PAIRS[:pairs]:
        prompt = tokenizer.apply_chat_template(
            prompter.messages(Request(pair.source)), add_generation_prompt=True, tokenize=False
        )
        asked = tokenizer(prompt, add_special_tokens=False).input_ids
        rows.append((asked, [*tokenizer(pair.target).input_ids, tokenizer.eos_token_id]))
    longest = max(len(asked) + len(said) for asked, said in rows)
    tokens = torch.full((len(rows), longest), tokenizer.eos_token_id)
    labels = torch.full_like(tokens, -100)
    for row, label, (asked, said) in zip(tokens, labels, rows, strict=True):
        row[: len(asked) + len(said)] = torch.tensor([*asked, *said])
        label[len(asked) : len(asked) + len(said)] = torch.tensor(said)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=steps)
    for _ in range(steps):
        optimizer.zero_grad()
        model(input_ids=tokens, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    model.save_pretrained(folder)
    return folder
