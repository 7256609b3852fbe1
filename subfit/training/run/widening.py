"""Wider layers for a trained model, which translates about as before until it is trained on.

Units are copied, and what reads them shares its weights among the copies (Chen et al. 2016,
Net2Net, §2.2), as Chen et al. 2022 (bert2BERT, §3.2) do it with Transformers. The copies of one
unit read and are read a little differently, so that they part in training. Of states the units are
chosen so that position and length encodings, sinusoids of falling frequency, find nearly theirs
again. Normalisation weighs all units alike, whether copied or not: only there something changes.
"""

from __future__ import annotations

import torch
from torch import Tensor

from subfit.errors import ModelError
from subfit.model.checkpoint import Checkpoint
from subfit.model.transformer import SubfitConfig, SubfitForTranslation

SEED = 21
"""Draws the shares of copies, and what parts them."""
APART = 0.02
"""Standard deviation of what is added to weights, as a share of their own."""


@torch.no_grad()
def with_wider_layers(start: Checkpoint, width: int, feed_forward: int = 0) -> Checkpoint:
    """Return a trained model with wider states, more heads of the same size, and wider layers.

    Args:
        start: The trained model.
        width: The new d, a multiple of the size of its heads.
        feed_forward: Units of its feed-forward layers from then on, no fewer than it has; 0 for as
            much wider as its states are.

    Raises:
        ModelError: The model is as wide already, or the width no multiple; or its feed-forward
            layers have more units already.
    """
    config = type(start.model.config).from_dict(start.model.config.to_dict())
    before, size = config.d_model, config.d_model // config.encoder_attention_heads
    if width <= before or width % (2 * size) or config.encoder_ffn_dim * width % before:
        raise ModelError(
            f"{start.name}: is {before} wide, with heads of {size}; model.grown_width={width} must"
            f" be more, and a multiple of {2 * size}"
        )
    hidden = feed_forward or config.encoder_ffn_dim * width // before
    if hidden < config.encoder_ffn_dim:
        raise ModelError(
            f"{start.name}: its feed-forward layers have {config.encoder_ffn_dim} units;"
            f" model.grown_feed_forward={feed_forward} must not be less"
        )
    config.d_model = width
    config.encoder_attention_heads = config.decoder_attention_heads = width // size
    config.encoder_ffn_dim = config.decoder_ffn_dim = hidden
    model = SubfitForTranslation(config)
    copies = _Copies(start.model.config, width, size, hidden)
    own = model.state_dict()
    own |= {
        name: copies.of(name, value)
        for name, value in start.model.state_dict().items()
        if "embed_positions" not in name
    }
    model.load_state_dict(own)
    return Checkpoint(start.name, model, start.tokenizer)


class _Copies:
    """Which unit of the former model each unit of the wider one is a copy of.

    Args:
        former: The configuration of the former model.
        width: Of the wider one.
        size: Units of a head.
        feed_forward: Units of the wider one's feed-forward layers.
    """

    def __init__(self, former: SubfitConfig, width: int, size: int, feed_forward: int) -> None:
        before: int = former.d_model
        half = torch.arange(width // 2) * before // width
        self.states = torch.cat([half, before // 2 + half])
        self.heads = torch.arange(width) % before
        self.hidden = torch.arange(feed_forward) % former.encoder_ffn_dim
        assert before % size == 0
        self.embedding: float = (before / width) ** 0.5
        """The embedding scale is the root of the width."""
        last = former.decoder_layers - 1
        self.output_norm = f"model.decoder.layers.{last}.final_layer_norm"
        self._generator = torch.Generator().manual_seed(SEED)

    def of(self, name: str, value: Tensor) -> Tensor:
        """Return a weight of the wider model, of the former's of the same name."""
        module = name.rpartition(".")[0]
        part = module.rpartition(".")[2]
        if value.ndim == 2 and len(value) > 1 and value.shape[1] > 1 and value.is_floating_point():
            return self._parted(self._matrix(part, name, value))
        if part in ("q_proj", "k_proj", "v_proj"):
            return value[self.heads]
        if part == "fc1":
            return value[self.hidden]
        if module == self.output_norm:  # read by nothing but the embeddings, which are not shared
            return value[self.states] * self._output_shares
        if part in ("out_proj", "fc2", "hidden") or part.endswith("layer_norm"):
            return value[self.states]
        if name in ("length_head.attention", "length_head.output"):
            return value[self.states] * self._shares(self.states)
        return value

    def _matrix(self, part: str, name: str, value: Tensor) -> Tensor:
        """A matrix whose rows write, and whose columns read."""
        if part in ("q_proj", "k_proj", "v_proj"):
            return value[self.heads][:, self.states] * self._shares(self.states)
        if part == "out_proj":
            return value[self.states][:, self.heads] * self._shares(self.heads)
        if part == "fc1":
            return value[self.hidden][:, self.states] * self._shares(self.states)
        if part == "fc2":
            return value[self.states][:, self.hidden] * self._shares(self.hidden)
        if part == "hidden":  # its last column reads the source's length
            rows = value[self.states]
            return torch.cat([rows[:, self.states] * self._shares(self.states), rows[:, -1:]], 1)
        return value[:, self.states] * self.embedding  # embeddings, and the output that is tied

    @property
    def _output_shares(self) -> Tensor:
        generator = torch.Generator().manual_seed(SEED)
        return _shares(self.states, generator) / self.embedding

    def _shares(self, units: Tensor) -> Tensor:
        return _shares(units, self._generator)

    def _parted(self, matrix: Tensor) -> Tensor:
        noise = torch.randn(matrix.shape, generator=self._generator)
        return matrix + APART * matrix.std() * noise


def _shares(units: Tensor, generator: torch.Generator) -> Tensor:
    """Return random shares, one a copy, which sum to 1 over the copies of each unit."""
    drawn = 0.5 + torch.rand(len(units), generator=generator)
    sums = torch.zeros(int(units.max()) + 1).index_add_(0, units, drawn)
    return drawn / sums[units]
