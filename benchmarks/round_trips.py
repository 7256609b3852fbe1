"""Shows what it is worth to choose fitted translations by how well they give their sources back.

A second model, which translates the other way, tells how probable the source is given each of the
candidates that fitting weighs (`subfit.evaluation.round_trip`). Its mean log-probability a token,
times a weight, is added to the candidate's score, and the rest goes the way of users' texts, under
the same ceilings. An experiment: subfit itself translates with one model.

    python -m benchmarks.round_trips models/en-multi models/multi-en dev/mixed.en-de.tsv -t de
    python -m benchmarks.round_trips models/en-multi models/multi-en dev/mixed.en-de.tsv -t de \
        --weights 0 0.3 --asked-for "−30 %" --show 60

"cut" is the share of lines whose end the first model finds less likely than one in ten, as in
`benchmarks/fit_settings.py`; "changed" counts the lines that are others than without the second
model. ``--show`` prints such lines to be read: source, reference, without and with it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from benchmarks.fit_settings import CUT, CachingTranslator
from benchmarks.measuring import markdown
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.loading import load_translator
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.round_trip import check_back_model, source_probabilities
from subfit.model.checkpoint import load_checkpoint
from subfit.model.computing import Computing
from subfit.training.release.test_sets import LENGTH_CONTROLS

ASKED = ("isometric", "−15 %", "−30 %")
WEIGHTS = (0.0, 0.1, 0.3, 1.0)
TITLES = ("asked for", "weight", "BLEU", "BLEU*", "chrF", "cut %", "round trip", "changed")


class GivingBack(CachingTranslator):
    """A translator whose ratings weigh how well a second one gives the sources back."""

    back: Translator
    weight: float = 0.0

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses as the model does, and add what the second one says of them."""
        rated = Translator.rate(self, texts, nbest, formalities)
        if not self.weight:
            return rated
        pairs = [(text, one.text) for text, own in zip(texts, rated, strict=True) for one in own]
        means = iter(given_back(self.back, pairs))
        return [
            [replace(one, score=one.score + self.weight * next(means)) for one in own]
            for own in rated
        ]


def given_back(back: Translator, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the mean log-probability of a token of each source, given its translation.

    What the second model cannot read or write counts as the least probable of all.
    """
    sources, texts = [source for source, _ in pairs], [text for _, text in pairs]
    found = source_probabilities(back, sources, texts)
    means = [value / many if value is not None and many else None for value, many in found]
    worst = min((mean for mean in means if mean is not None), default=0.0)
    return [worst if mean is None else mean for mean in means]


def row(
    name: str, translator: GivingBack, pairs: Sequence[Pair], outputs: Outputs, plain: Outputs
) -> tuple[str, ...]:
    """Return the figures of the translations under one ceiling with one weight."""
    quality = translation_quality(outputs.texts, [pair.target for pair in pairs])
    changed = sum(one != other for one, other in zip(outputs.texts, plain.texts, strict=True))
    trip = given_back(
        translator.back,
        [(pair.source, text) for pair, text in zip(pairs, outputs.texts, strict=True)],
    )
    figures = (quality.bleu.value, quality.bleu_star.value, quality.chrf.value)
    return (
        name,
        f"{translator.weight:g}",
        *(f"{figure:.2f}" for figure in figures),
        f"{100 * fmean(cut(translator, pairs, outputs)):.1f}",
        f"{fmean(trip):.3f}",
        str(changed),
    )


def cut(translator: GivingBack, pairs: Sequence[Pair], outputs: Outputs) -> list[bool]:
    """Tell which translations end where the first model would go on."""
    nbest = [[Hypothesis(text, float(len(text)), 0.0, 0.0)] for text in outputs.texts]
    rated = Translator.rate(translator, [pair.source for pair in pairs], nbest)
    return [own[0].closing < CUT for own in rated]


def shown(pairs: Sequence[Pair], outputs: Outputs, plain: Outputs, most: int) -> Iterator[str]:
    """Yield the lines that are others with the second model, to be read by a person."""
    rows = zip(pairs, plain.texts, outputs.texts, strict=True)
    changed = [each for each in rows if each[1] != each[2]]
    for pair, before, after in changed[:most]:
        told = ("  reference ", pair.target), ("  without   ", before), ("  with      ", after)
        yield "\n".join([pair.source, *(" ".join(each) for each in told)])


def load(given: argparse.Namespace) -> GivingBack:
    """Load both models."""
    computing = Computing("cpu", "auto", given.threads)
    translator = GivingBack(load_checkpoint(given.model), target_language=given.target_language)
    languages = translator.source_language, translator.language
    back = load_translator(
        given.back_model,
        source_language=languages[1],
        target_language=languages[0],
        computing=computing,
    )
    check_back_model(back, languages)
    if not isinstance(back, Translator):
        raise UsageError(f"{back.name} tells no probabilities")
    translator.back = back
    return translator


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.round_trips", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model")
    parser.add_argument("back_model")
    parser.add_argument("file", type=Path)
    parser.add_argument("-t", "--target-language")
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--weights", type=float, nargs="+", default=WEIGHTS)
    parser.add_argument("--asked-for", nargs="+", choices=ASKED, default=ASKED)
    parser.add_argument("--show", type=int, default=0, metavar="N")
    given = parser.parse_args(arguments)
    translator = load(given)
    pairs = list(read_pairs(given.file))
    pairs = random.Random(given.seed).sample(pairs, min(given.lines, len(pairs)))
    rows, lines = list[tuple[str, ...]](), list[str]()
    for name in given.asked_for:
        translator.weight = 0.0
        plain = translate_pairs(translator, pairs, LENGTH_CONTROLS[name])
        for weight in given.weights:
            translator.weight = weight
            outputs = translate_pairs(translator, pairs, LENGTH_CONTROLS[name])
            rows.append(row(name, translator, pairs, outputs, plain))
            if given.show and weight == given.weights[-1]:
                lines += [f"\n{name}, weight {weight:g}", *shown(pairs, outputs, plain, given.show)]
    print(f"{given.file.name}, {len(pairs)} lines\n")
    print(markdown(TITLES, rows))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
