"""Word alignment by fast_align's model, learned from the text at hand (Dyer et al. 2013).

The program is that of the package ``systran-align``, in the extra ``subfit[adequacy]``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from subfit.errors import UsageError
from subfit.evaluation.adequacy import Words

ITERATIONS = 5


class FastAligner:
    """Aligns words by the tables that `learn_alignment` has learned."""

    def __init__(self, aligner: Any) -> None:
        self._aligner = aligner

    def links(self, source: Words, target: Words) -> list[tuple[int, int]]:
        """Return the pairs of a source word and a target word, by index, that are aligned."""
        if not source or not target:
            return []
        return list(self._aligner.align(list(source), list(target))["alignments"])

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        """Return the indices of the source words that are aligned with any target word."""
        return frozenset(index for index, _ in self.links(source, target))


def has_aligner() -> bool:
    """Tell whether systran-align is installed."""
    return find_spec("systran_align") is not None


def learn_alignment(pairs: Iterable[tuple[Words, Words]], what: str = "DROP") -> FastAligner:
    """Learn alignment tables, in both directions, joined as grow-diag-final.

    Args:
        pairs: Words of sources and targets. What is to be aligned should be among them: all
            systems that are compared, and the references, so that none has words of its own.
        what: What it is learned for, to tell where it cannot be.

    Raises:
        UsageError: systran-align is not installed.
    """
    try:
        import systran_align
    except ImportError as error:
        raise UsageError(
            f"{what} needs the package systran-align; install subfit[adequacy]"
        ) from error
    with tempfile.TemporaryDirectory() as name:
        text, forward, backward = (Path(name) / part for part in ("text", "forward", "backward"))
        with text.open("w", encoding="utf-8", newline="\n") as file:
            for source, target in pairs:
                if source and target:
                    file.write(f"{_plain(source)} ||| {_plain(target)}\n")
        systran_align.generate_alignment_probabilities(
            str(text), str(forward), str(backward), iterations=ITERATIONS, favor_diagonal=True
        )
        return FastAligner(systran_align.Aligner(str(forward), str(backward)))


def _plain(words: Words) -> str:
    """The words in a line, with none that would read as the bar between the sides."""
    return " ".join("|" if word == "|||" else word for word in words)
