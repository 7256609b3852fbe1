"""Doubled marks ("?!", "!!", "!.."): single for the model, doubled again where they stood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from subfit.text.languages import closest_language
from subfit.text.sentence_ends import sentence_places

_DOUBLED = regex.compile(r"[?!](?:\s?[?!])+(?:\.{2,}|…)?|[?!](?:\.{2,}|…)")
_OPENERS = regex.compile(r"[¿¡]{2,}")
_BARE = regex.compile(r"[?!]+")


@dataclass(frozen=True, slots=True)
class DoubledMark:
    """A doubled mark of a text."""

    start: int
    source: str

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)

    @property
    def plain(self) -> str:
        """The one mark that the model reads."""
        return "?" if "?" in self.source else "!"

    @property
    def written(self) -> str:
        """What a translation has: dots behind such a mark are no other language's."""
        return "".join(_BARE.findall(self.source))


def find_doubled(text: str) -> list[DoubledMark]:
    """Return the doubled marks of a text."""
    return [DoubledMark(match.start(), match[0]) for match in _DOUBLED.finditer(text)]


def find_openers(text: str) -> list[tuple[int, int, str]]:
    """Return where several Spanish marks open a text, and the one that the model reads."""
    return [(*match.span(), "¿" if "¿" in match[0] else "¡") for match in _OPENERS.finditer(text)]


def marks_of(text: str) -> list[tuple[int, int]]:
    """Return where the marks of questions and exclamations stand, doubled ones as one."""
    return [match.span() for match in regex.finditer(rf"[?!]+{_INSIDE}", text)]


def places_of(cleaned: str, ats: Sequence[int], translation: str) -> list[tuple[int, int] | None]:
    """Return where in a translation the marks at places of its source stand.

    Args:
        cleaned: The source as the model read it.
        ats: Places in it of marks that were doubled.
        translation: What the model made of it.

    Returns:
        For each of them a range of the translation; None where that cannot be told.
    """
    ours, theirs = marks_of(cleaned), marks_of(translation)
    places: list[tuple[int, int] | None] = []
    for at in ats:
        number = next((n for n, (start, stop) in enumerate(ours) if start <= at < stop), None)
        if number is None or not theirs:
            places.append(None)
        elif len(ours) == len(theirs):
            places.append(theirs[number])
        else:
            last = number == len(ours) - 1 and not translation[theirs[-1][1] :].strip("\"'“‘”’»«)")
            places.append(theirs[-1] if last else None)
    return places


_ES = ("es",)
_INSIDE = r"(?![\p{L}\p{N}/=&_])"
"""Behind a mark that ends something, as none in an address does."""
_SAID = regex.compile(
    rf"(?:[^?!]|[?!](?!{_INSIDE}|[?!]))*[?!]+{_INSIDE}[\"'”’»)\]]*(?:\.{{2,}}|…)?|.+"
)
_ASKING = regex.compile(
    r"(?:(?:a|de|en|con|para|por|desde|hasta|hacia|sobre) )?"
    r"(?:qué|quién(?:es)?|cuál(?:es)?|cómo|a?dónde|cuándo|cuánt[oa]s?)\b",
    regex.I,
)
_GOES_ON = regex.compile(r"\W*\p{Ll}")
_CALLED = regex.compile(r"\p{Lu}\w*, ")
_TAG = regex.compile(
    r"(?<=, )(?:no|verdad|cierto|eh|vale|sí|de acuerdo|no es así|no crees|de verdad)$", regex.I
)
_INVERTED, _UPRIGHT = str.maketrans("?!", "¿¡"), str.maketrans("¿¡", "?!")


def with_both_marks(text: str, language: str) -> str:
    """Return a text whose Spanish questions and exclamations are opened as they are closed.

    Args:
        text: One line of plain text.
        language: Its language tag; others come back as they are.
    """
    if closest_language(language, _ES) is None or not regex.search(r"[?!¿¡]", text):
        return text
    parts: list[str] = []
    at = 0
    for start, end in sentence_places(text, "es"):
        said = enumerate(_SAID.findall(text, start, end))
        parts += [text[at:start], *(_balanced(one, first=start + n == 0) for n, one in said)]
        at = end
    return "".join([*parts, text[at:]])


def _balanced(sentence: str, *, first: bool) -> str:
    """A sentence opened as it is closed; the first of a text may go on from an earlier cue."""
    closing = regex.search(r"[?!]+(?=[\"'”’»)\].…]*$)", sentence)
    opening = regex.search(r"[¿¡]+", sentence)
    if closing is None:
        return sentence if opening is None else _closed(sentence, opening)
    wanted = _openers(closing[0])
    if opening is None:
        if first and _GOES_ON.match(sentence) and not _ASKING.match(sentence.lstrip()):
            return sentence
        at = _opened_at(sentence[: closing.start()], asked="?" in closing[0])
        return sentence[:at] + wanted + sentence[at:]
    if sorted(opening[0]) == sorted(wanted):
        return sentence
    return sentence[: opening.start()] + wanted + sentence[opening.end() :]


def _openers(closing: str) -> str:
    return closing[::-1].translate(_INVERTED)


def _closed(sentence: str, opening: regex.Match[str]) -> str:
    """A sentence that was opened, closed where it asks with a word for that, else not opened."""
    if "¿" not in opening[0] or not _ASKING.match(sentence, opening.end()):
        return sentence.translate(str.maketrans("", "", "¿¡"))
    said = sentence.rstrip("\"'”’»)] ")
    words = said.rstrip(".…")
    dots = "" if said == words + "." else said[len(words) :]
    mark = opening[0][::-1].translate(_UPRIGHT)
    return f"{words}{dots}{mark}{sentence[len(said) :]}"


def _opened_at(words: str, *, asked: bool) -> int:
    """Where the question or exclamation begins within its sentence."""
    dots = max(words.rfind("... "), words.rfind("… "))
    begin = len(words) - len(words[max(dots, 0) :].lstrip(" \"'“‘«(—–-♪.…"))
    tag = _TAG.search(words)
    if tag:
        return int(tag.start())
    comma = max(words.rfind(", "), words.rfind(": "))
    if comma >= 0 and _ASKING.match(words, comma + 2):
        return comma + 2
    called = _CALLED.match(words, begin)
    if asked and called:  # Ana, ¿vienes?
        return int(called.end())
    return begin
