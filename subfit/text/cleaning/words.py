"""Words as somebody says them: stuttered (S-sorry), drawn out (nooooo), shouted (STOP).

A small model spells what it never saw, so it reads the plain word; in its translation the word
that stands for it gets the same look again (`subfit.text.cleaning.looks`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice

import regex
import yaml

_TOKEN = regex.compile(r"\p{L}+(?:-\p{L}+)*(?:['’]\p{L}+)*")
_CONSONANTS = "bcdfghjklmnpqrstvwxyz"
_STUTTER = regex.compile(
    rf"(?P<begun>\p{{L}}|[{_CONSONANTS}]{{2,3}})-(?:(?P=begun)-)*(?=(?P=begun))", regex.I
)
_NO_STUTTERS = frozenset(["b-boy", "b-ball", "d-day", "e-e", "h-hour", "k-k", "t-t"])
_LONG = regex.compile(r"(\p{L})\1{2,}", regex.I)
_MOST_LONG = 8
"""Of letters drawn out in a word, those that may be meant twice."""
_LOOK_BACK = 40
"""Characters that tell whether a word begins a sentence."""
_NUMERAL = regex.compile(r"(?<!\p{L})[IVXLC]{3,}|^w+$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One word of a text, and what is plain of it."""

    start: int
    source: str
    """As the text has it."""
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


def spoken_words(text: str) -> list[Spoken]:
    """Return the words of an English text, stutters, drawn-out letters and capitals taken off."""
    tokens = (each for each in _TOKEN.finditer(text) if not _in_code(text, each))
    words = [_unstuttered(Spoken(each.start(), each[0], each[0])) for each in tokens]
    words = [_undrawn(word) for word in words]
    return _quiet(words, text) if regex.search(r"\p{Ll}", text) or len(words) < 3 else words


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


def _undrawn(word: Spoken) -> Spoken:
    runs = [len(match[0]) for match in _LONG.finditer(word.plain)]
    if not runs or _NUMERAL.search(word.plain) or any(map(_is_one, word.plain.split("-"))):
        return word
    return replace(word, plain=_shortened(word.plain), drawn=max(runs))


def _is_one(part: str) -> bool:
    """Whether a part of a word is one capital several times, as in PPP or YYYY."""
    return len({*part}) == 1 and len(part) > 2 and part.isupper()


def _shortened(word: str) -> str:
    """A drawn-out word with each such letter once, or twice where that is a word."""
    known = _list("doubled")
    places = [match.start() for match in islice(_LONG.finditer(word), _MOST_LONG)]
    options = [
        str(_LONG.sub(lambda match, at=at: match[0][: 1 + (match.start() == at)], word))
        for at in places
    ]
    options.append(str(_LONG.sub(lambda match: match[0][:2], word)))
    single = str(_LONG.sub(lambda match: match[1], word))
    return next((each for each in options if each.lower() in known), single)


def _quiet(words: Sequence[Spoken], text: str) -> list[Spoken]:
    """Words with those in capitals in small letters that are no names for all that is known."""
    quiet = list(words)
    for run in _runs(words, text):
        own = [words[at] for at in run]
        if not _is_shouted([word.plain.lower().replace("’", "'") for word in own]):
            continue
        for at in run:
            word = words[at]
            if word.plain.lower() in _list("acronyms") - _list("shouted") and len(run) < 3:
                continue
            plain = "I" if word.plain == "I" else word.plain.lower()
            plain = "I" + plain[1:] if regex.match(r"i['’]", plain) else plain
            if _begins(text, word.start):
                plain = plain[0].upper() + plain[1:]
            quiet[at] = replace(word, plain=plain, shouted=True)
    return quiet


def _is_shouted(words: Sequence[str]) -> bool:
    """Whether words in capitals in a row are usual ones, and not but a name with a preposition."""
    known = [word for word in words if word in _list("shouted")]
    return any(word not in _list("weak") for word in known) or (len(words) > 2 and len(known) > 1)


def _in_code(text: str, token: regex.Match[str]) -> bool:
    """Whether a word is part of a path, an option or the like."""
    before = text[max(0, token.start() - 2) : token.start()]
    return bool(regex.search(r"[/\\_@]$|(?<![\p{L}\s])-$|\d$", before)) or bool(
        regex.match(r"[/\\_@]|[.\d][\p{L}\d]", text, pos=token.end())
    )


def _runs(words: Sequence[Spoken], text: str) -> Iterator[range]:
    """Yield rows of words in capitals, of which one has two letters at least."""
    start = 0
    for at in range(len(words) + 1):
        loud = at < len(words) and words[at].plain.isupper()
        if loud and (at == start or _is_joined(text[words[at - 1].end : words[at].start])):
            continue
        if any(_is_loud(word.plain) for word in words[start:at]):
            yield range(start, at)
        start = at if loud else at + 1


def _is_loud(word: str) -> bool:
    """Whether a word in capitals alone tells that somebody shouts: IT and US may be names."""
    return len(word) > 1 and word.lower() not in _list("acronyms")


def _is_joined(between: str) -> bool:
    return not regex.search(r"[.!?…\d:()\[\]]", between)


def _begins(text: str, at: int) -> bool:
    before = text[max(0, at - _LOOK_BACK) : at].rstrip(" \"'“‘¿¡([-–—♪")
    return not before or before[-1] in ".!?…:"


@cache
def _lists() -> dict[str, frozenset[str]]:
    content = files("subfit.text.cleaning").joinpath("words.yaml").read_text(encoding="utf-8")
    return {name: frozenset(words.split()) for name, words in yaml.safe_load(content).items()}


def _list(name: str) -> frozenset[str]:
    return _lists()[name]
