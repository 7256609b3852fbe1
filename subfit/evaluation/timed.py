"""Subtitle files measured against one of the same film: SubER, and other metrics part by part.

A part reaches to the next moment at which no file shows anything, as in SubER (Wilken,
Georgakopoulou and Matusov 2022): so texts need not stand in cues alike to be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from subfit.errors import InputFileError, UsageError
from subfit.evaluation.comparison import RowResult, measure_rows
from subfit.evaluation.corpus import EvaluationSet, Pair
from subfit.evaluation.evaluation import TRIALS
from subfit.evaluation.metrics import Floats, Lines, Metric, metrics_of
from subfit.evaluation.outputs import Outputs
from subfit.subtitles.cues import Cue
from subfit.subtitles.formats import is_timed, read_track
from subfit.subtitles.markup.payload import plain_text


class TimedText(str):
    """What the cues of a part say, ``<eol>`` behind lines and ``<eob>`` behind cues."""

    cues: Sequence[Cue]
    """Their texts without markup."""

    def __new__(cls, cues: Sequence[Cue]) -> TimedText:
        """Join cues."""
        shown = (" <eol> ".join(_lines(cue)) for cue in cues)
        made = super().__new__(cls, " ".join(f"{text} <eob>" for text in shown))
        made.cues = cues
        return made


def _lines(cue: Cue) -> list[str]:
    return [" ".join(line.split()) for line in cue.text.split("\n") if line.strip()]


class SubER(Metric):
    """SubER by its authors' program: edits of words, breaks and times, in per cent."""

    best = "low"
    takes_breaks = True

    def __init__(self, name: str = "SubER") -> None:
        self.name, self._cased = name, name.endswith("cased")

    def statistics(self, lines: Lines) -> Floats | None:
        """Return edits and words and breaks of the reference, of every part."""
        references = [line[0] for line in lines.references]
        if not all(isinstance(text, TimedText) for text in (*references, *lines.hypotheses)):
            return None
        try:
            from suber.metrics.suber import _calculate_num_edits_for_part as edits
        except ImportError as error:
            problem = f"{self.name} needs the package subtitle-edit-rate; install subfit[suber]"
            raise UsageError(problem) from error
        self.signature = (
            f"case:{'mixed' if self._cased else 'lc'}|suber:{version('subtitle-edit-rate')}"
        )
        told = {"normalize": not self._cased, "language": _east_asian(lines.language)}
        rows = [
            edits(*(_subtitles(text) for text in pair), **told)
            for pair in zip(lines.hypotheses, references, strict=True)
        ]
        return np.asarray(rows, dtype=float)

    def values(self, sums: Floats) -> Floats:
        """Return edits in per cent of the reference."""
        return np.asarray(100 * sums[:, 0] / np.maximum(sums[:, 1], 1.0))


def _east_asian(language: str) -> str | None:
    return language if language in ("zh", "ja", "ko") else None


def _subtitles(text: Any) -> list[Any]:
    """The cues of a part as the authors' program has them."""
    from suber.data_types import LineBreak, Subtitle, TimedWord

    subtitles = []
    for number, cue in enumerate(text.cues):
        times = cue.start / 1000, cue.end / 1000
        words = []
        for line in _lines(cue):
            words += [TimedWord(word, LineBreak.NONE, *times) for word in line.split()]
            words[-1].line_break = LineBreak.END_OF_LINE
        words[-1].line_break = LineBreak.END_OF_BLOCK
        subtitles.append(Subtitle(words, number, *times))
    return subtitles


def measure_subtitles(
    reference: Path,
    systems: Mapping[str, str],
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    trials: int = TRIALS,
) -> tuple[EvaluationSet, list[RowResult]]:
    """Measure subtitle files against a reference.

    Args:
        reference: A subtitle file.
        systems: Subtitle files by label.
        metrics: Names of metrics besides SubER, break F1 and those that are always measured.
        baseline: Label of the file that all others are compared with, if any.
        trials: Random exchanges of the tests for significance.

    Returns:
        The reference part by part, and the figures of the files.

    Raises:
        InputFileError: A file cannot be read.
        UsageError: A system is no subtitle file, or there is no such metric.
    """
    for label, system in systems.items():
        if not is_timed(system) or not Path(system).is_file():
            raise UsageError(f"{label}: only subtitle files are measured against {reference}")
    edits = ["SubER", "SubER-cased"] if find_spec("suber") else []
    chosen = metrics_of([*metrics, "break F1", *edits])
    wanted, *others = _parts([_cues(path) for path in (reference, *map(Path, systems.values()))])
    pairs = tuple(Pair("", "", text) for text in wanted)
    if not pairs:
        raise InputFileError(reference, "no cue of it has words")
    test = EvaluationSet(reference, pairs, tuple(range(len(pairs))), len(pairs))
    outputs = {label: Outputs(tuple(texts)) for label, texts in zip(systems, others, strict=True)}
    return test, measure_rows(outputs, test, chosen, baseline, trials)


def _cues(path: Path) -> list[Cue]:
    """The cues that say something, without markup, in the order of their times."""
    track = read_track(path)
    cues = (replace(cue, text=plain_text(cue.text, track.format)) for cue in track.cues)
    return sorted((cue for cue in cues if cue.text.strip()), key=lambda cue: cue.start)


def _parts(files: Sequence[Sequence[Cue]]) -> list[list[TimedText]]:
    """The texts of every file, cut where none shows anything."""
    parts: list[list[list[Cue]]] = []
    latest = -1
    numbered = [(cue, number) for number, cues in enumerate(files) for cue in cues]
    for cue, number in sorted(numbered, key=lambda one: (one[0].start, one[1])):
        if cue.start >= latest:
            parts.append([[] for _ in files])
        parts[-1][number].append(cue)
        latest = max(latest, cue.end)
    return [[TimedText(part[number]) for part in parts] for number in range(len(files))]
