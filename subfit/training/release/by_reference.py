"""How much of what a length limit costs is the references' doing, most of which break it too.

A translation within the limit cannot have the words of a reference that is longer. So what a limit
costs is told in two more ways: on the lines whose reference keeps to it, and for the references
themselves, cut until they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from subfit.evaluation.corpus import Pair
from subfit.evaluation.metrics import translation_quality
from subfit.limits.guideline import EVERYTHING, count_characters
from subfit.reporting.lengths import is_compliant_strict, one_line


def compliant_references(texts: Sequence[str], pairs: Sequence[Pair]) -> dict[str, Any] | None:
    """Compare translations with references on the lines whose reference is isometric.

    Args:
        texts: The translations, one per pair.
        pairs: Sources and references.

    Returns:
        The number of lines whose reference has 0.9 to 1.1 times the source's characters, and the
        quality on them; None if there are none.
    """
    chosen = [
        (text, pair.target)
        for text, pair in zip(texts, pairs, strict=True)
        if is_compliant_strict(pair.source, pair.target)
    ]
    if not chosen:
        return None
    quality = translation_quality(*zip(*chosen, strict=True))
    return {"lines": len(chosen), "quality": quality.to_dict()}


def cut_references(pairs: Sequence[Pair], ceilings: Sequence[float]) -> dict[str, Any]:
    """Compare references with themselves, each cut after a word so that it keeps to its ceiling.

    Args:
        pairs: Sources and references, at least one pair.
        ceilings: The most characters of each.

    Returns:
        The quality that words in the best order have, if all that can be done is leaving some out.
    """
    references = [pair.target for pair in pairs]
    cut = [_cut(text, ceiling) for text, ceiling in zip(references, ceilings, strict=True)]
    return translation_quality(cut, references).to_dict()


def _cut(text: str, ceiling: float) -> str:
    words = one_line(text).split(" ")
    while words and count_characters(" ".join(words), EVERYTHING) > ceiling:
        words.pop()
    return " ".join(words)
