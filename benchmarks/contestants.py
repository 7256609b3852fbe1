"""The decoders that `benchmarks.decode` compares, each a way to translate texts with one model.

A contestant is made in a process of its own, so each imports only what it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

MOST_TOKENS = 200
"""Target tokens at which every contestant stops."""

LEXICON_FILE: Literal["lexicon.safetensors"] = "lexicon.safetensors"
"""As in `subfit.model.lexicon`, which would import PyTorch."""

Translate = Callable[[Sequence[str]], list[str]]
"""Texts to their best translations, tokenizing included."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all contestants of a comparison are given alike."""

    model: Path
    """A subfit model folder."""
    language: str
    """Of the targets."""
    converted: Path
    """The same model for CTranslate2; absent if that is not compared."""
    beams: int
    batch: int
    """Sentences of a batch."""
    threads: int


@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to translate."""

    name: str
    what: str
    """What it does with a batch, for readers of the table."""
    start: Callable[[Setting], Translate]
    needs: Literal["nothing", "ctranslate2", "lexicon.safetensors"] = "nothing"
    """What has to be there; the model's lexical tables are for ``ctranslate2`` too."""


def batches(texts: Sequence[str], batch: int) -> Iterator[list[int]]:
    """Yield the places of texts that go together: sorted by length, the longest first."""
    order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
    for start in range(0, len(order), batch):
        yield order[start : start + batch]


def in_batches(translate: Translate, batch: int, texts: Sequence[str]) -> list[str]:
    """Translate texts batch by batch; the results are in the order of the texts."""
    results = [""] * len(texts)
    for places in batches(texts, batch):
        for place, text in zip(places, translate([texts[each] for each in places]), strict=True):
            results[place] = text
    return results


def start_subfit(
    setting: Setting, *, precision: str = "fp32", tight: bool = False, **options: Any
) -> Translate:
    """Load subfit's translator.

    Args:
        setting: See `Setting`.
        tight: Ask for the length of the source, and allow no more.
        options: Further arguments of the `Translator`.
    """
    from subfit.decoding.hypotheses import Request, SearchSettings
    from subfit.decoding.loading import set_up
    from subfit.decoding.translator import Translator
    from subfit.model.checkpoint import load_checkpoint
    from subfit.model.config import Computing

    computing = Computing("cpu", precision, setting.threads)
    translator = Translator(
        set_up(load_checkpoint(str(setting.model)), computing),
        settings=SearchSettings(
            beams=setting.beams, nbest=1, max_steps=MOST_TOKENS, batch_size=setting.batch
        ),
        target_language=setting.language,
        **options,
    )

    def translate(texts: Sequence[str]) -> list[str]:
        requests = [
            Request(text, ceiling=len(text), asked=len(text)) if tight else Request(text)
            for text in texts
        ]
        found = translator.translate(requests)
        return [nbest[0].text if nbest else "" for nbest in found]

    return translate


def start_generate(setting: Setting, *, device: str = "cpu", dtype: str = "float32") -> Translate:
    """Load the model for Hugging Face ``generate``.

    Args:
        setting: See `Setting`.
        device: Where it computes.
        dtype: PyTorch's name of the type that it computes in.
    """
    import torch

    from benchmarks.ctranslate2_model import as_marian
    from subfit.decoding.source_tokens import language_token
    from subfit.model.checkpoint import load_checkpoint

    torch.set_num_threads(setting.threads)
    checkpoint = load_checkpoint(str(setting.model))
    model = as_marian(checkpoint.model).eval().to(device, getattr(torch, dtype))
    tokenizer = checkpoint.tokenizer
    token = language_token(checkpoint, setting.language)
    before = [] if token is None else [token]
    barred = [tokenizer.pad_id, *getattr(checkpoint.model.config, "source_token_ids", ())]
    positions = int(model.config.max_position_embeddings)

    def translate(texts: Sequence[str]) -> list[str]:
        rows = [[*before, *tokenizer.encode(text), tokenizer.eos_id] for text in texts]
        width = max(map(len, rows))
        padded = [row + [tokenizer.pad_id] * (width - len(row)) for row in rows]
        source = torch.tensor(padded, device=device)
        made = model.generate(
            source,
            attention_mask=(source != tokenizer.pad_id).long(),
            num_beams=setting.beams,
            max_new_tokens=min(MOST_TOKENS, positions - 1),
            do_sample=False,
            bad_words_ids=[[each] for each in barred],
        )
        return [tokenizer.decode(_until(tokenizer.eos_id, row[1:])) for row in made.tolist()]

    return partial(in_batches, translate, setting.batch)


def _until(end: int, row: Sequence[int]) -> list[int]:
    return list(takewhile(lambda token_id: token_id != end, row))


def start_ctranslate2(setting: Setting, *, compute: str, mapped: bool = False) -> Translate:
    """Load the converted model.

    Args:
        setting: See `Setting`.
        compute: Its compute type, such as ``int8``.
        mapped: Restrict the target pieces of a batch by the vocabulary map.
    """
    from benchmarks.ctranslate2_model import Pieces, library_alone

    translator = library_alone().Translator(
        str(setting.converted),
        device="cpu",
        compute_type=compute,
        inter_threads=1,
        intra_threads=setting.threads,
    )
    pieces = Pieces(setting.model, setting.language)

    def translate(texts: Sequence[str]) -> list[str]:
        found = translator.translate_batch(
            pieces.encode(texts),
            max_batch_size=setting.batch,
            batch_type="examples",
            beam_size=setting.beams,
            length_penalty=1.0,
            max_decoding_length=MOST_TOKENS,
            use_vmap=mapped,
        )
        return [pieces.decode(each.hypotheses[0]) for each in found]

    return translate


OWN = "rows of a batch are filled again as sentences get done"
SPOKEN = "the pieces of the language only"
THEIRS = "max_batch_size, sorted by length by CTranslate2; stops at as many ends as beams"
CONTESTANTS: Mapping[str, Contestant] = {
    each.name: each
    for each in (
        Contestant("generate fp32", "batches sorted by length, padded to the end", start_generate),
        Contestant("subfit fp32", OWN, partial(start_subfit, all_pieces=True)),
        Contestant("subfit int8", OWN, partial(start_subfit, precision="int8", all_pieces=True)),
        Contestant(
            "subfit int8, language", f"{OWN}; {SPOKEN}", partial(start_subfit, precision="int8")
        ),
        Contestant(
            "subfit int8, language, budget = source length",
            f"{OWN}; {SPOKEN}",
            partial(start_subfit, precision="int8", tight=True),
        ),
        Contestant(
            "CTranslate2 fp32", THEIRS, partial(start_ctranslate2, compute="float32"), "ctranslate2"
        ),
        Contestant(
            "CTranslate2 int8", THEIRS, partial(start_ctranslate2, compute="int8"), "ctranslate2"
        ),
        Contestant(
            "CTranslate2 int8, map",
            f"{THEIRS}; the pieces of a batch by a vocabulary map",
            partial(start_ctranslate2, compute="int8", mapped=True),
            LEXICON_FILE,
        ),
    )
}
