"""Times of day in digits: 12:30, 5:30 p.m., 9 AM; what is said in words ("noon") stays.

The model reads a full hour, which it knows; what it makes of that becomes the time again, by the
clock of twenty-four hours where the source says which half of the day it is.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.text.cleaning.figures import figure_pattern
from subfit.text.cleaning.stand_ins import LANGUAGES, NO_BREAK_SPACE, StandIn
from subfit.text.languages import closest_language

_TIME = regex.compile(
    r"(?<![\w:.,/$£€¥'-])(?:"
    r"(?P<hour>1[0-2]|0?[0-9])(?:[:.](?P<minute>[0-5][0-9]))?\s?(?P<half>[AaPp])(?:\.\s?m\.|[mM]\b)"
    r"|(?P<hour>2[0-4]|[01]?[0-9]):(?P<minute>[0-5][0-9])(?![:\d]|[.,]\d|\s?[AaPp]\.?[Mm]))(?![\w%])"
)
_NAMED = regex.compile(r"\p{Lu}\p{Ll}+ $")
"""Before it: a chapter and verse, or a result."""
_LOOK_BACK = 100
"""Characters that such a name may take."""
_WORDS_BEFORE = frozenset(
    ["About", "After", "And", "Around", "At", "Before", "But", "By", "From", "Or", "Since", "Until"]
)
_HOURS = ("9", "8", "7", "10", "6", "5", "4")
"""That the model reads, the first that is not in the text."""
_MADE = {
    "de": ("{} Uhr", r"(?:{})(?:[.:]00)?(?:[ \u00a0-]?Uhr)?"),
    "es": ("{}", r"(?:{})(?:[.:]00)?(?: horas?| h)?"),
    "fr": ("{} heures", r"(?:{})[ \u00a0]?(?:heures?|h)(?: ?00)?"),
    "it": ("{}", r"(?:{})(?:[.:]00)?"),
}
"""What a model makes of a full hour: usually, and at all."""


def find_times(text: str, language: str) -> Iterator[StandIn]:
    """Yield the times of day that an English text has in digits.

    Args:
        text: Plain text.
        language: Tag of the target language.
    """
    known = closest_language(language, LANGUAGES)
    if known is None:
        return
    free = [hour for hour in _HOURS if not regex.search(rf"(?<!\d){hour}(?!\d)", text)]
    for match in _TIME.finditer(text):
        named = _NAMED.search(text, max(0, match.start() - _LOOK_BACK), match.start())
        if not free or (named and not match["half"] and named[0].strip() not in _WORDS_BEFORE):
            continue
        yield _stand_in(match, text, free.pop(0), known)


def _stand_in(match: regex.Match[str], text: str, read: str, known: str) -> StandIn:
    source = match[0]
    rest = text[match.end() :].lstrip("\"'”’)")
    if source.endswith(".") and (not rest or regex.match(r"\s+[\"'“]?\p{Lu}", rest)):
        source = source[:-1]  # that dot closes the sentence too
    hour, minute = int(match["hour"]), match["minute"]
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"] in "Pp")
    usual, pattern = _MADE[known]
    written = _written(hour, minute, known)
    accepted = [f"{hour}:{minute or '00'}", f"{hour}.{minute or '00'}", f"{hour} h {minute or ''}"]
    if minute is None:
        accepted += [f"{hour} Uhr", f"{hour} heures", str(hour)]
    return StandIn(
        "time",
        source,
        match.start(),
        f"{read} o'clock",
        pattern.format(figure_pattern(read, known)),
        usual.format(read),
        written,
        (*(each.strip() for each in accepted), match["hour"] + (f":{minute}" if minute else "")),
    )


def _written(hour: int, minute: str | None, language: str) -> str:
    """A time as a language writes it: 17:30 Uhr, 17 h 30, 17:30."""
    if language == "fr":
        parts = [str(hour), "h", "" if minute in (None, "00") else str(minute)]
        return NO_BREAK_SPACE.join(part for part in parts if part)
    if language == "de":
        return f"{hour}{f':{minute}' if minute else ''}{NO_BREAK_SPACE}Uhr"
    if language == "it" and minute is None:
        return str(hour)
    return f"{hour}:{minute or '00'}"


_ARTICLES = {
    "es": (regex.compile(r"\b([Ll])as(?= 1:\d\d(?!\d))"), r"\1a"),
    "it": (regex.compile(r"\b((?:[Dd]|[Aa]|[Dd]a|[Nn]e)l?l)e (?=1(?::\d\d)?(?![\d:]))"), r"\1'"),
}


def with_articles(text: str, language: str) -> str:
    """Return a text with the articles that times around one o'clock have: "a la 1:30", "all'1"."""
    known = closest_language(language, _ARTICLES)
    if known is None:
        return text
    pattern, new = _ARTICLES[known]
    return str(pattern.sub(new, text))
