"""Models of Hugging Face's families so small that tests can build them, and train them a little."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import sentencepiece
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from torch import Tensor
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence
from transformers import (
    M2M100Config,
    M2M100ForConditionalGeneration,
    M2M100Tokenizer,
    MBart50Tokenizer,
    MBartConfig,
    MBartForConditionalGeneration,
    NllbTokenizer,
    T5Config,
    T5ForConditionalGeneration,
    T5Tokenizer,
)

from tests.tiny import PAIRS

FAMILIES = ("nllb", "m2m100", "mbart50", "madlad")
CODES = {
    "nllb": ("eng_Latn", "deu_Latn"),
    "m2m100": ("__en__", "__de__"),
    "mbart50": ("en_XX", "de_DE"),
    "madlad": ("<2en>", "<2de>"),
}
"""The tokens of English and German."""
END_BIAS = 4.5
"""Added to the logit of the end."""
_LETTERS = sorted({char for pair in PAIRS for char in pair.source + pair.target})


def save_tiny_family(family: str, folder: Path, *, steps: int = 0, seed: int = 1) -> Path:
    """Save a model as Hugging Face has it.

    Args:
        family: One of `FAMILIES`.
        folder: Made if absent.
        steps: To train for, on the toy pairs; 0 for a random model.
        seed: Determines its weights.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _TOKENIZERS[family](folder)
    torch.manual_seed(seed)
    last = max(tokenizer.convert_tokens_to_ids(code) for code in CODES[family])
    size = max(len(tokenizer), last) + 3  # rows to spare, as published ones have
    model = tiny_family(family, size)
    if steps:
        train(model, tokenizer, family, steps)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


_T5_SHAPE = {
    "d_model": 32,
    "d_kv": 12,
    "d_ff": 48,
    "num_layers": 2,
    "num_decoder_layers": 2,
    "num_heads": 2,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
    "dropout_rate": 0.0,
    "decoder_start_token_id": 0,
}
_SHAPE = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "max_position_embeddings": 96,
    "dropout": 0.0,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "encoder_layerdrop": 0.0,
    "decoder_layerdrop": 0.0,
    "init_std": 0.1,
    "scale_embedding": True,
    "decoder_start_token_id": 2,
}
_KINDS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "nllb": (M2M100Config, M2M100ForConditionalGeneration, _SHAPE),
    "m2m100": (M2M100Config, M2M100ForConditionalGeneration, _SHAPE),
    "mbart50": (MBartConfig, MBartForConditionalGeneration, _SHAPE),
    "madlad": (T5Config, T5ForConditionalGeneration, _T5_SHAPE),
}


def tiny_family(family: str, size: int, **changes: Any) -> Any:
    """Return a random model with a vocabulary of so many pieces, in evaluation mode."""
    kind, of, shape = _KINDS[family]
    model = of(kind(**{"vocab_size": size, **shape, **changes}))
    _liven(model)
    return model.eval()


@torch.no_grad()
def _liven(model: Any) -> None:
    """Keep a random model from never ending, and let every part of it count."""
    for name, weight in model.named_parameters():
        if "norm" in name:
            weight.add_(0.1 * torch.randn_like(weight))
        elif "relative_attention_bias" in name or weight.ndim == 1:
            weight.add_(0.3 * torch.randn_like(weight))
    end = model.lm_head.weight[model.config.eos_token_id]
    if hasattr(model, "decoder"):  # T5, whose output layer stands by itself
        model.lm_head.weight.mul_(0.2)
        encoded = model.encoder(torch.arange(4)[None]).last_hidden_state
        states = model.decoder(torch.arange(4)[None], encoder_hidden_states=encoded)
        mean = states.last_hidden_state.mean((0, 1))
        end.add_(END_BIAS * mean / mean.square().sum())
    else:
        model.model.decoder.layer_norm.bias.add_(END_BIAS * end / end.square().sum())


def inputs(tokenizer: Any, family: str, texts: Iterable[str]) -> dict[str, Tensor]:
    """Return texts as the encoder takes them."""
    own, other = (tokenizer.convert_tokens_to_ids(code) for code in CODES[family])
    before = other if family == "madlad" else own
    pieces = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
    rows = [torch.tensor([before, *each, tokenizer.eos_token_id]) for each in pieces]
    ids = pad_sequence(rows, batch_first=True, padding_value=tokenizer.pad_token_id)
    ones = pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
    return {"input_ids": ids, "attention_mask": ones}


def targets(tokenizer: Any, family: str, texts: Iterable[str]) -> Tensor:
    """Return translations as labels, -100 for padding."""
    first = tokenizer.convert_tokens_to_ids(CODES[family][1])
    before = [] if family == "madlad" else [first]
    pieces = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
    rows = [torch.tensor([*before, *each, tokenizer.eos_token_id]) for each in pieces]
    return pad_sequence(rows, batch_first=True, padding_value=-100)


def train(model: Any, tokenizer: Any, family: str, steps: int) -> None:
    """Teach a model the toy pairs."""
    source = inputs(tokenizer, family, [pair.source for pair in PAIRS])
    labels = targets(tokenizer, family, [pair.target for pair in PAIRS])
    start = torch.full((len(labels), 1), model.config.decoder_start_token_id)
    fed = torch.cat([start, labels[:, :-1].clamp(min=0)], dim=1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train()
    for _ in range(steps):
        logits = model(**source, decoder_input_ids=fed).logits
        loss = cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()


@cache
def unigram(pieces: int = 140) -> tuple[bytes, tuple[tuple[str, float], ...]]:
    """A SentencePiece model of the toy pairs, and its pieces with their scores."""
    made = io.BytesIO()
    texts = [text for pair in PAIRS for text in (pair.source, pair.target)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=made,
        vocab_size=pieces,
        character_coverage=1.0,
        minloglevel=2,
    )
    own = sentencepiece.SentencePieceProcessor(model_proto=made.getvalue())
    scores = ((own.id_to_piece(each), own.get_score(each)) for each in range(len(own)))
    return made.getvalue(), tuple(scores)


def _nllb(folder: Path) -> Any:
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=140,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>"],
        initial_alphabet=_LETTERS,
        show_progress=False,
    )
    backend.train_from_iterator((t for p in PAIRS for t in (p.source, p.target)), trainer)
    model = json.loads(backend.to_str())["model"]
    merges = [tuple(each) for each in model["merges"]]
    return NllbTokenizer(
        vocab=model["vocab"], merges=merges, extra_special_tokens=list(CODES["nllb"])
    )


def _m2m100(folder: Path) -> Any:
    spm, scores = unigram()
    (folder / "sentencepiece.bpe.model").write_bytes(spm)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *(piece for piece, _ in scores[3:])]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    return M2M100Tokenizer(str(folder / "vocab.json"), str(folder / "sentencepiece.bpe.model"))


def _mbart50(folder: Path) -> Any:
    return MBart50Tokenizer(vocab=list(unigram()[1]))


def _madlad(folder: Path) -> Any:
    special = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    codes = [(code, -20.0) for code in CODES["madlad"]]
    return T5Tokenizer(vocab=[*special, *codes, *unigram()[1][3:]], extra_ids=0)


_TOKENIZERS: dict[str, Callable[[Path], Any]] = {
    "nllb": _nllb,
    "m2m100": _m2m100,
    "mbart50": _mbart50,
    "madlad": _madlad,
}
