"""Spreading a translation over the cues of its sentence, and breaking each part into lines.

Of all ways to cut the translation into one part for each cue, so that every part keeps its cue's
budget and lines, the one with the least demerits wins. They are, of every cut,

- those of the words that it parts, by the rules of line breaks (`BREAKS`);
- 40 for every word that it leaves in another cue than the source words it stands for, as far as the
  words' alignment is sure of that, for words to stand on screen while they are spoken;
- 100 · (characters off / 32)²: how far it is from where the source's cut would be in a text of the
  translation's length; / 16 where nothing is known of the words;

and of every part 20 · (its share of its budget)², for an even reading speed. The choice is exact,
by dynamic programming over the cues and the ends of their parts.

A cue that has time enough for its text, but too few lines, becomes two (`divided`): it is parted
where a clause, or at least a phrase, ends, and as evenly as goes. The border is where as much of
the time has passed as of the text, or up to half a second from there where both halves can be read
then; where a shot changes so near, it is there.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, pairwise

from subfit.fitting.task import Lines, Task
from subfit.limits.budget import LengthBudget, budget_for
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import Cue, FormatName
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.sentences import YIELDING, Part
from subfit.subtitles.timecodes import FrameGrid
from subfit.text.alignment import WordScores, align
from subfit.text.counting import Counting, count_characters
from subfit.text.linebreak import Piece, break_lines, joined, split_pieces


@dataclass(frozen=True, slots=True)
class Placement:
    """A translation in its cues, every one within its budget."""

    lines: tuple[Lines, ...]
    """The lines of each part of the sentence."""
    demerits: float = 0.0
    """Those of `subfit.fitting.cue_splits`, and what line breaks cost that part a phrase."""


def place(
    text: str, task: Task, guideline: Guideline, words: WordScores | None = None
) -> Placement | None:
    """Spread a translation over its cues as well as it goes, and break each part into lines.

    Returns:
        The placement, or None if there is no way that keeps every budget.
    """
    return _placed(text, task.sentence.parts, task.budgets, guideline, words)


@lru_cache(maxsize=8192)  # every pass chooses anew among all that was found before it, too
def _placed(
    text: str,
    sources: tuple[Part, ...],
    budgets: tuple[LengthBudget, ...],
    guideline: Guideline,
    words: WordScores | None,
) -> Placement | None:
    split = split_over_cues(text, sources, budgets, guideline, words=words)
    if split is None:
        return None
    lines = [
        _break(part, budget, source, guideline)
        for part, budget, source in zip(split.parts, budgets, sources, strict=True)
    ]
    whole = tuple(broken for broken in lines if broken is not None)
    if len(whole) < len(lines):
        return None
    broken = (_broken(*part, guideline.language) for part in zip(split.parts, whole, strict=True))
    return Placement(whole, split.demerits + sum(broken))


def _break(text: str, budget: LengthBudget, source: Part, guideline: Guideline) -> Lines | None:
    """Break one part into lines, or return None if it is over its budget or cannot be broken."""
    if not budget.allows(text, guideline):
        return None
    if budget.cpl is None:
        return _break_like(text, source.lines, guideline)
    return break_lines(text, budget.cpl, budget.lines, **guideline.line_rules)


def _broken(text: str, lines: Lines, language: str) -> float:
    """What the line breaks of a text cost beyond breaks anywhere between phrases."""
    if len(lines) < 2:
        return 0.0
    pieces, first, demerits = split_pieces(text, language), 0, 0.0
    for line in lines[:-1]:
        ends = (end for end in range(first + 1, len(pieces)) if joined(pieces[first:end]) == line)
        first = next(ends)
        demerits += max(cut_cost(pieces[first - 1].demerits) - BETWEEN_PHRASES, 0.0)
    return demerits


def _break_like(text: str, lines: int, guideline: Guideline) -> Lines:
    """Break a text that no width limits into about as many lines as its source has."""
    count, language = guideline.count, guideline.language
    for slack in (1.1, 1.3, 1.6):
        width = math.ceil(slack * count(text) / lines)
        broken = break_lines(text, width, lines, count, language) if lines > 1 else None
        if broken is not None:
            return broken
    return (text,)


def place_overlong(
    text: str, task: Task, guideline: Guideline, words: WordScores | None = None
) -> tuple[Lines, ...]:
    """Place a translation that does not fit: fewest characters over, least bad lines.

    Returns:
        For each part of the sentence its lines.
    """
    parts = spread_overlong(text, task, task.budgets, guideline, words)
    count, language = guideline.count, guideline.language
    return tuple(
        break_lines(part, budget.cpl, budget.lines, count, language, overlong=True) or ("",)
        for part, budget in zip(parts, task.budgets, strict=True)
    )


def spread_overlong(
    text: str,
    task: Task,
    budgets: Sequence[LengthBudget],
    guideline: Guideline,
    words: WordScores | None = None,
) -> tuple[str, ...]:
    """Spread a translation even if some cues get too much.

    If it has fewer words than there are cues, all of it stands in the first.
    """
    sources = task.sentence.parts
    split = split_over_cues(text, sources, budgets, guideline, words=words, overlong=True)
    return split.parts if split else (text, *[""] * (len(sources) - 1))


BETWEEN_PHRASES = 20.0
"""What it costs where no phrase is parted and no clause ends."""
BREAKS = {
    -8.0: 0.0, -5.0: 4.0, -1.0: 10.0, 9.0: BETWEEN_PHRASES, 30.0: 40.0, 60.0: 70.0,
    998.9: 120.0, math.inf: 400.0,
}  # fmt: skip
"""By the demerits of a line break, up to which it is so, what the next cue's beginning there costs:
at last within a phrase or a name, and between an article and its noun."""
DRIFT, SECOND = 100.0, 16.0
"""The cost of being as many characters off as are spoken or read in about a second; of being twice
as many off where words are aligned."""
STRAY = 40.0
"""The cost of a word in another cue than its source."""
FILL = 20.0
"""The cost of using up a budget."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Split:
    """A translation spread over the cues of its sentence."""

    parts: tuple[str, ...]
    """What each cue shows, its dots included."""
    demerits: float = 0.0
    """Demerits of its cuts and of the lengths of its parts; 0 of a single cue."""


def split_over_cues(
    text: str,
    parts: Sequence[Part],
    budgets: Sequence[LengthBudget],
    guideline: Guideline,
    *,
    words: WordScores | None = None,
    overlong: bool = False,
) -> Split | None:
    """Spread a translation over the cues of its sentence.

    Args:
        text: The translation, plain text in one line.
        parts: The sentence's parts in the source.
        budgets: The budget of each.
        guideline: Says what a character is and names the text's language.
        words: Knows which words translate each other; None if nothing does.
        overlong: Also where it does not fit: with the fewest characters over the budgets.

    Returns:
        The best split, no part of it without words; None if the text has fewer words than cues,
        or there is no way that keeps all budgets.
    """
    if len(parts) == 1:
        return Split((parts[0].shown(text),))
    pieces = split_pieces(text, guideline.language)
    if len(pieces) < len(parts):
        return None
    printed = read = _Widths(pieces, guideline.counting)
    if guideline.cps_counting != guideline.counting:
        read = _Widths(pieces, guideline.cps_counting)
    rooms = [_Room(part, budget, guideline) for part, budget in zip(parts, budgets, strict=True)]
    strays = None if words is None else stray_words(text, pieces, parts, words)
    path = _Spread(pieces, printed, read, rooms, strays, overlong=overlong).best()
    if path is None:
        return None
    _, demerits, ends = path
    cut = [joined(pieces[start:end]) for start, end in pairwise((0, *ends))]
    shown = tuple(part.shown(own) for part, own in zip(parts, cut, strict=True))
    return Split(shown, demerits)


def stray_words(
    text: str, pieces: Sequence[Piece], parts: Sequence[Part], words: WordScores
) -> list[list[float]]:
    """Return how many words each cut leaves in another cue than their source words.

    Args:
        text: The translation.
        pieces: Its pieces.
        parts: The sentence's parts in the source.
        words: Knows which words translate each other.

    Returns:
        For every part but the last and for every piece, how many words stand on the wrong side if
        the part ends with that piece: expected, of what the alignment is sure of.
    """
    aligned = align(" ".join(part.text for part in parts), text, words)
    starts = list(accumulate((len(part.text) + 1 for part in parts[:-1]), initial=0))
    part_of = [bisect_right(starts, word.start) - 1 for word in aligned.source]
    # The ends of pieces in the text, whose spaces may be wider than those between pieces.
    ends, at = [], 0
    for piece in pieces:
        at = text.find(piece.text, at) + len(piece.text)
        ends.append(at)
    last_piece = [bisect_right(ends, word.start) for word in aligned.target]
    strays = []
    for cut in range(len(parts) - 1):
        before = [0.0] * (len(pieces) + 1)
        wrong, behind = 0.0, bisect_right(part_of, cut)
        for word, shares in enumerate(aligned.of_target):
            late = sum(shares[behind:])
            sure = aligned.target_sure[word]
            wrong += sure * (1 - late)  # as if all words stood behind the cut
            before[min(last_piece[word], len(pieces))] += sure * (2 * late - 1)
        strays.append([wrong + moved for moved in accumulate(before[:-1])])
    return strays


def cut_cost(demerits: float) -> float:
    """Return what it costs to begin the next cue where a line break has these demerits."""
    return next(cost for most, cost in BREAKS.items() if demerits <= most)


def _bare(text: str) -> str:
    return text.rstrip(YIELDING) or text


class _Widths:
    """The characters of every run of pieces.

    Pieces are whole grapheme clusters, so their counts add up.
    """

    def __init__(self, pieces: Sequence[Piece], counting: Counting) -> None:
        texts = [count_characters(piece.text, counting) for piece in pieces]
        glues = [count_characters(piece.glue, counting) for piece in pieces]
        bare = [count_characters(_bare(piece.text), counting) for piece in pieces]
        whole = map(sum, zip(texts, glues, strict=True))
        self._starts = list(accumulate(whole, initial=0.0))[:-1]
        self.ends = [start + text for start, text in zip(self._starts, texts, strict=True)]
        """Characters up to the end of each piece, the space after it not counted."""
        self._marks = [a - b for a, b in zip(texts, bare, strict=True)]
        """Characters at the end of each piece that give way to dots."""

    def run(self, start: int, end: int, *, dotted: bool = False) -> float:
        """Return the characters of the pieces from ``start`` to before ``end``.

        Args:
            start: The first piece.
            end: The piece behind the last.
            dotted: Whether marks at the end give way to dots, which are not counted.
        """
        run = self.ends[end - 1] - self._starts[start]
        return run - self._marks[end - 1] if dotted else run


class _Room:
    """What one cue holds, and what stands in it around its part, in characters."""

    def __init__(self, part: Part, budget: LengthBudget, guideline: Guideline) -> None:
        count = guideline.count
        self.source = max(len(part.text), 1)
        self.characters, self.reading = budget.characters, budget.reading
        self.lines = math.inf if budget.lines is None else budget.lines
        self.cpl = math.inf if budget.cpl is None else budget.cpl
        lead, space = [count(word) for word in part.lead_shown.split()], count(" ")
        """Of each word that stands before its part and is not said."""
        self.opening, self.closing = count(part.opening), count(part.behind)
        """Of the dots before its part, and of what stands behind it."""
        self.around = sum(lead) + space * len(lead) + self.opening + self.closing
        read = part.lead_shown + part.opening + part.behind
        self.read_around = count_characters(read, guideline.cps_counting)
        self.gives_way = part.gives_way
        """Whether a mark at the end of its part gives way to the dots behind it."""
        lines, width = 1, 0.0
        for word in lead:
            if width and width + word > self.cpl + _ROUNDING:
                lines, width = lines + 1, 0.0
            width += word + space
        self.begun = lines, width
        """The line that the lead ends in, and its characters up to where the part begins."""


_Path = tuple[float, float, tuple[int, ...]]
"""Characters over budgets, demerits, and the ends of the parts so far."""


@dataclass(frozen=True, slots=True)
class _Spread:
    """The search for the best ends of parts."""

    pieces: Sequence[Piece]
    printed: _Widths
    read: _Widths
    rooms: Sequence[_Room]
    strays: Sequence[Sequence[float]] | None
    overlong: bool

    def best(self) -> _Path | None:
        """Return the way to cut with the fewest characters over and demerits, if there is one."""
        count, last = len(self.rooms), len(self.pieces)
        sources = list(accumulate(room.source for room in self.rooms))
        total = self.printed.run(0, last)
        costs = [cut_cost(piece.demerits) for piece in self.pieces]
        paths: dict[int, _Path] = {0: (0.0, 0.0, ())}
        for number, room in enumerate(self.rooms):
            left = count - number - 1
            place = total * sources[number] / sources[-1]
            longer: dict[int, _Path] = {}
            for start, (over, demerits, ends) in paths.items():
                for end, excess, cost in self._parts(room, start, last - left):
                    if left == 0 and end < last:
                        continue
                    if left:
                        off = self.printed.ends[end - 1] - place
                        cost += costs[end - 1] + self._astray(number, end, off)
                    path = (over + excess, demerits + cost, (*ends, end))
                    if end not in longer or path < longer[end]:
                        longer[end] = path
            paths = longer
        return paths.get(last)

    def _astray(self, number: int, end: int, off: float) -> float:
        """What it costs that words stand in another cue than what they stand for."""
        if self.strays is None:
            return DRIFT * (off / SECOND) ** 2
        return STRAY * self.strays[number][end - 1] + DRIFT * (off / (2 * SECOND)) ** 2

    def _parts(self, room: _Room, start: int, last: int) -> Iterator[tuple[int, float, float]]:
        """Yield where a part may end, its characters over budget, and the demerits of its length.

        Lines are filled word by word as the part grows, which takes the fewest there can be.
        """
        (lines, led), first, wide, around = room.begun, start, False, room.around
        indent = led + room.opening
        for end in range(start + 1, last + 1):
            if indent + self.printed.run(first, end) > room.cpl + _ROUNDING:
                if end - 1 > first:
                    lines, first, indent = lines + 1, end - 1, 0.0
                elif led:
                    lines, indent, led = lines + 1, room.opening, 0.0
                wide = wide or indent + self.printed.run(first, end) > room.cpl + _ROUNDING
            characters = around + self.printed.run(start, end, dotted=room.gives_way)
            read = room.read_around + self.read.run(start, end, dotted=room.gives_way)
            excess = max(characters - room.characters, read - room.reading, 0.0)
            if excess <= _ROUNDING:
                excess = 0.0
            broken = wide or lines > room.lines
            if not self.overlong and (excess or broken):
                return  # a longer part is no better
            closes = self._closes(room, first, indent, end, lines)
            if self.overlong or closes:
                share = characters / room.characters if room.characters else 1.0
                yield end, excess + (broken or not closes), FILL * min(share, 2.0) ** 2

    def _closes(self, room: _Room, first: int, indent: float, end: int, lines: int) -> bool:
        """Whether what stands behind a part has room in its last line, or in one more."""
        if not room.closing:
            return True

        def fits(begin: int, indent: float) -> bool:
            run = self.printed.run(begin, end, dotted=room.gives_way)
            return indent + run + room.closing <= room.cpl + _ROUNDING

        return fits(first, indent) or (
            end - 1 > first and lines < room.lines and fits(end - 1, indent=0.0)
        )


_STRANDED = re.compile(
    r"(?:ab|an|auf|aus|bei|ein|fest|fort|her|hin\w*|los|mit|nach|um|vor|weg|weiter|zu\w*)"
    r"(?:$|[,.;:!?…]| (?:und|oder)\b)"
)
"""A prefix that belongs to a verb before it."""
NEAR = 500
"""Milliseconds that the border may be from where the words are said; the zone of a shot change."""
UNEVEN = 80.0
"""Demerits of a half that has all of the text, over one that has half of it, to the square."""


def divided(
    cue: Cue,
    text: CueText,
    latest: int,
    format: FormatName,
    guideline: Guideline,
    shots: Sequence[int] = (),
) -> tuple[Cue, Cue] | None:
    """Part a cue in two that both keep their limits.

    Args:
        cue: The cue.
        text: Its payload, taken apart.
        latest: Where it may end at the latest, in milliseconds.
        format: The format of the file.
        guideline: The limits; names the language.
        shots: Where shots begin, in milliseconds.

    Returns:
        Both, the second with the out-time of the whole; None where there is no such way, several
        speak, or markup stands within the text.
    """
    if text.kind != "speech" or len(text.turns) != 1 or text.turns[0].dash or text.turns[0].spans:
        return None
    count, pieces = guideline.count, split_pieces(text.turns[0].text, guideline.language)
    ways: list[tuple[float, float, str, str]] = []
    for at in range(1, len(pieces)):
        cost = cut_cost(pieces[at - 1].demerits)
        first, second = joined(pieces[:at]), joined(pieces[at:])
        share = count(first) / (count(first) + count(second))
        if cost <= BETWEEN_PHRASES and not _STRANDED.match(second):
            ways.append((cost + UNEVEN * (2 * share - 1) ** 2, share, first, second))
    for _, share, *texts in sorted(ways):
        for end, start in _borders(cue, share, guideline, shots):
            if cue.end - start < max(guideline.min_duration or 0, 1):
                continue
            times = (end - cue.start, latest - start)
            lines = [_lines(*one, guideline) for one in zip(texts, times, strict=True)]
            if None not in lines:
                first, second = (render_cue_text(text, [own or ()], format).text for own in lines)
                return replace(cue, text=first, end=end), replace(cue, text=second, start=start)
    return None


def _borders(
    cue: Cue, share: float, guideline: Guideline, shots: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Where the first half may end and the second begin, the best first."""
    grid, said = FrameGrid.of(guideline.frame_rate), cue.start + share * cue.duration
    gap, middle = grid.frames_to_cover(guideline.min_gap), grid.frame_at(round(said))
    near = [shot for shot in shots if abs(shot - said) <= NEAR]
    reach = grid.frames_in(NEAR)
    frames = sorted(range(middle - reach, middle + reach + 1), key=lambda at: abs(at - middle))
    times = [(grid.time_of(frame - gap), grid.time_of(frame)) for frame in frames]
    if near:
        times = [(grid.time_of(grid.frame_at(shot) - gap), shot) for shot in near]
    for end, start in times:
        if all(abs(start - shot) > NEAR for shot in shots if shot not in near):
            yield end, start


def _lines(text: str, duration: int, guideline: Guideline) -> tuple[str, ...] | None:
    """The lines of a text that keeps all limits in a time of its own; None if it cannot."""
    budget = budget_for(text, duration, guideline)
    if duration < max(guideline.min_duration or 0, 1) or not budget.allows(text, guideline):
        return None
    return break_lines(text, guideline.cpl, guideline.lines, **guideline.line_rules)
