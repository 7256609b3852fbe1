"""What became of a track, in figures: a verdict on every cue, and totals. Plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast, get_args

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.budget import Limit
from subfit.limits.guideline import Guideline
from subfit.reporting.definitions import DEFINITIONS
from subfit.reporting.lengths import (
    Compliance,
    Overflow,
    Spread,
    length_metrics,
    overflow,
    plain_data,
    spread,
)
from subfit.reporting.names import WaveringName, wavering_names
from subfit.reporting.verdicts import CueVerdict, TimesMoved, verdict_on
from subfit.subtitles.cues import Repair, Track, Unread
from subfit.version import __version__


@dataclass(frozen=True, slots=True)
class SpeakingTotals:
    """Figures over the lines of a dubbing script that have times and a translation."""

    lines: int
    ok: int
    over: int
    under: int
    speed_factor: Spread
    worst: float
    kept: int
    """Of all lines, those whose translation stood there already."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Figures over all cues; `DEFINITIONS` explains them. NaN of nothing."""

    cues: int
    translated: int
    passed: int
    untranslated: int
    doubtful: int
    condensed: int
    unfamiliar: int
    length_ratio: Spread
    compliance: Compliance
    overflow_before: Overflow
    overflow_after: Overflow
    lines_overflow: int
    cps: Spread
    cps_worst: float
    binding_all: dict[Limit, int]
    binding_natural_overflow: dict[Limit, int]
    terms_found: int = 0
    terms_placed: int = 0
    lost: int = 0
    unread: int = 0
    speaking: SpeakingTotals | None = None
    """Of dubbing scripts."""
    timing: TimesMoved = field(default_factory=TimesMoved)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by the names that `DEFINITIONS` has."""
        return {
            "cues": self.cues,
            "translated": self.translated,
            "passed": self.passed,
            "untranslated": self.untranslated,
            "unread": self.unread,
            "doubtful": self.doubtful,
            "condensed": self.condensed,
            "unfamiliar": self.unfamiliar,
            "length_ratio": asdict(self.length_ratio),
            "compliance": asdict(self.compliance),
            "overflow": {
                "before": _overflow_dict(self.overflow_before),
                "after": _overflow_dict(self.overflow_after),
            },
            "lines_overflow": self.lines_overflow,
            "cps": {**asdict(self.cps), "worst": self.cps_worst},
            "binding": {
                "all": self.binding_all,
                "natural_overflow": self.binding_natural_overflow,
            },
            "terms": {"found": self.terms_found, "placed": self.terms_placed},
            "lost": self.lost,
            **({} if self.speaking is None else {"speaking": asdict(self.speaking)}),
            "timing": asdict(self.timing),
        }

    @property
    def over(self) -> int:
        """Translated cues over their budget or their lines."""
        return self.overflow_after.over + self.lines_overflow


@dataclass(frozen=True, slots=True)
class Report:
    """All there is to say about one translated track."""

    cues: tuple[CueVerdict, ...]
    totals: Totals
    repairs: tuple[Repair, ...]
    guideline: Guideline
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What else the result depends on: model, options."""
    names: tuple[WaveringName, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether every cue was read, and translated within its limits or passed by rule."""
        totals = self.totals
        return not (totals.over or totals.untranslated or totals.unread)

    def worst(self, count: int) -> tuple[CueVerdict, ...]:
        """Return the cues most worth a look.

        First those that do not fit, the most excess first, then untranslated ones, then those
        that may end too early, lack a number or the like or have words that are none, then those
        with words of the source left out, then those the model is least sure of.
        """

        def rank(cue: CueVerdict) -> tuple[int, float, float]:
            fitting = 2 if cue.suspect else 3 if cue.omitted else 4
            order = {"overflow": 0, "untranslated": 1}.get(cue.status, fitting)
            return order, -cue.excess, 0.0 if cue.score is None else cue.score

        return tuple(sorted((c for c in self.cues if not c.settled), key=rank)[:count])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; two runs with the same result give the same."""
        document = {
            "subfit": __version__,
            "settings": {"guideline": describe_guideline(self.guideline), **self.settings},
            "totals": self.totals.to_dict(),
            "names": [asdict(name) for name in self.names],
            "repairs": [asdict(repair) for repair in self.repairs],
            "cues": [asdict(cue) for cue in self.cues],
            "definitions": dict(DEFINITIONS),
        }
        return cast(dict[str, Any], plain_data(document))


def report_on(
    outcomes: Sequence[CueOutcome],
    track: Track,
    guideline: Guideline,
    settings: Mapping[str, Any] | None = None,
) -> Report:
    """Judge every cue of a translated track.

    Args:
        outcomes: One for each cue of the track.
        track: The source track.
        guideline: The guideline the budgets were made with.
        settings: What else the result depends on, as JSON values.
    """
    cues = tuple(
        verdict_on(
            number,
            outcome,
            guideline,
            timed=track.timed or (track.spoken and outcome.cue.duration > 0),
        )
        for number, outcome in enumerate(outcomes, 1)
    )
    unread = sum(isinstance(each, Unread) for each in track.repairs)
    totals = replace(totals_of(cues, guideline), unread=unread)
    names = wavering_names(cues, guideline.language)
    return Report(cues, totals, track.repairs, guideline, settings or {}, names)


def describe_guideline(guideline: Guideline) -> dict[str, Any]:
    """Return a guideline's values and where they come from, as JSON values."""
    return cast(dict[str, Any], plain_data(asdict(guideline)))


def totals_of(cues: Sequence[CueVerdict], guideline: Guideline) -> Totals:
    """Return the figures over cues, of one track or several.

    Args:
        cues: The verdicts.
        guideline: What they were made with.
    """
    statuses = Counter(cue.status for cue in cues)
    translated = [cue for cue in cues if cue.translated]
    metrics = length_metrics(
        [cue.source for cue in translated],
        [cue.target for cue in translated],
        guideline.counting,
    )
    speeds = [cue.cps for cue in translated if cue.cps is not None]
    found = [cue for cue in translated if not cue.kept]
    return Totals(
        cues=len(cues),
        translated=len(translated),
        passed=statuses["passed"],
        untranslated=statuses["untranslated"],
        doubtful=sum(cue.doubtful for cue in cues),
        condensed=sum(bool(cue.omitted) for cue in cues),
        unfamiliar=sum(bool(cue.unfamiliar) for cue in cues),
        length_ratio=metrics.length_ratio,
        compliance=metrics.compliance,
        overflow_before=_over(cue.natural_excess for cue in found),
        overflow_after=_over(cue.excess for cue in translated),
        lines_overflow=sum(cue.status == "overflow" and not cue.excess for cue in translated),
        cps=spread(speeds),
        cps_worst=max(speeds, default=math.nan),
        binding_all=_count_binding(translated),
        binding_natural_overflow=_count_binding([cue for cue in translated if cue.natural_excess]),
        terms_found=sum(len(cue.terms) for cue in translated),
        terms_placed=sum(term.placed for cue in translated for term in cue.terms),
        lost=sum(len(cue.lost) for cue in translated),
        timing=TimesMoved.of(cues),
        speaking=_speaking(cues),
    )


def _over(excesses: Iterable[float]) -> Overflow:
    found = list(excesses)
    return overflow(found, [0.0] * len(found))


def _speaking(cues: Sequence[CueVerdict]) -> SpeakingTotals | None:
    spoken = [cue.speaking for cue in cues if cue.speaking is not None]
    if not spoken:
        return None
    syncs = Counter(each.sync for each in spoken)
    factors = [each.speed_factor for each in spoken if each.speed_factor is not None]
    return SpeakingTotals(
        lines=len(factors),
        ok=syncs["ok"],
        over=syncs["over"],
        under=syncs["under"],
        speed_factor=spread(factors),
        worst=max(factors, default=math.nan),
        kept=sum(each.kept for each in spoken),
    )


def _overflow_dict(found: Overflow) -> dict[str, Any]:
    return {**asdict(found), "share": found.share}


def _count_binding(cues: Sequence[CueVerdict]) -> dict[Limit, int]:
    """How many cues each limit binds, in the limits' own order."""
    counts = Counter(cue.binding for cue in cues)
    return {limit: counts[limit] for limit in get_args(Limit) if counts[limit]}
