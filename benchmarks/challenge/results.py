"""How many cues passed, by category and language, and what the others lack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from benchmarks.challenge.checks import Answer, Complaint, complaints

Counts = dict[str, dict[str, list[int]]]
"""By language and category, how many cases passed and how many there are."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A translation and what it lacks."""

    answer: Answer
    complaints: tuple[Complaint, ...]

    @property
    def passed(self) -> bool:
        """Whether it lacks nothing."""
        return not self.complaints


def judge(answers: Iterable[Answer]) -> tuple[Verdict, ...]:
    """Judge every translation."""
    return tuple(Verdict(answer, complaints(answer)) for answer in answers)


def count(verdicts: Iterable[Verdict]) -> Counts:
    """Count what passed."""
    counts: Counts = {}
    for verdict in verdicts:
        case, language = verdict.answer.case, verdict.answer.language
        cell = counts.setdefault(language, {}).setdefault(case.category, [0, 0])
        cell[0] += verdict.passed
        cell[1] += 1
    return counts


def table(counts: Counts) -> str:
    """Return the counts as a table: categories down, languages across, totals below."""
    categories = sorted({name for cells in counts.values() for name in cells})
    rows = [("category", list(counts))]
    rows += [(name, [_cell(cells, [name]) for cells in counts.values()]) for name in categories]
    rows += [("all", [_cell(cells, categories) for cells in counts.values()])]
    width = max(len(name) for name, _ in rows)
    return "\n".join(
        name.ljust(width) + "".join(cell.rjust(10) for cell in cells) for name, cells in rows
    )


def _cell(cells: Mapping[str, list[int]], names: Iterable[str]) -> str:
    found = [cells[name] for name in names if name in cells]
    return f"{sum(passed for passed, _ in found)}/{sum(total for _, total in found)}"


def describe(verdict: Verdict) -> str:
    """Return a failure in some lines: the source, the translation, and what was expected."""
    answer = verdict.answer
    lines = [f"{answer.language} {answer.case.category}/{answer.case.id}"]
    lines += [f"  source    {' | '.join(answer.case.source)}".replace("\n", " / ")]
    lines += [f"  got       {' | '.join(answer.payloads)}".replace("\n", " / ")]
    lines += [f"  expected  {each.expected} ({each.property})" for each in verdict.complaints]
    return "\n".join(lines)
