"""What a check finds: plain data about every cue and the whole file."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

from subfit.limits.budget import LengthRatio, Limit
from subfit.limits.guideline import Guideline
from subfit.reporting.lengths import LengthMetrics, Overflow, Spread, plain_data
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
    `subfit.terms.placeables`. No limit is broken by them."""


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
    cps: float
    """Characters per second, as counted for reading speed; NaN without a duration."""
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
        data = asdict(self)
        cue = data.pop("cue")
        keys = ("identifier", "line", "start", "end")
        plain = {"position": data.pop("position")} | {key: cue[key] for key in keys} | data
        return {key: plain_data(value) for key, value in plain.items()}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A file, measured against a guideline."""

    guideline: Guideline
    length_ratio: LengthRatio | None
    """The length ratio asked for."""
    cues: tuple[CueCheck, ...]
    pairing: Method | None
    """How cues were paired with the source's; None without a source."""
    unpaired_source_cues: int
    cps: Spread
    """Of all cues with text and a duration."""
    worst_cps: float
    """Highest characters per second of a cue; NaN if there is none."""
    overflow: Overflow
    """Cues over their budget."""
    lengths: LengthMetrics | None
    """LR and LC over all cues that have a source and were not kept as it is, if there is one."""

    @property
    def violations(self) -> dict[Kind, int]:
        """How many cues break each limit; only limits that are broken, the commonest first."""
        counts = Counter(kind for cue in self.cues for kind in {v.kind for v in cue.violations})
        return dict(counts.most_common())

    @property
    def compliant_cues(self) -> int:
        """How many cues keep every limit."""
        return sum(not cue.violations for cue in self.cues)

    @property
    def kept(self) -> int:
        """How many cues are no speech, and as in the source."""
        return sum(cue.source.kept for cue in self.cues if cue.source)

    @property
    def lost(self) -> int:
        """How many numbers, addresses and the like of the source the cues have not."""
        return sum(len(cue.source.lost) for cue in self.cues if cue.source)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: settings, totals and every cue."""
        cues = len(self.cues)
        totals = {
            "cues": cues,
            "compliant_cues": self.compliant_cues,
            "violations": {
                kind: {"cues": count, "share": count / cues}
                for kind, count in self.violations.items()
            },
            "cps": asdict(self.cps) | {"worst": self.worst_cps},
            "overflow": asdict(self.overflow) | {"share": self.overflow.share},
            "lengths": asdict(self.lengths) if self.lengths else None,
            "kept": self.kept,
            "unpaired_cues": sum(cue.source is None for cue in self.cues) if self.pairing else 0,
            "unpaired_source_cues": self.unpaired_source_cues,
            "lost": self.lost,
        }
        ratio = self.length_ratio
        return {
            "guideline": plain_data(asdict(self.guideline)),
            "length_ratio": plain_data(asdict(ratio)) if ratio else None,
            "pairing": self.pairing,
            "totals": plain_data(totals),
            "cues": [cue.to_dict() for cue in self.cues],
        }
