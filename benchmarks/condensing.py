"""Shows what condensing the source is worth on a set of pairs, beside not condensing it.

    python -m benchmarks.condensing models/en-multi dev/mixed.en-de.tsv -t de --lines 300

With ``--without RULE`` (or ``all``) it shows what is lost without a rule of
`subfit.condensing.spare.RULES`: in how many lines the rule has something to leave out, how many
translations are others without it, and figures of these. What is searched for once is not searched
for again.

    python -m benchmarks.condensing models/en-multi dev/mixed.en-de.tsv -t de --without all
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from benchmarks.fit_settings import CachingTranslator
from benchmarks.measuring import markdown
from subfit.condensing.clauses import clauses_of, tokens_of
from subfit.condensing.reading import Reading
from subfit.condensing.spare import RULES, is_allowed
from subfit.condensing.words import word_classes
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.evaluation import Evaluation, evaluate
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.model.checkpoint import load_checkpoint
from subfit.model.computing import Computing
from subfit.training.release.test_sets import LENGTH_CONTROLS

ASKED = ("isometric", "−15 %", "−30 %")
TITLES = ("asked for", "condensed", "BLEU", "BLEU*", "chrF", "LR", "in doubt", "condensed", "s")
RULE_TITLES = ("rule", "lines", "changed", "in doubt", "condensed", "BLEU", "BLEU*", "chrF")


def row(name: str, condense: bool, found: Evaluation) -> tuple[str, ...]:
    quality = found.quality
    return (
        name,
        "yes" if condense else "no",
        f"{quality.bleu.value:.1f}",
        f"{quality.bleu_star.value:.1f}",
        f"{quality.chrf.value:.1f}",
        f"{found.source_ratio.mean:.2f}",
        str(found.doubtful),
        str(found.condensed),
        f"{found.seconds:.0f}",
    )


def lines_of(rule: str, pairs: Sequence[Pair]) -> int:
    """Count the lines in which a rule has something to leave out."""
    words = word_classes("en")
    assert words is not None
    count = 0
    for pair in pairs:
        tokens = tokens_of(pair.source)
        reading = Reading(tokens, clauses_of(pair.source, tokens, "en"), words)
        count += any(
            is_allowed(reading, clause, part)
            for clause in reading.clauses
            for part in RULES[rule](reading, clause)
        )
    return count


def rule_rows(
    translator: CachingTranslator, pairs: Sequence[Pair], rules: Sequence[str]
) -> Iterator[tuple[str, ...]]:
    """Yield a row for all rules, one for none, and one for each left out."""

    def translated(condense: bool) -> Outputs:
        control = replace(LENGTH_CONTROLS["−30 %"], condense=condense)
        return translate_pairs(translator, pairs, control)

    def shown(name: str, lines: str, outputs: Outputs) -> tuple[str, ...]:
        quality = translation_quality(outputs.texts, [pair.target for pair in pairs])
        changed = sum(a != b for a, b in zip(outputs.texts, whole.texts, strict=True))
        counts = (changed, outputs.doubtful, outputs.condensed)
        figures = (quality.bleu.value, quality.bleu_star.value, quality.chrf.value)
        return (name, lines, *map(str, counts), *(f"{each:.1f}" for each in figures))

    whole = translated(condense=True)
    yield shown("all", "", whole)
    yield shown("none", "", translated(condense=False))
    for rule in rules:
        with patch.dict(RULES):
            del RULES[rule]
            outputs = translated(condense=True)
        yield shown(f"without {rule}", str(lines_of(rule, pairs)), outputs)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-t", "--target-language", required=True)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--least", type=int, default=0, help="characters of the shortest source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--without", choices=("all", *RULES), action="append", default=[])
    given = parser.parse_args()
    computing = Computing("cpu", "auto", given.threads)
    translator = Translator.load(
        given.model, target_language=given.target_language, computing=computing
    )
    pairs: list[Pair] = list(read_pairs(given.file))
    pairs = [pair for pair in pairs if len(pair.source) >= given.least]
    pairs = random.Random(given.seed).sample(pairs, min(given.lines, len(pairs)))
    print(f"{given.file.name}, {len(pairs)} lines\n")
    if given.without:
        checkpoint = load_checkpoint(given.model)
        remembering = CachingTranslator(checkpoint, target_language=given.target_language)
        rules = list(RULES) if "all" in given.without else given.without
        print(markdown(RULE_TITLES, list(rule_rows(remembering, pairs, rules))))
        return
    rows = [
        row(
            name,
            condense,
            evaluate(translator, pairs, replace(LENGTH_CONTROLS[name], condense=condense)),
        )
        for name in ASKED
        for condense in (False, True)
    ]
    print(markdown(TITLES, rows))


if __name__ == "__main__":
    main()
