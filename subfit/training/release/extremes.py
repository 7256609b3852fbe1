"""The lines of test sets that a model translates best and worst, to be read by its author."""

from __future__ import annotations

from collections.abc import Iterable

from subfit.evaluation.asking import NATURAL, Wish
from subfit.evaluation.outputs import translate_pairs
from subfit.evaluation.weaknesses import Line, least_like_references, most_like_references
from subfit.localization import OnProgress
from subfit.training.release.card_text import table
from subfit.training.release.test_sets import TestSet
from subfit.training.release.translators import Bench

COUNT = 10


def extremes(bench: Bench, language: str, test: TestSet, on_progress: OnProgress) -> str:
    """Return the best and the worst natural translations of a test set, as Markdown.

    Args:
        bench: The model.
        language: Tag of the language to translate into.
        test: Sources and references.
        on_progress: Called with the lines that are done and all that there are.
    """
    translator = bench.translator(language, test.name)
    texts = translate_pairs(translator, test.pairs, Wish(NATURAL), on_progress=on_progress).texts
    best = most_like_references(test.pairs, texts, COUNT)
    worst = least_like_references(test.pairs, texts, COUNT)
    return (
        f"## {language}, {test.name}: best\n\n{_table(best)}\n\n"
        f"## {language}, {test.name}: worst\n\n{_table(worst)}\n"
    )


def _table(lines: Iterable[Line]) -> str:
    rows = ((f"{each.value:.1f}", each.source, each.output, each.reference) for each in lines)
    return table(("chrF of the line", "source", "output", "reference"), rows)
