"""Measure any subtitle file, whoever translated it, against a guideline: plain data comes of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from subfit.limits.budget import LengthRatio, Limit, budget_for
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import (
    Measures,
    is_compliant_iwslt,
    is_compliant_strict,
    joined_lines,
    length_compliance,
    length_ratio_of,
    length_ratios,
    measure_text,
    plain_data,
    speeds,
    surplus,
)
from subfit.reporting.wording import number
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.markup.payload import kind_of, plain_text, seen_lines
from subfit.subtitles.pairing import Method, Pairing, pair_tracks
from subfit.terms.checked import added_numbers
from subfit.terms.glossary import Occurrence, missing_from
from subfit.terms.protected import find_placeables

KIND_NAMES = {
    "cps": "reading speed",
    "wpm": "words a minute",
    "cpl": "line length",
    "lines": "lines",
    "characters": "characters",
    "line_balance": "line balance",
    "length_ratio": "length ratio",
    "no_duration": "no duration",
    "min_duration": "too short",
    "max_duration": "too long",
    "gap": "gap",
    "overlap": "overlap",
}
_IN_MILLISECONDS = {"min_duration", "max_duration", "gap", "overlap"}
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Violation:
    """A limit that a cue does not keep."""

    kind: str
    """Of `KIND_NAMES`: the guideline's limit of that name, ``no_duration`` (it ends when it starts,
    or before) or ``overlap`` (it is still there when the next one starts)."""
    value: float
    """What the cue has; durations, gaps and overlaps in milliseconds."""
    limit: float
    """What it may have."""


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A cue's source and how its length compares."""

    cues: tuple[int, ...]
    """Positions of the source cues, from 1."""
    text: str
    """Their plain text."""
    characters: float
    """Their characters."""
    length_ratio: float
    """characters(target) / characters(source); NaN for an empty source."""
    compliant_iwslt: bool
    """Whether it keeps ±10 % by the IWSLT rule."""
    compliant_strict: bool
    """Whether it keeps ±10 % with everything counted."""
    kept: bool = False
    """Whether the cue is no speech and reads as its source does: music, a sound, nothing. It was
    left as it is, not translated, so no ratio is taken of it."""
    lost: tuple[Occurrence, ...] = ()
    """Numbers, addresses and the like that neither this cue nor one beside it has; see
    `subfit.terms.protected`. No limit is broken by them."""
    added: tuple[str, ...] = ()
    """Numbers from ten up that neither its source nor a cue beside that has."""


@dataclass(frozen=True, slots=True)
class CueCheck:
    """One cue, measured."""

    position: int
    """Place in the file, from 1."""
    cue: Cue
    text: str
    """What is seen on screen: no tags, no spaces at the ends of lines."""
    characters: float
    """Characters as the guideline counts them."""
    line_characters: tuple[float, ...]
    """Characters of each line."""
    words: int
    cps: float | None
    """Characters per second, as counted for reading speed; None without a duration."""
    gap: int | None
    """Milliseconds until the next cue in time; negative if they overlap; None for the last."""
    budget: float
    """Most characters this cue may have; infinite if nothing limits it."""
    binding: Limit | None
    """The limit that sets the budget."""
    overflow: float
    """Characters over the budget."""
    source: SourcePart | None
    """The source, if there is one."""
    violations: tuple[Violation, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data = plain_data(self)
        cue = data.pop("cue")
        names = ("identifier", "line", "start", "end")
        place = {"position": data.pop("position"), **{name: cue[name] for name in names}}
        return {**place, **data}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A file, measured against a guideline."""

    guideline: Guideline
    length_ratio: LengthRatio | None
    """The length ratio asked for."""
    cues: tuple[CueCheck, ...]
    pairing: Method | None
    """How cues were paired with the source's; None without a source."""
    totals: Mapping[str, Any]
    """JSON values: ``cues``; ``compliant_cues``, which keep every limit; ``violations``, the limits
    that cues break, the commonest first, each with ``cues`` and ``share``; ``cps`` of cues with
    text and a duration; ``overflow``, of cues over their budget; ``lengths`` (LR and LC), over all
    cues that have a source and were not kept as it is; ``kept``, cues that are no speech and as in
    the source; ``unpaired_cues`` and ``unpaired_source_cues``; ``lost``, the numbers, addresses
    and the like of the source that the cues have not."""

    @property
    def violations(self) -> dict[str, int]:
        """How many cues break each limit; only limits that are broken, the commonest first."""
        return {kind: broken["cues"] for kind, broken in self.totals["violations"].items()}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: settings, totals and every cue."""
        return {
            "guideline": plain_data(self.guideline),
            "length_ratio": plain_data(self.length_ratio),
            "pairing": self.pairing,
            "totals": self.totals,
            "cues": [cue.to_dict() for cue in self.cues],
        }


def violation_of(violation: Violation) -> str:
    """Return what is wrong as people read it: ``gap 40 ms < 83 ms``."""
    kind, value, limit = violation.kind, violation.value, violation.limit
    name, unit = KIND_NAMES[kind], " ms" if kind in _IN_MILLISECONDS else ""
    if kind == "no_duration":
        return name
    if kind == "overlap":
        return f"{name} {number(value)}{unit}"
    sign = ">" if value > limit else "<"
    return f"{name} {number(value, 2)}{unit} {sign} {number(limit, 2)}{unit}"


def check_track(
    track: Track,
    guideline: Guideline,
    source: Track | None = None,
    *,
    source_language: str = "en",
    length_ratio: LengthRatio | None = None,
    skipped: Collection[str] = (),
) -> CheckReport:
    """Measure every cue of a file against a guideline and, if given, against its source.

    Args:
        track: The file to measure.
        guideline: The limits for the file's language.
        source: What it was translated from.
        source_language: The source's language, which tells what a translation must have of it.
        length_ratio: Lengths asked for as multiples of the source's; ignored without a source.
        skipped: Kinds of violations that are not looked at.

    Raises:
        UsageError: The cues cannot be paired with the source's.
    """
    texts = _seen(track)
    pairing = None
    parts: list[SourcePart | None] = [None] * len(texts)
    if source is not None:
        pairing = pair_tracks(track, source)
        originals = _seen(source)
        parts = [
            _compare(index, texts, numbers, originals, source_language, guideline)
            for index, numbers in enumerate(pairing.sources)
        ]
    ratio = length_ratio if source is not None else None
    checked = (
        _check_cue(number, cue, text, gap, part, guideline, ratio, timed=track.timed)
        for number, (cue, text, gap, part) in enumerate(
            zip(track.cues, texts, _gaps(track), parts, strict=True), start=1
        )
    )
    cues = tuple(
        replace(one, violations=tuple(own for own in one.violations if own.kind not in skipped))
        for one in checked
    )
    method = pairing.method if pairing else None
    return CheckReport(guideline, ratio, cues, method, _totals(cues, guideline, pairing))


def _seen(track: Track) -> list[str]:
    """Return the cues' texts as seen on screen."""
    return [seen_lines(plain_text(cue.text, track.format)) for cue in track.cues]


def _gaps(track: Track) -> list[int | None]:
    """Return the milliseconds from each cue to the next one in time at its spot on screen.

    What stands there twice, on layers of its own as styles have them, is one.
    """
    cues, gaps = track.cues, list[int | None]([None] * len(track.cues))
    order = sorted(range(len(cues)), key=lambda at: (cues[at].spot, cues[at].start, at))
    for this, following in pairwise(order if track.timed else ()):
        cue, after = cues[this], cues[following]
        twins = [(one.start, one.end, one.text) for one in (cue, after) if one.style]
        if cue.spot == after.spot and (not twins or twins[0] != twins[1]):
            gaps[this] = after.start - cue.end
    return gaps


def _compare(
    index: int,
    texts: Sequence[str],
    numbers: Sequence[int],
    originals: Sequence[str],
    source_language: str,
    guideline: Guideline,
) -> SourcePart | None:
    """Compare a cue with what it was translated from; None if nothing is paired with it."""
    if not numbers:
        return None
    text, source = texts[index], "\n".join(originals[number] for number in numbers)
    lost: tuple[Occurrence, ...] = ()
    added: tuple[str, ...] = ()
    kind = kind_of(source)
    if kind in ("speech", "unsaid"):  # what is the same in all languages may be in a cue beside it
        near = " ".join(map(joined_lines, texts[max(0, index - 1) : index + 2]))
        wanted = find_placeables(joined_lines(source), source_language, guideline.language)
        lost = missing_from(near, wanted)
        around = originals[max(0, numbers[0] - 1) : numbers[-1] + 2]
        told = " ".join(map(joined_lines, around))
        kept = find_placeables(told, source_language, guideline.language)
        added = added_numbers(told, joined_lines(text), kept)
    ratio = length_ratio_of(source, text, guideline.counting)
    return SourcePart(
        cues=tuple(number + 1 for number in numbers),
        text=source,
        characters=guideline.count(joined_lines(source)),
        length_ratio=math.nan if ratio is None else ratio,
        compliant_iwslt=is_compliant_iwslt(source, text, guideline.counting),
        compliant_strict=is_compliant_strict(source, text, guideline.counting),
        kept=kind != "speech" and source.split() == text.split(),
        lost=lost,
        added=added,
    )


def _check_cue(
    position: int,
    cue: Cue,
    text: str,
    gap: int | None,
    source: SourcePart | None,
    guideline: Guideline,
    length_ratio: LengthRatio | None,
    *,
    timed: bool,
) -> CueCheck:
    """Measure one cue. Its budget is that of its own source, where a ratio asks for one."""
    compared = source is not None and not source.kept
    measured = measure_text(text, cue.duration if timed else None, guideline)
    words = sum(any(map(str.isalnum, word)) for word in text.split())  # French has "Quoi ?"
    budget = budget_for(
        joined_lines(source.text) if source else "",
        cue.duration if timed else None,
        guideline,
        length_ratio if compared else None,
    )
    over = max(measured.characters - budget.characters, measured.reading - budget.reading, 0.0)
    violations: list[Violation] = []
    if source is not None and compared and length_ratio is not None:
        violations += _violations_of_ratio(source, length_ratio)
    if timed:  # a line of plain text is no cue: nothing but the ratio limits it
        violations += _violations_of_length(measured, guideline)
        violations += _violations_of_time(cue.duration, words, gap, guideline)
    return CueCheck(
        position=position,
        cue=cue,
        text=text,
        characters=measured.characters,
        line_characters=measured.line_characters,
        words=words,
        cps=measured.cps,
        gap=gap,
        budget=budget.characters,
        binding=budget.binding,
        overflow=over if over > _ROUNDING else 0.0,
        source=source,
        violations=tuple(violations),
    )


def _violations_of_length(measured: Measures, guideline: Guideline) -> Iterator[Violation]:
    lines = measured.line_characters
    longest, shortest = max(lines, default=0.0), min(lines, default=0.0)
    for kind, value, most in (
        ("cps", measured.cps, guideline.cps),
        ("characters", measured.characters, guideline.max_characters),
        ("lines", len(lines), guideline.lines),
        ("cpl", longest, guideline.cpl),
    ):
        if value is not None and most is not None and value > most + _ROUNDING:
            yield Violation(kind, value, most)
    balance, least = shortest / longest if longest else 1.0, guideline.min_line_balance
    if least is not None and balance < least - _ROUNDING:
        yield Violation("line_balance", balance, least)


def _violations_of_ratio(source: SourcePart, asked: LengthRatio) -> Iterator[Violation]:
    ratio = source.length_ratio
    if not asked.spaces:  # the rule of IWSLT 2022
        if not source.compliant_iwslt:
            most = asked.maximum if ratio > 1 else asked.minimum
            yield Violation("length_ratio", ratio, most)
        return
    if ratio > asked.maximum + _ROUNDING:
        yield Violation("length_ratio", ratio, asked.maximum)
    if ratio < asked.minimum - _ROUNDING:
        yield Violation("length_ratio", ratio, asked.minimum)


def _violations_of_time(
    duration: int, words: int, gap: int | None, guideline: Guideline
) -> Iterator[Violation]:
    least, most, wpm = guideline.min_duration, guideline.max_duration, guideline.wpm
    if duration <= 0:
        yield Violation("no_duration", duration, 0)
    elif wpm is not None and words / duration * 60_000 > wpm + _ROUNDING:
        yield Violation("wpm", words / duration * 60_000, wpm)
    if least is not None and 0 < duration < least:
        yield Violation("min_duration", duration, least)
    if most is not None and duration > most:
        yield Violation("max_duration", duration, most)
    if gap is not None and gap < 0:
        yield Violation("overlap", -gap, 0)
    elif gap is not None and gap < guideline.min_gap:
        yield Violation("gap", gap, guideline.min_gap)


def _totals(
    cues: Sequence[CueCheck], guideline: Guideline, pairing: Pairing | None
) -> dict[str, Any]:
    broken = Counter(kind for cue in cues for kind in dict.fromkeys(v.kind for v in cue.violations))
    sources = [cue.source for cue in cues if cue.source]
    pairs = [(cue.source.text, cue.text) for cue in cues if cue.source and not cue.source.kept]
    texts, targets = [source for source, _ in pairs], [target for _, target in pairs]
    lengths = {
        "length_ratio": length_ratios(texts, targets, guideline.counting),
        "compliance": length_compliance(texts, targets, guideline.counting),
    }
    totals = {
        "cues": len(cues),
        "compliant_cues": sum(not cue.violations for cue in cues),
        "violations": {
            kind: {"cues": count, "share": count / len(cues)}
            for kind, count in broken.most_common()
        },
        "cps": speeds(cue.cps for cue in cues if cue.text and cue.cps is not None),
        "overflow": surplus(cue.overflow for cue in cues),
        "lengths": lengths if pairing else None,
        "kept": sum(source.kept for source in sources),
        "unpaired_cues": len(cues) - len(sources) if pairing else 0,
        "unpaired_source_cues": pairing.left_over if pairing else 0,
        "lost": sum(len(source.lost) for source in sources),
    }
    return dict(plain_data(totals))
