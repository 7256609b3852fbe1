"""What totals are taken of, and the totals that are more than a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from subfit.limits.budget import Limit
from subfit.limits.guideline import Guideline
from subfit.memory.entry import ALL_CLASSES
from subfit.reporting.lengths import spread, surplus
from subfit.reporting.verdicts import CueVerdict
from subfit.servers.usage import Usage
from subfit.subtitles.sdh import Labels
from subfit.text.counting import Counting
from subfit.text.formality import Address


@dataclass(frozen=True, slots=True)
class Judged:
    """What totals are taken of: the cues of one track, or of several."""

    cues: Sequence[CueVerdict]
    guideline: Guideline
    unread: int = 0
    """Blocks of the input that are no cues, since their times cannot be read."""
    address: Address | None = None
    """The form of address, asked for or decided on; None as it comes."""
    usage: Usage | None = None
    """What asking a server came to, if one was."""
    labels: Labels | None = None
    """What became of labels for the deaf, where they were not to be kept."""

    @property
    def translated(self) -> list[CueVerdict]:
        """The cues that have a translation."""
        return [cue for cue in self.cues if cue.translated]

    @property
    def pairs(self) -> tuple[list[str], list[str], Counting]:
        """Sources and translations of the translated cues, and how they are counted."""
        outcomes = [cue.outcome for cue in self.translated]
        sources, targets = [cue.source for cue in outcomes], [cue.target for cue in outcomes]
        return sources, targets, self.guideline.counting

    def count(self, has_it: Callable[[CueVerdict], object]) -> int:
        """Return how many cues have something."""
        return sum(bool(has_it(cue)) for cue in self.cues)


def overflow_of_cues(judged: Judged) -> object:
    """Return the cues over their budgets, before and after length control."""
    cues = judged.translated
    return {
        "before": surplus(cue.natural_excess for cue in cues if not cue.kept),
        "after": surplus(cue.excess for cue in cues),
    }


def binding_limits(judged: Judged) -> object:
    """Return how many cues each limit binds: of all, and of those naturally too long."""
    cues = judged.translated
    return {
        "all": _count_binding(cues),
        "natural_overflow": _count_binding([cue for cue in cues if cue.natural_excess]),
    }


def _count_binding(cues: Sequence[CueVerdict]) -> dict[Limit, int]:
    """How many cues each limit binds, in the limits' own order."""
    counts = Counter(cue.budget.binding for cue in cues)
    return {limit: counts[limit] for limit in get_args(Limit) if counts[limit]}


def terms_of_cues(judged: Judged) -> object:
    """Return how many terms the sources have, and how many of them the translations."""
    terms = [term for cue in judged.translated for term in cue.terms]
    return {"found": len(terms), "placed": sum(term.placed for term in terms)}


def memory_of_cues(judged: Judged) -> object:
    """Return how many cues have matches of each class; None where no memory was asked."""
    uses = [cue.outcome.memory for cue in judged.cues if cue.outcome.memory is not None]
    if not uses:
        return None
    counts = Counter(use.match_class for use in uses)
    exact = sum(use.used == "exact" for use in uses)
    return {"exact": exact} | {name: counts[name] for name in ALL_CLASSES}


def speaking_of_lines(judged: Judged) -> object:
    """Return how the lines of a dubbing script are spoken; None of other tracks."""
    spoken = [cue.outcome.speaking for cue in judged.cues if cue.outcome.speaking is not None]
    if not spoken:
        return None
    syncs = Counter(line.sync for line in spoken)
    factors = [line.speed_factor for line in spoken if line.speed_factor is not None]
    return {
        "lines": len(factors),
        **{sync: syncs[sync] for sync in ("ok", "over", "under")},
        "speed_factor": spread(factors),
        "worst": max(factors, default=None),
        "kept": sum(line.kept for line in spoken),
    }


def timing_of_cues(judged: Judged) -> object:
    """Return how many cues end later than their sources, and by how much."""
    moved = [cue.moved for cue in judged.cues if cue.moved]
    return {"moved": len(moved), "milliseconds": sum(moved), "longest": max(moved, default=0)}


def usage_of_server(judged: Judged) -> object:
    """Return what asking a server came to; None where none was asked."""
    return None if judged.usage is None else judged.usage.to_dict()
