"""How close translations are to references: sacreBLEU's figures, each with its signature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Score:
    """One figure and the settings that made it."""

    value: float
    """From 0 to 100."""
    signature: str
    """sacreBLEU's, which names tokenization, case, smoothing and version."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Translations compared with one reference each."""

    bleu: Score
    bleu_star: Score
    """BLEU divided by its brevity penalty: precision alone, for translations that are short on
    purpose (Lakew 2019)."""
    chrf: Score

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)


def translation_quality(hypotheses: Sequence[str], references: Sequence[str]) -> Quality:
    """Compare translations with their references over the whole corpus.

    Args:
        hypotheses: Detokenized translations, at least one.
        references: As many detokenized references.

    Raises:
        ValueError: There is nothing to compare, or the numbers differ.
    """
    from sacrebleu.metrics import BLEU, CHRF

    if not hypotheses or len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses and {len(references)} references")
    bleu, chrf = BLEU(), CHRF()
    score = bleu.corpus_score(list(hypotheses), [list(references)])
    signature = str(bleu.get_signature())
    # Without any output the penalty is 0, and so is every precision.
    star = score.score / score.bp if score.bp else 0.0
    overlap = chrf.corpus_score(list(hypotheses), [list(references)])
    return Quality(
        bleu=Score(score.score, signature),
        bleu_star=Score(star, f"{signature}|bp:no"),
        chrf=Score(overlap.score, str(chrf.get_signature())),
    )


def sentence_chrf(hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the chrF of every translation by itself, from 0 to 100.

    Args:
        hypotheses: Detokenized translations.
        references: As many detokenized references.
    """
    from sacrebleu.metrics import CHRF

    chrf = CHRF()
    pairs = zip(hypotheses, references, strict=True)
    return [chrf.sentence_score(ours, [theirs]).score for ours, theirs in pairs]


def chrf_signature() -> str:
    """Return the settings that `sentence_chrf` has, as sacreBLEU writes them."""
    from sacrebleu.metrics import CHRF

    chrf = CHRF()
    chrf.sentence_score("a", ["a"])  # it counts the references only then
    return str(chrf.get_signature())
