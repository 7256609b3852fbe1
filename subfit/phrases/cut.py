"""A text whose ends are phrases, and how these are said in the target language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from subfit.phrases.lists import Entry
from subfit.text.formality import Formality
from subfit.text.recasing import is_german_noun

_ENDS = regex.compile(r"[.!?…]\W*$")
_KEPT = regex.compile(
    r"(?:I|I['’]\w+|Dios|Jesús|Dieu|Dio|Gesù|Cristo|Gott|Jesus|God|Christ|Sir|Ma['’]am|Mr|Mylord|Mylady"
    r"|FBI|Sie|Ihnen|Mayday|Bravo)\b"
)
"""First words that keep their capitals within a sentence."""
_MORE_NOUNS = """
    abmarsch abspann bereich beschuss bingo blödmann blödsinn einspruch ende feigling feuer
    fortsetzung game gesundheit glückwunsch herrgott hilfe hände idiot idioten kapitel lügner mist
    mistkerl mistkerle miststück moment mörder polizei regie rückzug scheiße schnitt schwachsinn
    sesam süßes taxi unsinn untertitel verräter vorsicht vorspann waffe zutritt überraschung übung
"""
"""German nouns that the general lists do not have."""
_NOUNS = frozenset(_MORE_NOUNS.split())
_NO_NOUNS = frozenset(["fahrt", "lügen", "sofort", "wagen"])
"""Words that are other words at the beginning of a phrase."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A phrase, or what somebody is called beside one, where a text has it."""

    source: str
    """As the text has it, with its mark."""
    entry: Entry
    mark: str
    """What ends it: ``,`` or what ends a sentence; empty where nothing does."""
    called: bool = False
    """Whether it is what somebody is called."""
    asks: bool = False
    """Whether it is a question, which may go on: "What's up, guys?"."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A text with the phrases at its ends cut off."""

    before: tuple[Piece, ...]
    rest: str
    """What is left, as the text has it; empty if that is nothing."""
    behind: tuple[Piece, ...]
    language: str
    """Two letters: of the language that is translated into."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All that was cut off."""
        return self.before + self.behind

    @property
    def levels(self) -> int:
        """In how many ways it can be said, the best first."""
        return max(len(piece.entry.renderings) for piece in self.pieces)

    @property
    def is_known(self) -> bool:
        """Whether it can be said to those who are called: to several people not all can."""
        return all(self._ways(piece, None) for piece in self.pieces)

    def opening(self, form: Formality | None, level: int = 0) -> str:
        """Return what stands before the rest, in the target language.

        Args:
            form: How people are addressed; familiarly where it is None.
            level: Which of its `levels`.
        """
        return self._said(self.before, form, level, begins=True)

    def closing(self, form: Formality | None, level: int = 0) -> str:
        """Return what stands behind the rest, in the target language; see `opening`."""
        return self._said(self.behind, form, level, begins=_ENDS.search(self.rest) is not None)

    @property
    def _several(self) -> bool:
        return any(piece.entry.several for piece in self.pieces)

    def _ways(self, piece: Piece, form: Formality | None) -> list[str]:
        if form is None and any(one.entry.polite for one in self.pieces):
            form = "formal"
        said = (one.said_to(form, several=self._several) for one in piece.entry.renderings)
        return [text for text in said if text is not None]

    def _said(
        self, pieces: Sequence[Piece], form: Formality | None, level: int, *, begins: bool
    ) -> str:
        texts: list[str] = []
        for piece in pieces:
            ways = self._ways(piece, form)
            text = ways[min(level, len(ways) - 1)]
            begins = begins and not piece.source[:1].islower()
            if begins:
                text = capitalised(text)
            elif not piece.called:
                text = in_sentence(text, self.language)
            texts.append(_marked(text, piece, self.language))
            begins = piece.mark != ","
        return " ".join(texts)


def capitalised(text: str) -> str:
    """Return a text as it begins a sentence."""
    at = next((at for at, letter in enumerate(text) if letter.isalpha()), 0)
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def in_sentence(text: str, language: str) -> str:
    """Return a sentence as it stands behind a comma: in small letters but for nouns and names.

    Args:
        text: A sentence that is no name.
        language: Two letters.
    """
    word = next(iter(regex.findall(r"[\p{L}'’]+", text)), "")
    if _KEPT.match(word) or (len(word) > 1 and word.isupper()):
        return text
    if language == "de" and _is_noun(word.lower()):
        return text
    at = text.find(word)
    return text[:at] + text[at : at + 1].lower() + text[at + 1 :]


def _is_noun(small: str) -> bool:
    """Whether a German word in small letters is a noun."""
    return small in _NOUNS or (small not in _NO_NOUNS and is_german_noun(small))


def _marked(text: str, piece: Piece, language: str) -> str:
    """A phrase with the mark of its source, or its own where it asks nothing; Spanish with both."""
    if text.endswith("."):
        return text if "?" in piece.mark else text[:-1] + piece.mark
    opened = f"¿{text}" if language == "es" and piece.asks and "¿" not in text else text
    return opened + piece.mark
