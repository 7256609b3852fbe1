"""Placeables: parts of a text that a translation has as the source has them, or nearly so.

Addresses, names of things that are written as no word is (`PyTorch`, `GPT-4`, `get_text`), and
numbers, which change their separators at most or, in words, are said in another language
(`subfit.text.number_words`). What the model reads something else for (`subfit.text.cleaning`:
addresses, amounts, measures, times of day) is among them, as the target language writes it. Only
what can hardly be meant otherwise counts: `24/7` becomes a phrase and `the 1990s` a word, so these
are left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import regex

from subfit.terms.glossary import Occurrence, name, plain_characters
from subfit.text.cleaning.cleaning import find_stand_ins
from subfit.text.cleaning.figures import english_figure
from subfit.text.cleaning.stand_ins import StandIn
from subfit.text.languages import closest_language
from subfit.text.number_words import in_digits, number_forms
from subfit.text.spans import Spans
from subfit.text.spelt_numbers import find_spelt_numbers

_THING = re.compile(
    r"(?<![\w.'/-])(?:"
    r"\w*[^\W\d_]_\w+"  # get_text
    r"|(?!WW[12])(?:[A-Za-z]+[0-9][0-9A-Z]*|[A-Z]+-[0-9][0-9A-Z]*)"  # MP3, GPT-4
    r")(?![\w-])"
)
_ABROAD = r"\+[0-9]{1,3}(?:[ -][0-9]{1,8}){2,6}"
_PHONES = {
    language: re.compile(rf"(?<![\w.,'/+-])(?<![0-9] )(?:{_ABROAD}|{form})(?![\w-]| ?[0-9€$%])")
    for language, form in {
        "en": r"(?:\(?[0-9]{3}\)?[ -])?[0-9]{3}-[0-9]{4}",
        "de": r"\(?0[1-9][0-9]{1,4}\)?(?: ?/ ?|[ -])[0-9]{3,9}(?:-[0-9]{1,4})?"
        r"|0[1-9][0-9]{1,4}(?: [0-9]{2,4}){2,4}",
        "es": r"[679][0-9]{2}(?: [0-9]{2}){3}|9[0-9](?: [0-9]{3})(?: [0-9]{2}){2}",
        "fr": r"0[1-9](?:[ .-]?[0-9]{2}){4}",
        "it": r"3[0-9]{2}[ .-]?[0-9]{3}[ .-]?[0-9]{3,4}|0[1-9][0-9]{0,2}[ /.-][0-9]{5,8}",
    }.items()
}
"""Telephone numbers as they are written where a language is spoken, and with a country's code."""
_INNER_CAPITAL = re.compile(
    r"(?<![\w.'/-])(?!(?:PhDs?|WiFi|mRNA)\b)[^\W\d_]*[a-z][A-Z]\w*(?![\w-])"  # PyTorch
)
_GERMAN_INNER_CAPITAL = re.compile(  # not LehrerIn, LehrerInnen, GmbH
    r"(?<![\w.'/-])(?!\w*In(?:nen)?(?![\w-]))"
    r"(?!(?:PhDs?|WiFi|mRNA|g?GmbHs?|mbH|StVO|StGB|StPO|BaföG|KfW|BGBl|KiTas?)\b)"
    r"[^\W\d_]*[a-z][A-Z]\w*(?![\w-])"
)
_PICTURE = regex.compile(r"(?![\d#*©®™♪♫♬♩])\p{Emoji}[\p{M}\u200d\p{Emoji}--[\d#*]]*", regex.V1)
_ELSEWHERE = regex.compile(  # 你好, in a script that neither side is written in
    r"(?:(?!\p{Latin})\p{L}\p{M}*)+(?:\s+(?:(?!\p{Latin})\p{L}\p{M}*)+)*"
)
_HOUR = r"(?i:\s?[ap]\.?\s?m\b|\s?Uhr\b|\s?h(?:eures?)?\b)"
_NUMBER = re.compile(
    r"(?<![\w.,:/'–-])(?<![0-9] )(?:"
    r"(?P<version>[0-9]+(?:\.[0-9]+){2,})"  # 2.1.1
    r"|(?P<grouped>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?)"  # 12,500 and 1,250.50
    r"|(?<!\bat )(?P<decimal>[0-9]+\.[0-9]+)"  # 3.5, but not "at 3.30"
    r"|(?P<whole>[0-9]{2,}|[0-9](?!-))"  # 17, 2003, 4
    rf")(?!\w|[:/.,'′″\"–-][0-9]|'s\b| [0-9]{{3}}(?![0-9])|{_HOUR}"
    rf"|\s(?:to|and|or|-|–)\s[0-9]{{1,2}}{_HOUR})"
)
_NO_TIME = r"(?<!\b[Uu]m )(?<!\b[Ll]as )(?<!\b[Aa]lle )(?<!\b[Oo]re )"
_OTHER_NUMBER = re.compile(
    r"(?<![\w.,:/'–-])(?<![0-9] )(?:"
    r"(?P<version>(?![0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{2}|[0-9]{4})(?![0-9]))"  # a date
    r"[0-9]+(?:\.[0-9]+){2,}(?<!\.[0-9]{3}))"
    rf"|{_NO_TIME}(?P<decimal>[0-9]+[.,][0-9]{{1,2}}(?![0-9])|0[.,][0-9]+)"  # 3,5; 3.5 of LatAm
    r"|(?P<grouped>[0-9]{1,3}(?:(?:\.[0-9]{3})+|(?:['’][0-9]{3})+|(?:[ \u00a0\u202f][0-9]{3})+|"
    r"(?:,[0-9]{3})+)(?:[.,][0-9]+)?(?![0-9]))"
    r"|(?P<whole>[0-9]{2,}|[0-9](?!-))"
    rf")(?!\w|[:/.,'′″\"–-][0-9]|[ \u00a0\u202f][0-9]{{3}}(?![0-9])|{_HOUR}"
    rf"|\s(?:bis|und|oder|a|y|o|à|et|ou|e|-|–)\s[0-9]{{1,2}}{_HOUR})"
)
"""Numbers in German, Spanish, French and Italian: 12.500, 1 250,50 and 3,5."""
_ROUND = re.compile(r"1(?:,000)+")
"""What is said in words as often."""
_GROUPED = {"de": ".", "en": ",", "es": ".", "fr": " ", "it": "."}
"""What parts thousands; by everyone else's rules, numbers so written are left to the model."""
_FEW: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "1": ("a", "an", "once", "first", "single"),
        "2": ("both", "twice", "second", "couple", "pair", "other"),
        **{"3": ("third",), "4": ("fourth",), "5": ("fifth",), "6": ("sixth",)},
        **{"7": ("seventh",), "8": ("eighth",), "9": ("ninth",)},
    },
    "de": {
        "1": ("eine", "einen", "einem", "einer", "eines", "einmal", "erste", "ersten"),
        "2": ("beide", "beiden", "beider", "zweite", "zweiten"),
    },
    "es": {"1": ("una", "uno", "primer", "primera"), "2": ("ambos", "ambas", "segundo", "segunda")},
    "fr": {"1": ("une", "premier", "première"), "2": ("second", "seconde", "deuxième")},
    "it": {
        "1": ("una", "uno", "un", "primo", "prima"),
        "2": ("entrambi", "entrambe", "secondo", "seconda"),
    },
}
"""What else may stand for a digit."""


def find_placeables(text: str, source_language: str, language: str) -> tuple[Occurrence, ...]:
    """Return the placeables of a text, each once, in the order of their first places.

    Args:
        text: In the source language.
        source_language: Its tag. What separators inside numbers and capitals inside words mean is
            known of English, German, Spanish, French and Italian.
        language: Tag of the target language, which decides how numbers are written.
    """
    plain = plain_characters(text)
    known = closest_language(source_language, _GROUPED)
    matches = [*_matches(plain, known), *(_strange(plain, language) if known else ())]
    read_as_others = find_stand_ins(plain, source_language, language)
    occurrences: dict[str, Occurrence] = {}
    for number in read_as_others:
        occurrences.setdefault(number.source, _occurrence_of(number, language))
    read = Spans((number.start, number.end) for number in read_as_others)
    end = 0
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        forms = _forms(match, source_language, language)
        if match.start() >= end and forms and not read.meets(*match.span()):
            held = match.re not in (_PICTURE, _ELSEWHERE)
            occurrence = Occurrence(
                match[0], match.start(), forms, placeable=True, held=held, language=language
            )
            occurrences.setdefault(match[0], occurrence)
            end = match.end()
    numbers = _in_words(plain, source_language, language)
    kept = sorted(occurrences.values(), key=lambda occurrence: occurrence.start)
    return with_placeables(kept, tuple(numbers))


def _occurrence_of(read: StandIn, language: str) -> Occurrence:
    """What the model reads something else for."""
    return Occurrence(read.source, read.start, read.targets, placeable=True, language=language)


def _in_words(text: str, source_language: str, language: str) -> Iterator[Occurrence]:
    """The numbers that a text has in words, each once."""
    known: set[int] = set()
    for spelt in find_spelt_numbers(text, source_language):
        forms = number_forms(spelt.value, language)
        if forms and spelt.value not in known:
            known.add(spelt.value)
            digits = in_digits(spelt.value, source_language)
            yield Occurrence(
                spelt.text, spelt.start, forms, placeable=True, digits=digits, language=language
            )


def with_placeables(
    terms: Sequence[Occurrence], placeables: Sequence[Occurrence]
) -> tuple[Occurrence, ...]:
    """Return terms and placeables in their order, without placeables that a term overlaps."""
    taken = Spans((term.start, term.start + len(term.source)) for term in terms)
    free = [
        placeable
        for placeable in placeables
        if not taken.meets(placeable.start, placeable.start + len(placeable.source))
    ]
    return tuple(sorted([*terms, *free], key=lambda term: term.start))


def _matches(text: str, known: str | None) -> Iterator[re.Match[str]]:
    yield from _THING.finditer(text)
    yield from (_NUMBER if known in (None, "en") else _OTHER_NUMBER).finditer(text)
    if known in _PHONES:
        yield from _PHONES[known].finditer(text)
    if known is not None:
        yield from (_GERMAN_INNER_CAPITAL if known == "de" else _INNER_CAPITAL).finditer(text)


def _strange(text: str, language: str) -> Iterator[re.Match[str]]:
    """What models can neither read nor write: it is told where it is missing, but not held."""
    yield from _PICTURE.finditer(text)
    if closest_language(language, _GROUPED) is not None:
        yield from _ELSEWHERE.finditer(text)


def _forms(match: re.Match[str], source_language: str, language: str) -> tuple[str, ...]:
    """How a translation may have it, the preferred form first; nothing if that is not known."""
    if match.re in (_NUMBER, _OTHER_NUMBER):
        return _number_forms(match, source_language, language)
    if match.re in (_PICTURE, _ELSEWHERE):
        return (match[0],)
    if match.re in _PHONES.values():
        plain = (re.sub(r" ?[/.-] ?", " ", match[0]), re.sub(r"\D", "", match[0]))
        return tuple(dict.fromkeys((match[0], *plain)))
    bare = re.sub(r"-(?=[0-9])", "", match[0])  # COVID-19
    spelt = re.sub(r"(?<=[A-Za-z])(?=[0-9])", "-", bare, count=1)
    singular = match[0] if match.re is _THING else match[0].removesuffix("s")
    endings = name(match[0]).targets_in(language)
    return tuple(dict.fromkeys((match[0], *endings, singular, bare, spelt)))


def _number_forms(match: re.Match[str], source_language: str, language: str) -> tuple[str, ...]:
    number = match[0]
    if match["whole"]:
        return _digit_forms(number, language) if len(number) == 1 else (number,)
    if match["version"]:
        return (number,)
    source = closest_language(source_language, _GROUPED)
    known = closest_language(language, _GROUPED)
    if source is None or known is None:
        return ()
    figure = number if source == "en" else english_figure(number, source_language)
    own_mark = known == "es" and "-" in language and not language.endswith("ES")
    if "," not in figure:
        written = figure if known == "en" else figure.replace(".", ",")
        return tuple(dict.fromkeys((written, figure, *((number,) if source != "en" else ()))))
    if _ROUND.fullmatch(figure):
        return ()
    marks = [_GROUPED[known], "", " "]
    marks += ["'"] if language.endswith("-CH") else []
    whole, *decimals = figure.split(".")
    end = "".join(f"{'.' if known == 'en' else ','}{decimal}" for decimal in decimals)
    forms = [whole.replace(",", mark) + end for mark in dict.fromkeys(marks)]
    return (*forms, figure) if own_mark else tuple(forms)


def _digit_forms(digit: str, language: str) -> tuple[str, ...]:
    """How a single digit may be written, in words too; nothing if these are not known."""
    forms = number_forms(int(digit), language)
    if not forms or digit == "0":
        return ()
    more = _FEW.get(closest_language(language, _FEW) or "", {}).get(digit, ())
    return tuple(dict.fromkeys((digit, *forms, *more)))
