"""Language tags (BCP 47): which of several languages a tag means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

CAPITALISED = frozenset(["de", "lb"])
"""Languages that write every noun with a capital."""
UNSPACED = ("ja", "km", "lo", "my", "th", "zh")
"""Languages written without spaces between words."""
_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|[0-9]{3}))?", re.IGNORECASE)


@cache
def _codes() -> Mapping[str, str]:
    """Codes of three letters (ISO 639-2 and 639-3), which disc and streaming rips carry, with those
    of two that CLDR has for them, and these with themselves; Filipino counts as Tagalog, and
    Cantonese as Chinese."""
    from babel.core import get_global  # long to import

    aliases = get_global("language_aliases").items()
    codes = {code: equal for code, equal in aliases if (len(code), len(equal)) == (3, 2)}
    codes |= {"fil": "tl", "tgl": "tl", "yue": "zh"}
    return codes | {equal: equal for equal in codes.values()}


def closest_language(tag: str, known: Iterable[str]) -> str | None:
    """Return the one of several languages that a tag means.

    That is the tag itself, else the tag without its region and variants: ``es-419`` is served by
    ``es``, as ``spa`` is. A script is never left off: ``sr-Latn`` is not written like ``sr``.

    Args:
        tag: A language tag; case, and ``_`` for ``-``, make no difference.
        known: The languages there are.
    """
    return _closest(tag, tuple(known))


@lru_cache(maxsize=4096)
def _closest(tag: str, known: tuple[str, ...]) -> str | None:
    by_tag = {_normal(language): language for language in known}
    return by_tag.get(_normal(tag), by_tag.get(_without_region(tag)))


def primary_language(tag: str) -> str | None:
    """Return the two-letter language of a BCP 47 tag or three-letter code; None if it is none."""
    match = _TAG.fullmatch(tag)
    return None if match is None else _codes().get(match[1].lower())


def language_of(tag: str) -> str:
    """Return the language of a tag, without script and region; the tag itself if it is none."""
    return primary_language(tag) or tag


def three_letters(tag: str) -> str:
    """Return the three-letter code (ISO 639-2) of a tag's language; ``und`` if it has none."""
    language = language_of(tag)
    codes = [code for code, equal in _codes().items() if equal == language != code]
    likest = min(codes, key=lambda code: (not code.startswith(language), code), default="und")
    return language if len(language) == 3 else likest


def same_language(one: str, other: str) -> bool:
    """Whether two tags differ in region, variant or spelling at most: ``en-GB`` and ``eng``."""
    return _without_region(one) == _without_region(other)


def _normal(tag: str) -> str:
    return tag.replace("_", "-").lower()


@lru_cache(maxsize=4096)
def _without_region(tag: str) -> str:
    language, *others = _normal(tag).split("-")
    script = [other for other in others[:1] if len(other) == 4 and other.isalpha()]
    return "-".join([_codes().get(language, language), *script])
