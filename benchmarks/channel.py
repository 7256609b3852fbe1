"""Shows what it is worth to rank translations by how well they give their sources back.

A second model, which translates the other way, tells how probable the source is given each
candidate (`subfit.decoding.rating`). Its mean log-probability a token, times a weight, is part of
the candidate's score (`Weights.channel`); all lines go the way of users' texts. The weight 0 is
that of no second model.

    python -m benchmarks.channel models/multi-en models/en-multi dev/mixed.en-de.tsv --turned -s de
    python -m benchmarks.channel models/en-multi models/multi-en dev/mixed.en-de.tsv -t de \
        --weights 0 0.5 --asked-for "−30 %" --show 60

"cut" is the share of lines whose end the first model finds less likely than one in ten, as in
`benchmarks/fit_settings.py`; "changed" counts the lines that are others than without the second
model. ``--show`` prints such lines to be read: source, reference, without and with it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from benchmarks.fit_settings import CUT
from benchmarks.measuring import markdown
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import translate_pairs
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.model.config import Computing
from subfit.training.release.test_sets import LENGTH_CONTROLS

ASKED = ("natural", "isometric", "−15 %", "−30 %")
WEIGHTS = ("0", "0.25", "0.5", "1")
TITLES = ("asked for", "weight", "BLEU", "BLEU*", "chrF", "cut %", "channel", "changed", "seconds")


@dataclass(frozen=True, slots=True)
class Made:
    """What comes of the lines with one weight."""

    texts: Sequence[str]
    seconds: float
    """Of the processor."""


def translated(both: Translator, pairs: Sequence[Pair], asked_for: str, weight: str) -> Made:
    """Translate with a weight; without the channel model where the weight is 0."""
    channel = both.channel
    weights = replace(DEFAULT_SETTINGS.weights, channel=float(weight))
    start = time.process_time()
    try:
        both.channel = channel if float(weight) else None
        control = LENGTH_CONTROLS[asked_for]
        fitting = replace(DEFAULT_SETTINGS, weights=weights)
        outputs = translate_pairs(both, pairs, control, fitting=fitting)
    finally:
        both.channel = channel
    return Made(outputs.texts, time.process_time() - start)


def row(both: Translator, pairs: Sequence[Pair], made: Made, plain: Made) -> list[str]:
    """Return the figures of translations, beside those without the channel model."""
    quality = translation_quality(made.texts, [pair.target for pair in pairs])
    changed = sum(one != other for one, other in zip(made.texts, plain.texts, strict=True))
    sources = [pair.source for pair in pairs]
    nbest = [[Hypothesis(text, float(len(text)), 0.0, 0.0)] for text in made.texts]
    ends = [own[0].closing for own in both.rate(sources, nbest)]
    channel = fmean(own[0] for own in both.channel_of(sources, nbest) or [[0.0]])
    figures = (quality.bleu.value, quality.bleu_star.value, quality.chrf.value)
    return [
        *(f"{figure:.2f}" for figure in figures),
        f"{100 * fmean(end < CUT for end in ends):.1f}",
        f"{channel:.3f}",
        str(changed),
        f"{made.seconds:.0f}",
    ]


def shown(pairs: Sequence[Pair], made: Made, plain: Made, most: int) -> Iterator[str]:
    """Yield the lines that are others with the second model, to be read by a person."""
    rows = zip(pairs, plain.texts, made.texts, strict=True)
    changed = [each for each in rows if each[1] != each[2]]
    for pair, before, after in changed[:most]:
        told = ("  reference ", pair.target), ("  without   ", before), ("  with      ", after)
        yield "\n".join([pair.source, *(" ".join(each) for each in told)])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.channel", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model")
    parser.add_argument("channel_model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-s", "--source-language")
    parser.add_argument("-t", "--target-language")
    parser.add_argument("--turned", action="store_true")
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", nargs="+", default=WEIGHTS)
    parser.add_argument("--asked-for", nargs="+", choices=ASKED, default=ASKED[:1])
    parser.add_argument("--show", type=int, default=0, metavar="N")
    given = parser.parse_args(arguments)
    both = Translator.load(
        given.model,
        source_language=given.source_language,
        target_language=given.target_language,
        computing=Computing("cpu", "auto", given.threads),
        channel_model=given.channel_model,
    )
    pairs = list(read_pairs(given.file, turned=given.turned))
    pairs = random.Random(given.seed).sample(pairs, min(given.lines, len(pairs)))
    rows, lines = list[list[str]](), list[str]()
    for name in given.asked_for:
        plain = translated(both, pairs, name, "0")
        for weight in given.weights:
            made = plain if weight == "0" else translated(both, pairs, name, weight)
            rows.append([name, weight, *row(both, pairs, made, plain)])
            if given.show and weight == given.weights[-1]:
                lines += [f"\n{name}, weight {weight}", *shown(pairs, made, plain, given.show)]
    print(f"{given.file.name}, {len(pairs)} lines\n")
    print(markdown(TITLES, rows))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
