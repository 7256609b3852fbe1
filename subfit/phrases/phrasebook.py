"""Phrases found in texts: all of a text, or what stands before and behind the rest of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import regex

from subfit.phrases.cut import Cut, Piece
from subfit.phrases.keys import key_of
from subfit.phrases.lists import Entry, Rendering, phrase_table
from subfit.text.languages import CAPITALISED, primary_language

LEAST_WORDS = 3
"""Words of what a comma parts from a phrase, at least; fewer are whom it is said to, mostly."""
MOST_CALLED = 3
"""Words that somebody is called, where no comma is before them."""
MOST_PARTS = 5
"""Parts between marks that one phrase may have: "Ready, aim, fire!" has three."""
_BOUNDARY = regex.compile(r"(?<=[,.!?…][\"”“»]?) +(?![.…])")
_MARK = regex.compile(r"\s?([,.!?…]+)$")
_NAME = regex.compile(r"\p{Lu}\p{Ll}[\p{L}’'-]*(?: \p{Lu}\p{Ll}[\p{L}’'-]*)?")
_MARKED_UP = regex.compile(r"[\"“”„«»()\[\]{}*_#♪♫]")


class Phrasebook:
    """The phrases of a pair of languages, those of `subfit.phrases.lists`; none for other pairs.

    Args:
        source_language: Tag of the language that is translated from.
        language: Tag of the one that is translated into.
    """

    def __init__(self, source_language: str, language: str) -> None:
        self._source = primary_language(source_language) or ""
        self._language = primary_language(language) or ""
        self._table = phrase_table(self._source, self._language)

    def cut(self, text: str, kept: Sequence[str] = ()) -> Cut | None:
        """Cut off the phrases that a text begins and ends with.

        Args:
            text: Plain text in one line.
            kept: Parts of it that have translations of their own; no phrase has them.

        Returns:
            None where there are none.
        """
        if self._table is None or _MARKED_UP.search(text):
            return None
        parts = [one for part in _BOUNDARY.split(text.strip()) for one in self._set_off(part)]
        before, parts = self._cut_before(parts)
        behind, parts = self._cut_behind(parts) if parts else ([], parts)
        cut = Cut(tuple(before), " ".join(parts), tuple(behind), self._language)
        phrases = [piece for piece in cut.pieces if not piece.called or _is_title(piece)]
        openers = all(piece.entry.opener for piece in phrases)
        if not phrases or (cut.rest and (openers or _is_called(cut))) or not cut.is_known:
            return None
        return None if any(word in piece.source for piece in phrases for word in kept) else cut

    def _set_off(self, part: str) -> list[str]:
        """A phrase and whom it is said to, where no comma parts them: "Hi guys!"."""
        words = part.split(" ")
        for size in range(1, min(MOST_CALLED, len(words) - 1) + 1):
            phrase, called = " ".join(words[:-size]), " ".join(words[-size:])
            asks = "?" in called[-3:]
            if self._found_called(called) and self._phrase(f"{phrase},", asks):
                return [part] if self._phrase(part) else [f"{phrase},", called]
        return [part]

    def _cut_before(self, parts: list[str]) -> tuple[list[Piece], list[str]]:
        """The phrases that open a text, and the parts behind them."""
        pieces: list[Piece] = []
        while parts:
            last = pieces[-1] if pieces else None
            piece, size = self._opening(parts, last if last and last.mark == "," else None)
            left = parts[size:]
            if piece is None or (piece.mark == "," and left and not _is_set_off(piece)):
                break
            pieces.append(piece)
            parts = left
        return pieces, parts

    def _opening(self, parts: Sequence[str], last: Piece | None) -> tuple[Piece | None, int]:
        """The longest phrase that a text begins with, or whom the phrase beside it is said to.

        Args:
            parts: The text.
            last: The phrase before it that a comma parts from it.
        """
        for size in range(min(MOST_PARTS, len(parts)), 0, -1):
            piece = self._phrase(" ".join(parts[:size]), self._asks(parts[size:]))
            if piece is not None:
                return piece, size
        called = self._found_called(parts[0])
        if called is None:
            return (None, 0) if last is None or last.entry.opener else (self._name(parts[0]), 1)
        set_off = called.mark == ","
        alone = _is_title(called) and (set_off or len(parts) == 1)
        beside = alone or last or (set_off and self._opening(parts[1:], None)[0])
        return (replace(called, called=True), 1) if beside else (None, 0)

    def _name(self, text: str) -> Piece | None:
        """Whom a phrase is said to, by name: what has a capital there where few other words do."""
        plain = _MARK.sub("", text)
        if self._source in CAPITALISED or not _NAME.fullmatch(plain):
            return None
        entry = Entry((Rendering(plain, plain, plain),))
        mark = _MARK.search(text)
        return Piece(text, entry, mark[1] if mark else "", called=True)

    def _cut_behind(self, parts: list[str]) -> tuple[list[Piece], list[str]]:
        """The phrases that close a text, and the parts before them, one at least."""
        pieces: list[Piece] = []
        while len(parts) > 1:
            piece, size = self._closing(parts)
            if piece is None:
                break
            pieces.insert(0, piece)
            parts = parts[:-size]
        return pieces, parts

    def _closing(self, parts: Sequence[str]) -> tuple[Piece | None, int]:
        for size in range(min(MOST_PARTS, len(parts) - 1), 0, -1):
            piece = self._phrase(" ".join(parts[-size:]))
            if piece is not None and (piece.entry.set_off or not parts[-size - 1].endswith(",")):
                return piece, size
        return None, 0

    def _asks(self, parts: Sequence[str]) -> bool:
        """Whether what stands before is asked of those who are called: "What's up, guys?"."""
        if not parts or "?" not in parts[0][-3:]:
            return False
        assert self._table is not None
        called = self._found_called(parts[0]) or self._name(parts[0])
        return called is not None

    def _phrase(self, text: str, goes_on_asking: bool = False) -> Piece | None:
        assert self._table is not None
        asks = "?" in text[-3:] or (goes_on_asking and text.endswith(","))
        piece = self._found(self._table.questions if asks else self._table.phrases, text)
        if piece is None or (piece.entry.cried and "!" not in piece.mark):
            return None
        return replace(piece, asks=asks)

    def _found_called(self, text: str) -> Piece | None:
        assert self._table is not None
        return self._found(self._table.vocatives, text)

    def _found(self, entries: Mapping[str, Entry], text: str) -> Piece | None:
        entry = entries.get(key_of(text, self._source))
        if entry is None:
            return None
        mark = _MARK.search(text)
        return Piece(text, entry, mark[1] if mark else "")


def _is_title(piece: Piece) -> bool:
    """Whether it is a title in several words, of which each would be translated by itself."""
    return piece.entry.polite and " " in piece.source.strip()


def _is_called(cut: Cut) -> bool:
    """Whether what is left may be whom a phrase is said to."""
    parted = cut.rest.endswith(",") or (cut.before and cut.before[-1].mark == ",")
    return bool(parted) and len(cut.rest.split()) < LEAST_WORDS


def _is_set_off(piece: Piece) -> bool:
    return piece.called or piece.asks or piece.entry.set_off
