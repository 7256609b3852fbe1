"""A model as a search sees it: sources in, log-probabilities of the next piece out.

By forced decoding it also tells how probable given translations are, as if no length had been asked
for: a search that aims at a length takes an ending at that length for a good one, and so scores a
sentence that merely stops there too well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from subfit.decoding.hypotheses import Ensemble
from subfit.decoding.layers import Decoder, Encoder
from subfit.decoding.linears import Arithmetic, Linear
from subfit.decoding.parts import ModelParts, parts_of
from subfit.errors import ModelError
from subfit.model.config import Precision

Memory = tuple[Tensor, ...]
"""What is kept of an encoded source: one tensor for each model."""


_NO_NUMBERS = "the model computes no numbers (NaN or infinity); are its weights damaged?"
RATED_ROWS = 128
"""Tokens whose scores over all pieces are held at once."""


CACHED_ROWS = 32
"""Rows of scores over all pieces that fit into a processor's own cache."""


class Network:
    """One model, or several that vote.

    Args:
        models: Models of one vocabulary, in evaluation mode, on one device.
        precision: The arithmetic of their linear layers.
        pieces: (n,) the pieces that translations may be made of, ascending; None for all. The end
            token must be among them.
        first: The piece that every translation is made to begin with, as a language's token; it
            prints nothing. None for none.
        ensemble: What is averaged: log-probabilities, or probabilities as fairseq does.
    """

    def __init__(
        self,
        models: Sequence[Any],
        precision: Precision = "fp32",
        pieces: Tensor | None = None,
        first: int | None = None,
        ensemble: Ensemble = "log-probability",
    ) -> None:
        self._ensemble = ensemble
        self.config, self.device = models[0].config, models[0].device
        self.max_steps = min(int(model.config.max_position_embeddings) for model in models)
        """Most source tokens, and most target tokens, that there are positions for."""
        arithmetic = Arithmetic(precision)
        parts = [parts_of(model) for model in models]
        self.encoders = [Encoder(part.encoder, arithmetic, self.device) for part in parts]
        self.decoders = [
            Decoder(model, part.decoder, arithmetic)
            for model, part in zip(models, parts, strict=True)
        ]
        self.pieces, self.first = pieces, first
        self.prefix = 1 if first is None else 2
        """How many tokens stand before what a translation prints: the start, and a first piece."""
        self.usable = None if pieces is None else frozenset(pieces.tolist())
        """The pieces that translations may consist of; None for all."""
        self._outputs = [_output(part, pieces, arithmetic) for part in parts]

    @torch.inference_mode()
    def encode(self, sources: Sequence[Sequence[int]]) -> list[Memory]:
        """Encode sources, each once, however often it stands among them.

        Args:
            sources: Token ids of each.

        Returns:
            What a search needs of each.
        """
        once = list(dict.fromkeys(map(tuple, sources)))
        kept = [
            decoder.remember(encoder(once), once)
            for encoder, decoder in zip(self.encoders, self.decoders, strict=True)
        ]
        memories = dict(zip(once, zip(*kept, strict=True), strict=True))
        return [memories[tuple(source)] for source in sources]

    def log_probabilities(self, states: Sequence[Tensor]) -> Tensor:
        """Return (n, pieces) log-probabilities for states (n, d) of each model.

        Raises:
            ModelError: The states are no numbers.
        """
        if not all(bool(state.isfinite().all()) for state in states):
            raise ModelError(_NO_NUMBERS)
        log_probs = [
            _log_softmax(output(state)) for output, state in zip(self._outputs, states, strict=True)
        ]
        return log_probs[0] if len(log_probs) == 1 else vote(log_probs, self._ensemble)

    @torch.inference_mode()
    def rate(
        self, targets: Sequence[Sequence[int]], memories: Sequence[Memory]
    ) -> list[list[float]]:
        """Return the log-probability of every token of targets, no length being asked for.

        Args:
            targets: Token ids of each, the end token last; all of them among ``pieces``.
            memories: Of the sources that they translate.

        Returns:
            As many numbers as tokens, for each target; nothing of the piece that all begin with.
        """
        before = [int(self.config.decoder_start_token_id)]
        if self.first is not None:
            before.append(self.first)
        inputs = [[*before, *target[:-1]] for target in targets]
        states = [
            decoder.whole(inputs, [memory[number] for memory in memories])
            for number, decoder in enumerate(self.decoders)
        ]
        if self.first is not None:  # its own probability is none of the target's
            sizes = [len(one) for one in inputs]
            states = [torch.cat([own[1:] for own in torch.split(one, sizes)]) for one in states]
        tokens = torch.tensor([token for target in targets for token in target], device=self.device)
        columns = self.index(tokens).unsqueeze(1)
        chosen = [  # a few rows at a time: their scores stay in the processor's cache
            self.log_probabilities([state[start : start + RATED_ROWS] for state in states]).gather(
                1, columns[start : start + RATED_ROWS]
            )
            for start in range(0, len(columns), RATED_ROWS)
        ]
        rows = torch.split(torch.cat(chosen).squeeze(1), [len(target) for target in targets])
        return [row.tolist() for row in rows]

    def index(self, tokens: Tensor) -> Tensor:
        """Return where token ids stand among the pieces that may be used."""
        return tokens if self.pieces is None else torch.searchsorted(self.pieces, tokens)


def vote(log_probs: Sequence[Tensor], ensemble: Ensemble) -> Tensor:
    """Return the log-probabilities (n, pieces) of an ensemble of models."""
    together = torch.stack(list(log_probs))
    if ensemble == "probability":
        return together.logsumexp(0) - math.log(len(log_probs))
    return together.mean(0)


def _output(parts: ModelParts, pieces: Tensor | None, arithmetic: Arithmetic) -> Linear:
    """The output layer, without a bias that is zero throughout, as it usually is."""
    kept = slice(None) if pieces is None else pieces
    bias = None if parts.output_bias is None else parts.output_bias[kept]
    return arithmetic.linear(
        parts.output[kept], None if bias is None or not bool(bias.any()) else bias
    )


def _log_softmax(scores: Tensor) -> Tensor:
    """Turn (n, pieces) scores into log-probabilities, in place: a few rows fit into the cache."""
    for block in scores.split(CACHED_ROWS):  # type: ignore[no-untyped-call]
        torch.log_softmax(block, -1, out=block)
    return scores
