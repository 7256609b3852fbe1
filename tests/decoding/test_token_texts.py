"""What tokens print, and that counts of tokens are never below the count of the text."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer, decoders, models, normalizers
from transformers import PreTrainedTokenizerFast

from subfit.decoding.language_model import TokenTexts, token_texts
from subfit.text.counting import count_characters
from tests.tiny_causal import tiny_chat_tokenizer

TEXTS = (
    "Where is the old lighthouse?",
    "Heute Nacht ist es kalt.",
    "Größe, ça va, señor",
    "Где маяк?",
    "灯台はどこですか。",
    "أين المنارة؟",
    "🏴‍☠️ 👩‍🚀 e\u0301",
)


def sentencepiece_like() -> PreTrainedTokenizerFast:
    """A tokenizer of words, letters and bytes, as Llama 2 and Gemma have it."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["▁", "▁the", "h", "o", "u", "s", "e", "W", "r", "i", "l", "d", "g", "t", "?", "."]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    backend = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>", byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence(steps)
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )


TOKENIZERS = {"bytes": tiny_chat_tokenizer, "pieces": sentencepiece_like}


@pytest.fixture(params=TOKENIZERS)
def tokenizer(request: pytest.FixtureRequest) -> PreTrainedTokenizerFast:
    return TOKENIZERS[request.param]()


def vocabulary(tokenizer: PreTrainedTokenizerFast, more: int = 0) -> TokenTexts:
    return token_texts(tokenizer, len(tokenizer) + more, [tokenizer.eos_token_id])


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_never_count_less_than_the_text(
    text: str, tokenizer: PreTrainedTokenizerFast
) -> None:
    known = vocabulary(tokenizer)
    tokens = tokenizer(text, add_special_tokens=False).input_ids
    assert tokenizer.decode(tokens) == text
    counted = sum(count_characters(known.texts[token]) for token in tokens)
    assert counted >= count_characters(text)
    if "🏴" not in text:
        assert counted == count_characters(text)
