"""Shows how near translations are spread over cues to where human translators cut them.

What a reference (``film.de.srt``) has in the cues of a sentence of its source (``film.en.srt``) is
put together and spread again, without budgets. Nothing is translated.

    python -m benchmarks.cut_places models/en-multi timed -t de es fr it
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from statistics import fmean

from benchmarks.across_cues import read_sources
from benchmarks.across_figures import Source
from benchmarks.measuring import markdown
from subfit.decoding.translator import Translator
from subfit.fitting.cue_splits import split_over_cues
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.model.checkpoint import load_checkpoint
from subfit.subtitles.sentences import Part
from subfit.text.alignment import WordScores
from subfit.text.sentence_ends import without_dots

TITLES = ("", "cuts", "by words in proportion", "spread", "spread, words aligned")

Case = tuple[list[Part], list[str]]
"""The parts of a sentence, and what a human translator put in their cues."""


def cases(sources: Sequence[Source], source_language: str, language: str) -> list[Case]:
    """Return the sentences over several cues that a reference has cue for cue."""
    found: list[Case] = []
    for source in sources:
        references = source.references(source_language, language)
        for sentence in source.sentences:
            cues = [part.cue for part in sentence.parts]
            if len(set(cues)) < 2 or len(set(cues)) < len(cues) or not references.keys() >= {*cues}:
                continue
            texts = [references[cue] for cue in cues]
            for number in range(1, len(texts)):
                texts[number - 1], _ = without_dots(texts[number - 1], at_end=True)
                texts[number], _ = without_dots(texts[number], at_end=False)
            parts = [replace(part, opening="", closing="") for part in sentence.parts]
            found.append((parts, texts))
    return found


def by_proportion(text: str, parts: Sequence[Part]) -> list[str]:
    """Cut a text between words, each part having its share of the words by its source's length."""
    words, ends = text.split(), list(accumulate(len(part.text) for part in parts))
    bounds = [0, *(round(end / ends[-1] * len(words)) for end in ends)]
    return [" ".join(words[a:b]) for a, b in pairwise(bounds)]


def offsets(cut: Sequence[str], texts: Sequence[str]) -> list[int]:
    """Return how many characters each cut is off."""
    ours = accumulate(len(each) + 1 for each in cut[:-1])
    theirs = accumulate(len(each) + 1 for each in texts[:-1])
    return [abs(a - b) for a, b in zip(ours, theirs, strict=True)]


def row(language: str, found: Sequence[Case], guideline: Guideline, words: WordScores) -> list[str]:
    """Return the row of a language."""
    ways: tuple[list[int], list[int], list[int]] = ([], [], [])
    for parts, texts in found:
        whole, free = " ".join(texts), [LengthBudget()] * len(parts)
        splits = [
            split_over_cues(whole, parts, free, guideline, words=each) for each in (None, words)
        ]
        cuts = [each.parts if each else [whole] * len(parts) for each in splits]
        for way, cut in zip(ways, [by_proportion(whole, parts), *cuts], strict=True):
            way.extend(offsets(cut, texts))
    cells = [f"{fmean(not off for off in way):.0%} ({fmean(way):.1f})" for way in ways]
    return [language, str(len(ways[0])), *cells]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cut_places", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder, for its lexical table")
    parser.add_argument("folder", type=Path, help="timed files with translations beside them")
    parser.add_argument("-s", "--source-language", default="en", metavar="TAG")
    parser.add_argument("-t", "--target-languages", nargs="+", required=True, metavar="TAG")
    options = parser.parse_args(arguments)
    sources = read_sources(options.folder, options.source_language)
    checkpoint = load_checkpoint(str(options.model))
    rows = []
    for language in options.target_languages:
        translator = Translator(checkpoint, target_language=language)
        words = translator.word_scores
        found = cases(sources, options.source_language, language)
        rows.append(row(language, found, Guideline.load("netflix", language), words))
    print("Cuts in the very place (mean characters off).\n")
    print(markdown(TITLES, rows))


if __name__ == "__main__":
    main()
