"""The finished text checked against its source, whoever made it.

`added_numbers` tells the numbers that no source has, `said_again` what stands oftener than there;
`mended` puts right what only happens where something was put back, or where a small model stumbles:
doubled marks, quotes that nothing closes, stutters of its own, lost capitals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import regex

from subfit.terms.glossary import Occurrence, plain_characters
from subfit.terms.renderings import LANGUAGES, figure_forms, words_of
from subfit.text.casing import capitals
from subfit.text.languages import closest_language, primary_language, same_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.non_speech import BARE_LABEL
from subfit.text.spoken import is_loud, spoken_words

_NUMBER = regex.compile(r"(?<![\w.,])[0-9]+(?:[.,'’ \u00a0\u202f][0-9]{3})*(?![0-9])")
_MARKS = tuple('"“”„«»')


def said_again(translation: str, source: str, kept: Sequence[Occurrence]) -> tuple[Occurrence, ...]:
    """Return the placeables that a translation has oftener than its source.

    Of single digits that cannot be told: words become such ("second", "2.").
    """
    return tuple(
        one
        for one in kept
        if one.placeable
        and not (one.spelt or one.of_file or (len(one.source) == 1 and one.source.isascii()))
        and (times := one.count_in(translation)) > 1
        and times
        > one.count_in(source)
        + sum(other.spelt and not {*one.targets}.isdisjoint(other.targets) for other in kept)
    )


def added_numbers(source: str, translation: str, kept: Sequence[Occurrence]) -> tuple[str, ...]:
    """Return the numbers in digits, from ten up, that no number of a source can have become.

    Args:
        source: Plain text in one line.
        translation: Likewise.
        kept: What must stay of the source, as `subfit.terms.protected.find_placeables` tells.
    """
    ours = [number[0] for number in _NUMBER.finditer(plain_characters(source))]
    known = {regex.sub(r"\D", "", number) for number in ours}
    known |= {year[2:] for year in ours if year.isdecimal() and len(year) == 4}  # 1970s: '70
    text = plain_characters(translation)
    for one in sorted(kept, key=lambda one: -len(one.source)):
        forms = sorted(map(plain_characters, one.targets), key=len, reverse=True)
        times = max(plain_characters(source).count(plain_characters(one.source)), 1)
        for form in forms:
            whole = rf"(?<!\d){regex.escape(form)}(?!\d)"
            text, found = regex.subn(whole, " \ufffc ", text, count=times, flags=regex.I)
            times -= found
            if not times:
                break
    numbers = [(one[0], regex.sub(r"\D", "", one[0])) for one in _NUMBER.finditer(text)]
    return tuple(one for one, digits in numbers if len(digits) > 1 and digits not in known)


_STUTTER = regex.compile(r"(?<![\w-])(\p{L})-(\1[\p{L}'’]*)", regex.I)
_RULES = tuple(
    (regex.compile(pattern), new)
    for pattern, new in (
        (r",(?:\s*,)+", ","),  # Nun,, [sighs]
        (r"([!?])\s?[,.](?!\.)", r"\1"),  # auf!, bitte
        (r",([\"”»“])\s?,", r"\1,"),  # auf,", sagte er
        (r",(\s?>>)", r"\1,"),
        (r"(?<!\.)\.\.(?!\.)", "."),
        (r"(?<!\S)[\"“„«]\s?[\"”“»](?!\S) ?", ""),
        (r"(?<=\p{L})\s+(?=['’][smdt]\b(?!['’]))", ""),  # it 's
        (r"(?i)\b(\p{L}+ \p{L}{3,}) \1\b", r"\1"),  # the old the old
        (r"(?<!\S)(?<!\d )((?=\S*[^\p{L}\s.,;:!?…\"'“”„«»–-])\S+)(?: \1)+(?=[\s.,!?]|$)", r"\1"),
        (r"(?<=[(\[{])\s+|\s+(?=[)\]}])", ""),
        (r" {2,}", " "),
    )
)
_TWICE = regex.compile(r"(?<!,\s)\b(\p{L}{3,})((?: (?i:\1))+)(?=[\s.,!?]|$)")
"""A word said twice, but for an article behind a relative pronoun: "Leute, die die Tür"."""
_TIME = r"(?:[01]?[0-9]|2[0-3])\.[0-5][0-9]"
_INSIDE_WORD = regex.compile(
    r"(?P<word>\p{L}+) ?(?P<label>\[[^\[\]]+\]|\([\p{Lu} ]+\)) ?(?P<rest>['’]\p{L}+)"
)
"""A label within an elided word."""
_GENITIVE = regex.compile(r"(?P<name>\p{Lu}[\p{L}-]*(?:s|x|z|ß|ce))['’]s?(?!\p{L})")
_POINTED = regex.compile(
    r"(?<![\w.,:$/-])(?:(?<!\b(?:\p{Lu}\w*|version|chapter|section|rule|verse|part|step|figure) )"
    rf"|(?=[\d.]+\s?%))(?!(?<=\b(?i:at|by|until|till|from) ){_TIME}(?!\s?%))"
    rf"(?!{_TIME}(?:[.,;!?]|$))"
    r"[0-9]+\.[0-9]+(?!\w|[.,:/-]\d)"
)
"""A decimal fraction as English writes it; behind a name it is a version, and some are times."""


def mended(translation: str, source: str, language: str, source_language: str = "en") -> str:
    """Return a translation without what can only be a slip: its source tells what is meant.

    Args:
        translation: Plain text in one line.
        source: What it is a translation of.
        language: Tag of the translation's language.
        source_language: Tag of the source's.
    """
    text = _INSIDE_WORD.sub(r"\g<word>\g<rest> \g<label>", translation)
    rules, stutters = _rules_for(source, source_language)
    for pattern, new in rules:
        text = pattern.sub(new, text)
    if closest_language(language, LANGUAGES) and not _TWICE.search(source):
        lists = word_lists(language)  # nous nous voyons; ist das das Haus; he had had enough
        two = lists.pronouns | {one.title() for one in lists.pronouns} | lists.articles | {"had"}
        text = _TWICE.sub(lambda one: " ".join(one[0].split()[: 1 + (one[1] in two)]), text)
    if not stutters:
        text = _STUTTER.sub(
            lambda one: one[0] if one[0].lower() in source.lower() else one[2], text
        )
    if primary_language(language) == "de" and primary_language(source_language) == "en":
        for match in _GENITIVE.finditer(source):
            name = match["name"]
            text = regex.sub(
                rf"(?<!\p{{L}}){regex.escape(name)}['’]?s(?!\p{{L}})", f"{name}'", text
            )
    if not same_language(language, "en"):
        for match in _POINTED.finditer(source) if same_language(source_language, "en") else ():
            figure = rf"(?<![\w.,]){regex.escape(match[0])}(?!\w|[.,]\d)"
            text = regex.sub(figure, figure_forms(match[0], language)[0], text)
    for pattern, to in _slips(closest_language(language, LANGUAGES)):
        text = pattern.sub(to, text)
    text = _with_pairs(text, source)
    if not any(map(str.isalnum, text)):
        return translation
    if is_loud(source, source_language) and closest_language(language, _CASED):
        return capitals(text, language)
    return _with_capital(text, source)


@lru_cache(maxsize=1024)
def _rules_for(source: str, language: str) -> tuple[list[tuple[regex.Pattern[str], str]], bool]:
    """The rules that a source does not break itself, and whether it stutters."""
    rules = [(pattern, new) for pattern, new in _RULES if not pattern.search(source)]
    return rules, any(word.stutter for word in spoken_words(source, language))


@cache
def _slips(language: str | None) -> list[tuple[regex.Pattern[str], str | Callable[[Any], str]]]:
    """One title twice or behind another, one where a sentence begins, contractions and elisions
    apart."""
    if language is None:
        return []
    people = {one: [words_of(one)[who] for who in ("man", "woman")] for one in LANGUAGES}
    man, woman = ("|".join(map(regex.escape, words.split())) for words in people[language])
    every = "|".join(
        regex.escape(word) for own in people.values() for word in " ".join(own).split()
    )
    named = r"(?=\s\p{Lu})"
    return [
        *((regex.compile(rf"\b((?i:{own}))\s(?i:{own}){named}"), r"\1") for own in (man, woman)),
        (regex.compile(rf"\b(?i:{every})\s(?=(?i:{man}|{woman}){named})"), ""),
        (
            regex.compile(rf"(?<=[.!?…]\s)(?:{man}|{woman}){named}"),
            lambda one: str(one[0][0].upper() + one[0][1:]),
        ),
        *(
            (regex.compile(rf"\b{apart}\b"), together)
            for apart, together in words_of("contractions").get(language, {}).items()
        ),
        *((regex.compile(apart), "") for apart in _elisions(language)),
    ]


def _elisions(language: str) -> list[str]:
    """Patterns of the spaces in ``c 'est`` and ``l' ONU``; an opening quote is none of them."""
    elided = "|".join(sorted(word_lists(language).elided))
    if not elided:
        return []
    word, quoted = rf"(?<!['’])\b(?i:{elided})", r"['’][^'’]*['’](?!\p{L})"
    return [rf"(?<={word})\s+(?=['’]\p{{L}})(?!{quoted})", rf"(?<={word}['’]) (?=\p{{L}})"]


_CASED = ("da", "de", "en", "es", "fr", "it", "nl", "no", "pt", "sv")


_QUOTE = regex.compile(r"[\"“”„«»]")
_ANY_QUOTE = regex.compile(r"[\"“”„«»]|(?<!\p{L})[‘']{2}")
_BEGINS_SMALL = regex.compile(rf"(?:{BARE_LABEL}|[\s\"'“„«¿¡(*/–-])*+(?=\p{{Ll}})")
_BEGINS_LARGE = regex.compile(r"[\s\"'“„«(\[*/–-]*\p{Lu}(?:\p{Ll}|I?['’\s])")
_MIXED = regex.compile(r"\P{L}*\p{Ll}+[\p{Lu}\d]")


def _with_pairs(text: str, source: str) -> str:
    """A text without a quotation mark that nothing closes, if its source has none either."""
    if not _ANY_QUOTE.search(source):
        if len(_QUOTE.findall(text)) == 1:
            text = regex.sub(r"[\"“”„]|« ?| ?»", "", text)
        if text.count("‚") == 1 and not any(mark in text for mark in "“”„«»"):
            text = text.replace("‚", "")
    elif text[:1] in _MARKS and source[-1:] in _MARKS and text[-1:] not in _MARKS:
        text += '"' * (len(_QUOTE.findall(text)) % 2)
    return text


def _with_capital(text: str, source: str) -> str:
    """A text that begins with a capital if its source does, where something was lost before it."""
    first = _BEGINS_SMALL.match(text)
    begun = _BEGINS_LARGE.match(source)
    if first is None or begun is None or _MIXED.match(text):
        return text
    return text[: first.end()] + text[first.end()].upper() + text[first.end() + 1 :]
