"""The character ceiling for models that Hugging Face's ``generate`` searches.

Its beam search hands log-probabilities to processors, so what is left keeps the probability that
the model gave it, as with `subfit.decoding.processors.CharacterCeiling`. Encoder-decoder and
decoder-only models alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers import LogitsProcessor

from subfit.decoding.attention import NEVER
from subfit.decoding.pieces import PieceTable
from subfit.decoding.processors import over_ceiling


class CeilingLogits(LogitsProcessor):  # type: ignore[misc]  # of no type there
    """No sequence prints more characters than its ceiling allows, or ends in the midst of a word.

    Args:
        table: What each token of the vocabulary prints.
        ends: Token ids that end a translation; none does before something is printed.
        banned: Token ids that no translation has.
        prompt: Tokens before the translation.
        ceilings: Of each row of a batch (a row per hypothesis), most characters.
        dense: Likewise, most characters that are no spaces.
        normalized: Whether scores are log-probabilities, as they are of several beams.
    """

    def __init__(
        self,
        table: PieceTable,
        ends: Sequence[int],
        banned: Tensor,
        prompt: int,
        ceilings: Tensor,
        dense: Tensor,
        *,
        normalized: bool = False,
    ) -> None:
        self._table, self._prompt, self._banned = table, prompt, banned
        self._ends = torch.tensor(ends, device=ceilings.device)
        self._inside_word = table.inside_word.float()
        self._ceilings, self._dense, self._normalized = ceilings, dense, normalized
        self._widest = table.characters.max()

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Mask, of (n, pieces) scores, what may not follow ``input_ids`` (n, tokens)."""
        log_probs = scores if self._normalized else scores.log_softmax(-1)
        table, said = self._table, input_ids[:, self._prompt :]
        costs, leads = table.characters[said], table.lead[said]
        at_start = table.code_points[said].sum(1) == 0
        lead = leads[:, 0] if said.shape[1] else 0.0  # lost at the start of a line
        room = self._ceilings - costs.sum(1) + lead
        dense = self._dense - (costs - leads).sum(1)
        tight = (torch.minimum(room, dense) < self._widest).nonzero().squeeze(1)
        masked = log_probs.masked_fill(self._banned, NEVER)
        if len(tight):  # the others have room for any token
            limits = room[tight], dense[tight], at_start[tight]
            over = over_ceiling(log_probs[tight], table, self._inside_word, *limits)
            masked[tight] = masked[tight].masked_fill_(over, NEVER)
        if bool(at_start.any()):
            ends = masked[:, self._ends]
            masked[:, self._ends] = ends.masked_fill(at_start.unsqueeze(1), NEVER)
        return masked
