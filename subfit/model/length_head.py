"""The head that reads a sentence's natural target length off the translator's own encoder."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import init


class LengthHead(nn.Module):
    """Predicts ln(target characters / source characters) from encoder states.

    The source's length is known exactly, so only the ratio is left to predict; its logarithm treats
    half and double alike and can stand for any length. The states are pooled with learned weights
    (at first all alike, which is mean pooling) and go with ln(source characters), since short
    sentences stretch otherwise than long ones, through one hidden layer.

    Args:
        width: d_model, the width of the states.
        mean_ratio: What it predicts at first, whatever the text.
    """

    def __init__(self, width: int, mean_ratio: float) -> None:
        super().__init__()
        self.hidden = nn.Linear(width + 1, width)
        self.attention = nn.Parameter(torch.empty(width))
        self.output = nn.Parameter(torch.empty(width))
        self.bias = nn.Parameter(torch.empty(()))
        self.start_at(mean_ratio)

    def start_at(self, mean_ratio: float) -> None:
        """Pool all states alike and predict one ratio for every text, as before training."""
        init.zeros_(self.attention)
        init.zeros_(self.output)
        init.constant_(self.bias, math.log(mean_ratio))

    def forward(self, states: Tensor, mask: Tensor, characters: Tensor) -> Tensor:
        """Return the predicted log ratios (batch_size,).

        Args:
            states: (batch_size, source_length, width) of the encoder's last layer.
            mask: (batch_size, source_length), 1 where there is a token.
            characters: (batch_size,) of the sources.
        """
        scores = (states @ self.attention).float()  # (batch_size, source_length)
        weights = scores.masked_fill(mask == 0, float("-inf")).softmax(1)
        pooled = (weights.unsqueeze(2) * states).sum(1)  # (batch_size, width)
        size = characters.clamp(min=1).log().to(pooled.dtype).unsqueeze(1)
        hidden = torch.relu(self.hidden(torch.cat([pooled, size], dim=1)))
        return (hidden @ self.output).float() + self.bias
