"""What became of a track, in figures: a verdict on every cue, and totals. Plain data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, cast, get_args

from subfit import __version__
from subfit.budget import Limit
from subfit.cues import Repair, Track
from subfit.guideline import Guideline
from subfit.lengths import (
    Compliance,
    Overflow,
    Spread,
    length_metrics,
    overflow,
    plain_data,
    spread,
)
from subfit.names import WaveringName, wavering_names
from subfit.outcomes import CueOutcome
from subfit.verdicts import CueVerdict, TimesMoved, verdict_on

DEFINITIONS = {
    "characters": "characters of the translation as the guideline counts them: one per grapheme, "
    "line breaks and markup not counted; settings.guideline.counting says what else is not",
    "budget": "most characters the cue may have: the lowest of its limits",
    "binding": "the limit that is the budget: cps (reading speed x duration), cpl (characters per "
    "line x lines), characters (most per cue), length_ratio (MAX x characters of the source) or "
    "speech (of dubbing scripts: about the most characters that can be said in time; how long a "
    "text takes is estimated besides)",
    "end": "out-time as written, in milliseconds; source_end: that of the source. start is the "
    "same in both. The limits are those of the time as written",
    "timing": "moved: cues whose out-time is another one than the source's; milliseconds by which "
    "they end later, in total; longest: the most by which one does",
    "limits": "the ceiling of each limit by itself, in characters",
    "excess": "characters over the budget; of a line that takes too long to say, the share of its "
    "characters that is too much",
    "status": "fits: within its budget and lines; overflow: over its budget or lines; passed: "
    "kept by rule (empty, music, sound); untranslated: kept because no translation was found",
    "natural": "the translation that was found first, with nothing to limit its length, in one "
    "line per speaker",
    "length_ratio": "characters of translation / source per cue, lines joined by spaces; mean and "
    "population standard deviation over translated cues",
    "compliance.iwslt": "share of translated cues with a length ratio from 0.9 to 1.1, spaces not "
    "counted; cues of up to 10 source characters always comply",
    "compliance.strict": "share of translated cues with a length ratio from 0.9 to 1.1, spaces "
    "counted, every cue judged",
    "overflow": "translated cues (texts), those over their budget, and characters over in total; "
    "before: of the natural translations in the times of the source, after: of the translations as "
    "written",
    "lines_overflow": "cues within their budget that do not break into lines short and few enough, "
    "or, of scripts, take too long to say",
    "cps": "characters / seconds on screen, as the guideline counts for reading speed; over "
    "translated cues with a duration",
    "cpl": "characters of each line",
    "binding.all": "how many translated cues each limit binds",
    "binding.natural_overflow": "the same, among cues whose natural translation is over its budget",
    "asked": "characters asked of the model when it found this translation of the sentence; 0: no "
    "length was asked",
    "score": "mean log-probability per token of the cue's sentence (the lowest, if several)",
    "doubtful": "whether a sentence ends in the cue that was shortened so far that the model, not "
    "asked for any length, holds it unlikely (less than 5 %) that it ends there; models that know "
    "no lengths, or must be asked for one, cannot tell: false. totals: how many cues",
    "joined": "numbers of the cues over which the sentence runs, translated as one",
    "alternatives": "other translations that fit: text, in one line per speaker; its characters; "
    "share (of the budget, or of the natural length where that is shorter; the least of 1, 0.85 "
    "and 0.7 that the whole sentence keeps to); score; target and payload, broken into lines, "
    "without and with markup. Longer ones first, then better ones. Of a "
    "sentence over several cues each cue has its part; the first ones belong together, and so on",
    "speaking": "of dubbing scripts: speaker; notes; slot (seconds from start to end); "
    "source_estimated and estimated (seconds that source and translation take to say at the usual "
    "rate of their language, by syllables, letters and pauses); measured (seconds that a synthetic "
    "voice took at that rate, with --voice); speed_factor (measured, or else estimated, / slot); "
    "sync: over if that is more than slot x --speed-factor, under if it is less than the slot, or "
    "what the source takes if that is less, / --speed-factor; else ok",
    "totals.speaking": "of dubbing scripts: lines with a slot; how many are ok, over and under; "
    "speed_factor: mean and population standard deviation; worst: the highest",
    "unplaced": "inner markup of the source that found no place in the translation",
    "terms": "what the glossary has for the source: source, as it stands there; targets, what may "
    "stand for it; placed: whether the translation of the sentence has one of them; reason why "
    "not. A term that a sentence has twice counts once, in the cue where it begins",
    "lost": "what is the same in all languages, or nearly so, and is in the source but not in the "
    "translation of the sentence: addresses, names with capitals or digits inside, numbers of two "
    "digits or more. totals: how many",
    "names": "words of the source that always have a capital, taken for names, that the "
    "translation keeps in some sentences and not in others: name; sentences, how many have it; "
    "lost, numbers of the cues where those begin that do not keep it",
    "terms.found": "terms of the glossary, and names to keep, in the sources of translated cues; "
    "placed: those whose translation has them",
}


@dataclass(frozen=True, slots=True)
class SpeakingTotals:
    """Figures over the lines of a dubbing script that have times and a translation."""

    lines: int
    ok: int
    over: int
    under: int
    speed_factor: Spread
    worst: float


@dataclass(frozen=True, slots=True)
class Totals:
    """Figures over all cues; `DEFINITIONS` explains them. NaN of nothing."""

    cues: int
    translated: int
    passed: int
    untranslated: int
    doubtful: int
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
            "doubtful": self.doubtful,
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
        """Whether every cue was translated or passed by rule, within its budget and lines."""
        return not self.totals.over and not self.totals.untranslated

    def worst(self, count: int) -> tuple[CueVerdict, ...]:
        """Return the cues most worth a look.

        First those that do not fit, the most excess first, then untranslated ones, then those
        that may end too early or lack a number or the like, then those the model is least sure of.
        """

        def rank(cue: CueVerdict) -> tuple[int, float, float]:
            order = {"overflow": 0, "untranslated": 1}.get(cue.status, 2 if cue.suspect else 3)
            return order, -cue.excess, 0.0 if cue.score is None else cue.score

        return tuple(sorted((c for c in self.cues if c.status != "passed"), key=rank)[:count])

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
    totals, names = totals_of(cues, guideline), wavering_names(cues, guideline.language)
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
    zeros = [0.0] * len(translated)
    return Totals(
        cues=len(cues),
        translated=len(translated),
        passed=statuses["passed"],
        untranslated=statuses["untranslated"],
        doubtful=sum(cue.doubtful for cue in cues),
        length_ratio=metrics.length_ratio,
        compliance=metrics.compliance,
        overflow_before=overflow((cue.natural_excess for cue in translated), zeros),
        overflow_after=overflow((cue.excess for cue in translated), zeros),
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
    )


def _overflow_dict(found: Overflow) -> dict[str, Any]:
    return {**asdict(found), "share": found.share}


def _count_binding(cues: Sequence[CueVerdict]) -> dict[Limit, int]:
    """How many cues each limit binds, in the limits' own order."""
    counts = Counter(cue.binding for cue in cues)
    return {limit: counts[limit] for limit in get_args(Limit) if counts[limit]}
