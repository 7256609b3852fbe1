"""The names of a file that are kept: after ``Mr. Finch`` its Finch is no bird.

A word is a name all through the file if it stands behind a title (but for words that are titles
themselves, ``Mr. President``), or if two sentences have it with a capital, one of them where only a
name has one, none without and none behind an article or the like (``the Germans``). Names of days,
months, languages, countries and large cities are none here, since languages have names of their own
for them. A name is kept with its title, within a sentence, before another word with a capital, or
set off as those are who are spoken to, in languages that write names so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

import regex
from babel import Locale

from subfit.terms.glossary import Occurrence, TermFinder, name
from subfit.terms.renderings import LANGUAGES, words_of
from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import word_lists

_NAME = r"(?P<name>\p{Lu}(?:[’']\p{Lu})?\p{Ll}(?:[’'](?!s\b)|[\p{L}-])*\p{L})"
"""A word with a capital: O'Neil; Finch of Finch's."""
_LATIN = ("da", "de", "en", "es", "fr", "it", "nl", "no", "nb", "nn", "pt", "sv")
"""Languages that leave names as they are, without endings of their own."""
_WORD = regex.compile(r"[\p{L}’'-]*\p{L}")
_CAPITALIZED = regex.compile(_NAME)
_BEFORE = regex.compile(r"[\p{L}\d,;][’'\"”]?\s$")
_LAST_WORD = regex.compile(r"(?:\b(\p{L}+)\s|l['’])(?:\p{Lu}[\p{L}'’-]*\s)*$")
"""What stands before a word, and before others with capitals: the First World War."""
_NEAR = 80
_CLEAR_BEFORE = regex.compile(r"\s?(?:[,.!?…;:]|['’]s\b|$|\p{Lu}\p{Ll})")


@cache
def _titled(language: str) -> regex.Pattern[str]:
    """A title and the name behind it."""
    titles = words_of(language)["titles"]
    return regex.compile(rf"(?<![\p{{L}}.-])(?:{titles})\s{_NAME}(?:[ ]{_NAME})?", regex.V1)


class FileNames:
    """The names of a file that have a title somewhere in it.

    Args:
        texts: All that is said in the file.
        source_language: Its tag; titles are known of English, German, Spanish, French and Italian.
        language: Tag of the target language.
    """

    def __init__(self, texts: Sequence[str], source_language: str, language: str) -> None:
        known = closest_language(source_language, LANGUAGES)
        self._language = known if closest_language(language, _LATIN) else None
        self._target = closest_language(language, LANGUAGES)
        names = dict.fromkeys(found for text in texts for found, *_ in self._titled(text))
        if self._language and self._language != "de":
            names |= dict.fromkeys(_repeated(texts, self._language))
        self._finder = TermFinder(map(name, names), language, source_language) if names else None

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """Return the names of a text as what has to be kept, each once."""
        if self._finder is None:
            return ()
        titled = {start: title for _, start, title in self._titled(text)}
        return tuple(
            self._called(replace(found, placeable=True, of_file=True), titled.get(found.start, ""))
            for found in self._finder.find(text)
            if found.start in titled or self._is_clear(text, found)
        )

    def _called(self, name: Occurrence, title: str) -> Occurrence:
        """A name with its title, where that tells a man from a woman in both languages."""
        own, theirs = (words_of(one) if one else {} for one in (self._language, self._target))
        for who in own.keys() & theirs.keys() & {"man", "woman"}:
            if title.lower() in own[who].lower().split():
                forms = tuple(
                    f"{one} {form}" for form in name.targets for one in theirs[who].split()
                )
                start = name.start - len(title) - 1
                return replace(name, source=f"{title} {name.source}", start=start, targets=forms)
        return name

    def _titled(self, text: str) -> Sequence[tuple[str, int, str]]:
        """The names behind titles, where they stand, and the title right before them."""
        return [
            (found, start, text[match.start() : start - 1] if start == match.start("name") else "")
            for match in (_titled(self._language).finditer(text) if self._language else ())
            for found, start in zip(match.captures("name"), match.starts("name"), strict=True)
            if found not in words_of("offices").split()
        ]

    def _is_clear(self, text: str, found: Occurrence) -> bool:
        """Whether a word without a title can only be the name.

        German writes all nouns with a capital; in other languages the first word of a sentence has
        one, whatever it is.
        """
        return self._language != "de" and bool(
            _BEFORE.search(text, 0, found.start) or _CLEAR_BEFORE.match(text, found.end)
        )


def _repeated(texts: Sequence[str], language: str) -> Iterable[str]:
    """Words that only a name can be, in two sentences and more."""
    running = [text for text in texts if text.upper() != text]
    matches = [(at, one) for at, text in enumerate(running) for one in _CAPITALIZED.finditer(text)]
    sentences = Counter(name for _, name in {(at, one["name"]): one for at, one in matches})
    clear = {one["name"] for _, one in matches if _BEFORE.search(one.string, 0, one.start())}
    lower = {word.lower() for text in running for word in _WORD.findall(text) if word[0].islower()}
    lists, titles = word_lists(language), words_of(language)["titles"]
    nouns = {
        one["name"]
        for _, one in matches
        if (before := _LAST_WORD.search(one.string, max(0, one.start() - _NEAR), one.start()))
        and (before[1] is None or before[1].lower() in lists.articles | lists.determiners)
    }
    return (
        word
        for word in sentences
        if sentences[word] > 1
        and word in clear - nouns
        and _translated(language).isdisjoint((word, word.removesuffix("s")))
        and word.lower() not in lower | lists.function_words
        and not regex.fullmatch(titles, word)
    )


@cache
def _translated(language: str) -> frozenset[str]:
    """Words with capitals that languages have names of their own for, and titles."""
    locale = Locale.parse(language)
    named = [locale.languages, locale.territories]
    named += [*locale.months["format"].values(), *locale.days["format"].values()]
    texts = [words_of("offices"), *(str(name) for names in named for name in names.values())]
    texts += [zone.get("city", "") for zone in locale.time_zones.values()]
    texts += [str(place).rpartition("/")[2].replace("_", " ") for place in locale.time_zones]
    return frozenset(word for text in texts for word in text.split())
