"""What became of a track: a verdict on every cue, and the figures over all of them. Plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from subfit.fitting.outcomes import CueOutcome
from subfit.limits.cue_budgets import Dubbing, speaking_time
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import (
    CueVerdict,
    Judged,
    Totals,
    cue_values,
    definitions,
    totals_of,
    verdict_on,
)
from subfit.reporting.lengths import plain_data
from subfit.servers.usage import Usage
from subfit.speech import Speaking, estimate_seconds
from subfit.subtitles.cues import Repair, Track, Unread
from subfit.subtitles.sdh import Labels
from subfit.text.formality import Address
from subfit.version import __version__

SCHEMA = 2
"""Version of the JSON documents of `translate`, `fit` and `check`."""


@dataclass(frozen=True, slots=True)
class Report:
    """All there is to say about one translated track."""

    cues: tuple[CueVerdict, ...]
    totals: Totals
    repairs: tuple[Repair, ...]
    guideline: Guideline
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What else the result depends on: model, options."""

    @property
    def over(self) -> int:
        """How many translated cues are over their budget or their lines."""
        return over(self.totals)

    @property
    def clean(self) -> bool:
        """Whether every cue was read, and translated within its limits or passed by rule."""
        return not is_over(self.totals)

    def worst(self, count: int) -> tuple[CueVerdict, ...]:
        """Return the cues most worth a look.

        First those that do not fit, the most excess first, then untranslated ones, then those of
        the highest risk; at the same risk, or none, those that lose something.
        """

        def rank(cue: CueVerdict) -> tuple[int, float, float, bool]:
            order = {"overflow": 0, "untranslated": 1}.get(cue.outcome.status, 2)
            risk = -1.0 if cue.outcome.risk is None else cue.outcome.risk
            return order, -cue.excess, -risk, not (cue.outcome.losses or cue.lost)

        unsettled = (cue for cue in self.cues if not cue.settled)
        return tuple(sorted(unsettled, key=rank)[:count])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; two runs with the same result give the same."""
        return {
            "schema": SCHEMA,
            "subfit": __version__,
            "settings": {
                "guideline": plain_data(self.guideline),
                **plain_data(dict(self.settings)),
            },
            "totals": self.totals,
            "repairs": plain_data(self.repairs),
            "cues": [cue_values(cue) for cue in self.cues],
            "definitions": definitions(),
        }


def report_on(
    outcomes: Sequence[CueOutcome],
    track: Track,
    guideline: Guideline,
    settings: Mapping[str, Any] | None = None,
    address: Address | None = None,
    usage: Usage | None = None,
    labels: Labels | None = None,
) -> Report:
    """Judge every cue of a translated track.

    Args:
        outcomes: One for each cue of the track.
        track: The source track.
        guideline: The guideline the budgets were made with.
        settings: What else the result depends on, as JSON values.
        address: The form of address, asked for or decided on; None as it comes.
        usage: What asking a server came to, if one was.
        labels: What became of labels for the deaf, where they were not to be kept.
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
    unread = sum(isinstance(repair, Unread) for repair in track.repairs)
    totals = totals_of(Judged(cues, guideline, unread, address, usage, labels))
    return Report(cues, totals, track.repairs, guideline, settings or {})


def over(totals: Totals) -> int:
    """Return how many translated cues are over their budget or their lines."""
    return int(totals["overflow"]["after"]["over"] + totals["lines_overflow"])


def is_over(totals: Totals) -> bool:
    """Tell whether anything is over its limits, or was not read or translated."""
    return bool(over(totals) or totals["untranslated"] or totals.get("unread"))


_DECIMALS = 2


def remarks_on(cue: CueVerdict) -> Mapping[str, str | float | None]:
    """Return what is written beside a line of a script, by heading."""
    spoken = cue.outcome.speaking or Speaking("", "", None, 0.0)
    ratio = None if spoken.estimated is None else cue.length_ratio
    return {
        "LR": None if ratio is None else round(ratio, _DECIMALS),
        "Estimated s": spoken.estimated,
        "Speed factor": spoken.speed_factor,
        "Over/under": spoken.sync,
        "Status": cue.outcome.status,
    }


def with_speaking(outcome: CueOutcome, dubbing: Dubbing, language: str) -> CueOutcome:
    """Return what became of a line with how long it takes to say.

    Args:
        outcome: What became of it.
        dubbing: What it is held to.
        language: Tag of the language of the translation.
    """
    cue = outcome.cue
    time = speaking_time(cue, outcome.source, dubbing, language)
    source = estimate_seconds(outcome.source, dubbing.source_language)
    spoken = Speaking(
        cue.speaker, cue.notes, None if time is None else time.slot, round(source, _DECIMALS)
    )
    if outcome.status not in ("fits", "overflow"):
        return replace(outcome, speaking=spoken)
    seconds = estimate_seconds(outcome.target, language)
    spoken = replace(spoken, estimated=round(seconds, _DECIMALS), kept=bool(cue.target))
    if time is None:
        return replace(outcome, speaking=spoken)
    sync, factor = time.sync(seconds), round(seconds / time.slot, _DECIMALS)
    return replace(outcome, speaking=replace(spoken, speed_factor=factor, sync=sync))
