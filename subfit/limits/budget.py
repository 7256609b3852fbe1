"""How long a cue's text may be: the smallest of what its time, its lines and a ratio allow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from subfit.errors import UsageError
from subfit.limits.guideline import Guideline
from subfit.speech import SpeakingTime
from subfit.text.counting import Counting, count_characters

Limit = Literal["cps", "cpl", "characters", "length_ratio", "speech"]

_ROUNDING = 1e-9
"""Keeps 17 characters per second × 1 s at 17 in binary fractions."""


@dataclass(frozen=True, slots=True)
class LengthRatio:
    """The wished lengths of a translation as multiples of its source, in characters."""

    minimum: float = 0.0
    """A floor to reach if possible."""
    maximum: float = math.inf
    """A hard ceiling."""
    spaces: bool = True
    """Whether spaces count, as they do in all else."""
    free: float = 0.0
    """Sources of at most so many characters may have any length."""

    def __str__(self) -> str:
        maximum = f"{self.maximum:g}" if math.isfinite(self.maximum) else ""
        return f"{self.minimum:g}:{maximum}" if self.spaces else "isometric"

    @classmethod
    def parse(cls, text: str) -> LengthRatio:
        """Read ``MIN:MAX``, where either side may be left out: ``0.9:1.1``, ``:1.1``, ``0.9:``.

        ``isometric`` is the rule of `ISOMETRIC`.

        Raises:
            UsageError: It is something else, or no text could satisfy it.
        """
        if text.strip() == "isometric":
            return ISOMETRIC
        low, colon, high = (part.strip() for part in text.partition(":"))
        if not colon:
            raise UsageError(
                f"length ratio {text!r} needs a colon: 0.9:1.1, or :1.1 for a ceiling only"
            )
        if not low and not high:
            raise UsageError("length ratio ':' sets no limit; give 0.9:1.1, 0.9: or :1.1")
        try:
            ratio = cls(float(low or 0), float(high) if high else math.inf)
        except ValueError:
            raise UsageError(f"length ratio {text!r} is not two numbers such as 0.9:1.1") from None
        endless = high and math.isinf(ratio.maximum)
        problems = {
            "MIN must be a number from 0 up": not 0 <= ratio.minimum < math.inf,
            "MAX must be a number above 0": endless or not ratio.maximum > 0,
            "MIN is more than MAX": ratio.minimum > ratio.maximum,
        }
        if wrong := [problem for problem, is_so in problems.items() if is_so]:
            raise UsageError(f"length ratio {text!r}: {wrong[0]}")
        return ratio


ISOMETRIC = LengthRatio(0.9, 1.1, spaces=False, free=10)
"""The rule of the isometric task of IWSLT 2022: characters but spaces, ± 10 %, sources of at most
ten free (Anastasopoulos et al. 2022, section 8)."""
_ABOUT = 1.06
"""So much more of the source's characters, spaces included, may do where spaces do not count."""


def ratio_of(
    length_ratio: LengthRatio | Sequence[LengthRatio] | None, index: int
) -> LengthRatio | None:
    """Return the length ratio wished for a cue, of one for all or one for each."""
    if length_ratio is None or isinstance(length_ratio, LengthRatio):
        return length_ratio
    return length_ratio[index]


@dataclass(frozen=True, slots=True)
class LengthBudget:
    """What one text may take up; characters are the guideline's unless said otherwise."""

    characters: float = math.inf
    """Most characters allowed, infinite if nothing limits them."""
    binding: Limit | None = None
    """The limit with the lowest ceiling; None if there is none."""
    limits: tuple[tuple[Limit, float], ...] = ()
    """Every limit with its own ceiling."""
    floor: float = 0.0
    """Fewest characters wished; never more than ``characters``."""
    lines: int | None = None
    """Most lines; None for any number."""
    cpl: float | None = None
    """Most characters of one line; None for any width."""
    source_characters: float = 0.0
    """Characters of the source text."""
    reading: float = math.inf
    """Ceiling of ``cps`` where the guideline counts reading speed in another way: then it is no
    part of ``characters``, and a text must keep both."""
    unit: float = 1.0
    """The smallest step of a count: 0.5 where half-width characters count half."""
    dense: float = math.inf
    """Most characters that are no spaces, where a length ratio does not count these."""
    dense_floor: float = 0.0
    """Fewest of them that are wished."""
    speaking: SpeakingTime | None = None
    """How long it may take to say; ``speech`` among the limits is only about that."""

    def allows(self, text: str, guideline: Guideline) -> bool:
        """Tell whether a text has few enough characters, however its lines will be broken."""
        return excess(text, self, guideline) <= _ROUNDING

    def fits(self, text: str, guideline: Guideline) -> bool:
        """Tell whether a text fits as it stands, with its line breaks."""
        if not self.allows(text, guideline):
            return False
        lines, cpl = text.split("\n"), self.cpl
        return (self.lines is None or len(lines) <= self.lines) and (
            cpl is None or all(guideline.count(line) <= cpl + _ROUNDING for line in lines)
        )


def count_dense(text: str, counting: Counting, limit: float = 0.0) -> float:
    """Count the characters of a text that are no spaces; 0.0 under an infinite limit."""
    return 0.0 if math.isinf(limit) else count_characters(text, replace(counting, spaces=False))


def budget_for(
    source_text: str,
    duration_ms: int | None,
    guideline: Guideline,
    length_ratio: LengthRatio | None = None,
) -> LengthBudget:
    """Work out how long the translation of a text may be.

    Args:
        source_text: Plain text of the cue; tags removed.
        duration_ms: Time on screen; zero or less leaves no characters under a limit of reading
            speed. None for text that is not shown, such as plain text files: then only
            ``length_ratio`` limits it.
        guideline: The limits, and what a character is.
        length_ratio: The wished length in terms of the source's.

    Returns:
        The budget. The ceiling of CPL × lines counts no space for the line breaks: a text still in
        one piece has spaces where its lines will break, which makes the ceiling strict by those.
    """
    source_characters = count_characters(source_text, guideline.counting)
    ceilings: list[tuple[Limit, float]] = []
    lines = cpl = None
    if duration_ms is not None:
        lines, cpl = guideline.lines, guideline.cpl
        shown: list[tuple[Limit, float | None, float | None]] = [
            ("cps", guideline.reading_speed, duration_ms / 1000),
            ("cpl", cpl, lines),
            ("characters", guideline.max_characters, 1),
        ]
        ceilings = [(limit, one * many) for limit, one, many in shown if one and many is not None]
    ratio = length_ratio or LengthRatio()
    dense = 0.0 if ratio.spaces else count_dense(source_text, guideline.counting)
    if not ratio.spaces and dense <= ratio.free:
        ratio = LengthRatio()
    slack = 1.0 if ratio.spaces else _ABOUT
    if not math.isinf(ratio.maximum):
        ceilings.append(("length_ratio", ratio.maximum * source_characters * slack))
    empty = LengthBudget(
        floor=ratio.minimum * source_characters / slack,
        dense=math.inf if ratio.spaces else math.floor(ratio.maximum * dense + _ROUNDING),
        dense_floor=0.0 if ratio.spaces else math.ceil(ratio.minimum * dense - _ROUNDING),
        lines=lines,
        cpl=cpl,
        source_characters=source_characters,
        unit=guideline.counting.unit,
    )
    return limited(empty, ceilings, apart=guideline.cps_counting != guideline.counting)


def split_budget(
    budget: LengthBudget, source_lengths: Sequence[float], *, dash: float = 2.0
) -> tuple[LengthBudget, ...]:
    """Share a cue's budget among the turns of a dialogue, in proportion to their sources.

    Every turn gets at least one line, even if the cue then has more lines than it may. What a
    turn cannot use, because its lines are too short for its share, goes to the others.

    Args:
        budget: The cue's budget.
        source_lengths: Characters of each turn's source.
        dash: Characters of the dialogue dash and its space before each turn, taken off the cue's
            ceilings and off the width of every line.
    """
    weights = [max(length, 1.0) for length in source_lengths]
    turns = len(weights)
    lines = _share_lines(budget.lines, weights)
    cpl = None if budget.cpl is None else max(budget.cpl - dash, 0.0)
    limits = dict(budget.limits)
    columns: dict[Limit, list[float]] = {}
    room = [math.inf] * turns
    if "length_ratio" in limits:
        # What the source has beyond its turns are the dashes, which the translation has as well.
        dashes = max(budget.source_characters - sum(source_lengths), 0.0)
        columns["length_ratio"] = _pour(max(limits["length_ratio"] - dashes, 0.0), weights, room)
        room = columns["length_ratio"]
    if "cpl" in limits and cpl is not None:
        columns["cpl"] = [cpl * (count or 1) for count in lines]
        room = [min(pair) for pair in zip(room, columns["cpl"], strict=True)]
    for limit in ("cps", "characters", "speech"):
        if limit in limits:
            columns[limit] = _pour(max(limits[limit] - dash * turns, 0.0), weights, room)
    return tuple(
        limited(
            replace(
                budget,
                floor=budget.floor * weight / sum(weights),
                dense=budget.dense * weight / sum(weights),
                dense_floor=budget.dense_floor * weight / sum(weights),
                lines=lines[turn],
                cpl=cpl,
                source_characters=source_lengths[turn],
            ),
            [(limit, columns[limit][turn]) for limit, _ in budget.limits],
            apart=not math.isinf(budget.reading),
        )
        for turn, weight in enumerate(weights)
    )


def without_kept(
    budget: LengthBudget, source_lengths: Sequence[float], *, dash: float = 2.0
) -> LengthBudget:
    """Return what is left of a cue's budget for its other turns by those that stay as they are.

    Args:
        budget: The cue's budget.
        source_lengths: Characters of each turn that stays, such as ``[DOOR SLAMS]``. Each takes a
            line at least, and no time to say.
        dash: Characters of the dialogue dash and its space before each.
    """
    kept = sum(source_lengths)
    shown = kept + dash * len(source_lengths)
    lines, cpl = budget.lines, budget.cpl
    if lines is not None:
        width = math.inf if cpl is None else max(cpl - dash, 1.0)
        lines -= sum(max(math.ceil(length / width), 1) for length in source_lengths)
        lines = max(lines, 0)
    off: dict[Limit, float] = {"cps": shown, "characters": shown, "length_ratio": kept}
    ceilings = [(name, ceiling - off.get(name, 0.0)) for name, ceiling in budget.limits]
    if lines is not None and cpl is not None:
        ceilings = [(name, cpl * lines if name == "cpl" else value) for name, value in ceilings]
    rest = replace(
        budget,
        lines=lines,
        floor=max(budget.floor - kept, 0.0),
        dense=max(budget.dense - kept, 0.0),
        dense_floor=max(budget.dense_floor - kept, 0.0),
        source_characters=budget.source_characters - kept,
    )
    return limited(rest, ceilings, apart=not math.isinf(budget.reading))


def limited(
    budget: LengthBudget, ceilings: Iterable[tuple[Limit, float]], *, apart: bool
) -> LengthBudget:
    """Return the budget with these limits, rounded down to what a count can reach.

    Args:
        budget: The budget; its floor is rounded up.
        ceilings: The limits; in a tie the first binds, but ``cps`` last, because a turn's share
            of it may have been cut to what its lines hold.
        apart: Whether reading speed has its own count and so its own ceiling.
    """
    unit = budget.unit
    limits: list[tuple[Limit, float]] = []
    for limit, ceiling in ceilings:
        step = 0.5 if apart and limit == "cps" else unit
        limits.append((limit, max(math.floor(ceiling / step + _ROUNDING) * step, 0.0)))
    characters = min((c for name, c in limits if not (apart and name == "cps")), default=math.inf)
    return replace(
        budget,
        characters=characters,
        binding=min(limits, key=lambda item: (item[1], item[0] == "cps"))[0] if limits else None,
        limits=tuple(limits),
        floor=min(math.ceil(budget.floor / unit - _ROUNDING) * unit, characters),
        reading=dict(limits).get("cps", math.inf) if apart else math.inf,
    )


def _share_lines(lines: int | None, weights: Sequence[float]) -> list[int | None]:
    """Share lines out, one to each turn and the rest to those that need them most."""
    if lines is None:
        return [None] * len(weights)
    shares = [1] * len(weights)
    for _ in range(lines - len(weights)):
        neediest = max(range(len(weights)), key=lambda turn: weights[turn] / shares[turn])
        shares[neediest] += 1
    return list(shares)


def _pour(total: float, weights: Sequence[float], room: Sequence[float]) -> list[float]:
    """Share a total in proportion to the weights, none getting more than it has room for.

    What one has no room for flows to the others; what none has room for is shared regardless.
    """
    shares = [0.0] * len(weights)
    open_turns = set(range(len(weights)))
    while open_turns:
        level = total / sum(weights[turn] for turn in open_turns)
        full = {turn for turn in open_turns if room[turn] < weights[turn] * level}
        if not full or full == open_turns:
            for turn in open_turns:
                shares[turn] = weights[turn] * level
            break
        for turn in full:
            shares[turn] = room[turn]
            total -= room[turn]
        open_turns -= full
    return shares


def excess(text: str, budget: LengthBudget, guideline: Guideline) -> float:
    """Return the characters of a text beyond its budget, 0.0 if it keeps it.

    Where reading speed has a count of its own, the larger of both excesses; where it takes too long
    to say, the share of it that is too much.
    """
    count, apart = guideline.count(text), not math.isinf(budget.reading)
    return max(
        count - budget.characters,
        count_characters(text, guideline.cps_counting) - budget.reading if apart else 0.0,
        count_dense(text, guideline.counting, budget.dense) - budget.dense,
        budget.speaking.excess(text) * count if budget.speaking else 0.0,
        0.0,
    )
