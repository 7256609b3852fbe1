"""Break a text into lines of a given width where a reader would pause.

Of all ways to break a text, the one with the least demerits wins. They are

- of every break those of the words that it parts (`subfit.text.linebreak_rules`): good after a
sentence
  or a comma, all but forbidden between an article and its noun;
- 50 · Σ ((length of a line − mean) / CPL)², for lines of like length;
- 50 · (what a line is longer than the next / CPL)², where longer lower lines are liked;
- 1000 for two lines more uneven than a guideline wants;
- 100 · (lines − 1)³: another line must be worth it. A second speaker is, and in three lines rather
  than two it is worth it to keep an article with its noun.

The choice is exact, by dynamic programming over pairs of neighbouring lines.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from subfit.text.linebreak_rules import Piece, joined, split_pieces

Count = Callable[[str], float]

_SLACK = 1e-9
_BALANCE, _PYRAMID, _UNBALANCED = 50.0, 50.0, 1000.0
_LINES = 100.0
_RISING = 5
"""From so many lines on, another one costs more than any break can be worth."""
# Beyond these numbers of pieces a text is no subtitle, and must only not take minutes.
_MANY, _TOO_MANY = 60, 300


def break_lines(
    text: str,
    cpl: float | None,
    max_lines: int | None,
    count: Count,
    language: str,
    *,
    min_balance: float | None = None,
    bottom_heavy: bool = True,
) -> tuple[str, ...] | None:
    """Break a text into lines, with the least demerits.

    Args:
        text: Plain text; line breaks and runs of spaces in it are taken as one space.
        cpl: Most characters of a line; None for any width.
        max_lines: Most lines; None for any number.
        count: Counts the characters of a line; must not fall when a text grows.
        language: The text's language tag, for the words that belong together.
        min_balance: Wished length of the shorter of two lines as a share of the longer.
        bottom_heavy: Whether a longer lower line is liked better than a longer upper one.

    Returns:
        The lines, none for a text without words; or None if the text cannot be broken so.
    """
    paragraph = _Paragraph(split_pieces(text, language), cpl, count, min_balance, bottom_heavy)
    ends = paragraph.fill(paragraph.cpl)
    if paragraph.excess(ends) or (max_lines is not None and len(ends) > max_lines):
        return None
    return paragraph.lines(paragraph.best_of_any(len(ends), max_lines).ends)


def break_lines_overlong(
    text: str,
    cpl: float | None,
    max_lines: int | None,
    count: Count,
    language: str,
    *,
    min_balance: float | None = None,
    bottom_heavy: bool = True,
) -> tuple[str, ...]:
    """Break a text also where `break_lines` cannot, with the fewest characters beyond the width.

    Arguments are those of `break_lines`. There are at most ``max_lines`` lines; no word is cut,
    and nothing is left out.
    """
    paragraph = _Paragraph(split_pieces(text, language), cpl, count, min_balance, bottom_heavy)
    ends = paragraph.fill(paragraph.cpl)
    number = len(ends) if max_lines is None else min(len(ends), max(max_lines, 1))
    if number == len(ends) and not paragraph.excess(ends):
        return paragraph.lines(paragraph.best_of_any(number, max_lines).ends)
    widest = math.inf
    if len(paragraph.pieces) > _MANY:
        widest = max(paragraph.cpl, paragraph.even(number))
    return paragraph.lines(paragraph.best(number, widest).ends)


class _Path(NamedTuple):
    """The cheapest way to break the text as far as a certain line."""

    excess: float
    demerits: float
    ends: tuple[int, ...]
    """After which piece each line ends."""


class _Paragraph:
    """A text cut into pieces that lines are made of."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        cpl: float | None,
        count: Count,
        min_balance: float | None = None,
        bottom_heavy: bool = True,
    ) -> None:
        self.pieces, self.count = pieces, count
        self.cpl = math.inf if cpl is None else cpl
        self.min_balance = min_balance or 0.0
        self.pyramid = _PYRAMID if bottom_heavy else 0.0
        self.widths: dict[tuple[int, int], float] = {}

    def text(self, start: int, end: int) -> str:
        """Return the line made of these pieces."""
        return joined(self.pieces[start:end])

    def width(self, start: int, end: int) -> float:
        """Return the characters of the line made of these pieces."""
        if (start, end) not in self.widths:
            self.widths[start, end] = self.count(self.text(start, end))
        return self.widths[start, end]

    def lines(self, ends: Sequence[int]) -> tuple[str, ...]:
        """Return the lines that end after these pieces."""
        return tuple(self.text(a, b) for a, b in zip((0, *ends), ends, strict=False))

    def excess(self, ends: Sequence[int]) -> float:
        """Return the characters beyond the width of their lines."""
        return sum(self._excess(a, b) for a, b in zip((0, *ends), ends, strict=False))

    def fill(self, width: float) -> list[int]:
        """Fill line after line, a piece at least: that gives the fewest lines there can be.

        No line has more than twice as many pieces as characters: a text of a million of them must
        not be measured whole for every line.
        """
        ends, last = [0], len(self.pieces)
        while (start := ends[-1]) < last:
            far = range(start + 2, int(min(last, start + 2 * width + 2)) + 1)
            fitting = bisect_right(far, width + _SLACK, key=partial(self.width, start))
            ends.append(start + 1 + fitting)
        return ends[1:]

    def even(self, number: int) -> float:
        """Return a width that `number` lines are sure to do with, however they are filled."""
        longest = max(self.width(i, i + 1) for i in range(len(self.pieces)))
        return self.width(0, len(self.pieces)) / number + longest + 2

    def best_of_any(self, fewest: int, most: int | None) -> _Path:
        """Find the cheapest way to break the text into lines of the wished width.

        Args:
            fewest: Lines that the text needs.
            most: Lines there may be; None for any number.
        """
        best = self.best(fewest, self.cpl)
        if not self.pieces or len(self.pieces) > _TOO_MANY:
            return best
        least = best.demerits + _for_lines(fewest)
        gains = sorted(min(piece.demerits, 0.0) for piece in self.pieces[:-1])
        most = len(self.pieces) if most is None else min(most, len(self.pieces))
        for number in range(fewest + 1, most + 1):
            at_least = _for_lines(number) + sum(gains[: number - 1])
            if at_least >= least and number >= _RISING:
                break
            if at_least < least:
                path = self.best(number, self.cpl)
                if path.demerits + _for_lines(number) < least - _SLACK:
                    best, least = path, path.demerits + _for_lines(number)
        return best

    def best(self, number: int, widest: float) -> _Path:
        """Find the cheapest way to break the text into a number of lines.

        Args:
            number: Lines; there must be a way to break the text into so many.
            widest: Most characters of a line; if more than the wished width, then the characters
                beyond that are the first thing to avoid.
        """
        if len(self.pieces) > _TOO_MANY:
            return _Path(0.0, 0.0, tuple(self.fill(widest)))
        # Keyed by the first piece and the end of the last line: the next line's demerits ask for
        # no more.
        paths = {(0, 0): _Path(0.0, 0.0, ())}
        mean = self.width(0, len(self.pieces)) / number if number else 0.0
        for left in reversed(range(number)):
            longer: dict[tuple[int, int], _Path] = {}
            for (start, middle), path in paths.items():
                for end in self._ends(middle, left, widest):
                    candidate = _Path(
                        path.excess + self._excess(middle, end),
                        path.demerits + self._demerits(start, middle, end, mean),
                        (*path.ends, end),
                    )
                    known = longer.get((middle, end))
                    if known is None or candidate < known:
                        longer[middle, end] = candidate
            paths = longer
        return min(paths.values())

    def _ends(self, start: int, left: int, widest: float) -> Iterator[int]:
        """Yield where a line from ``start`` may end if ``left`` more lines follow."""
        last = len(self.pieces)
        for end in range(last if left == 0 else start + 1, last - left + 1):
            if self.width(start, end) > widest + _SLACK:
                return
            yield end

    def _excess(self, start: int, end: int) -> float:
        excess = self.width(start, end) - self.cpl
        return excess if excess > _SLACK else 0.0

    def _demerits(self, start: int, middle: int, end: int, mean: float) -> float:
        """Judge a line from ``middle`` to ``end`` below one from ``start`` to ``middle``."""
        scale = (self.cpl if self.cpl < math.inf else mean) or 1.0
        width = self.width(middle, end)
        demerits = _BALANCE * ((width - mean) / scale) ** 2
        if middle == 0:
            return demerits
        above = self.width(start, middle)
        demerits += self.pieces[middle - 1].demerits
        if above > width:
            demerits += self.pyramid * ((above - width) / scale) ** 2
        if min(above, width) < self.min_balance * max(above, width):
            demerits += _UNBALANCED
        return demerits


def _for_lines(number: int) -> float:
    """Return the demerits of so many lines."""
    return _LINES * max(number - 1, 0) ** 3
