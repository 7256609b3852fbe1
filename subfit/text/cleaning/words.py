"""Words as somebody says them: stuttered (S-sorry), drawn out (nooooo), shouted (STOP).

A small model spells what it never saw, so it reads the plain word; in its translation the word
that stands for it gets the same look again (`subfit.text.cleaning.looks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice

import regex
import yaml

from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import word_lists
from subfit.text.recasing import is_german_noun

LANGUAGES = ("de", "en", "es", "fr", "it")
"""Whose words are known."""
_TOKEN = regex.compile(r"\p{L}+(?:-\p{L}+)*(?:['’]\p{L}+)*")
_CONSONANTS = "bcdfghjklmnpqrstvwxyz"
_STUTTER = regex.compile(
    rf"(?P<begun>\p{{L}}|[{_CONSONANTS}]{{2,3}}|qu)-(?:(?P=begun)-)*(?=(?P=begun))", regex.I
)
_NO_STUTTERS = frozenset(["b-boy", "b-ball", "d-day", "e-e", "h-hour", "k-k", "t-t"])
_LONG = regex.compile(r"(\p{L})\1{2,}", regex.I)
_MOST_LONG = 8
"""Most letters drawn out in a word that are tried as meant twice."""
_LOOK_BACK = 40
"""Characters that tell whether a word begins a sentence."""
_COMPOUND = regex.compile(r"(?<=\p{L}{3})([befhlmnprst])\1\1(?!\1)(?=\p{L}{3})", regex.I)
"""Schifffahrt: three letters in a row that are no drawn-out one."""
_NUMERAL = regex.compile(r"(?<!\p{L})[IVXLC]{3,}|^w+$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One word of a text, and what is plain of it."""

    start: int
    source: str
    """The word as the text has it."""
    plain: str
    """What the model reads."""
    stutter: int = 0
    """How often its beginning is said before it."""
    drawn: int = 0
    """How often a letter of it stands in a row; 0 if it is not drawn out."""
    shouted: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)

    @property
    def changed(self) -> bool:
        """Whether the model reads another word."""
        return self.plain != self.source


def spoken_words(text: str, language: str = "en") -> list[Spoken]:
    """Return the words of a text, stutters, drawn-out letters and capitals taken off.

    Args:
        text: Plain text.
        language: Its tag; of other languages than `LANGUAGES` words are left as they are.
    """
    known = closest_language(language, LANGUAGES)
    tokens = (match for match in _TOKEN.finditer(text) if not _in_code(text, match))
    words = [Spoken(match.start(), match[0], match[0]) for match in tokens]
    if known is None:
        return words
    words = [_undrawn(_unstuttered(word), known) for word in words]
    if len(words) >= 3 and not regex.search(r"\p{Ll}", text):
        return words
    return _quiet(words, text, known)


def _unstuttered(word: Spoken) -> Spoken:
    match = _STUTTER.match(word.source)
    if match is None or word.source.lower() in _NO_STUTTERS:
        return word
    rest = word.source[match.end() :]
    if match[0][0].islower() and rest[0].isupper():  # e-Europe
        return word
    if match[0][0].isupper() and not word.source.isupper():
        rest = rest[0].upper() + rest[1:]
    return replace(word, plain=rest, stutter=match[0].count("-"))


def _undrawn(word: Spoken, language: str) -> Spoken:
    runs = [len(match[0]) for match in _LONG.finditer(word.plain)]
    if not runs or _NUMERAL.search(word.plain) or any(map(_is_one, word.plain.split("-"))):
        return word
    if language == "de" and _COMPOUND.search(word.plain):
        return word
    return replace(word, plain=_shortened(word.plain, language), drawn=max(runs))


def _is_one(part: str) -> bool:
    """Whether a part of a word is one capital several times, as in PPP or YYYY."""
    return len({*part}) == 1 and len(part) > 2 and part.isupper()


def _shortened(word: str, language: str) -> str:
    """A drawn-out word with each such letter once, or twice where that is a word."""
    known = _lists(language)["doubled"]
    places = [match.start() for match in islice(_LONG.finditer(word), _MOST_LONG)]
    options = [
        str(_LONG.sub(lambda match, at=at: match[0][: 1 + (match.start() == at)], word))
        for at in places
    ]
    options.append(str(_LONG.sub(lambda match: match[0][:2], word)))
    single = str(_LONG.sub(lambda match: match[1], word))
    return next((option for option in options if option.lower() in known), single)


def _quiet(words: Sequence[Spoken], text: str, language: str) -> list[Spoken]:
    """Words with those in capitals in small letters that are no names for all that is known."""
    quiet, lists = list(words), _lists(language)
    for run in _runs(words, text, lists["acronyms"]):
        own = [words[at] for at in run]
        if not _is_shouted([word.plain.lower().replace("’", "'") for word in own], language):
            continue
        for at in run:
            word = words[at]
            if word.plain.lower() in lists["acronyms"] - lists["shouted"] and len(run) < 3:
                continue
            before = words[at - 1].plain.lower() if at else ""
            plain = _in_small_letters(word.plain, before, language)
            if _begins(text, word.start):
                plain = plain[0].upper() + plain[1:]
            quiet[at] = replace(word, plain=plain, shouted=True)
    return quiet


def _in_small_letters(word: str, before: str, language: str) -> str:
    """A word in capitals as it stands within a sentence."""
    plain = word.lower()
    keeps = language == "en" and regex.match(r"i(?:['’]|$)", plain)
    if keeps or (language == "de" and is_german_noun(plain, before)):
        return plain[0].upper() + plain[1:]
    return plain


def _is_shouted(words: Sequence[str], language: str) -> bool:
    """Whether words in capitals in a row are usual ones, and not but a name with a preposition."""
    lists = _lists(language)
    known = [one for word in words if (one := _usual(word, language)) is not None]
    return any(word not in lists["weak"] for word in known) or (len(words) > 2 and len(known) > 1)


def _usual(word: str, language: str) -> str | None:
    """A word in small letters if it is a usual one, without what is elided before it."""
    shouted = _lists(language)["shouted"]
    if word in shouted:
        return word
    elided, apostrophe, rest = word.partition("'")
    if apostrophe and elided in word_lists(language).elided and rest in shouted:
        return rest
    return word if language == "de" and is_german_noun(word) else None


def _in_code(text: str, token: regex.Match[str]) -> bool:
    """Whether a word is part of a path, an option or the like."""
    before = text[max(0, token.start() - 2) : token.start()]
    return bool(regex.search(r"[/\\_@]$|(?<![\p{L}\s])-$|\d$", before)) or bool(
        regex.match(r"[/\\_@]|[.\d][\p{L}\d]", text, pos=token.end())
    )


def _runs(words: Sequence[Spoken], text: str, acronyms: frozenset[str]) -> Iterator[range]:
    """Yield rows of words in capitals, of which one has two letters at least."""
    start = 0
    for at in range(len(words) + 1):
        loud = at < len(words) and words[at].plain.isupper()
        if loud and (at == start or _is_joined(text[words[at - 1].end : words[at].start])):
            continue
        if any(_is_loud(word.plain, acronyms) for word in words[start:at]):
            yield range(start, at)
        start = at if loud else at + 1


def _is_loud(word: str, acronyms: frozenset[str]) -> bool:
    """Whether a word in capitals alone tells that somebody shouts: IT and US may be names."""
    return len(word) > 1 and word.lower() not in acronyms


def _is_joined(between: str) -> bool:
    return not regex.search(r"[.!?…\d:()\[\]]", between)


def _begins(text: str, at: int) -> bool:
    before = text[max(0, at - _LOOK_BACK) : at].rstrip(" \"'“‘¿¡([-–—♪")
    return not before or before[-1] in ".!?…:"


@cache
def _lists(language: str) -> Mapping[str, frozenset[str]]:
    """The words of a language by what they tell; see ``words_of/en.yaml``.

    Of languages without a list of words that tell no shouting by themselves, these are articles,
    prepositions and conjunctions.
    """
    file = files("subfit.text.cleaning").joinpath("words_of", f"{language}.yaml")
    lists = {
        name: frozenset(words.split())
        for name, words in yaml.safe_load(file.read_text(encoding="utf-8")).items()
    }
    if "weak" not in lists:
        words = word_lists(language)
        little = words.articles | words.prepositions | words.conjunctions
        lists["weak"] = little - lists["shouted"]
        usual = words.pronouns | words.auxiliaries | words.negations | words.determiners
        lists["shouted"] |= little | usual
    return lists
