"""Shows what the numbers of fitting (`subfit/fitting/settings.py`) are worth on a set of
pairs.

Every setting goes the way of users' texts, under the same ceilings; searches that settings have in
common are done once. "closing" is the mean log-probability of the ends of the shortened lines, and
"cut" the share of them whose end the model finds less likely than one in ten: most of these stop
before their verb or object.

    python benchmarks/fit_settings.py models/en-multi dev/mixed.en-de.tsv -t de --lines 300
    python benchmarks/fit_settings.py models/en-multi dev/mixed.en-de.tsv -t de --vary beams
    python benchmarks/fit_settings.py models/en-multi dev/mixed.en-de.tsv -t de --vary beams
    python benchmarks/fit_settings.py models/en-multi dev/mixed.en-de.tsv -t de --vary condensing
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from statistics import fmean

import torch

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.outputs import translate_pairs
from subfit.fitting.settings import DEFAULT_SETTINGS, FittingSettings
from subfit.model.checkpoint import load_checkpoint
from subfit.reporting.lengths import SHORT_SOURCE, length_compliance
from subfit.training.release.test_sets import LENGTH_CONTROLS

ROUNDS = (
    ((1.0, 0.94), (0.85, 0.75), (0.64,)),
    ((1.0, 0.97, 0.94, 0.9), (0.85, 0.75), (0.64,)),
)
CLOSING_WEIGHTS = (0.0, 0.05, 0.1, 0.2)
DOUBTFUL = (-math.inf, -3.0, -1.5)
WIDE_BEAMS = (0, 8, 16, 32)
MUCH_WORSE = (0.2, 0.4, math.inf)
OMISSIONS = ((0.0, 0.1), (0.2, 0.1), (0.4, 0.1), (0.2, 0.05))
CUT = math.log(0.1)
TITLES = (
    "ceiling",
    "asked for",
    "closing weight",
    "doubtful",
    "beams at last",
    "condensations",
    "much worse",
    "omission",
    "omission weight",
    "BLEU",
    "BLEU*",
    "chrF",
    "LC %",
    "over %",
    "cut %",
    "closing",
)


class CachingTranslator(Translator):
    """A translator that does nothing twice."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.found: dict[Request, list[Hypothesis]] = {}
        self.ratings: dict[tuple[str, tuple[int, ...], str | None], Hypothesis] = {}

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        new = [each for each in dict.fromkeys(requests) if each not in self.found]
        self.found |= zip(new, super().translate(new, on_done), strict=True)
        return [self.found[each] for each in requests]

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        forms = formalities or [None] * len(texts)
        for text, hypotheses, form in zip(texts, nbest, forms, strict=True):
            new = [one for one in hypotheses if (text, one.token_ids, form) not in self.ratings]
            (rated,) = super().rate([text], [new], [form])
            self.ratings |= {(text, one.token_ids, form): one for one in rated}
        return [
            [
                replace(one, score=known.score, closing=known.closing)
                for one in hypotheses
                for known in [self.ratings[text, one.token_ids, form]]
            ]
            for text, hypotheses, form in zip(texts, nbest, forms, strict=True)
        ]

    def closing(self, source: str, text: str) -> float | None:
        """Return the closing of an output that was rated, None of any other.

        Of a condensation's it is as rated with that, not with all of its source.
        """
        found = [(of, one) for (of, *_), one in self.ratings.items() if one.text == text]
        found.sort(key=lambda rated: rated[0] != source)
        return next((one.closing for _, one in found), None)


@dataclass(frozen=True, slots=True)
class Row:
    """What some settings are worth under one ceiling."""

    bleu: float
    bleu_star: float
    chrf: float
    compliance: float
    """Strict LC over sources of more than 10 characters."""
    over: float
    closing: float
    cut: float


def measure(
    translator: CachingTranslator, pairs: Sequence[Pair], wish: str, settings: FittingSettings
) -> Row:
    outputs = translate_pairs(translator, pairs, LENGTH_CONTROLS[wish], fitting=settings)
    quality = translation_quality(outputs.texts, [pair.target for pair in pairs])
    longer = [
        (pair.source, text)
        for pair, text in zip(pairs, outputs.texts, strict=True)
        if len(pair.source) > SHORT_SOURCE
    ]
    ends = [
        translator.closing(pair.source, text)
        for pair, text in zip(pairs, outputs.texts, strict=True)
    ]
    closings = [each for each in ends if each is not None]
    ceilings = outputs.ceilings or (math.inf,) * len(pairs)
    over = [len(text) > most for text, most in zip(outputs.texts, ceilings, strict=True)]
    return Row(
        bleu=quality.bleu.value,
        bleu_star=quality.bleu_star.value,
        chrf=quality.chrf.value,
        compliance=length_compliance(*zip(*longer, strict=True)).strict,
        over=fmean(over),
        closing=fmean(closings or [0.0]),
        cut=fmean([each < CUT for each in closings] or [0.0]),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model")
    parser.add_argument("pairs", type=Path)
    parser.add_argument("-t", "--target-language")
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument(
        "--wishes", nargs="+", choices=LENGTH_CONTROLS, default=list(LENGTH_CONTROLS)[1:]
    )
    parser.add_argument("--vary", choices=("closing", "beams", "condensing"), default="closing")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pairs = list(read_pairs(options.pairs, options.target_language or ""))
    pairs = pairs[:: max(1, len(pairs) // options.lines)][: options.lines]
    checkpoint = load_checkpoint(options.model)
    several = getattr(checkpoint.model.config, "language_tokens", None)
    language = options.target_language if several else None
    translator = CachingTranslator(checkpoint, target_language=language)
    print(*TITLES, sep=" | ")
    for wish in ("natural", *options.wishes):
        for settings in varied_settings(options.vary):
            row = measure(translator, pairs, wish, settings)
            figures = [row.bleu, row.bleu_star, row.chrf, 100 * row.compliance, 100 * row.over]
            shown = [f"{each:.1f}" for each in (*figures, 100 * row.cut)]
            of = settings.weights
            numbers = (of.closing, settings.doubtful, settings.wide_beams)
            numbers += (settings.condensations, settings.much_worse, of.omission, of.omitted_word)
            rounds = " | ".join(",".join(map("{:g}".format, each)) for each in settings.rounds)
            print(wish, rounds.replace(" | ", ";"), *numbers, *shown, sep=" | ", end=" | ")
            print(f"{row.closing:.2f}", flush=True)
            if wish == "natural":
                break  # no such setting changes what fits as it is


def varied_settings(varied: str) -> Iterator[FittingSettings]:
    """Yield the settings to try: those by default with other numbers in some places."""
    weights = DEFAULT_SETTINGS.weights
    if varied == "beams":
        for beams in WIDE_BEAMS:
            yield replace(DEFAULT_SETTINGS, wide_beams=beams)
    elif varied == "condensing":
        yield replace(DEFAULT_SETTINGS, condensations=0)
        for worse, (omission, word) in product(MUCH_WORSE, OMISSIONS):
            own = replace(weights, omission=omission, omitted_word=word)
            yield replace(DEFAULT_SETTINGS, much_worse=worse, weights=own)
    else:
        for rounds, weight, doubtful in product(ROUNDS, CLOSING_WEIGHTS, DOUBTFUL):
            own = replace(weights, closing=weight)
            yield FittingSettings(rounds, doubtful, weights=own)


if __name__ == "__main__":
    main()
