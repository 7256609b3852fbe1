"""Shows what a glossary does to translations: the terms they have, and what that costs.

As in Dinu et al. (2019), the terms of every line are words of its reference: a word of the source
and one of the reference that the model's lexical table knows as its translation. A line counts if
the model's own translation lacks one of its terms, the hard case, or, with ``--all``, if there are
any. Terms must appear exactly as the reference has them.

    python -m benchmarks.glossary models/en-multi dev/mixed.en-de.tsv -t de --lines 100
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import torch

from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.fitting.pipeline import fit_all
from subfit.fitting.task import Fitted, Task
from subfit.limits.budget import LengthRatio, budget_for
from subfit.limits.guideline import Guideline
from subfit.model.checkpoint import load_checkpoint
from subfit.model.lexicon import LexicalTable, find_table
from subfit.model.tokenizer import AnyTokenizer
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence, Term, TermFinder, missing_from

LIKELY = 0.05
"""Probability from which a word of the reference translates one of the source."""
MOST_TERMS = 2
LONGEST = 120
"""Characters of the longest source."""
TITLES = ("budget", "glossary", "terms placed", "%", "BLEU", "chrF", "over", "CPU seconds")
_WORD = re.compile(r"\b[^\W\d_]{4,}\b")


@dataclass(frozen=True, slots=True)
class Line:
    """A pair with the terms that its reference gives."""

    pair: Pair
    terms: tuple[Occurrence, ...]


def lines_with_terms(
    pairs: Sequence[Pair], table: LexicalTable, tokenizer: AnyTokenizer, language: str
) -> Iterator[Line]:
    """Yield the pairs that have terms, with at most `MOST_TERMS`, the rarest words."""
    for pair in pairs:
        if len(pair.source) > LONGEST:
            continue
        found: dict[str, tuple[int, str]] = {}
        for word in _WORD.findall(pair.source):
            (piece, *_), begins = tokenizer.encode(word), set()
            begins = {to for to, share in table.translations(piece) if share >= LIKELY}
            for target in _WORD.findall(pair.target):
                first = tokenizer.target.encode_all([target])[0][0]
                if first in begins and target.lower() != word.lower() and word not in found:
                    found[word] = (int(table.counts[first]), target)
        rarest = sorted(found.items(), key=lambda each: each[1][0])[:MOST_TERMS]
        terms = [Term((word,), (target,), language) for word, (_, target) in rarest]
        if occurrences := TermFinder(terms, language).find(pair.source):
            yield Line(pair, occurrences)


def translate(
    translator: Translator, lines: Sequence[Line], ratio: LengthRatio | None, *, glossary: bool
) -> tuple[list[Fitted], float]:
    """Translate lines as users' texts are, and say how many seconds of CPU time that took."""
    guideline = Guideline(language=translator.target_language or "")
    tasks = [
        Task(
            Sentence((Part(0, 0, line.pair.source),)),
            (budget_for(line.pair.source, None, guideline, ratio),),
            line.terms if glossary else (),
        )
        for line in lines
    ]
    start = time.process_time()
    (fitted,) = fit_all([tasks], translator, guideline)
    return fitted, time.process_time() - start


def row(lines: Sequence[Line], fitted: Sequence[Fitted], seconds: float) -> list[str]:
    texts = [each.translation.hypothesis.text for each in fitted]
    quality = translation_quality(texts, [line.pair.target for line in lines])
    terms = sum(len(line.terms) for line in lines)
    lacking = sum(
        len(missing_from(text, line.terms)) for text, line in zip(texts, lines, strict=True)
    )
    return [
        f"{terms - lacking}/{terms}",
        f"{100 * (1 - lacking / terms):.1f}",
        f"{quality['BLEU']:.1f}",
        f"{quality['chrF']:.1f}",
        str(sum(not each.fits for each in fitted)),
        f"{seconds:.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language")
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--all", action="store_true", help="lines that have their terms too")
    parser.add_argument("--ratios", nargs="*", default=[":1.1", ":0.9"], metavar="MIN:MAX")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N translations")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    checkpoint = load_checkpoint(options.model)
    table = find_table(checkpoint, options.target_language)
    if table is None:
        parser.error(f"{options.model} has no lexical table, which the terms are found by")
    translator = Translator(checkpoint, target_language=options.target_language)
    pairs = list(read_pairs(options.pairs, options.target_language or ""))
    known = lines_with_terms(pairs, table, checkpoint.tokenizer, options.target_language or "")
    lines: list[Line] = []
    while len(lines) < options.lines and (part := list(islice(known, 64))):
        found, _ = translate(translator, part, None, glossary=False)
        lines += [
            line
            for line, one in zip(part, found, strict=True)
            if options.all or missing_from(one.translation.hypothesis.text, line.terms)
        ]
    lines = lines[: options.lines]
    print(f"{len(lines)} lines", *TITLES, sep=" | ")
    for ratio in (None, *map(LengthRatio.parse, options.ratios)):
        shown = "none" if ratio is None else f"{ratio.maximum:g} x source"
        for glossary in (False, True):
            fitted, seconds = translate(translator, lines, ratio, glossary=glossary)
            print(
                shown,
                "yes" if glossary else "no",
                *row(lines, fitted, seconds),
                sep=" | ",
                flush=True,
            )
            for line, one in list(zip(lines, fitted, strict=True))[: options.show]:
                terms = ", ".join(f"{each.source}: {each.targets[0]}" for each in line.terms)
                print("   ", line.pair.source, "||", one.translation.hypothesis.text, "||", terms)


if __name__ == "__main__":
    main()
