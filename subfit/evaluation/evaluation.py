"""Measuring a translator by the way its users' texts go, and how sure its figures are.

Intervals come from lines drawn anew with repetition (Koehn 2004), of a difference from the same
lines of both systems. p-values come from exchanging the translations of random lines between two
systems, two-sided (Noreen 1989; 15,000 exchanges as in Lakew 2019).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any

import numpy as np

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.evaluation.corpus import Pair
from subfit.evaluation.metrics import Floats, Lines, Metric, metrics_of
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.rows import Row
from subfit.reporting.lengths import plain_data
from subfit.text.counting import EVERYTHING, Counting

TRIALS = 15_000
"""Random exchanges."""
SAMPLES = 1_000
"""Sets of lines that are drawn for an interval."""
LEVEL = 0.05
"""Differences with a smaller p-value are marked as significant."""
_AT_ONCE = 500
_ROUNDING = 1e-9
_SEED_VARIABLE, _SEED = "SACREBLEU_SEED", "12345"
"""sacreBLEU takes its seed from the environment, and this one if there is none; so do we."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A system's figure less that of the one it is compared with."""

    value: float
    low: float
    """The lower end of its 95 % interval."""
    high: float
    p: float
    """How likely chance alone makes a difference as large."""
    p_holm: float
    """The same, corrected for all systems that are compared with the same one by the same metric;
    for a single one the same."""


def seed() -> int | None:
    """Return the seed of all random draws; None where the environment asks for none.

    Raises:
        UsageError: The environment's ``SACREBLEU_SEED`` is neither a number nor ``none``.
    """
    told = os.environ.get(_SEED_VARIABLE, _SEED).lower()
    if told != "none" and not told.isdecimal():
        raise UsageError(f"{_SEED_VARIABLE}={told}: the seed must be a whole number, or none")
    return None if told == "none" else int(told)


def interval(metric: Metric, rows: Floats, samples: int = SAMPLES) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of a figure.

    Args:
        metric: The metric.
        rows: Its statistics, line by line.
        samples: Sets of lines that are drawn.
    """
    return _bounds([metric.values(drawn @ rows) for drawn in _resampled(len(rows), samples)])


def difference(
    metric: Metric, own: Floats, other: Floats, trials: int = TRIALS, samples: int = SAMPLES
) -> Difference:
    """Compare two systems' translations of the same lines.

    Args:
        metric: The metric.
        own: Statistics of a system, line by line.
        other: Those of the system it is compared with.
        trials: Random exchanges.
        samples: Sets of lines that are drawn for the interval.
    """
    observed = metric.value(own) - metric.value(other)
    drawn = [
        metric.values(counts @ own) - metric.values(counts @ other)
        for counts in _resampled(len(own), samples)
    ]
    return Difference(observed, *_bounds(drawn), *[_p(metric, own, other, trials)] * 2)


def difference_over_runs(
    metric: Metric, own: Sequence[Floats], other: Sequence[Floats], samples: int = SAMPLES
) -> Difference:
    """Compare two systems that were trained several times, in the mean over their trainings.

    Runs are drawn anew with repetition as well as lines, the lines alike for all of them. p is
    twice the share of draws in which the difference has not the sign that most have.

    Args:
        metric: The metric.
        own: Statistics of each run of a system, line by line.
        other: Likewise of the system it is compared with.
        samples: Draws.
    """
    rng, found = np.random.default_rng(seed()), []
    for counts in _resampled(len(own[0]), samples):
        means = []
        for runs in (own, other):
            values = np.stack([metric.values(counts @ rows) for rows in runs], axis=1)
            drawn = rng.integers(len(runs), size=values.shape)
            means.append(np.take_along_axis(values, drawn, axis=1).mean(axis=1))
        found.append(means[0] - means[1])
    drawn_all = np.concatenate(found)
    smaller = min((drawn_all <= 0).sum(), (drawn_all >= 0).sum())
    p = min(1.0, 2 * (int(smaller) + 1) / (samples + 1))
    ours, theirs = (np.mean([metric.value(rows) for rows in runs]) for runs in (own, other))
    return Difference(float(ours - theirs), *_bounds(found), p, p)


def _p(metric: Metric, own: Floats, other: Floats, trials: int) -> float:
    gaps = other - own
    differing = np.abs(gaps).sum(axis=1) > 0
    gaps, ours, theirs = gaps[differing], own.sum(axis=0), other.sum(axis=0)
    least = abs(metric.value(own) - metric.value(other)) - _ROUNDING
    count = 0
    for masks in _draws(trials, lambda rng, n: rng.integers(2, size=(n, len(gaps))).astype(float)):
        moved = masks @ gaps
        found = np.abs(metric.values(ours + moved) - metric.values(theirs - moved))
        count += int((found >= least).sum())
    return (count + 1) / (trials + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979), in the order given."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    corrected, highest = [1.0] * len(values), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(values) - rank) * values[at]))
        corrected[at] = highest
    return corrected


def _resampled(lines: int, samples: int) -> Iterator[Floats]:
    """How often each line is drawn, in each of many samples."""
    shares = np.full(lines, 1 / lines)
    return _draws(samples, lambda rng, n: rng.multinomial(lines, shares, size=n).astype(float))


def _draws(count: int, draw: Callable[[np.random.Generator, int], Floats]) -> Iterator[Floats]:
    rng = np.random.default_rng(seed())
    for start in range(0, count, _AT_ONCE):
        yield draw(rng, min(_AT_ONCE, count - start))


def _bounds(found: Sequence[Floats]) -> tuple[float, float]:
    low, high = np.nanpercentile(np.concatenate(found), [2.5, 97.5])
    return float(low), float(high)


@dataclass(frozen=True, slots=True)
class Figure:
    """What a metric finds of some translations."""

    value: float
    signature: str
    """The settings that made it."""
    low: float | None = None
    """The lower end of its 95 % interval; None where none was drawn."""
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The figures of some translations."""

    setup: Mapping[str, Any] | None
    """What made them; None for translations from elsewhere."""
    lines: int
    figures: Mapping[str, Figure]
    """By name of the metric, as far as there is something to measure."""
    hypotheses: tuple[str, ...]
    asked_lines: int = 0
    """Lines a length was asked for."""
    untranslated: int = 0
    """Lines the model could not take or found nothing for, which are kept as they are."""
    seconds: float = 0.0
    """Spent on translating."""
    checksum: str = ""
    """SHA-256 of the translations, one a line, as ``-o`` writes them."""
    statistics: Mapping[str, Floats] = field(default_factory=dict, repr=False, compare=False)
    """By name of the metric what its figure is the sum of, line by line."""

    def value(self, name: str) -> float:
        """Return the figure of a metric; NaN where there is none."""
        figure = self.figures.get(name)
        return math.nan if figure is None else figure.value

    @property
    def sentences_per_second(self) -> float:
        """Speed of the translation, on the machine and threads it had."""
        return self.lines / self.seconds if self.seconds else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON, without the translations; None for what is not a number."""
        names = [
            each.name for each in fields(self) if each.name not in ("hypotheses", "statistics")
        ]
        names.append("sentences_per_second")
        return plain_data({name: getattr(self, name) for name in names})  # type: ignore[no-any-return]


def evaluate(
    translator: AnyTranslator,
    pairs: Sequence[Pair],
    row: Row | None = None,
    *,
    metrics: Sequence[str] = (),
    samples: int = 0,
) -> Evaluation:
    """Translate the sources of a test set and measure the outcome.

    Args:
        translator: The model; it says what a character is.
        pairs: Sources and references, at least one pair.
        row: What is asked of it; by default translations of natural length.
        metrics: Names of metrics besides those that are always measured.
        samples: Sets of lines that are drawn for intervals; 0 for none.

    Raises:
        UsageError: The model cannot be asked for that, or there is no such metric.
    """
    outputs = translate_pairs(translator, pairs, row or Row(translator.name))
    return measure(
        outputs,
        pairs,
        translator.counting,
        metrics=metrics_of(metrics),
        samples=samples,
        language=translator.language,
    )


def measure(
    outputs: Outputs,
    pairs: Sequence[Pair],
    counting: Counting = EVERYTHING,
    *,
    metrics: Sequence[Metric] | None = None,
    samples: int = 0,
    language: str = "und",
    more_references: Sequence[Sequence[str]] = (),
) -> Evaluation:
    """Measure translations.

    Args:
        outputs: The translations, one per pair.
        pairs: Sources and references, at least one pair.
        counting: What a character is.
        metrics: Those to measure; by default those that are always measured.
        samples: Sets of lines that are drawn for intervals; 0 for none.
        language: Of the translations.
        more_references: Further references, each one text per pair.
    """
    lines = lines_of(outputs, pairs, counting, language, more_references)
    figures, statistics = {}, {}
    for metric in metrics_of() if metrics is None else metrics:
        rows = metric.of(lines)
        if rows is not None:
            bounds = interval(metric, rows, samples) if samples else (None, None)
            figures[metric.name] = Figure(metric.value(rows), metric.signature, *bounds)
            statistics[metric.name] = rows
    return Evaluation(
        setup=outputs.setup,
        lines=len(pairs),
        figures=figures,
        hypotheses=outputs.texts,
        asked_lines=sum(map(bool, outputs.asked)),
        untranslated=outputs.untranslated,
        seconds=outputs.seconds,
        checksum=checksum_of(outputs.texts),
        statistics=statistics,
    )


def lines_of(
    outputs: Outputs,
    pairs: Sequence[Pair],
    counting: Counting = EVERYTHING,
    language: str = "und",
    more_references: Sequence[Sequence[str]] = (),
) -> Lines:
    """Return what metrics are taken of; arguments as for `measure`."""
    return Lines(
        [pair.source for pair in pairs],
        list(zip([pair.target for pair in pairs], *more_references, strict=True)),
        outputs.texts,
        language,
        counting,
        outputs.asked,
        outputs.ceilings,
        outputs.tokens,
        outputs.reference_tokens,
        outputs.unit,
    )


def differences(
    own: Evaluation, other: Evaluation, metrics: Sequence[Metric], trials: int = TRIALS
) -> dict[str, Difference]:
    """Compare the figures of two systems on the same lines, by metric.

    Args:
        own: A system.
        other: The one that it is compared with.
        metrics: Those that both were measured by.
        trials: Random exchanges.
    """
    return {
        metric.name: difference(
            metric, own.statistics[metric.name], other.statistics[metric.name], trials
        )
        for metric in metrics
        if metric.name in own.statistics and metric.name in other.statistics
    }


def checksum_of(texts: Sequence[str]) -> str:
    """Return the SHA-256 of texts as they are written to a file, one a line."""
    return sha256("".join(f"{text}\n" for text in texts).encode("utf-8")).hexdigest()
