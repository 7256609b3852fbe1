"""How long translations are beside their sources: the length metrics, defined once.

Lengths are characters as `subfit.text.counting.count_characters` counts them, so that every
figure agrees with the budgets.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from statistics import fmean, pstdev
from typing import Any

from subfit.limits.guideline import Guideline
from subfit.text.counting import EVERYTHING, Counting, count_characters

ISOMETRIC = (0.9, 1.1)
"""The range of length ratios that count as compliant."""
SHORT_SOURCE = 10
"""Sources of so few characters are always compliant by the IWSLT rule."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of a number of values; NaN of none."""

    mean: float
    sd: float
    """Population standard deviation."""
    count: int


@dataclass(frozen=True, slots=True)
class Compliance:
    """LC, the share of pairs with a length ratio from 0.9 to 1.1, by both rules; NaN of none."""

    iwslt: float
    """Spaces do not count, and sources of at most 10 characters are always compliant."""
    strict: float
    """Everything counts that the guideline counts, and every pair."""
    count: int
    """Pairs."""


@dataclass(frozen=True, slots=True)
class Measures:
    """How long a text is that stands in a cue."""

    characters: float
    line_characters: tuple[float, ...]
    """Characters of each line; an empty text has none."""
    reading: float
    """Characters as they count for reading speed."""
    cps: float | None
    """Characters per second as they count for reading speed; None without a duration."""


def measure_text(text: str, duration: int | None, guideline: Guideline) -> Measures:
    """Measure a text in its cue.

    Args:
        text: As seen on screen, with its line breaks.
        duration: Of the cue in milliseconds; None if it has no times.
        guideline: Says what a character is.
    """
    lines = tuple(map(guideline.count, text.split("\n"))) if text else ()
    reading = count_characters(text, guideline.cps_counting)
    cps = reading / (duration / 1000) if duration is not None and duration > 0 else None
    return Measures(guideline.count(text), lines, reading, cps)


def plain_data(value: object) -> Any:
    """Return nested dataclasses, dictionaries and sequences as JSON can hold them.

    NaN and infinity become None.
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, dict):
        return {key: plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain_data(item) for item in value]
    return value


def spread(values: Iterable[float]) -> Spread:
    """Return mean and standard deviation of some values."""
    known = list(values)
    if not known:
        return Spread(math.nan, math.nan, 0)
    return Spread(fmean(known), pstdev(known), len(known))


def speeds(values: Iterable[float]) -> dict[str, Any]:
    """Return mean, standard deviation and maximum of reading speeds, as JSON values."""
    known = list(values)
    return {**plain_data(spread(known)), "worst": max(known, default=None)}


def surplus(excesses: Iterable[float]) -> dict[str, Any]:
    """Return as JSON values how many texts are over their budget, and their characters over it."""
    known = list(excesses)
    over = [excess for excess in known if excess > _ROUNDING]
    share = len(over) / len(known) if known else None
    return {"texts": len(known), "over": len(over), "characters": sum(over, 0.0), "share": share}


def joined_lines(text: str) -> str:
    """Return a text in one line, as ratios of length are taken: a line break counts as a space."""
    return text.replace("\n", " ")


def _characters(text: str, counting: Counting) -> float:
    return count_characters(joined_lines(text), counting)


def length_ratio_of(source: str, target: str, counting: Counting = EVERYTHING) -> float | None:
    """Return characters(target) / characters(source); None if the source has none."""
    length = _characters(source, counting)
    return _characters(target, counting) / length if length else None


def length_ratios(
    sources: Iterable[str], targets: Iterable[str], counting: Counting = EVERYTHING
) -> Spread:
    """Return LR, the mean over pairs of characters(target) / characters(source), with its spread.

    Pairs whose source has no characters have no ratio and are left out. For LR_ref give the
    references as ``sources``.
    """
    pairs = zip(sources, targets, strict=True)
    ratios = (length_ratio_of(source, target, counting) for source, target in pairs)
    return spread(ratio for ratio in ratios if ratio is not None)


def length_variance(lengths: Iterable[float], asked: Iterable[float]) -> float:
    """Return VAR, the mean squared difference of output and asked length; NaN for no outputs."""
    squares = [(length - wish) ** 2 for length, wish in zip(lengths, asked, strict=True)]
    return fmean(squares) if squares else math.nan


def is_compliant_iwslt(source: str, target: str, counting: Counting = EVERYTHING) -> bool:
    """Tell whether a pair keeps ±10 % by the IWSLT rule.

    Spaces are not counted, and a source of at most 10 characters is compliant with any target.
    """
    dense = replace(counting, spaces=False)
    length = _characters(source, dense)
    return length <= SHORT_SOURCE or _in_range(length, _characters(target, dense))


def is_compliant_strict(source: str, target: str, counting: Counting = EVERYTHING) -> bool:
    """Tell whether a pair keeps ±10 %, whatever its length, with spaces counted.

    An empty source is compliant with an empty target only.
    """
    return _in_range(_characters(source, counting), _characters(target, counting))


def length_compliance(
    sources: Sequence[str], targets: Sequence[str], counting: Counting = EVERYTHING
) -> Compliance:
    """Return LC, the share of pairs within ±10 %, by both rules."""
    pairs = list(zip(sources, targets, strict=True))
    if not pairs:
        return Compliance(math.nan, math.nan, 0)
    iwslt = fmean(is_compliant_iwslt(*pair, counting) for pair in pairs)
    return Compliance(iwslt, fmean(is_compliant_strict(*p, counting) for p in pairs), len(pairs))


def _in_range(source: float, target: float) -> bool:
    low, high = ISOMETRIC
    return low * source - _ROUNDING <= target <= high * source + _ROUNDING
