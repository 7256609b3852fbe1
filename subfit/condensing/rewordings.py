"""Shorter words for the same: contractions, plain words for long ones, numbers in digits.

A subtitler who has no room says it shorter before anything is left out. What may stand for what,
and where, are lists (``rewordings.yaml``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from subfit.terms.renderings import in_digits
from subfit.terms.spelt_numbers import find_spelt_numbers
from subfit.text.languages import same_language

_DIGITS = 0.02
"""What writing a number in digits costs."""
_SMALL = 12
"""Numbers up to this are written in words anywhere."""
_WORD_AFTER = re.compile(r"\s+([\w'’-]*\w)")
_WORD_BEFORE = re.compile(r"([\w'’-]*\w)[,;]?\s+$")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:][\"'”’»)]*\s|\n)[\"'“‘«(\[-]*\s*$")


@dataclass(frozen=True, slots=True)
class Rewording:
    """Something that can be said shorter."""

    start: int
    """Where it stands in the text, in characters."""
    end: int
    text: str
    """What may stand there instead."""
    cost: float
    """What is lost, in about the number of words that have a meaning of their own."""

    @property
    def saves(self) -> int:
        """Characters that it is shorter by."""
        return self.end - self.start - len(self.text)


@dataclass(frozen=True)
class _Rule:
    """Some pairs of ``rewordings.yaml``, and where they hold."""

    pairs: Mapping[str, str]
    cost: float
    before: frozenset[str] | None
    only_before: frozenset[str]
    after: frozenset[str]
    only_after: frozenset[str]
    opens: bool
    after_digit: bool

    def short(self, long: str) -> str:
        """What may stand for some words of a text."""
        return self.pairs[re.sub(r"\s+", " ", long.lower())]

    @property
    def pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.pairs, key=len, reverse=True)
        words = "|".join(map(_pattern_of, longest_first))
        return re.compile(rf"(?:{words})(?![\w'-])", re.IGNORECASE)

    def holds(self, text: str, start: int, end: int) -> bool:
        """Whether what stands around a place of a text allows it."""
        following, preceding = _WORD_AFTER.match(text, end), _WORD_BEFORE.search(text[:start])
        if text[start].isspace():  # the word before is run together with it
            preceding = re.search(r"([\w'-]+)$", text[:start])
        behind = following[1].lower() if following else ""
        ahead = preceding[1].lower() if preceding else ""
        if self.opens and not _SENTENCE_START.search(text[:start]):
            return False
        if self.after_digit and not ahead.isdigit():
            return False
        if self.before is not None and (not behind or behind in self.before):
            return False
        if self.only_before and behind not in self.only_before:
            return False
        if self.only_after and ahead not in self.only_after:
            return False
        return ahead not in self.after


def _pattern_of(words: str) -> str:
    """Finds words; some are run together with the word before, and begin with a space."""
    whole = "" if words.startswith(" ") else r"(?<![\w'-])"
    return whole + re.escape(words).replace(r"\ ", r"\s+")


@cache
def _rules(language: str) -> tuple[tuple[_Rule, re.Pattern[str]], ...]:
    content = files("subfit.condensing").joinpath("rewordings.yaml").read_text(encoding="utf-8")
    for tag, entries in yaml.safe_load(content).items():
        if same_language(tag, language):
            rules = [_rule(entry) for entry in entries]
            return tuple((rule, rule.pattern) for rule in rules)
    return ()


def _rule(entry: dict[str, Any]) -> _Rule:
    return _Rule(
        pairs=dict(entry["pairs"]),
        cost=entry["cost"],
        before=frozenset(entry["before"]) if "before" in entry else None,
        only_before=frozenset(entry.get("only_before", ())),
        after=frozenset(entry.get("after", ())),
        only_after=frozenset(entry.get("only_after", ())),
        opens=entry.get("opens", False),
        after_digit=entry.get("after_digit", False),
    )


def rewordings(text: str, language: str) -> list[Rewording]:
    """Return what of a text can be said shorter without loss, each by itself.

    Args:
        text: Sentences of one speaker.
        language: Its tag; none is known for most languages.

    Returns:
        In the order of the text; some may overlap.
    """
    rules = _rules(language)
    if not rules:
        return []
    plain = text.replace("’", "'")
    curly = "’" in text or ("‘" in text and "'" not in text)
    candidates = [
        Rewording(*match.span(), _as_written(match[0], rule.short(match[0]), curly), rule.cost)
        for rule, pattern in rules
        for match in pattern.finditer(plain)
        if rule.holds(plain, *match.span())
    ]
    candidates += _in_digits(text, language)
    shorter = (rewording for rewording in candidates if rewording.saves > 0)
    return sorted(shorter, key=lambda rewording: (rewording.start, -rewording.saves, rewording.end))


def _as_written(long: str, short: str, curly: bool) -> str:
    """A shorter wording with the capital and the apostrophe of the text."""
    if short in ("tv", "ok"):
        short = short.upper()
    if long[:1].isupper() or re.match(r"i\b", short):
        short = short[:1].upper() + short[1:]
    return short.replace("'", "’") if curly else short


def _in_digits(text: str, language: str) -> Iterator[Rewording]:
    if not same_language(language, "en"):
        return
    for number in find_spelt_numbers(text):
        if number.value > _SMALL:
            end = number.start + len(number.text)
            yield Rewording(number.start, end, in_digits(number.value), _DIGITS)


def shortest_wording(text: str, language: str) -> str:
    """Return a text with everything said shorter that can be, to compare what texts say."""
    at = 0
    pieces: list[str] = []
    for rewording in rewordings(text, language):
        if rewording.start >= at:
            pieces += [text[at : rewording.start], rewording.text]
            at = rewording.end
    return "".join([*pieces, text[at:]])
