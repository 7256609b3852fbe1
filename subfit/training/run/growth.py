"""A deeper encoder for a trained model, which translates as before until it is trained on.

Function-preserving growth (Chen et al. 2016, Net2Net, §2.1): what was learned is kept, and the
layers that are added have something to add to.
"""

from __future__ import annotations

import torch
from torch import Tensor

from subfit.errors import ModelError
from subfit.model.checkpoint import Checkpoint
from subfit.model.transformer import SubfitForTranslation

LAYER = "model.encoder.layers."
SILENT = ("self_attn.out_proj.weight", "self_attn.out_proj.bias", "fc2.weight", "fc2.bias")
"""What an added layer's two parts write with: zeros, so that only their input is left."""


@torch.no_grad()
def with_deeper_encoder(start: Checkpoint, layers: int) -> Checkpoint:
    """Return a trained model with more encoder layers, of which the added ones change nothing yet.

    An added layer stands behind the one it is a copy of, and writes nothing. As layers end in a
    normalisation (Vaswani et al. 2017, §3.1), its last one takes over the scale and offset of the
    layer before, whose own become 1 and 0: normalising twice is normalising once.

    Args:
        start: The trained model.
        layers: Encoder layers in all; the added ones are spread evenly.

    Raises:
        ModelError: The model has more layers than that.
    """
    config = type(start.model.config).from_dict(start.model.config.to_dict())
    before = config.encoder_layers
    if layers < before:
        raise ModelError(
            f"{start.name}: has {before} encoder layers already; model.grown_encoder={layers}"
            " must be more"
        )
    config.encoder_layers = layers
    model = SubfitForTranslation(config)
    former = start.model.state_dict()
    weights = {name: value for name, value in former.items() if not name.startswith(LAYER)}
    copied = [place * before // layers for place in range(layers)]
    for place, layer in enumerate(copied):
        own = _layer(former, layer)
        if copied[:place][-1:] == [layer]:
            own = _silenced(own)
        if copied[place + 1 :][:1] == [layer]:
            own = _plainly_normalised(own, "final_layer_norm")
        weights |= {f"{LAYER}{place}.{name}": value for name, value in own.items()}
    model.load_state_dict(weights)
    return Checkpoint(start.name, model, start.tokenizer)


def _layer(weights: dict[str, Tensor], layer: int) -> dict[str, Tensor]:
    prefix = f"{LAYER}{layer}."
    return {
        name.removeprefix(prefix): value
        for name, value in weights.items()
        if name.startswith(prefix)
    }


def _silenced(layer: dict[str, Tensor]) -> dict[str, Tensor]:
    silent = {name: torch.zeros_like(layer[name]) for name in SILENT}
    return _plainly_normalised(layer | silent, "self_attn_layer_norm")


def _plainly_normalised(layer: dict[str, Tensor], norm: str) -> dict[str, Tensor]:
    scale, offset = f"{norm}.weight", f"{norm}.bias"
    plain = {scale: torch.ones_like(layer[scale]), offset: torch.zeros_like(layer[offset])}
    return layer | plain
