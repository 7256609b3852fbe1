"""Makes translations fit that are there already, and tells what that cost them.

Every film of a folder of ``NAME.LANGUAGE.srt`` beside ``NAME.en.srt`` is fit as ``subfit fit
NAME.de.srt --source NAME.en.srt`` does it; with ``--machine`` what is fit is not the file, which
need not be there, but what a model makes of NAME.en.srt without limits.

    python -m benchmarks.fit FOLDER -t de es fr it
    python -m benchmarks.fit FOLDER -t de --machine --model none --timing extend
    python -m benchmarks.fit FOLDER -t de --model none  # lines, times and fillers alone
    python -m benchmarks.fit FOLDER -t de --show 60     # changed wordings, to be read
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sacrebleu import corpus_chrf

import subfit
from benchmarks.measuring import machine, markdown
from subfit.fitting.outcomes import CueOutcome

TITLES = (
    "language",
    "cues",
    "over before",
    "over after",
    "by lines",
    "split",
    "by time",
    "by wording",
    "left",
    "of those over, fit without a loss",
    "of those too long, fit without a loss",
    "chrF to the untouched text",
    "chrF of new wordings",
    "changed within limits",
)


def outcomes(
    folder: Path, language: str, given: argparse.Namespace
) -> Iterator[tuple[dict[str, int], tuple[CueOutcome, ...]]]:
    """Fit all films of a language, and yield what became of each."""
    guideline = subfit.Guideline.load(given.guideline, language)
    translator, translating = (
        None
        if model in (None, "none")
        else subfit.load_translator(
            model, counting=guideline.counting, source_language="en", target_language=language
        )
        for model in (given.model, given.machine)
    )
    free = subfit.Guideline.load("none", language)
    options = subfit.Options(timing=given.timing)
    fitted = "en" if translating else language
    for path in sorted(folder.glob(f"{given.films}.{fitted}.srt")):
        source = subfit.read_track(folder / f"{path.name.split('.')[0]}.en.srt")
        track = subfit.read_track(path)
        if translating:
            track = subfit.localize(source, translating, free).track
        done = subfit.fit(track, guideline, source, translator, options, split=given.split)
        yield done.report.totals["fit"], done.outcomes


def row(language: str, told: Counter[str], every: list[CueOutcome]) -> tuple[str, ...]:
    """The figures of a language."""
    over = told["over"]
    new = [one for one in every if is_reworded(one)]
    fit = over - told["left"] - told["with_losses"]
    easy = told["lines"] + told["split"] + told["time"]
    pairs = [(" ".join(one.target.split()), " ".join(one.natural.split())) for one in every]
    changed = [pair for pair in pairs if pair[0] != pair[1]]

    def chrf(some: list[tuple[str, str]]) -> str:
        return f"{corpus_chrf([a for a, _ in some], [[b for _, b in some]]).score:.1f}"

    touched = sum(one.payload != one.cue.text and fits_before(one) for one in every)
    return (
        language,
        str(len(every)),
        f"{over} ({over / len(every):.0%})",
        f"{told['left']} ({told['left'] / len(every):.0%})",
        *(str(told[way]) for way in ("lines", "split", "time")),
        str(len(new)),
        str(told["left"]),
        f"{fit / over:.0%}",
        f"{told['wording'] / max(over - easy, 1):.0%} of {over - easy}",
        chrf(pairs),
        chrf(changed) if changed else "",
        str(touched),
    )


def is_reworded(one: CueOutcome) -> bool:
    """Whether a cue, or one that it is the first half of, has other words."""
    return bool(one.omitted) or one.target.split() != one.natural.split()


def fits_before(one: CueOutcome) -> bool:
    """Whether a cue kept its limits as it was; such a one is never in the count of those over."""
    return one.status == "fits" and one.natural == one.target


def main() -> None:
    """Print the table, or wordings to read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("-t", "--target-language", nargs="+", required=True, dest="languages")
    parser.add_argument("--model", default="en-multi")
    parser.add_argument("--guideline", default="netflix")
    parser.add_argument("--timing", choices=("keep", "extend"), default="keep")
    parser.add_argument("--split", action="store_true")
    parser.add_argument("--machine", nargs="?", const="en-multi", metavar="MODEL")
    parser.add_argument("--films", default="*", metavar="GLOB")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    given = parser.parse_args()
    rows = []
    for language in given.languages:
        told, every = Counter[str](), list[CueOutcome]()
        for figures, own in outcomes(given.folder, language, given):
            told.update(figures)
            every += own
        rows.append(row(language, told, every))
        new = [one for one in every if is_reworded(one)]
        for one in random.Random(1).sample(new, min(given.show, len(new))):
            lines = (one.source, one.note, one.target)
            print(*(" / ".join(text.split("\n")) for text in lines), sep="\n", end="\n\n")
    print(f"{machine()}.\n\n{markdown(TITLES, rows)}")


if __name__ == "__main__":
    main()
