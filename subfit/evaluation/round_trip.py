"""How well another model gives the sources back, from translations of them.

What a translation does not say, no model can say of it. So a second one, which translates the other
way, translates it back, and what comes is compared with the source (chrF); besides, the source is
scored as a translation of it (forced decoding), which needs no search and so punishes no paraphrase
of the second model's own. Both tell of translations without a reference, and both have the second
model's faults too: they compare translations of the same sources, not of different ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.metrics import chrf_signature, sentence_chrf
from subfit.localization import OnProgress
from subfit.text.languages import same_language

AT_ONCE = 64
"""Lines that are translated back between two reports of progress."""


@dataclass(frozen=True, slots=True)
class BackTranslation:
    """What becomes of one translation."""

    text: str | None
    """The translation translated back; None where the second model cannot take it."""
    chrf: float | None
    """Of that text and the source, from 0 to 100; 0 where nothing comes back, None as above."""
    log_probability: float | None
    """Natural logarithm of the probability that the second model gives the source as a translation
    of the translation, end token included; None where it cannot be asked."""
    pieces: int | None
    """The tokens of the source, the end one included, that this is the sum over."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """How well some translations give their sources back."""

    model: str
    """The second model."""
    chrf: float | None
    """The mean over all lines that it could take; None of none."""
    signature: str
    """Of the settings of chrF, from sacreBLEU."""
    log_probability: float | None
    """The mean over all tokens of the sources; None where it cannot be asked."""
    unread: int
    """Lines that the second model could not take."""
    lines: tuple[BackTranslation, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def check_back_model(back: AnyTranslator, languages: tuple[str, str]) -> None:
    """Check that a model translates the other way, as far as both tell their languages.

    Args:
        back: The second model.
        languages: Those of the sources and of the translations; ``und`` for what is not known.

    Raises:
        UsageError: It translates between others.
    """
    ours, theirs = languages
    told = zip((back.source_language, back.language), (theirs, ours), strict=True)
    if any(one != "und" != other and not same_language(one, other) for one, other in told):
        raise UsageError(
            f"{back.name} translates {back.source_language} to {back.language}, not back from"
            f" {theirs} to {ours}; name another --back-model"
        )


def round_trip(
    back: AnyTranslator,
    sources: Sequence[str],
    translations: Sequence[str],
    on_progress: OnProgress | None = None,
) -> RoundTrip:
    """Rate translations by how well a model gives their sources back.

    Args:
        back: A model that translates from the language of the translations into the sources'.
        sources: The texts that were translated, normalised.
        translations: One for each, with everything in one line.
        on_progress: Called with the lines that are done and all that there are.
    """
    texts: list[str | None] = []
    for start in range(0, len(translations), AT_ONCE):
        texts += _given_back(back, translations[start : start + AT_ONCE])
        if on_progress is not None:
            on_progress(len(texts), len(translations))
    read = [number for number, text in enumerate(texts) if text is not None]
    scores = sentence_chrf([texts[n] or "" for n in read], [sources[n] for n in read])
    chrf: dict[int, float] = dict(zip(read, scores, strict=True))
    rated = source_probabilities(back, sources, translations)
    lines = tuple(
        BackTranslation(text, chrf.get(number), *pair)
        for number, (text, pair) in enumerate(zip(texts, rated, strict=True))
    )
    known = [one for one in lines if one.log_probability is not None]
    pieces = sum(one.pieces or 0 for one in known)
    return RoundTrip(
        back.name,
        fmean(chrf.values()) if chrf else None,
        chrf_signature(),
        sum(one.log_probability or 0.0 for one in known) / pieces if pieces else None,
        len(lines) - len(read),
        lines,
    )


def _given_back(back: AnyTranslator, translations: Sequence[str]) -> list[str | None]:
    """Texts translated back: none of what is empty, None of what the model cannot take."""
    taken = [n for n, text in enumerate(translations) if text.strip() and back.accepts(text)]
    nbests = back.translate([Request(translations[number]) for number in taken])
    best = {n: nbest[0].text if nbest else "" for n, nbest in zip(taken, nbests, strict=True)}
    return [best.get(number) if text.strip() else "" for number, text in enumerate(translations)]


def source_probabilities(
    back: AnyTranslator, sources: Sequence[str], translations: Sequence[str]
) -> list[tuple[float | None, int | None]]:
    """Return how probable each source is as a translation of its translation.

    Args:
        back: The second model.
        sources: The texts that were translated.
        translations: One for each.

    Returns:
        For each the natural logarithm, and the tokens that it is the sum over; None where the model
        has no search of our own, must be asked for a length, or cannot read or write one of both.
    """
    if not isinstance(back, Translator) or not back.can_translate_freely:
        return [(None, None)] * len(sources)
    known = back.as_channel().log_probabilities(sources, translations)
    return [(None, None) if one is None else (one.log_probability, one.tokens) for one in known]
