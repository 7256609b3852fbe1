"""How often a translation has the form of address that it was asked for.

    python -m benchmarks.formality MODEL LANGUAGE PAIRS... [--lines 300] [--beam 5]

PAIRS are files of held-out pairs. Lines whose reference has a known form are taken, as many of each
form as there are, and translated three times: as it comes, in the form of the reference, and in the
other one. `subfit.text.formality` judges what comes out. A translation without a known form
addresses nobody, or does so in a form that tells nothing ("su" for "your"); it counts as no hit in
the first share and not at all in the second.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from subfit.decoding.hypotheses import SearchSettings
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair, read_pairs
from subfit.evaluation.metrics import translation_quality
from subfit.fitting.pipeline import fit_all
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.formality import FORMALITIES, Formality, formality_of


def labelled(paths: Sequence[Path], language: str, lines: int) -> list[tuple[Pair, Formality]]:
    """Draw pairs with a known form, half of each form as far as there are so many."""
    forms: dict[Formality, list[Pair]] = {each: [] for each in FORMALITIES}
    for path in paths:
        for pair in read_pairs(path, language):
            form = formality_of(pair.target, language, pair.source)
            if form is not None:
                forms[form].append(pair)
    chooser = random.Random(1)
    for pairs in forms.values():
        chooser.shuffle(pairs)
    formal, informal = forms["formal"], forms["informal"]
    polite = min(len(formal), max(lines // 2, lines - len(informal)))
    chosen = {"formal": formal[:polite], "informal": informal[: lines - polite]}
    return [(pair, form) for form in FORMALITIES for pair in chosen[form]]


def translated(
    rows: Sequence[tuple[Pair, Formality]],
    asked: Sequence[Formality | None],
    translator: Translator,
    ratio: float,
) -> list[str]:
    """Translate sources as films are, each with the form that is asked for."""
    guideline = Guideline(name="none", language=translator.language)
    tasks = [
        Task(Sentence((Part(0, 0, pair.source),)), (_budget(pair.source, ratio),), formality=form)
        for (pair, _), form in zip(rows, asked, strict=True)
    ]
    (fitted,) = fit_all([tasks], translator, guideline)
    return [" ".join(line for lines in one.lines for line in lines) for one in fitted]


def _budget(source: str, ratio: float) -> LengthBudget:
    return LengthBudget(round(ratio * len(source))) if ratio else LengthBudget()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("language")
    parser.add_argument("pairs", nargs="+", type=Path)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--ratio", type=float, default=0, help="of a hard limit to the source")
    options = parser.parse_args()
    language = options.language
    rows = labelled(options.pairs, language, options.lines)
    counts = Counter(form for _, form in rows)
    print(f"{language}: {len(rows)} lines, {dict(counts)}")
    checkpoint = load_checkpoint(find_model(options.model, "en", language))
    search = SearchSettings(beams=options.beam, nbest=options.beam)
    translator = Translator(checkpoint, settings=search, target_language=language)
    other: dict[Formality, Formality] = {"formal": "informal", "informal": "formal"}
    wishes: dict[str, list[Formality | None]] = {
        "as it comes": [None] * len(rows),
        "reference's form": [form for _, form in rows],
        "other form": [other[form] for _, form in rows],
    }
    for name, asked in wishes.items():
        texts = translated(rows, asked, translator, options.ratio)
        found = [
            formality_of(text, language, pair.source)
            for text, (pair, _) in zip(texts, rows, strict=True)
        ]
        wanted = [form or own for form, (_, own) in zip(asked, rows, strict=True)]
        hits = sum(one == two for one, two in zip(found, wanted, strict=True))
        known = sum(form is not None for form in found)
        bleu = translation_quality(texts, [pair.target for pair, _ in rows])["BLEU"]
        print(
            f"  {name}: {100 * hits / len(rows):.1f} % of all, "
            f"{100 * hits / max(1, known):.1f} % of the {known} that tell; BLEU {bleu:.1f}"
        )


if __name__ == "__main__":
    main()
