"""What a check finds: plain data about every cue and the whole file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from subfit.limits.budget import LengthRatio, Limit
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import plain_data
from subfit.subtitles.cues import Cue
from subfit.subtitles.pairing import Method
from subfit.terms.glossary import Occurrence

Kind = Literal[
    "cps",
    "wpm",
    "cpl",
    "lines",
    "characters",
    "line_balance",
    "length_ratio",
    "no_duration",
    "min_duration",
    "max_duration",
    "gap",
    "overlap",
]


@dataclass(frozen=True, slots=True)
class Violation:
    """A limit that a cue does not keep."""

    kind: Kind
    """Which: the guideline's limit of that name, ``no_duration`` (it ends when it starts, or
    before) or ``overlap`` (it is still there when the next one starts)."""
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
    def violations(self) -> dict[Kind, int]:
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
