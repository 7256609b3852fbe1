"""Families of published models that can be asked for by a short name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from subfit.text.languages import primary_language

_OPUS = "Helsinki-NLP/opus-mt"
_GROUPS = {
    "roa": ("ca", "es", "fr", "gl", "it", "oc", "pt", "ro"),
    "gmw": ("af", "de", "en", "fy", "lb", "nl"),
    "gem": ("af", "da", "de", "en", "fo", "is", "nb", "nl", "no", "sv"),
    "zle": ("be", "ru", "uk"),
    "zls": ("bg", "bs", "hr", "mk", "sl", "sr"),
    "zlw": ("cs", "pl", "sk"),
    "sla": ("be", "bg", "cs", "hr", "mk", "pl", "ru", "sk", "sl", "sr", "uk"),
    "bat": ("lt", "lv"),
    "fiu": ("et", "fi", "hu"),
    "cel": ("br", "cy", "ga"),
    "trk": ("az", "kk", "tr", "tt", "uz"),
    "sem": ("ar", "he", "mt"),
    "inc": ("bn", "gu", "hi", "mr", "pa", "ur"),
    "dra": ("kn", "ml", "ta", "te"),
}
"""Groups of languages that OPUS-MT has one model for (ISO 639-5), smaller ones first."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are called alike."""

    name: str
    """What ``--model`` and ``subfit model get`` take."""
    description: str
    models: tuple[str, ...] = ()
    """Hub names, the best first, where all pairs have the same; else `candidates` knows them."""

    @property
    def has_pairs(self) -> bool:
        """Whether it has a model of its own for each pair of languages."""
        return not self.models


FAMILIES = {
    family.name: family
    for family in (
        Family("opus-mt", "Marian models of OPUS-MT: one for a pair, or for a group of languages"),
        Family(
            "nllb",
            "NLLB-200, 600M parameters: 202 languages",
            ("facebook/nllb-200-distilled-600M",),
        ),
        Family("m2m100", "M2M100, 418M parameters: 100 languages", ("facebook/m2m100_418M",)),
        Family(
            "mbart50",
            "mBART-50, 611M parameters: 52 languages",
            ("facebook/mbart-large-50-many-to-many-mmt",),
        ),
        Family(
            "madlad",
            "MADLAD-400, 3B parameters: more than 400 languages",
            ("google/madlad400-3b-mt",),
        ),
    )
}


def candidates(family: str, source_language: str, target_language: str) -> tuple[str, ...]:
    """Return the hub names that a family may have a pair's model under, the best first.

    Most have one model for all pairs. Of OPUS-MT it is the model of the pair, then those of groups
    of languages, which are told their target language by a token, then the larger ``tc-big`` ones.

    Args:
        family: One of `FAMILIES`.
        source_language: BCP 47 tag.
        target_language: BCP 47 tag.
    """
    if models := FAMILIES[family].models:
        return models
    source = primary_language(source_language) or source_language
    target = primary_language(target_language) or target_language
    pairs = [(source, target), *_group_pairs(source, target)]
    small = [f"{_OPUS}-{one}-{other}" for one, other in pairs]
    big = [f"{_OPUS}-tc-big-{one}-{other}" for one, other in pairs]
    return tuple(dict.fromkeys([*small, *big]))


def _group_pairs(source: str, target: str) -> Iterator[tuple[str, str]]:
    """The pair with either side, or both, as a group; ``mul`` is any language."""
    sources = [*(name for name, members in _GROUPS.items() if source in members), "mul"]
    targets = [*(name for name, members in _GROUPS.items() if target in members), "mul"]
    yield from ((source, group) for group in targets)
    yield from ((group, target) for group in sources)
    yield from ((one, other) for one in sources for other in targets if one != other)
