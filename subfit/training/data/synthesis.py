"""Training pairs that a model makes: its own translations, natural and shorter.

Learning from a model's translations is sequence-level knowledge distillation (Kim & Rush 2016,
§3.2), or self-training where the model learns from itself (He et al. 2020). What is new to the
learner here are translations of one source in several lengths, which corpora hardly have. A model
makes mistakes, more of them the shorter it is told to be, so most of this module is about what to
refuse.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import regex

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.errors import UsageError
from subfit.model.tokenizer import normalize
from subfit.training.data.filters import bare

if TYPE_CHECKING:
    from subfit.decoding.translator import Translator

CHUNK = 1000
"""Sources whose hypotheses are held at the same time."""
SHORTEST = 12
"""Natural translations of fewer characters are not shortened: what could go is needed."""
LONGEST_REPEAT = 4
"""Most words of a phrase that is found when it is said twice in a row."""

_ENDING = regex.compile(r"(\.\.\.|[.…?!:;,])?[\s\"'’”»«“)\]]*\Z")
_DIGITS = regex.compile(r"\d+")
_WORD = regex.compile(r"\w+")
_NAME = regex.compile(r"\b\p{Lu}\w+")


@dataclass(frozen=True, slots=True)
class SynthesisSettings:
    """What is asked for and what is kept."""

    lengths: tuple[float, ...] = (0.9, 0.8, 0.7)
    """Shares of the natural translation's characters that are asked for, each as a ceiling; more
    than 0 and less than 1."""
    least_score: float = -0.7
    """Natural translations with fewer nats per token are refused."""
    margin: float = 0.2
    """Shorter translations may have so many nats per token less than the natural one."""
    max_ratio: float = 2.0
    """Translations whose characters differ from the source's by more than this factor (plus ten
    characters) are refused."""


@dataclass(frozen=True, slots=True)
class Synthesized:
    """What became of one source."""

    source: str
    targets: tuple[str, ...]
    """The natural translation and shorter ones, longest first; none where it was refused."""
    refused: str = ""
    """Why the natural translation was refused."""


def synthesize(
    sources: Sequence[str],
    translator: Translator,
    settings: SynthesisSettings,
    on_progress: Callable[[int, int], None] | None = None,
) -> Iterator[Synthesized]:
    """Translate sources at natural and at shorter lengths, and keep what is good.

    Args:
        sources: Normalised texts, each once.
        translator: A model that can translate without being asked for a length. One that cannot be
            asked for any gives natural translations only.
        settings: What to ask for and what to keep.
        on_progress: Called with the sources done and all sources.

    Yields:
        One result per source, in order; no more than `CHUNK` are held.

    Raises:
        UsageError: The model must be asked for a length.
    """
    if not translator.can_translate_freely:
        raise UsageError(
            f"{translator.checkpoint.name} must be asked for a length, so its natural translations"
            " are not known; take a model trained with length.free"
        )
    for start in range(0, len(sources), CHUNK):
        yield from _chunk(sources[start : start + CHUNK], translator, settings)
        if on_progress:
            on_progress(min(start + CHUNK, len(sources)), len(sources))


def _chunk(
    sources: Sequence[str], translator: Translator, settings: SynthesisSettings
) -> Iterator[Synthesized]:
    taken = [source for source in sources if translator.accepts(source)]
    nbests = translator.translate([Request(source) for source in taken])
    naturals = {
        source: choose_natural(source, nbest, settings)
        for source, nbest in zip(taken, nbests, strict=True)
    }
    shorter = _shorter(
        {source: text for source, text in naturals.items() if isinstance(text, Hypothesis)},
        translator,
        settings,
    )
    for source in sources:
        natural = naturals.get(source, "too long for the model")
        if isinstance(natural, str):
            yield Synthesized(source, (), natural)
        else:
            yield Synthesized(source, (normalize(natural.text), *shorter[source]))


def _shorter(
    naturals: dict[str, Hypothesis], translator: Translator, settings: SynthesisSettings
) -> dict[str, list[str]]:
    """Search below every natural translation, and keep of each length the best, if it is good."""
    lengths = settings.lengths if translator.checkpoint.length_aware else ()
    requests = [
        Request(source, ceiling, ceiling)
        for source, natural in naturals.items()
        if natural.characters >= SHORTEST
        for ceiling in (math.floor(share * natural.characters) for share in lengths)
    ]
    nbests = translator.translate(requests)
    rated = translator.rate([request.text for request in requests], nbests)
    kept: dict[str, dict[str, None]] = {source: {} for source in naturals}
    for request, nbest in zip(requests, rated, strict=True):
        chosen = choose_shorter(request.text, nbest, naturals[request.text], settings)
        if chosen is not None:
            kept[request.text][normalize(chosen.text)] = None
    return {source: sorted(texts, key=len, reverse=True) for source, texts in kept.items()}


def choose_natural(
    source: str, nbest: Sequence[Hypothesis], settings: SynthesisSettings
) -> Hypothesis | str:
    """Return the natural translation, or why it is refused.

    Args:
        source: The source.
        nbest: Its hypotheses, found and scored without length signal, best first.
        settings: What to keep.
    """
    if not nbest:
        return "no translation found"
    if score(nbest[0]) < settings.least_score:
        return "too improbable"
    return fault(source, nbest[0].text, settings) or nbest[0]


def choose_shorter(
    source: str, nbest: Sequence[Hypothesis], natural: Hypothesis, settings: SynthesisSettings
) -> Hypothesis | None:
    """Return the best of shorter translations that is good enough, if there is one.

    Names that the natural translation has from its source must be in it too.

    Args:
        source: The source.
        nbest: Hypotheses, scored without length signal.
        natural: The natural translation, scored likewise.
        settings: What to keep.
    """
    names = set(_NAME.findall(source)) & set(_NAME.findall(natural.text))
    for candidate in sorted(nbest, key=score, reverse=True):
        if score(candidate) < score(natural) - settings.margin:
            return None
        shorter = candidate.characters < natural.characters
        if (
            shorter
            and not fault(source, candidate.text, settings)
            and names <= set(_words(candidate.text))
        ):
            return candidate
    return None


def score(hypothesis: Hypothesis) -> float:
    """Return nats per token, the end token included."""
    return hypothesis.log_probability / (len(hypothesis.token_ids) + 1)


def fault(source: str, target: str, settings: SynthesisSettings) -> str:
    """Return what is wrong with a translation as far as it shows, or an empty text."""
    lengths = len(source), len(target)
    if not _words(target):
        return "without words"
    if max(lengths) > settings.max_ratio * min(lengths) + 10:
        return "too long or too short"
    if bare(source) == bare(target):
        return "untranslated"
    if ending(source) != ending(target):
        return "another closing mark"
    if _numbers(source) != _numbers(target):
        return "other numbers"
    if repeats(target) and not repeats(source):
        return "repeats itself"
    return ""


def ending(text: str) -> str:
    """Return the mark a text closes with, quotes and brackets aside; empty where there is none."""
    mark = _ENDING.search(text)[1] or ""
    return "…" if mark == "..." else str(mark)


def repeats(text: str) -> bool:
    """Whether a word or a short phrase is said twice in a row."""
    words = [word.casefold() for word in _words(text)]
    return any(
        words[at : at + size] == words[at + size : at + 2 * size]
        for size in range(1, LONGEST_REPEAT + 1)
        for at in range(len(words) - 2 * size + 1)
    )


def _words(text: str) -> list[str]:
    return [str(word) for word in _WORD.findall(text)]


def _numbers(text: str) -> Counter[str]:
    return Counter(_DIGITS.findall(unicodedata.normalize("NFKC", text)))
