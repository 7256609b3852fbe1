"""Choosing among the hypotheses that a search found for a line, by other things than their score.

These are what papers compare length control with: hypotheses that keep their length by luck, found
by a search that was told nothing of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Hypothesis
from subfit.errors import UsageError
from subfit.evaluation.metrics import plain_words
from subfit.reporting.lengths import is_compliant_iwslt
from subfit.text.languages import same_language

By = Literal["words", "isometric", "mbr"]


@dataclass(frozen=True, slots=True)
class Reranking:
    """Of how many hypotheses one is chosen, and by what."""

    hypotheses: int
    by: By = "words"
    """``words``: the one that has most words of its source (Takase and Okazaki 2019, §3.3), each as
    often as both have it; source and hypotheses are of one language, as a headline and its article.
    ``isometric``: the largest α · score + (1 − α) · LC, with LC 1 for a hypothesis within 10 % of
    its source by the rule of IWSLT 2022, else 0 (as that task's strong baseline does).
    ``mbr``: the largest expected chrF to all hypotheses, each as likely as the model finds it
    (Kumar and Byrne 2004)."""
    alpha: float = 0.5
    """α of ``isometric``; scores are log-probabilities by length."""

    def check(self, translator: AnyTranslator) -> None:
        """Check that a model's hypotheses can be chosen so.

        Raises:
            UsageError: They are in another language than their sources, and words are counted.
        """
        told = translator.source_language, translator.language
        if self.by == "words" and not same_language(*told):
            raise UsageError(
                f"{translator.name} translates between languages; only hypotheses in the language"
                " of their source can be reranked by its words"
            )

    def ordered(
        self, source: str, candidates: Sequence[Hypothesis], others: Sequence[Hypothesis] = ()
    ) -> list[Hypothesis]:
        """Return candidates, the one to take first; of those that are alike the order stays.

        Args:
            source: What they translate.
            candidates: Those to choose from, best score first.
            others: Further hypotheses, that ``mbr`` compares with.
        """
        values = self._values(source, candidates[: self.hypotheses], others[: self.hypotheses])
        places = sorted(range(len(values)), key=lambda place: -values[place])
        return [candidates[place] for place in places]

    def _values(
        self, source: str, some: Sequence[Hypothesis], others: Sequence[Hypothesis]
    ) -> list[float]:
        if self.by == "words":
            said = Counter(plain_words(source))
            return [(said & Counter(plain_words(one.text))).total() for one in some]
        if self.by == "isometric":
            fits = [is_compliant_iwslt(source, one.text) for one in some]
            weight = self.alpha
            return [
                weight * h.score + (1 - weight) * fit for h, fit in zip(some, fits, strict=True)
            ]
        likely = {one.text: one.log_probability for one in (*others, *some)}
        most = max(likely.values(), default=0.0)
        weights = {text: math.exp(one - most) for text, one in likely.items()}
        return [
            sum(
                weight * _chrf().sentence_score(one.text, [text]).score
                for text, weight in weights.items()
            )
            for one in some
        ]


@cache
def _chrf() -> Any:
    from sacrebleu.metrics import CHRF

    return CHRF()
