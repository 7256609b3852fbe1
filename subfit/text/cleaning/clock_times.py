"""Times of day in digits: 5:30 p.m., 15 Uhr 30, a las 3:30, 12h30, alle 15.30.

What is said in words ("noon") stays. The model reads a full hour, which it knows; what it makes of
that becomes the time again, by the clock of twenty-four hours where the source says which half of
the day it is; in English by the one of twelve where the region has that (CLDR).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from subfit.text.cleaning.figures import babel_locale, figure_pattern
from subfit.text.cleaning.stand_ins import NO_BREAK_SPACE, StandIn, known_languages
from subfit.text.languages import closest_language

_BEFORE = r"(?<![\w:.,/$£€¥'-])"
_BEHIND = r"(?![\w%])"
_COLON = r"(?P<hour>2[0-4]|[01]?[0-9]):(?P<minute>[0-5][0-9])(?![:\d]|[.,]\d"
_HALF = r"(?P<half>[AaPp])(?:\.\s?m\.|[mM]\b)"
_LATE = r"(?P<hour>1[3-9]|2[0-3])"
"""An hour that no twelve hours have: without minutes, others are left to the model."""
_HOUR = r"(?P<hour>2[0-4]|[01]?[0-9])"
_MINUTE = r"(?P<minute>[0-5][0-9])"
_PATTERNS: Mapping[str, regex.Pattern[str]] = {
    "de": regex.compile(
        rf"{_BEFORE}(?:{_HOUR}[:.]{_MINUTE}\s?Uhr|{_HOUR}\s?Uhr\s{_MINUTE}|{_LATE}\s?Uhr"
        rf"|(?<=\b(?:[Uu]m|[Gg]egen|[Aa]b) ){_HOUR}\.{_MINUTE}(?![:\d]|[.,]\d|\s?Uhr)"
        rf"|{_COLON})){_BEHIND}(?!-)"
    ),
    "en": regex.compile(
        rf"{_BEFORE}(?:(?P<hour>1[0-2]|0?[0-9])(?:[:.](?P<minute>[0-5][0-9]))?\s?{_HALF}"
        rf"|{_COLON}|\s?[AaPp]\.?[Mm])){_BEHIND}"
    ),
    "es": regex.compile(
        rf"{_BEFORE}(?P<one>\b[Ll]a (?=0?1(?!\d)))?"
        rf"(?:(?P<hour>1[0-2]|0?[0-9])(?:[:.]{_MINUTE})?\s?{_HALF}"
        rf"|{_HOUR}[:.]{_MINUTE}\s?(?:h|horas?)\b|{_LATE}\s?(?:h|horas)\b"
        rf"|(?<=\b[Ll]as? ){_HOUR}\.{_MINUTE}(?![:\d]|[.,]\d)|{_COLON})){_BEHIND}"
    ),
    "fr": regex.compile(
        rf"{_BEFORE}(?:{_HOUR}\s?(?:h|heures?\s)\s?{_MINUTE}|{_LATE}\s?(?:h|heures)"
        rf"|{_COLON})){_BEHIND}",
        regex.I,
    ),
    "it": regex.compile(
        r"(?<![\w:.,/$£€¥-])(?P<one>\b(?:[Dd]?[Aa]?l)?l['’](?=11?(?!\d)))?"
        rf"(?:(?<=(?:\b(?:[Oo]re|(?:[Dd]?[Aa]l)?[Ll]e) |['’])){_HOUR}[.,]{_MINUTE}(?![:\d]|[.,]\d)"
        rf"|(?<=\b[Oo]re ){_LATE}|{_COLON})){_BEHIND}",
        regex.I,
    ),
}
"""Times by language; "la" and "all'" before one o'clock give way to what stands before nine."""
_LASTING = regex.compile(
    r"(?:pendant|durant|dans|en|dure|fait|prend|mis|reste|plus de|moins de|il y a) $"
    r"|^ (?:d['’e]|plus tard|par )",
    regex.I,
)
"""Around a time in French: that is how long something lasts."""
_NAMED = regex.compile(r"\p{Lu}\p{Ll}+ $")
"""A name before figures: these are a chapter and verse, or a result."""
_LOOK_BACK = 100
"""Characters that such a name may take."""
_WORDS_BEFORE: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "de": "Ab Bis Gegen Nach Seit Um Und Von Vor Oder Aber Erst Schon",
        "en": "About After And Around At Before But By From Or Since Until",
        "es": "A Antes Desde Las La Hasta Hacia Sobre Son Y O Es",
        "fr": "À A Avant Après Dès Depuis Et Jusqu'à Ou Vers",
        "it": "Alle Le Dalle Dopo Prima E Ore O Verso Sono",
    }.items()
}
_HOURS = ("9", "8", "7", "10", "6", "5", "4")
"""Hours that the model reads: the first that is not in the text."""
_READ = {"de": "{} Uhr", "en": "{} o'clock", "es": "{}", "fr": "{} heures", "it": "{}"}
_MADE = {
    "en": (
        "{} o'clock",
        r"(?:{})(?:[.:]00)?(?: ?o['’] ?clock| hours?| hrs"
        r"| ?[ap](?:\.\s?m\.(?=\s+\p{{Ll}}|[,;:?!])|\.?\s?m\b))?",
    ),
    "de": ("{} Uhr", r"(?:{})(?:[.:]00)?(?:[ \u00a0-]?Uhr)?"),
    "es": ("{}", r"(?:{})(?:[.:]00)?(?: horas?| h)?"),
    "fr": ("{} heures", r"(?:{})[ \u00a0]?(?:heures?|h)(?: ?00)?"),
    "it": ("{}", r"(?:{})(?:[.:]00)?"),
}
"""What a model makes of a full hour: usually, and at all."""


@dataclass(frozen=True, slots=True)
class _Time:
    """A time of day as it is meant."""

    source: str
    start: int
    hour: int
    """By the clock of twenty-four hours, if ``sure``."""
    minute: str | None
    sure: bool
    """Whether the source says which half of the day it is."""
    read: str
    """What the model reads."""


def find_times(text: str, language: str, source_language: str = "en") -> Iterator[StandIn]:
    """Yield the times of day that a text has in digits.

    Args:
        text: Plain text.
        language: Tag of the target language.
        source_language: Tag of the text's.
    """
    languages = known_languages(source_language, language)
    if languages is None:
        return
    source, known = languages
    free = [hour for hour in _HOURS if not regex.search(rf"(?<!\d){hour}(?!\d)", text)]
    for match in _PATTERNS[source].finditer(text):
        if not free or not _is_time(match, text, source):
            continue
        hour = free.pop(0)
        yield _stand_in(_time(match, text, hour, source), hour, language, known)


def _is_time(match: regex.Match[str], text: str, source: str) -> bool:
    """Whether it is neither the number of a chapter or verse nor how long something lasts."""
    before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
    if source == "fr" and ":" not in match[0]:
        return not (_LASTING.search(before) or _LASTING.match(text[match.end() :][:12]))
    named = _NAMED.search(before)
    groups = match.groupdict()
    if named is None or groups.get("half") or groups.get("one") or match[0][-1].isalpha():
        return True
    return named[0].strip() in _WORDS_BEFORE[source]


def _time(match: regex.Match[str], text: str, read: str, source: str) -> _Time:
    told, groups = match[0], match.groupdict()
    rest = text[match.end() :].lstrip("\"'“‘”’»«)")
    if told.endswith(".") and (not rest or regex.match(r"\s+[\"'“„«¿¡]?\p{Lu}", rest)):
        told = told[:-1]  # that dot closes the sentence too
    hour, half = int(match["hour"]), groups.get("half")
    if half:
        hour = hour % 12 + 12 * (half in "Pp")
    words = _READ[source].format(read)
    if one := groups.get("one"):  # a la 1:30, all'1.30
        words = f"{one[0]}as {read}" if source == "es" else f"{one.rstrip(chr(39) + '’')}e {read}"
    sure = half is not None or (source != "en" and (not 0 < hour <= 12 or match["hour"][0] == "0"))
    return _Time(told, match.start(), hour, groups.get("minute"), sure, words)


def _stand_in(time: _Time, read: str, language: str, known: str) -> StandIn:
    hour, minute = time.hour, time.minute
    usual, pattern = _MADE[known]
    if known == "en":
        written, accepted = _english(time, language)
    else:
        written = _written(hour, minute, known)
        accepted = [f"{hour}:{minute or '00'}", f"{hour}.{minute or '00'}"]
        accepted.append(f"{hour} h {minute or ''}")
        if minute is None:
            accepted += [f"{hour} Uhr", f"{hour} heures", str(hour)]
    digits = regex.search(r"\d+", time.source)
    own = digits[0] if digits else str(hour)
    return StandIn(
        "time",
        time.source,
        time.start,
        time.read,
        pattern.format(figure_pattern(read, known)),
        usual.format(read),
        written,
        (*(form.strip() for form in accepted), own + (f":{minute}" if minute else "")),
    )


def _english(time: _Time, language: str) -> tuple[str, list[str]]:
    """A time as a region of English writes it, and how else it may stand: 3:30 p.m., 15:30."""
    hour, minute = time.hour % 24, time.minute
    long = f"{time.hour}:{minute or '00'}"
    short, half = hour % 12 or 12, "p.m." if hour >= 12 else "a.m."
    digits = f"{short}:{minute}" if minute else str(short)
    forms = [f"{digits}{NO_BREAK_SPACE}{half}", f"{digits} {half[0]}m", f"{digits}{half[0]}m"]
    forms += [f"{digits}{half}", f"{digits} {half[0].upper()}M", digits, f"{digits} o'clock", long]
    if not time.sure:
        return (digits if minute else f"{digits} o'clock"), [*forms, long]
    return (forms[0] if _has_twelve_hours(language) else long), [*forms, long]


def _has_twelve_hours(language: str) -> bool:
    """Whether a region's clocks have twelve hours."""
    return "h" in str(babel_locale(language).time_formats["short"].pattern)


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


_AROUND = {
    "en": (regex.compile(r"(?<=\d[ \u00a0]?[ap]\.m\.)\.(?!\.)"), ""),
    "es": (regex.compile(r"\b([Ll])as(?= 1:\d\d(?!\d))"), r"\1a"),
    "it": (regex.compile(r"\b((?:[Dd]|[Aa]|[Dd]a|[Nn]e)l?l)e (?=1(?::\d\d)?(?![\d:]))"), r"\1'"),
}


def tidied_around(text: str, language: str) -> str:
    """Return a text with what stands around times as a language has it.

    One o'clock has an article of its own: "a la 1:30", "all'1"; one dot closes "5 p.m." and its
    sentence.
    """
    known = closest_language(language, _AROUND)
    if known is None:
        return text
    pattern, new = _AROUND[known]
    return str(pattern.sub(new, text))
