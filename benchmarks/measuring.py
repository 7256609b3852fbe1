"""What the timings have in common: ratios of rounds, memory, the machine, tables."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

INTERESTING_FLAGS = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "asimd", "i8mm")
"""Instructions that decide which products of matrices are fast."""
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Spread:
    """Some measurements of one thing."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise measurements, one or more."""
        return cls(statistics.median(values), min(values), max(values))

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


def ratios(baseline: Sequence[float], times: Sequence[float]) -> Spread:
    """Say how much faster something is, round by round.

    Both of a round are measured close to each other, so what slows the machine for a while changes
    their ratio less than their times.

    Args:
        baseline: Seconds of what it is compared with, one for each round.
        times: Its own seconds, in the same rounds.
    """
    return Spread.of([one / other for one, other in zip(baseline, times, strict=True)])


def peak_memory() -> float | None:
    """Return the most MiB this process has held so far; None where the system does not tell.

    ``getrusage`` would also count what the parent held when it made this process.
    """
    status = Path("/proc/self/status")
    if not status.is_file():
        return None
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(fields["VmHWM"].split()[0]) / 1024


def machine() -> str:
    """Describe what was measured on: processor, cores, instructions, versions."""
    described = Path("/proc/cpuinfo")
    fields: dict[str, str] = {}
    if described.is_file():
        lines = (line.partition(":") for line in described.read_text().splitlines())
        fields = {name.strip(): value.strip() for name, _, value in lines if value}
    flags = set((fields.get("flags") or fields.get("Features", "")).split())
    model = fields.get("model name") or platform.processor() or platform.machine()
    numbers = [fields.get(name) for name in ("cpu family", "model")]
    family = f" (family {numbers[0]}, model {numbers[1]})" if all(numbers) else ""
    found = " ".join(name for name in INTERESTING_FLAGS if name in flags)
    return f"{model}{family}, {os.cpu_count()} cores, {found or 'flags unknown'}; {_versions()}"


def _versions() -> str:
    named = [f"Python {platform.python_version()}"]
    for package in ("torch", "transformers", "ctranslate2"):
        try:
            named.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(named)


def markdown(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown; its first column is text, the others are numbers."""
    rule = "|---|" + "--:|" * (len(titles) - 1)
    return "\n".join([_row(titles), rule, *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
