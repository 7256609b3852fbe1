"""How many syllables numbers have when they are said, in the languages that are known."""

from __future__ import annotations

from typing import NamedTuple


class _Counts(NamedTuple):
    """Syllables of number words."""

    small: tuple[int, ...]
    """Syllables of 0 to 19."""
    tens: tuple[int, ...]
    """Syllables of 20, 30 … 90."""
    link: int
    """Between tens and units: German "und"."""
    hundred: int
    thousand: int
    says_one: bool
    """Whether 100 is "one hundred"."""
    shorter: frozenset[int] = frozenset()
    """Below 100, and full hundreds, with a syllable less than their parts have: veintiuno,
    ventotto, quinientos; 100 only with nothing behind it: cien."""
    longer: frozenset[int] = frozenset()
    """Below 100, with a syllable more: vingt et un."""


def _counts(
    small: str,
    tens: str,
    *,
    link: int,
    hundred: int,
    thousand: int,
    says_one: bool,
    shorter: str = "",
    longer: str = "",
) -> _Counts:
    other = (frozenset(map(int, numbers.split())) for numbers in (shorter, longer))
    units = tuple(map(int, small)), tuple(map(int, tens))
    return _Counts(*units, link, hundred, thousand, says_one, *other)


_COUNTS = {
    "de": _counts("11111112111112222222", "22222222", link=1, hundred=2, thousand=2, says_one=True),
    "en": _counts("21111112111312222322", "22222322", link=0, hundred=2, thousand=2, says_one=True),
    # "treinta y" is said as one diphthong.
    "es": _counts(
        "22122212221222323434",
        "22333333",
        link=0,
        hundred=2,
        thousand=1,
        says_one=False,
        shorter="21 100 500",
    ),
    # 70 and 90 are never asked for: they are said as 60 and 80 with ten more.
    "fr": _counts(
        "21111111111111211222",
        "11222233",
        link=0,
        hundred=1,
        thousand=1,
        says_one=False,
        longer="21 31 41 51 61 71",
    ),
    "it": _counts(
        "22212212222333433434",
        "22333333",
        link=0,
        hundred=2,
        thousand=2,
        says_one=False,
        shorter="21 28 31 38 41 48 51 58 61 68 71 78 81 88 91 98",
    ),
}
_DIGIT_BY_DIGIT = 10**6
"""Numbers from here on are counted as if their digits were said one by one."""


def number_syllables(digits: str, language: str) -> int:
    """Return the syllables of a whole number.

    Args:
        digits: The number, in ASCII digits.
        language: Primary language tag; English for those that are not known.
    """
    counts = _COUNTS.get(language, _COUNTS["en"])
    number = int(digits[:30])
    if number >= _DIGIT_BY_DIGIT or (digits.startswith("0") and len(digits) > 1):
        return sum(counts.small[int(digit)] for digit in digits)
    thousands, rest = divmod(number, 1000)
    total = _below_thousand(rest, counts, language) if rest or not thousands else 0
    if thousands:
        said = thousands > 1 or counts.says_one
        total += counts.thousand + (_below_thousand(thousands, counts, language) if said else 0)
    return total


def _below_thousand(number: int, counts: _Counts, language: str) -> int:
    hundreds, rest = divmod(number, 100)
    total = (rest in counts.longer) - (rest in counts.shorter)
    if hundreds:
        total -= 100 * hundreds in counts.shorter and (hundreds > 1 or not rest)
        said = hundreds > 1 or counts.says_one
        total += counts.hundred + (counts.small[hundreds] if said else 0)
    if number and not rest:
        return total
    if rest < 20:
        return total + counts.small[rest]
    tens, units = divmod(rest, 10)
    if language == "fr" and tens in (7, 9):
        tens, units = tens - 1, units + 10
    total += counts.tens[tens - 2]
    return total + (counts.link + counts.small[units] if units else 0)
