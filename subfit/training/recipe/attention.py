"""How the decoder attends to the source: the section ``attention`` of a recipe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from subfit.configuration.checking import AtLeastOne, Within, require
from subfit.model.config import CONSTRAINED, Fertility, SourceAttentionKind


@dataclass(frozen=True, slots=True)
class Attention:
    """Attention of the decoder's last layer to the source (Malaviya et al. 2018; Ferreira 2018)."""

    kind: SourceAttentionKind = "softmax"
    """What makes attention of scores. ``csoftmax`` and ``csparsemax`` are constrained: no source
    token has more attention, over all steps, than its fertility. ``sparsemax`` needs
    ``subfit[attention]``."""
    fertility: Fertility = "constant"
    """Where the fertilities of constrained attention come from: ``constant``, the same for every
    token; ``max-align``, the most target tokens that were aligned with the token in training;
    ``predicted``, a head on the encoder that is trained along. The last two need
    ``subfit[adequacy]`` to train."""
    constant: Annotated[float, Within(ge=0.01, le=100)] = 2.0
    """The fertility of ``constant``."""
    exhaustion: Annotated[float, Within(ge=0, le=100)] = 0.0
    """c of ``z + c u``: tokens with more attention left are attended to more; 0 for none."""
    coverage_vector: bool = False
    """Tell the scores how much attention each token has had (Tu et al. 2016)."""
    alignment_pairs: AtLeastOne = 20_000
    """Pairs, drawn at random, that the aligner learns from before it aligns all."""

    def __post_init__(self) -> None:
        changed = self.fertility != "constant" or self.exhaustion
        require(
            (
                self.constrained or not changed,
                "kind fertility exhaustion",
                "attention.fertility and attention.exhaustion need attention.kind: csoftmax or"
                " csparsemax",
            )
        )

    @property
    def constrained(self) -> bool:
        """Whether source tokens have a bound of attention."""
        return self.kind in CONSTRAINED

    @property
    def needs_alignment(self) -> bool:
        """Whether training needs to know which tokens of a pair stand for each other."""
        return self.fertility != "constant"
