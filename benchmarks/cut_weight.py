"""Shows what it is worth to choose translations by how well they can be cut and broken.

All timed files of a folder are translated under a guideline with several values of
`subfit.fitting.settings.Weights.demerit`, searching for nothing twice; files beside them in the
target language are references, as for ``benchmarks.across_cues``.

    python -m benchmarks.cut_weight models/en-multi timed -t de fr --weights 0 0.001 0.002
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.across_cues import WAYS, Remembering, read_sources
from benchmarks.across_figures import Source, compared, figures, quality
from benchmarks.measuring import markdown
from subfit.decoding.devices import set_up
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize_all
from subfit.model.checkpoint import load_checkpoint
from subfit.model.config import Computing

TITLES = (
    "",
    "weight",
    "broken phrases",
    "of these between cues",
    "over budget",
    "chrF, BLEU per cue",
    "chrF, BLEU per sentence",
)


def rows(
    options: argparse.Namespace, sources: Sequence[Source], language: str
) -> Iterator[tuple[str, ...]]:
    """Yield a row of the table for each weight."""
    guideline = Guideline.load(options.guideline, language)
    checkpoint = set_up(
        load_checkpoint(str(options.model)), Computing("cpu", "auto", options.threads)
    )
    translator = Remembering(checkpoint, guideline.counting, target_language=language)
    for weight in options.weights:
        weights = replace(DEFAULT_SETTINGS.weights, demerit=weight)
        fitting = replace(DEFAULT_SETTINGS, weights=weights)
        setting = Options(source_language="en", fitting=fitting)
        found = localize_all([each.track for each in sources], translator, guideline, setting)
        figures_ = figures(sources, found, guideline)
        breaks = figures_["breaks"]
        yield (
            language,
            f"{weight:g}",
            f"{breaks['share']:.1%} of {breaks['lines'] + breaks['cues']}",
            f"{breaks['share_of_cues']:.1%} of {breaks['cues']}",
            str(figures_["totals"]["overflow"]["after"]["over"]),
            *(_quality(sources, found, language, sentences=each) for each in (False, True)),
        )


def _quality(
    sources: Sequence[Source], found: Sequence[Localization], language: str, *, sentences: bool
) -> str:
    files = [
        (source, source.references("en", language), (each, each))
        for source, each in zip(sources, found, strict=True)
    ]
    scores = quality(compared(files, sentences=sentences), 1)
    if scores is None:
        return "–"
    return ", ".join(f"{scores[WAYS[1]][name]['value']:.1f}" for name in ("chrf", "bleu"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("folder", type=Path, help="with film.en.srt and film.de.srt")
    parser.add_argument("-t", "--target-language", nargs="+", required=True)
    parser.add_argument("--weights", type=float, nargs="+", default=[0.0, 0.0005, 0.001, 0.002])
    parser.add_argument("--guideline", default="netflix")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    sources = read_sources(options.folder, "en")
    found = [
        row for language in options.target_language for row in rows(options, sources, language)
    ]
    print(markdown(TITLES, found))


if __name__ == "__main__":
    main()
