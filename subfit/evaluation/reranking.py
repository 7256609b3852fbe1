"""Of n hypotheses the one that has most words of its source (Takase and Okazaki 2019, §3.3).

Source and hypotheses are of one language, as a headline and its article are.
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
        UsageError: The model is for two languages.
    """
    if not same_language(translator.source_language, translator.language):
        raise UsageError(
            f"{translator.name} translates between languages; only hypotheses in the language of"
            " their source can be reranked by its words"
        )


def reranked(source: str, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return hypotheses in the order of how many words of their source they have.

    Args:
        source: The text.
        hypotheses: Best first; of those that say as much, the order stays.
    """
    return sorted(hypotheses, key=lambda one: -source_words(source, one.text))


def source_words(source: str, text: str) -> int:
    """Return how many words of a source stand in a text, each as often as both have it."""
    return (Counter(rouge_words(source)) & Counter(rouge_words(text))).total()
