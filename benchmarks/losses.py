"""Shows what it costs to take a shortened translation only if it loses nothing.

Subtitle files are translated under a guideline with several ideas of what a loss is
(`subfit/fitting/losses.py`), from a loose one to a tight one. All go the way of users' texts;
searches that they have in common are done once. "too long" are cues whose natural translation does
not fit, "over" those that stay over their budget. The last two columns are of translations that
keep to a strict budget and that someone read: of those that lost something essential by it, and of
those that did not, how many are told to lose something.

    python -m benchmarks.losses models/en-multi FILE.en.srt ... -t de --guideline netflix
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.fit_settings import CachingTranslator
from benchmarks.measuring import markdown
from subfit.fitting.options import Options
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.limits.guideline import Guideline
from subfit.localization import localize_all
from subfit.model.checkpoint import load_checkpoint
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track


def _with(words: float, shorter: float, worse: float) -> FittingSettings:
    return replace(DEFAULT_SETTINGS, lost_words=words, much_shorter=shorter, much_worse=worse)


ROWS = {
    "nothing but ends": _with(math.inf, math.inf, math.inf),
    "words 3, shorter 1, worse 1.2": _with(3.0, 1.0, 1.2),
    "words 1.5, shorter 0.8, worse 0.8": _with(1.5, 0.8, 0.8),
    "words 0.5, shorter 0.6, worse 0.4 (default)": DEFAULT_SETTINGS,
    "words 0.2, shorter 0.4, worse 0.25": _with(0.2, 0.4, 0.25),
}
TITLES = ("a loss is", "cues", "too long", "over", "over by", "lost, told", "fine, told")
RATINGS = Path(__file__).parent / "risk" / "shortened.tsv"
"""Of translations that keep to a strict budget: language, file, cue, checksum, lost or fine."""


def checksum(text: str) -> str:
    """Return what stands for a text that someone read."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def row(
    translator: CachingTranslator,
    tracks: Mapping[str, Track],
    guideline: Guideline,
    settings: FittingSettings,
) -> tuple[str, ...]:
    """Return what some idea of what a loss is makes of files."""
    tracked = list(tracks.values())
    done = localize_all(tracked, translator, guideline, Options(fitting=settings))
    cues = [cue for one in done for cue in one.report.cues if cue.translated]
    long = [cue for cue in cues if cue.natural_excess]
    over = [cue for cue in cues if cue.outcome.status == "overflow"]
    shares = [cue.excess / cue.most_characters for cue in over if cue.most_characters]
    strict = localize_all(
        tracked, translator, guideline, Options(fitting=settings, strict_budget=True)
    )
    told: dict[str, list[bool]] = {"lost": [], "fine": []}
    verdicts = dict(_verdicts(guideline.language))
    for name, one in zip(tracks, strict, strict=True):
        for cue in one.report.cues:
            verdict = verdicts.get((name, str(cue.number), checksum(cue.outcome.target)))
            if verdict:
                told[verdict].append(bool(cue.outcome.losses))
    return (
        *map(str, (len(cues), len(long), len(over))),
        f"{100 * fmean(shares):.0f} %" if shares else "-",
        *(f"{sum(flags)} of {len(flags)}" for flags in told.values()),
    )


def _verdicts(language: str) -> Iterator[tuple[tuple[str, str, str], str]]:
    """What someone found who read translations of a language."""
    with RATINGS.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            if line["language"] == language:
                yield (line["file"], line["cue"], line["checksum"]), line["verdict"]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-t", dest="language", required=True)
    parser.add_argument("--guideline", default="netflix")
    options = parser.parse_args()
    guideline = Guideline.load(options.guideline, options.language)
    translator = CachingTranslator(load_checkpoint(options.model), target_language=options.language)
    tracks = {path.name: read_track(path) for path in options.files}
    found = [
        (name, *row(translator, tracks, guideline, settings)) for name, settings in ROWS.items()
    ]
    print(markdown(TITLES, found))


if __name__ == "__main__":
    main()
