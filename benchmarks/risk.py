"""Sets the weights of the risk of a cue (`subfit/fitting/outcomes.py`) by ratings.

Someone read translations of timed files and rated cues: 0 fit to be shown, 1 a light edit, 2 wrong,
to be translated again. ``risk/ratings.tsv`` has the ratings with the file, the number of the cue
and a checksum of the translation that was read; ``risk/features.tsv`` what fitting knew of these
translations. Weights are fitted on one part of the sentences (``calibration``), figures are of the
other (``test``).

    python -m benchmarks.risk fit
    python -m benchmarks.risk fit --json risk.json

These translations are by smaller models than those that come with subfit now. Others, by these, of
most of the same cues, were read later (``risk/ratings-second.tsv``, ``risk/features-second.tsv``):
on them the slope of the risk is set, and measured on the part that it was not set on:

    python -m benchmarks.risk scale

Ratings come from tables of what was read (language, file, cue, rating, translation):

    python -m benchmarks.risk ratings read-de.tsv read-es.tsv -o benchmarks/risk/ratings.tsv
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measuring import markdown
from benchmarks.risk_data import (
    CHANGED,
    FEATURE_NAMES,
    RATING_COLUMNS,
    WRONG,
    Rated,
    at_least,
    key_of,
    rated_cues,
    rating_rows,
    ratings_of,
    read_rows,
    values_of,
    write_rows,
)
from benchmarks.risk_fit import (
    Array,
    at_threshold,
    auc,
    cross_validated,
    fit,
    log_loss,
    reliability,
)
from subfit.fitting.outcomes import logit_of

FOLDER = Path(__file__).parent / "risk"
PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)
SLIGHT = 1e-3
"""A penalty that changes nothing."""
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
LEVELS = (CHANGED, WRONG)


def best_penalty(rated: Sequence[Rated], names: Sequence[str]) -> float:
    """Return the penalty whose predictions of left-out sentences cost fewest nats."""

    def cost(penalty: float) -> float:
        likely = _left_out(rated, names, penalty)
        pairs = zip(likely.T, LEVELS, strict=True)
        return sum(log_loss(column, at_least(rated, level)) for column, level in pairs)

    return min(PENALTIES, key=cost)


def _left_out(rated: Sequence[Rated], names: Sequence[str], penalty: float) -> Array:
    values, groups = values_of(rated, names), [one.group for one in rated]
    return cross_validated(values, ratings_of(rated), LEVELS, groups, penalty)


def measured(rated: Sequence[Rated], names: Sequence[str] = FEATURE_NAMES) -> dict[str, Any]:
    """Fit on the one part and measure on the other; JSON values."""
    ours = [one for one in rated if not one.is_test]
    others = [one for one in rated if one.is_test]
    whole = [one for one in others if one.fitting == "whole"]
    penalty = best_penalty(ours, names)
    found = fit(values_of(ours, names), ratings_of(ours), LEVELS, penalty)
    left_out = _left_out(ours, names, penalty)[:, 0]
    return {
        "calibration": {"cues": _counts(ours), "auc, left out": _aucs(left_out, ours)},
        "penalty": penalty,
        "weights": dict(zip(names, found.weights.tolist(), strict=True)),
        "typical": dict(zip(names, found.means.tolist(), strict=True)),
        "intercepts": found.intercepts.tolist(),
        "auc by feature": {
            name: _aucs(np.nan_to_num(values_of(rated, [name])[:, 0]), rated) for name in names
        },
        "test": _on(others, found.predict(values_of(others, names))[:, 0]),
        "test, without --strict-budget": _on(whole, found.predict(values_of(whole, names))[:, 0]),
    }


def scaled(rated: Sequence[Rated]) -> dict[str, Any]:
    """Fit slope and shift of the risk's logit on the one part and measure on the other."""
    ours = [one for one in rated if not one.is_test]
    others = [one for one in rated if one.is_test]
    found = fit(_logits(ours), ratings_of(ours), (CHANGED,), SLIGHT)
    slope = float(found.weights[0])
    return {
        "slope": slope,
        "shift": float(found.intercepts[0] - slope * found.means[0]),
        "calibration": {"cues": _counts(ours)},
        "test": _on(others, found.predict(_logits(others))[:, 0]),
    }


def _logits(rated: Sequence[Rated]) -> Array:
    """What the weights of the risk add up to; shape: (cues, 1)."""
    return np.array([[logit_of(one.features)] for one in rated])


def _on(rated: Sequence[Rated], likely: Array) -> dict[str, Any]:
    """How good probabilities are."""
    languages = sorted({one.key[0] for one in rated})
    places = {tag: [n for n, one in enumerate(rated) if one.key[0] == tag] for tag in languages}
    return {
        "cues": _counts(rated),
        "auc": _aucs(likely, rated),
        "auc by language": {
            tag: _aucs(likely[own], [rated[n] for n in own]) for tag, own in places.items()
        },
        "reliability": [asdict(one) for one in reliability(likely, at_least(rated, CHANGED))],
        "to be changed": _at_thresholds(likely, at_least(rated, CHANGED)),
        "to be translated again": _at_thresholds(likely, at_least(rated, WRONG)),
    }


def _aucs(likely: Array, rated: Sequence[Rated]) -> list[float]:
    """Of telling cues that must be changed, and those that must be translated again."""
    return [auc(likely, at_least(rated, level)) for level in LEVELS]


def _counts(rated: Sequence[Rated]) -> dict[str, int]:
    counts = {str(rating): sum(one.rating == rating for one in rated) for rating in range(3)}
    return {"all": len(rated), **counts}


def _at_thresholds(likely: Array, wrong: Array) -> list[dict[str, Any]]:
    found = [at_threshold(likely, wrong, threshold) for threshold in THRESHOLDS]
    return [{**asdict(one), "precision": one.precision, "recall": one.recall} for one in found]


def tables(figures: dict[str, Any]) -> Iterator[str]:
    """Yield the figures as people read them."""
    typical, alone = figures["typical"], figures["auc by feature"]
    weights = [
        (name, f"{weight:.3f}", f"{typical[name]:.3f}", *(f"{one:.2f}" for one in alone[name]))
        for name, weight in figures["weights"].items()
    ]
    yield f"calibration: {figures['calibration']}"
    yield f"intercepts {figures['intercepts']}, penalty {figures['penalty']:g}"
    yield markdown(("feature", "weight", "typical", "AUC, changed", "again"), weights)
    for part in ("test", "test, without --strict-budget"):
        yield from part_tables(part, figures[part])


def part_tables(part: str, own: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of some cues as people read them."""
    yield f"## {part}\n\n{own['cues']}, AUC {own['auc']}, {own['auc by language']}"
    bins = [
        (f"{one['predicted']:.2f}", f"{one['observed']:.2f}", str(one["cues"]))
        for one in own["reliability"]
    ]
    yield markdown(("predicted", "observed", "cues"), bins)
    for name in ("to be changed", "to be translated again"):
        rows = [
            (
                f"{at['threshold']:g}",
                str(at["told"]),
                *map(_share, (at["precision"], at["recall"])),
            )
            for at in own[name]
        ]
        yield name + ":\n" + markdown(("risk from", "cues", "precision", "recall"), rows)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _fit(arguments: argparse.Namespace) -> None:
    ratings, features = map(read_rows, (arguments.ratings, arguments.features))
    rated, changed, unknown = rated_cues(ratings, features)
    figures = {"changed": changed, "unknown": unknown, **measured(rated, arguments.only)}
    print(f"{len(rated)} cues; texts changed: {changed}, no features: {unknown}\n")
    print("\n\n".join(tables(figures)))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _scale(arguments: argparse.Namespace) -> None:
    rated, changed, unknown = rated_cues(*map(read_rows, (arguments.ratings, arguments.features)))
    figures = scaled(rated)
    print(f"{len(rated)} cues; texts changed: {changed}, no features: {unknown}")
    print(f"slope {figures['slope']:.3f}, shift {figures['shift']:.3f}; {figures['calibration']}\n")
    print("\n\n".join(part_tables("test", figures["test"])))


def _ratings(arguments: argparse.Namespace) -> None:
    sentences = {key_of(row): int(row["sentence"]) for row in read_rows(arguments.features)}
    rows = rating_rows(read_rows(arguments.files), sentences)
    write_rows(arguments.output, RATING_COLUMNS, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    fitting = commands.add_parser("fit", help="fit weights, and show what they are worth")
    fitting.add_argument("--json", type=Path, help="write the figures there too")
    fitting.add_argument("--only", nargs="+", default=FEATURE_NAMES, choices=FEATURE_NAMES)
    fitting.set_defaults(run=_fit)
    scaling = commands.add_parser("scale", help="set the slope of what the weights give")
    scaling.set_defaults(run=_scale)
    reading = commands.add_parser("ratings", help="leave the texts out of ratings")
    reading.add_argument("files", nargs="+", type=Path)
    reading.set_defaults(run=_ratings)
    for name in ("features", "ratings"):
        scaling.add_argument(
            f"--{name}", nargs="+", type=Path, default=[FOLDER / f"{name}-second.tsv"]
        )
    reading.add_argument("-o", "--output", type=Path, required=True)
    for command in (fitting, reading):
        command.add_argument("--features", nargs="+", type=Path, default=[FOLDER / "features.tsv"])
    fitting.add_argument("--ratings", nargs="+", type=Path, default=[FOLDER / "ratings.tsv"])
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
