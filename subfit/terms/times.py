"""Times of day in digits: 5:30 p.m., 15 Uhr 30, a las 3:30, 12h30, alle 15.30.

What is said in words ("noon") stays. The model reads a full hour, which it knows; what it makes of
that becomes the time again, by the clock of twenty-four hours where the source says which half of
the day it is; in English by the one of twelve where the region has that (CLDR).
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.terms.renderings import figure_pattern, time_forms, words_of

_PARTS = {
    "hour": r"(?P<hour>2[0-4]|[01]?[0-9])",
    "minute": r"(?P<minute>[0-5][0-9])",
    "late": r"(?P<hour>1[3-9]|2[0-3])",  # that no twelve hours have: others are left to the model
    "half": r"(?P<hour>1[0-2]|0?[0-9])(?:[:.](?P<minute>[0-5][0-9]))?"
    r"\s?(?P<half>[AaPp])(?:\.\s?m\.|[mM]\b)",
    "more": r"[:\d]|[.,]\d",
}
_LOOK_BACK = 100
_HOURS = ("9", "8", "7", "10", "6", "5", "4")
"""Hours that the model reads: the first that is not in the text."""
_MADE = (
    r"(?:{})(?:[.:]00)?(?:[ \u00a0-]?(?:Uhr|heures?|h|horas?|hours?|hrs|o['’] ?clock)"
    r"| ?[ap](?:\.\s?m\.(?=\s+\p{{Ll}}|[,;:?!])|\.?\s?m\b))?(?: 00)?"
)


Time = tuple[str, int, tuple[str, ...], str, str, str]
"""A time of day, where it stands, what may be written for it, what the model reads for it, an
expression for what it makes of that, and what is most usual of that."""


def find_times(text: str, source: str, language: str, target: str) -> Iterator[Time]:
    """Yield the times of day that a text has in digits.

    Args:
        text: Plain text.
        source: The language of it, one of five.
        language: Tag of the target language.
        target: The language of that, one of five.
    """
    free = [hour for hour in _HOURS if not regex.search(rf"(?<!\d){hour}(?!\d)", text)]
    flags = regex.I if source != "en" else regex.V0
    digits = words_of(source)["time"]["digits"].format(**_PARTS)
    for match in regex.finditer(rf"(?<![\w:.,/$£€¥'-])(?:{digits})(?![\w%])", text, flags=flags):
        if free and _is_time(match, text, source):
            yield _time(match, text, free.pop(0), (source, target, language))


def _is_time(match: regex.Match[str], text: str, source: str) -> bool:
    """Whether it is neither the number of a chapter or verse nor how long something lasts."""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if (lasting := words_of(source)["time"].get("lasting")) and ":" not in match[0]:
        lasts = regex.compile(lasting, regex.I)
        return not (lasts.search(before) or lasts.match(text[match.end() :][:12]))
    groups = match.groupdict()
    if groups.get("half") or groups.get("one") or match[0][-1].isalpha():
        return True  # behind a name, figures are a chapter and verse, or a result
    unnamed = words_of("times")["unnamed"]
    return not regex.search(rf"(?<!\b(?:{unnamed}))(?<=\b\p{{Lu}}\p{{Ll}}+) $", before)


def _time(match: regex.Match[str], text: str, read: str, languages: tuple[str, str, str]) -> Time:
    source, target, language = languages
    told, groups = match[0], match.groupdict()
    rest = text[match.end() :].lstrip("\"'“‘”’»«)")
    if told.endswith(".") and (not rest or regex.match(r"\s+[\"'“„«¿¡]?\p{Lu}", rest)):
        told = told[:-1]  # that dot closes the sentence too
    hour, minute, half = int(match["hour"]), groups.get("minute") or "", groups.get("half")
    if half:
        hour = hour % 12 + 12 * (half in "Pp")
    words = words_of(source)["time"]["read"].format(read)
    if one := groups.get("one"):  # a la 1:30, all'1.30
        words = f"{one[0]}as {read}" if source == "es" else f"{one.rstrip(chr(39) + '’')}e {read}"
    sure = half is not None or (source != "en" and (not 0 < hour <= 12 or match["hour"][0] == "0"))
    digits = regex.search(r"\d+(?:[:.]\d\d)?", told)
    forms = (*time_forms(hour, minute, language, sure=sure), digits[0].replace(".", ":"))
    made = _MADE.format(figure_pattern(read, target))
    return told, match.start(), forms, words, made, words_of(target)["time"]["read"].format(read)
