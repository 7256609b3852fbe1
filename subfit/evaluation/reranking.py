"""Of n hypotheses the one that says most words of its source (Takase and Okazaki 2019, §3.3).

In one language these are the words of the source that stand in it; between languages the share of
the source that a lexical table finds said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis
from subfit.errors import UsageError
from subfit.evaluation.rouge import rouge_words
from subfit.text.languages import same_language


def check_reranking(translator: AnyTranslator) -> None:
    """Check that hypotheses can be compared with their sources.

    Raises:
        UsageError: The model is for two languages and has no lexical table.
    """
    if not _in_one_language(translator) and translator.coverage_of("a", ()) is None:
        raise UsageError(
            f"{translator.name} has no table of words to rerank by; learn one with subfit lexicon"
        )


def reranked(
    translator: AnyTranslator, source: str, hypotheses: Sequence[Hypothesis]
) -> list[Hypothesis]:
    """Return hypotheses in the order of how much of their source they say.

    Args:
        translator: What found them.
        source: The text.
        hypotheses: Best first; of those that say as much, the order stays.
    """
    if _in_one_language(translator):
        shares = [float(source_words(source, one.text)) for one in hypotheses]
    else:
        shares = translator.coverage_of(source, hypotheses) or [0.0] * len(hypotheses)
    order = sorted(range(len(hypotheses)), key=lambda number: -shares[number])
    return [hypotheses[number] for number in order]


def source_words(source: str, text: str) -> int:
    """Return how many words of a source stand in a text, each as often as both have it."""
    return (Counter(rouge_words(source)) & Counter(rouge_words(text))).total()


def _in_one_language(translator: AnyTranslator) -> bool:
    return same_language(translator.source_language, translator.language)
