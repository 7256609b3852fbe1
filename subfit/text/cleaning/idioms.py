"""Turns of speech that are not meant word by word: "He kicked the bucket" is read as "He died".

A small model translates word by word what it has seldom seen. The lists (``idioms.yaml``) have
plain words in the same language, which it knows how to say in any other. A verb keeps its form:
"she's pulling my leg" becomes "she's making fun of me".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from subfit.text.cleaning.idiom_lists import (
    DEGREES,
    OBJECTS,
    WORD,
    Idiom,
    first_word,
    forms_of,
    idioms_of,
)

_OPENS = regex.compile(r"(?:^|[.!?…])[\s\"'“‘«(¡¿-]*$")
_BEFORE = regex.compile(r"(?P<word>[\p{L}']+)(?: (?:" + DEGREES + r"))*\s+$", regex.I)
_ASKED = regex.compile(r"\b(?:has|have|had) (?:i|you|he|she|it|we|they)\s+$", regex.I)
"""Before a verb's third form in a question: "Has he …"."""
_BASE, _PAST, _PARTICIPLE = 0, 2, 3
"""Where these forms of a verb stand in `subfit.text.cleaning.idiom_lists.forms_of`."""
_PERFECT = frozenset(
    {
        *("have", "has", "had", "having", "haven't", "hasn't", "hadn't", "get", "gets", "got"),
        *("be", "been", "being", "is", "are", "was", "were"),
    }
)
"""Words behind which a verb's third form stands, not its second."""
_RUN_TOGETHER = regex.compile(r"(?<!let)'(?:ve|s|re)$")
"""The same, run together with who does it."""
_BEFORE_BASE = frozenset(
    {
        *("", "i", "you", "we", "they", "to", "and", "or", "please", "let's", "us", "let", "not"),
        *("do", "does", "did", "don't", "doesn't", "didn't", "will", "won't", "would", "wouldn't"),
        *("can", "can't", "could", "couldn't", "may", "might", "must", "shall", "should", "'ll"),
        *("i'll", "you'll", "he'll", "she'll", "it'll", "we'll", "they'll", "i'd", "you'd"),
        *("he'd", "she'd", "we'd", "they'd", "better", "cannot", "shouldn't", "gonna", "wanna"),
    }
)
"""Words behind which a verb that has one form for now and then is one of now."""
_PERSONS = frozenset(("i", "you", "we", "they"))
_TOLD = frozenset(("burst", "hit", "set"))
"""Verbs with one form for now and then that mostly tell what has happened."""
_PLURALS = frozenset(("you", "we", "they"))


@dataclass(frozen=True, slots=True)
class PlainWords:
    """Plain words for a turn of speech in a text."""

    start: int
    """Where it stands, in characters."""
    end: int
    text: str


def find_idioms(text: str, language: str, kept: Iterable[str] = ()) -> Iterator[PlainWords]:
    """Yield plain words for the turns of speech of a text, in its order.

    Args:
        text: Plain text in one line.
        language: Its tag; of most languages no turns of speech are known.
        kept: Parts of the text that have to stay: no turn of speech that shares a word with one of
            them is found.
    """
    idioms = idioms_of(language)
    straight = text.replace("’", "'")
    fixed = list(_places(kept, straight))
    at = 0
    for word in WORD.finditer(straight):
        if word.start() < at:
            continue
        for idiom in idioms.get(word[0].lower(), ()):
            match = idiom.match(straight, word.start())
            if match is None or _is_title(idiom, match):
                continue
            if any(start < match.end() and match.start() < end for start, end in fixed):
                continue
            at = match.end()
            plain = _as_written(_plain(idiom, match, straight), text, match)
            yield PlainWords(match.start(), at, plain)
            break


def in_plain_words(text: str, language: str, kept: Iterable[str] = ()) -> str:
    """Return a text with plain words for its turns of speech; see `find_idioms`."""
    parts: list[str] = []
    at = 0
    for idiom in find_idioms(text, language, kept):
        parts += [text[at : idiom.start], idiom.text]
        at = idiom.end
    return "".join([*parts, text[at:]])


def _places(parts: Iterable[str], text: str) -> Iterator[tuple[int, int]]:
    """Where parts of a text stand in it as whole words; apostrophes are straight there."""
    for part in parts:
        words = regex.escape(part.replace("’", "'"))
        for place in regex.finditer(rf"(?<![\p{{L}}\p{{N}}]){words}(?![\p{{L}}\p{{N}}])", text):
            yield place.span()


def _is_title(idiom: Idiom, match: regex.Match[str]) -> bool:
    """Whether words within what was found have capitals that they only have in titles."""
    found = match[0]
    for named in filter(None, match.groupdict().values()):
        found = found.replace(named, "")
    return _capitals(found) > _capitals(idiom.words)


def _capitals(text: str) -> int:
    words = text.split()[1:]
    return sum(word[0].isupper() for word in words if word != "I" and not word.startswith("I'"))


def _as_written(plain: str, text: str, match: regex.Match[str]) -> str:
    """Plain words with the capital and the apostrophes of a text."""
    opens = not match[0].startswith(("I ", "I'")) or _OPENS.search(text[: match.start()])
    if opens and match[0][0].isupper():
        plain = plain[:1].upper() + plain[1:]
    return plain.replace("'", "’") if "’" in text else plain


def _plain(idiom: Idiom, match: regex.Match[str], text: str) -> str:
    """The plain words for what was found, with its persons and in the form of its verb."""
    words = idiom.plain.split(" ")
    if idiom.forms:
        words[0] = _inflected(words[0], idiom.forms, match, text)
    groups = match.groupdict()
    owner = groups.get("owner")
    owned = owner and OBJECTS.get(owner.lower(), owner.removesuffix("'s"))
    who = groups.get("who") or owned
    stand = {"one's": owner, "someone": who, "one": owned, "oneself": groups.get("self")}
    return " ".join(stand.get(word) or word for word in words)


def _inflected(verb: str, forms: tuple[str, ...], match: regex.Match[str], text: str) -> str:
    """A verb in the form that the first word of what was found is in."""
    before = _BEFORE.search(text[: match.start()])
    subject = before["word"].lower() if before else ""
    if _ASKED.search(text[: match.start()]):
        subject = "has"
    form = _form(first_word(match[0]).lower(), forms, subject)
    if verb == "be" and form in (_BASE, _PAST):
        return _be(form, subject)
    return forms_of(verb)[form]


def _form(word: str, forms: tuple[str, ...], before: str) -> int:
    """Which form of a verb a word is, by the word before it where several are alike."""
    alike = [form for form, one in enumerate(forms) if one == word]
    if _PARTICIPLE in alike and (before in _PERFECT or _RUN_TOGETHER.search(before)):
        return _PARTICIPLE
    if _BASE in alike:
        told = word in _TOLD and before in _PERSONS
        return _PAST if _PAST in alike and (told or before not in _BEFORE_BASE) else _BASE
    return alike[0]


def _be(form: int, subject: str) -> str:
    if form == _PAST:
        return "were" if subject in _PLURALS else "was"
    return {"i": "am", **dict.fromkeys(_PLURALS, "are")}.get(subject, "be")
