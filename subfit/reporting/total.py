"""What it takes to declare a figure of a whole file; `subfit.reporting.totals` declares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from subfit.reporting import adding
from subfit.reporting.adding import Totals
from subfit.reporting.judged import Judged
from subfit.reporting.verdicts import CueVerdict
from subfit.reporting.wording import number


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
    definition: str | Mapping[str, str] = ""
    """What it means, or what its parts do, by name; nothing where the cues' figure of that name is
    defined for both."""
    add: Callable[[str, Sequence[Totals]], Any] | None = adding.sums
    """Works it out for many files; None, or making None of them, leaves it out there."""
    heading: str | None = None
    """Heading of its column on the page of many files; empty if only other tables have it."""
    columns: tuple[Column, ...] = ()
    """What tables have of it instead of one column with its name."""
    label: str = ""
    """Begins its line on the terminal; empty if it has none or stands in another one."""
    told: Callable[[Any], str] = number
    """Makes the line, where the figure is not zero."""
    examples: Callable[[CueVerdict], Iterable[str]] | None = None
    """Words that the line lists, of a single file."""
    in_short: bool = False
    """Whether it also stands in the one line on each of many files."""
    flag: Flag | None = None

    @property
    def all_columns(self) -> tuple[Column, ...]:
        """What tables of many files have of it."""
        return self.columns if self.heading is None else (Column(self.name, self.heading),)

    @property
    def definitions(self) -> Mapping[str, str]:
        """What it means, by name."""
        if isinstance(self.definition, str):
            return {self.name: self.definition} if self.definition else {}
        return self.definition
