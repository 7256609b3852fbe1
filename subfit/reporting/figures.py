"""The verdict on one cue, and the figures that reports have of cues and files, each declared once.

JSON keys, columns of CSV and workbooks and the figures of a cue on its page are made of
`CUE_FIGURES`; tables and pages on many files, summaries on a terminal, the tiles, filters and notes
of a file's page of `TOTALS`. A figure more is an entry more, and one in ``definitions.yaml``, which
says in every report what the figures mean. Values are JSON values, None for figures of nothing, so
that totals kept in a manifest can be added up later.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import Any, get_args

import yaml

from subfit.fitting.outcomes import RISKY, CueOutcome, TermUse
from subfit.limits.budget import LengthBudget, Limit, excess
from subfit.limits.guideline import Guideline
from subfit.memory.store import ALL_CLASSES
from subfit.reporting.lengths import (
    joined_lines,
    length_compliance,
    length_ratio_of,
    length_ratios,
    measure_text,
    plain_data,
    speeds,
    spread,
    surplus,
)
from subfit.reporting.wording import (
    address_of,
    count_of,
    labels_of,
    lost_of,
    memory_of,
    number,
    usage_of,
)
from subfit.servers.usage import Usage
from subfit.subtitles.sdh import Labels
from subfit.text.counting import Counting, count_characters
from subfit.text.formality import Address


@dataclass(frozen=True, slots=True)
class CueVerdict:
    """One cue of a report; `subfit.reporting.figures.CUE_FIGURES` names and explains what is
    reported of it."""

    number: int
    """1 for the first cue."""
    outcome: CueOutcome
    timed: bool
    """Whether its times mean anything; they do not in plain text."""
    characters: float
    """Characters of the translation."""
    line_characters: tuple[float, ...]
    """Characters of each line of the translation."""
    cps: float | None
    """Characters per second of the translation; None without a duration."""
    source_characters: float
    length_ratio: float | None
    """Characters of translation per source character; None for an empty source."""
    excess: float
    """Characters over the budget."""
    natural_excess: float
    """Characters of the translation found without any limit over the budget that the source's
    times give."""

    @property
    def start(self) -> int | None:
        """In-time in milliseconds; None in plain text."""
        return self.outcome.cue.start if self.timed else None

    @property
    def budget(self) -> LengthBudget:
        """The limits of the cue; of a cue that was not translated there are none."""
        return self.outcome.budget or LengthBudget()

    @property
    def most_characters(self) -> float | None:
        """Most characters the cue may have; None if nothing limits them."""
        return None if math.isinf(self.budget.characters) else self.budget.characters

    @property
    def risky(self) -> bool:
        """Whether its risk is `RISKY` or more."""
        return self.outcome.risk is not None and self.outcome.risk >= RISKY

    @property
    def joined(self) -> tuple[int, ...]:
        """Numbers of the cues over which its sentence runs, if it is more than this one."""
        return tuple(index + 1 for index in self.outcome.joined)

    @property
    def terms(self) -> tuple[TermUse, ...]:
        """What the glossary has for its source."""
        return tuple(term for term in self.outcome.terms if not term.placeable)

    @property
    def lost(self) -> tuple[TermUse, ...]:
        """Numbers, addresses and the like of its source that the translation lacks."""
        return tuple(term for term in self.outcome.terms if term.placeable and not term.placed)

    @property
    def moved(self) -> int:
        """Milliseconds by which it ends later than the source."""
        return self.outcome.written_end - self.outcome.cue.end if self.timed else 0

    @property
    def translated(self) -> bool:
        """Whether there is a translation to judge."""
        return self.outcome.status in ("fits", "overflow")

    @property
    def kept(self) -> bool:
        """Whether the translation stood in the dubbing script already."""
        return self.outcome.speaking is not None and self.outcome.speaking.kept

    @property
    def settled(self) -> bool:
        """Whether nobody needs to look at it: it stays as it was, and rightly."""
        return self.outcome.status == "passed" or (self.kept and self.outcome.status == "fits")


def verdict_on(
    number: int, outcome: CueOutcome, guideline: Guideline, *, timed: bool
) -> CueVerdict:
    """Judge one cue."""
    budget = outcome.budget or LengthBudget()
    duration = outcome.written_end - outcome.cue.start if timed else None
    measured = measure_text(outcome.target, duration, guideline)
    counting = guideline.counting
    return CueVerdict(
        number=number,
        outcome=outcome,
        timed=timed,
        characters=measured.characters,
        line_characters=measured.line_characters,
        cps=measured.cps,
        source_characters=count_characters(joined_lines(outcome.source), counting),
        length_ratio=length_ratio_of(outcome.source, outcome.target, counting),
        excess=excess(outcome.target, budget, guideline),
        natural_excess=excess(outcome.natural, outcome.given_budget or budget, guideline),
    )


NUMBER, WORDS, TEXT = 12, 28, 44
"""Widths of columns in a workbook, in characters."""


@dataclass(frozen=True, slots=True)
class CueFigure:
    """A figure of every cue."""

    name: str
    """Key in JSON, column of CSV and workbooks."""
    value: Callable[[CueVerdict], object]
    """Works it out; dataclasses and tuples become objects and lists in JSON."""
    width: int = NUMBER
    """Width of its column in a workbook."""
    is_time: bool = False
    """Whether it is in milliseconds and a workbook shows a time of the day."""


CUE_FIGURES = (
    CueFigure("number", lambda cue: cue.number),
    CueFigure("line", lambda cue: cue.outcome.cue.line),
    CueFigure("start", lambda cue: cue.start, is_time=True),
    CueFigure("end", lambda cue: cue.outcome.written_end if cue.timed else None, is_time=True),
    CueFigure("source_end", lambda cue: cue.outcome.cue.end if cue.timed else None, is_time=True),
    CueFigure("status", lambda cue: cue.outcome.status),
    CueFigure("source", lambda cue: cue.outcome.source, width=TEXT),
    CueFigure("target", lambda cue: cue.outcome.target, width=TEXT),
    CueFigure("source_characters", lambda cue: cue.source_characters),
    CueFigure("characters", lambda cue: cue.characters),
    CueFigure("budget", lambda cue: cue.most_characters),
    CueFigure("binding", lambda cue: cue.budget.binding),
    CueFigure("limits", lambda cue: dict(cue.budget.limits)),
    CueFigure("excess", lambda cue: cue.excess),
    CueFigure("cps", lambda cue: cue.cps),
    CueFigure("cpl", lambda cue: cue.line_characters),
    CueFigure("length_ratio", lambda cue: cue.length_ratio),
    CueFigure("natural", lambda cue: cue.outcome.natural, width=TEXT),
    CueFigure("risk", lambda cue: cue.outcome.risk),
    CueFigure("risky", lambda cue: cue.risky),
    CueFigure("losses", lambda cue: cue.outcome.losses, width=WORDS),
    CueFigure("withheld", lambda cue: cue.outcome.withheld, width=WORDS),
    CueFigure("omitted", lambda cue: cue.outcome.omitted, width=WORDS),
    CueFigure("joined", lambda cue: cue.joined),
    CueFigure("alternatives", lambda cue: cue.outcome.alternatives, width=TEXT),
    CueFigure("unplaced", lambda cue: cue.outcome.unplaced),
    CueFigure("terms", lambda cue: cue.terms),
    CueFigure("lost", lambda cue: cue.lost),
    CueFigure("memory", lambda cue: cue.outcome.memory, width=TEXT),
    CueFigure("note", lambda cue: cue.outcome.note, width=WORDS),
    CueFigure("speaking", lambda cue: cue.outcome.speaking),
)
"""The figures in the order of the columns."""


def cue_values(cue: CueVerdict) -> dict[str, Any]:
    """Return the figures of a cue by name, as JSON values."""
    return {figure.name: plain_data(figure.value(cue)) for figure in CUE_FIGURES}


Totals = Mapping[str, Any]
"""Figures of a file by name."""


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
        """Sources and translations of the translated cues that have both, and how they count."""
        outcomes = [cue.outcome for cue in self.translated if cue.outcome.source.strip()]
        sources, targets = [cue.source for cue in outcomes], [cue.target for cue in outcomes]
        return sources, targets, self.guideline.counting


@dataclass(frozen=True, slots=True)
class Column:
    """A column of tables with a row per file."""

    name: str
    heading: str = ""
    """Its heading on the page of many files; empty if it is not shown there."""
    value: Callable[[Any], Any] = lambda total: total
    """Takes it from the total."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Marks cues on the page of a file, until someone edits them."""

    figure: str
    """The figure of `subfit.reporting.figures.CUE_FIGURES` that marks a cue by being true or not
    empty."""
    note: str
    """Stands beside the cue; ``{}`` is replaced by what the figure lists."""
    tile: str
    """Stands below the number of such cues."""
    is_bad: bool = False
    """Whether such cues are shown in the colour of what is wrong."""


@dataclass(frozen=True, slots=True)
class Total:
    """A figure of a whole file."""

    name: str
    """Key in JSON."""
    of: Callable[[Judged], object]
    """Works it out; None leaves it out of the report."""
    adds: bool = True
    """Whether many files have it as well, added up."""
    columns: tuple[Column, ...] = ()
    """What tables with a row per file have of it."""
    label: str = ""
    """Begins its line on the terminal; empty if it has none or stands in another one. Counts with a
    label also stand in the one line on each of many files."""
    line: Callable[[Any], str] = number
    """Makes the line, where the figure is not zero."""
    flag: Flag | None = None

    @property
    def heading(self) -> str:
        """Its heading on pages, where it is one column."""
        return self.columns[0].heading


def _cues(has_it: Callable[[CueVerdict], object]) -> Callable[[Judged], int]:
    """What counts the cues that have something."""
    return lambda judged: sum(bool(has_it(cue)) for cue in judged.cues)


def _overflow_of(judged: Judged) -> object:
    cues = judged.translated
    return {
        "before": surplus(cue.natural_excess for cue in cues if not cue.kept),
        "after": surplus(cue.excess for cue in cues),
    }


def _binding_of(judged: Judged) -> object:
    counts = Counter(cue.budget.binding for cue in judged.translated)
    return {limit: counts[limit] for limit in get_args(Limit) if counts[limit]}


def _terms_of(judged: Judged) -> object:
    terms = [term for cue in judged.translated for term in cue.terms]
    return {"found": len(terms), "placed": sum(term.placed for term in terms)}


def _memory_of(judged: Judged) -> object:
    uses = [cue.outcome.memory for cue in judged.cues if cue.outcome.memory is not None]
    if not uses:
        return None
    counts = Counter(use.match_class for use in uses)
    exact = sum(use.used == "exact" for use in uses)
    return {"exact": exact} | {name: counts[name] for name in ALL_CLASSES}


def _speaking_of(judged: Judged) -> object:
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


def _timing_of(judged: Judged) -> object:
    moved = [cue.moved for cue in judged.cues if cue.moved]
    return {"moved": len(moved), "milliseconds": sum(moved), "longest": max(moved, default=0)}


def _column(name: str, heading: str = "") -> tuple[Column, ...]:
    return (Column(name, heading),)


# fmt: off
TOTALS: tuple[Total, ...] = (
    Total("cues", lambda judged: len(judged.cues), columns=_column("cues", "Cues")),
    Total("translated", lambda judged: len(judged.translated), columns=_column("translated")),
    Total("untranslated", _cues(lambda cue: cue.outcome.status == "untranslated"),
        columns=_column("untranslated", "Untranslated")),
    Total("unread", lambda judged: judged.unread, columns=_column("unread"), label="unread",
        line=lambda n: f"{count_of(n, 'block')} without times that can be read, kept untranslated"),
    Total("risky", _cues(lambda cue: cue.risky), columns=_column("risky", "At risk"),
        label="at risk", line=lambda n: f"{count_of(n, 'cue')} with a risk of {RISKY} or more",
        flag=Flag("risky", "likely to be changed", "likely to be changed", is_bad=True)),
    Total("losing", _cues(lambda cue: cue.outcome.losses), columns=_column("losing", "Losing"),
        label="losing", line=lambda n: f"{count_of(n, 'shortened cue')} lost something by it",
        flag=Flag("losses", "lost: {}", "shortened, and lost something by it", is_bad=True)),
    Total("withheld", _cues(lambda cue: cue.outcome.withheld),
        columns=_column("withheld", "Kept whole"), label="kept whole",
        line=lambda n: f"{count_of(n, 'cue')} over the budget since shorter ones would lose "
        "something (--strict-budget takes these)",
        flag=Flag("withheld", "what fits would lose: {}", "over the budget, but whole")),
    Total("address", lambda judged: judged.address, adds=False, label="address", line=address_of),
    Total("condensed", _cues(lambda cue: cue.outcome.omitted),
        columns=_column("condensed", "Condensed"), label="condensed",
        line=lambda n: f"{count_of(n, 'cue')} with words left out",
        flag=Flag("omitted", "left out: {}", "words left out")),
    Total("length_ratio", lambda judged: length_ratios(*judged.pairs),
        columns=(Column("length_ratio", "LR", itemgetter("mean")),)),
    Total("compliance", lambda judged: length_compliance(*judged.pairs),
        columns=(Column("compliance", "LC", itemgetter("strict")),)),
    Total("overflow", _overflow_of, columns=(
        Column("over", "Over budget", lambda total: total["after"]["over"]),
        Column("excess", value=lambda total: total["after"]["characters"]))),
    Total("lines_overflow", _cues(lambda cue: cue.outcome.status == "overflow" and not cue.excess),
        columns=_column("lines_overflow", "Over lines")),
    Total("cps", lambda judged: speeds(cue.cps for cue in judged.translated if cue.cps is not None),
        columns=(Column("cps", "CPS", itemgetter("mean")),
                 Column("cps_worst", "Worst CPS", itemgetter("worst")))),
    Total("binding", _binding_of),
    Total("terms", _terms_of),
    Total("memory", _memory_of, label="memory", line=memory_of),
    Total("lost", lambda judged: sum(len(cue.lost) for cue in judged.translated),
        columns=_column("lost", "Lost"), label="lost", line=lost_of),
    Total("speaking", _speaking_of, adds=False),
    Total("timing", _timing_of, columns=(
        Column("moved", value=itemgetter("moved")),
        Column("moved_ms", value=itemgetter("milliseconds")))),
    Total("sdh", lambda judged: judged.labels, adds=False, label="SDH", line=labels_of),
    Total("usage", lambda judged: None if judged.usage is None else judged.usage.to_dict(),
        label="server", line=usage_of, columns=(
            *(Column(name, value=itemgetter(name))
              for name in ("requests", "prompt_tokens", "completion_tokens")),
            Column("cost", value=lambda total: total.get("cost")))),
)
# fmt: on
"""The figures in the order of reports and tables."""


def totals_of(judged: Judged) -> Totals:
    """Return the figures over the cues of one track or several."""
    values = {total.name: plain_data(total.of(judged)) for total in TOTALS}
    return {name: value for name, value in values.items() if value is not None}


def add_totals(files: Sequence[Totals]) -> Totals:
    """Add up figures of tracks; the result is that of one track with all their cues.

    Args:
        files: Totals as JSON values; those of an earlier run may lack figures.
    """
    nothing = totals_of(Judged((), Guideline()))
    names = [total.name for total in TOTALS if total.adds]
    known = {name: [one[name] for one in (nothing, *files) if name in one] for name in names}
    return {name: _added(values) for name, values in known.items() if values}


def _added(values: Sequence[Any]) -> Any:
    """What numbers, or mappings of these, of several files come to for all their cues."""
    if not values or not isinstance(values[0], Mapping):
        return sum(values)
    parts: Sequence[Totals] = values
    added: dict[str, Any] = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        found = [part[key] for part in parts if part.get(key) is not None]
        if key in ("worst", "longest"):
            added[key] = max(found, default=None)
        elif key in ("mean", "iwslt", "strict"):
            added[key] = _mean(parts, itemgetter(key))
        elif key == "sd":
            square = _mean(parts, lambda part: part["sd"] ** 2 + part["mean"] ** 2)
            rest = None if square is None else max(square - added["mean"] ** 2, 0.0)
            added[key] = None if rest is None else math.sqrt(rest)
        elif key == "share":
            added[key] = added["over"] / added["texts"] if added["texts"] else None
        else:
            added[key] = _added(found)
    return added


def _mean(parts: Sequence[Totals], value: Callable[[Totals], float]) -> float | None:
    """The mean over all cues of what each of several files has as a mean of its own."""
    count = sum(part["count"] for part in parts)
    known = (part for part in parts if part["count"])
    return sum(value(part) * part["count"] for part in known) / count if count else None


def file_columns() -> tuple[Column, ...]:
    """Return the columns of tables with a row per file, in their order."""
    return tuple(column for total in TOTALS for column in total.columns)


def file_values(totals: Totals) -> dict[str, Any]:
    """Return the totals of a file by column; an earlier subfit may have left some out."""
    known = [total for total in TOTALS if total.name in totals]
    return {c.name: c.value(totals[total.name]) for total in known for c in total.columns}


def summary_lines(totals: Totals) -> Iterator[tuple[str, str]]:
    """Yield label and text of the figures with a line of their own on the terminal."""
    for total in TOTALS:
        if total.label and (value := totals.get(total.name)):
            yield total.label, total.line(value)


def short_counts(totals: Totals) -> list[str]:
    """Return the figures that the one line on each of many files has: ``2 losing``."""
    counts = [total for total in TOTALS if total.label and isinstance(totals.get(total.name), int)]
    return [f"{totals[total.name]} {total.label}" for total in counts if totals[total.name]]


def flags() -> list[tuple[Total, Flag]]:
    """Return the totals of cues that the page of a file marks."""
    return [(total, total.flag) for total in TOTALS if total.flag is not None]


def kept_by_rule(totals: Totals) -> int:
    """Return how many cues were kept since there is nothing to translate in them."""
    return int(totals["cues"] - totals["translated"] - totals["untranslated"])


@cache
def definitions() -> Mapping[str, str]:
    """Return what the figures of cues and of files mean, by name; some names say all."""
    text = files("subfit.reporting").joinpath("assets", "definitions.yaml").read_text("utf-8")
    known = yaml.safe_load(text.replace("{RISKY}", str(RISKY)))
    assert isinstance(known, dict)
    return known
