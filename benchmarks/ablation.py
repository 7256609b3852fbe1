"""What each thing around the model is worth: the same files with all of it, and without each.

    python -m benchmarks.ablation models/en-multi FILM.en.srt ... -t de es fr it --out FOLDER
    python -m benchmarks.ablation --score FOLDER

The first prints a row for each way (cues that differ, cues over their budgets) and writes
``FOLDER/XX.txt``, where both texts stand side by side in a hidden order, and ``XX.json``, which
tells the order. A reader writes ``XX.answers``, lines such as ``12 A``, ``13 =``. The second
counts them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from benchmarks.measuring import markdown
from subfit.decoding.translator import Translator
from subfit.fitting import choice, losses, search
from subfit.fitting import task as tasks
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize_all
from subfit.reporting.lengths import joined_lines
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.terms import checked, names, protected, restore

Change = tuple[Any, str, Any]
"""A module or class, the name of something in it, and what stands in its place."""


def _everywhere(old: Callable[..., Any], new: Callable[..., Any]) -> list[Change]:
    """Replace a function wherever it was imported."""
    modules = [each for name, each in sys.modules.items() if name.startswith("subfit")]
    return [(each, old.__name__, new) for each in modules if vars(each).get(old.__name__) is old]


def _untouched(text: str, source: str, target: str) -> restore.Cleaned:
    return restore.Cleaned(text, text, source, target, text)


PATCHES: dict[str, Callable[[], list[Change]]] = {
    "names and what must stay": lambda: [
        *_everywhere(protected.find_placeables, lambda *_: ()),
        (names.FileNames, "find", lambda *_: ()),
    ],
    "a search for what is lacking": lambda: [
        (tasks.Task, "wanted_instead", lambda task, _: task.wanted)
    ],
    "numbers as digits": lambda: [(tasks.Task, "with_digits", lambda _, text, *__: text)],
    "stand-ins, stutters, shouting": lambda: _everywhere(restore.clean, _untouched),
    "mended slips": lambda: _everywhere(checked.mended, lambda text, *_: text),
    "the score of the end": lambda: [(tasks, "CLOSING", 0.0)],
    "demerits of breaks": lambda: [(tasks, "DEMERIT", 0.0)],
    "a little less than the budget": lambda: [(search, "FIRST", (1.0,))],
    "whole before short": lambda: [
        *_everywhere(losses.losses_of, lambda *_: ()),
        (choice, "is_whole", lambda *_: True),
    ],
}
OPTIONS = {
    "joined cues": Options(join=False),
    "one form of address": Options(formality="any"),
}
WAYS = ("everything", *OPTIONS, *PATCHES)


def translated(
    tracks: Sequence[Track], translator: Translator, guideline: Guideline, without: str
) -> tuple[list[str], int]:
    """Return the text of every cue, and how many are over budget."""
    options = OPTIONS.get(without, Options())
    with ExitStack() as stack:
        for place, name, new in PATCHES.get(without, list)():
            stack.enter_context(patch.object(place, name, new))
        done = localize_all(tracks, translator, guideline, options)
    cues = [cue for each in done for cue in each.report.cues]
    over = sum(cue.outcome.status == "overflow" for cue in cues)
    return [joined_lines(cue.outcome.target) for cue in cues], over


def runs(ours: Sequence[str], theirs: Sequence[str], most: int) -> Iterator[range]:
    """Yield the places of neighbouring cues that differ, at most so many together."""
    start = None
    for place in range(len(ours) + 1):
        differs = place < len(ours) and ours[place] != theirs[place]
        if start is not None and (not differs or place - start == most):
            yield range(start, place)
            start = None
        if differs and start is None:
            start = place


def sheet(
    sources: Sequence[str], found: dict[str, list[str]], most: int, chooser: random.Random
) -> tuple[str, list[list[str]]]:
    """Return what a reader gets, at most so many places of each way, and what is behind it."""
    whole = found["everything"]
    items = []
    for way in WAYS[1:]:
        places = list(runs(whole, found[way], 4))
        items += [(way, place) for place in chooser.sample(places, min(most, len(places)))]
    chooser.shuffle(items)
    lines, key = [], []
    for number, (way, place) in enumerate(items):
        pair = [" | ".join(texts[n] for n in place) for texts in (whole, found[way])]
        swapped = chooser.random() < 0.5
        first, second = reversed(pair) if swapped else pair
        around = range(max(place.start - 1, 0), min(place.stop + 1, len(sources)))
        lines += [f"{number}\tAROUND {' | '.join(sources[n] for n in around)}"]
        lines += [f"\tCUES {' | '.join(sources[n] for n in place)}", f"\tA {first}\n\tB {second}"]
        key.append([way, "B" if swapped else "A"])
    return "\n".join(lines) + "\n", key


def score(folder: Path) -> list[list[str]]:
    """Return, for each way, how often a reader liked it better with it, without it, and alike."""
    counts: dict[str, Counter[str]] = {way: Counter() for way in WAYS[1:]}
    for place in sorted(folder.glob("*.answers")):
        key = json.loads(place.with_suffix(".json").read_text())
        for number, answer in map(str.split, place.read_text().splitlines()):
            way, whole = key[int(number)]
            counts[way]["=" if answer == "=" else "with" if answer == whole else "without"] += 1
    return [[way, *(str(found[one]) for one in ("with", "without", "="))]
            for way, found in counts.items()]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ablation", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, nargs="?", help="a model folder")
    parser.add_argument("films", type=Path, nargs="*", help="subtitles in English")
    parser.add_argument("-t", "--target-languages", nargs="+", metavar="TAG", default=["de"])
    parser.add_argument("--guideline", default="netflix")
    parser.add_argument("--out", type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=12, help="places read of each, a language")
    parser.add_argument("--score", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    if options.score:
        print(markdown(("without", "worse", "better", "the same"), score(options.score)))
        return
    if not (options.model and options.films and options.out):
        parser.error("name a model, films and --out, or --score")
    options.out.mkdir(parents=True, exist_ok=True)
    tracks = [read_track(place) for place in options.films]
    sources = [joined_lines(cue.text) for track in tracks for cue in track.cues]
    totals = {way: [0, 0] for way in WAYS}
    for language in options.target_languages:
        guideline = Guideline.load(options.guideline, language)
        translator = Translator.load(
            options.model, target_language=language, counting=guideline.counting
        )
        found = {}
        for way in WAYS:
            found[way], over = translated(tracks, translator, guideline, way)
            differing = sum(a != b for a, b in zip(found["everything"], found[way], strict=True))
            totals[way] = [totals[way][0] + differing, totals[way][1] + over]
        text, key = sheet(sources, found, options.most, random.Random(language))
        (options.out / f"{language}.txt").write_text(text)
        (options.out / f"{language}.json").write_text(json.dumps(key))
    rows = [[way, *map(str, figures)] for way, figures in totals.items()]
    print(f"{len(sources) * len(options.target_languages)} cues\n")
    print(markdown(("without", "cues that differ", "over budget"), rows))


if __name__ == "__main__":
    main()
