"""Shows what the slack of a guideline is worth: the same files with times kept and extended.

FOLDER has subtitles named NAME.en.srt, and NAME.de.srt where people have translated them.

    python -m benchmarks.timing models/en-multi FOLDER -t de es fr it
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.measuring import machine, markdown
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.loading import set_up
from subfit.decoding.translator import Translator
from subfit.evaluation.metrics import translation_quality
from subfit.limits.guideline import Guideline, override
from subfit.localization import Localization, Options, localize_all
from subfit.model.checkpoint import load_checkpoint
from subfit.model.config import Computing
from subfit.reporting.check import check_track
from subfit.reporting.lengths import joined_lines
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup.payload import plain_text
from subfit.subtitles.pairing import pair_tracks

TITLES = (
    "into, times",
    "cues",
    "too long at natural length",
    "asked for less",
    "left over",
    "characters over",
    "LR",
    "chrF",
    "chrF where they differ",
    "cues moved",
    "by, ms",
    "at most, ms",
    "faults of time",
)


class Remembering:
    """A translator that searches for everything but once: both runs begin with the same searches.

    Args:
        translator: What searches.
    """

    def __init__(self, translator: Translator) -> None:
        self._translator = translator
        self._found: dict[Request, list[Hypothesis]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._translator, name)

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Return what `Translator.translate` does."""
        new = list(dict.fromkeys(each for each in requests if each not in self._found))
        self._found.update(zip(new, self._translator.translate(new, on_done), strict=True))
        return [list(self._found[each]) for each in requests]


@dataclass(frozen=True)
class Run:
    """All files into one language in one way."""

    done: Sequence[Localization]
    references: Sequence[Sequence[str]]
    """For each cue of each file what people wrote; empty where that is not known."""

    def targets(self) -> list[tuple[str, str]]:
        """Translations of all translated cues that have a reference, with it."""
        return [
            (joined_lines(cue.outcome.target), reference)
            for each, references in zip(self.done, self.references, strict=True)
            for cue, reference in zip(each.report.cues, references, strict=True)
            if cue.translated and reference
        ]


def references_of(track: Track, place: Path) -> list[str]:
    """For every cue what people made of it, by position or by time; empty where they did not."""
    if not place.is_file():
        return [""] * len(track.cues)
    other = read_track(place)
    texts = [joined_lines(plain_text(cue.text, other.format)) for cue in other.cues]
    pairing = pair_tracks(track, other)
    return [" ".join(texts[index] for index in indices) for indices in pairing.sources]


def faults(track: Track, guideline: Guideline) -> int:
    """Gaps too short, overlaps, cues too long on screen."""
    kinds = ("gap", "overlap", "max_duration", "no_duration")
    found = check_track(track, guideline).violations
    return sum(found.get(kind, 0) for kind in kinds)


def row(name: str, run: Run, other: Run, guideline: Guideline) -> tuple[list[str], dict[str, Any]]:
    """The figures of a run, as cells and as plain data."""
    cues = [cue for each in run.done for cue in each.report.cues if cue.translated]
    moved = [cue.moved for cue in cues if cue.moved]
    pairs = run.targets()
    differing = [
        pair for pair, theirs in zip(pairs, other.targets(), strict=True) if pair[0] != theirs[0]
    ]
    figures: dict[str, Any] = {
        "cues": len(cues),
        "natural_over": sum(cue.natural_excess > 0 for cue in cues),
        "asked": sum(cue.outcome.asked > 0 for cue in cues),
        "over": sum(cue.outcome.status == "overflow" for cue in cues),
        "characters_over": sum(cue.excess for cue in cues),
        "length_ratio": fmean(cue.length_ratio for cue in cues if cue.length_ratio is not None),
        "chrf": _chrf(pairs),
        "references": len(pairs),
        "chrf_differing": _chrf(differing),
        "differing": len(differing),
        "moved": len(moved),
        "moved_mean": fmean(moved) if moved else 0.0,
        "moved_most": max(moved, default=0),
        "faults": sum(faults(each.track, guideline) for each in run.done),
    }
    cells = [
        name,
        str(figures["cues"]),
        str(figures["natural_over"]),
        str(figures["asked"]),
        str(figures["over"]),
        f"{figures['characters_over']:.0f}",
        f"{figures['length_ratio']:.3f}",
        f"{figures['chrf']:.2f} ({figures['references']})",
        f"{figures['chrf_differing']:.2f} ({figures['differing']})",
        str(figures["moved"]),
        f"{figures['moved_mean']:.0f}",
        str(figures["moved_most"]),
        str(figures["faults"]),
    ]
    return cells, figures


def _chrf(pairs: Sequence[tuple[str, str]]) -> float:
    if not pairs:
        return float("nan")
    hypotheses, references = zip(*pairs, strict=True)
    return translation_quality(hypotheses, references)["chrF"]


def measure(
    translator: Translator, guideline: Guideline, sources: Sequence[Path], language: str
) -> list[tuple[list[str], dict[str, Any]]]:
    """Translate all files with times kept and extended; returns the row of each."""
    tracks = [read_track(place) for place in sources]
    places = [place.with_name(place.name.replace(".en.", f".{language}.")) for place in sources]
    references = [references_of(*pair) for pair in zip(tracks, places, strict=True)]
    remembering: Any = Remembering(translator)
    keep, extend = (
        Run(
            localize_all(tracks, remembering, guideline, Options(timing=timing)),
            references,
        )
        for timing in ("keep", "extend")
    )
    return [
        row(f"{language}, keep", keep, extend, guideline),
        row(f"{language}, extend", extend, keep, guideline),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.timing", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("folder", type=Path, help="with NAME.en.srt and NAME.TAG.srt")
    parser.add_argument("-t", "--target-languages", required=True, nargs="+", metavar="TAG")
    parser.add_argument("--guideline", default="netflix")
    parser.add_argument("--fps", type=float, default=None)
    parser.add_argument("--out-slack", type=int, default=None, metavar="MS")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--files", nargs="+", default=["*.en.srt"], metavar="GLOB")
    parser.add_argument("--json", type=Path, help="write the figures here, too")
    options = parser.parse_args(arguments)
    sources = sorted({place for each in options.files for place in options.folder.glob(each)})
    computing = Computing(threads=options.threads)
    checkpoint = set_up(load_checkpoint(str(options.model)), computing)
    rows, figures = [], {}
    for language in options.target_languages:
        guideline = Guideline.load(options.guideline, language)
        guideline = override(guideline, frame_rate=options.fps, out_slack=options.out_slack)
        translator = Translator(checkpoint, guideline.counting, target_language=language)
        for cells, found in measure(translator, guideline, sources, language):
            rows.append(cells)
            figures[cells[0]] = found
            print(" | ".join(cells), flush=True)
    about = (
        f"{options.model.name} in {checkpoint.precision}, {guideline.name}, {len(sources)} files"
    )
    print(f"\n{machine()}.\n\n{about}.\n")
    print(markdown(TITLES, rows))
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
