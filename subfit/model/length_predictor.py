"""What predicts how long the free translation of a text is (Oka et al. 2020)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor, nn

from subfit.errors import ModelError
from subfit.model.checkpoint import write_checksums
from subfit.model.config import read_config
from subfit.model.tokenizer import normalize, tokenizer_at
from subfit.model.weights import (
    check_finite,
    check_header,
    tensors_of,
)

LARGEST_LOG_RATIO = math.log(10)
"""No translation is taken to be ten times as long as its source, or a tenth of it."""
BATCH_TEXTS = 64
PREDICTOR_FOLDER = "length_predictor"
"""Where a model's pretrained predictor lies, in the model's folder."""
HEAD_FILE = "head.safetensors"


class LengthPredictor(ABC):
    """Estimates natural lengths, by way of ln(target / source characters).

    Of a model whose unit is tokens, target characters are its tokens times their mean characters.
    """

    kind: str
    """``encoder`` or ``pretrained``."""
    unit_characters: float = 1.0
    """Mean characters of a unit of the model's lengths (`subfit.model.length`)."""

    @abstractmethod
    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """Return ln(target characters / source characters) of normalised texts, (texts,).

        Gradients reach what is trained of the predictor. Texts too long for it are cut.
        """

    @abstractmethod
    def modules(self) -> tuple[nn.Module, ...]:
        """Return what the predictor is made of, its head first."""

    def predict(self, texts: Sequence[str]) -> list[int]:
        """Return the natural length of each text's translation in the unit, 1 or more."""
        normal = [normalize(text) for text in texts]
        order = sorted(range(len(normal)), key=lambda index: len(normal[index]))
        lengths = [1] * len(normal)
        for start in range(0, len(order), BATCH_TEXTS):
            batch = order[start : start + BATCH_TEXTS]
            with torch.inference_mode():
                log_ratios = self.log_ratios([normal[index] for index in batch])
            if not bool(log_ratios.isfinite().all()):
                raise ModelError("the length predictor computes no numbers; is it damaged?")
            ratios = log_ratios.clamp(-LARGEST_LOG_RATIO, LARGEST_LOG_RATIO).exp().tolist()
            for index, ratio in zip(batch, ratios, strict=True):
                lengths[index] = max(1, round(len(normal[index]) * ratio / self.unit_characters))
        return lengths


class PretrainedPredictor(LengthPredictor):
    """A linear regression on a pre-trained encoder's [CLS], by Oka et al. 2020.

    Any encoder of Hugging Face's will do. Weights are read from safetensors only.

    Args:
        encoder: Any whose first output is one state per token.
        tokenizer: Its tokenizer; puts [CLS] (or what stands for it) before every text.
        head: (hidden size) -> 1.
    """

    kind = "pretrained"

    def __init__(self, encoder: nn.Module, tokenizer: Any, head: nn.Linear) -> None:
        self._encoder, self._tokenizer, self._head = encoder, tokenizer, head
        config: Any = encoder.config
        positions = getattr(config, "max_position_embeddings", 0) or 512
        # RoBERTa's kin begin to count positions at 2.
        self._most = max(3, min(int(tokenizer.model_max_length), int(positions) - 2))

    @classmethod
    def start(cls, place: str, mean_ratio: float) -> PretrainedPredictor:
        """Put a new regression on a pre-trained encoder.

        Args:
            place: A folder, or a name on the Hugging Face hub; only that may use the network.
            mean_ratio: What it predicts at first, whatever the text.

        Raises:
            ModelError: There is no such encoder, or it has no safetensors or no [CLS].
        """
        encoder, tokenizer = load_encoder(place)
        head = nn.Linear(int(encoder.config.hidden_size), 1)
        nn.init.zeros_(head.weight)
        nn.init.constant_(head.bias, math.log(mean_ratio))
        return cls(encoder, tokenizer, head)

    @classmethod
    def load(cls, folder: Path) -> PretrainedPredictor:
        """Load what `save` wrote.

        Raises:
            ModelError: It is incomplete or damaged.
        """
        encoder, tokenizer = load_encoder(str(folder))
        head = nn.Linear(int(encoder.config.hidden_size), 1)
        try:
            head.load_state_dict(load((folder / HEAD_FILE).read_bytes()))
        except Exception as error:  # whatever a damaged file makes the libraries raise
            raise ModelError(f"{folder / HEAD_FILE}: not the head of this encoder") from error
        check_finite(folder / HEAD_FILE, head.named_parameters())
        return cls(encoder, tokenizer, head)

    def save(self, folder: Path) -> None:
        """Write encoder, tokenizer, head and checksums into a folder, made if absent."""
        from subfit.model.pretrained import quietly

        with quietly():
            self._encoder.save_pretrained(folder)  # type: ignore[operator]
            self._tokenizer.save_pretrained(folder)
        weights = {name: tensor.detach().cpu() for name, tensor in self._head.state_dict().items()}
        (folder / HEAD_FILE).write_bytes(save(weights, metadata={"format": "pt"}))
        write_checksums(folder)

    def log_ratios(self, texts: Sequence[str]) -> Tensor:
        """See `LengthPredictor.log_ratios`."""
        inputs = self._tokenizer(
            list(texts), padding=True, truncation=True, max_length=self._most, return_tensors="pt"
        )
        states = self._encoder(**inputs.to(self._head.weight.device)).last_hidden_state
        ratios: Tensor = self._head(states[:, 0]).squeeze(1)  # (texts,)
        return ratios

    def modules(self) -> tuple[nn.Module, ...]:
        """See `LengthPredictor.modules`."""
        return self._head, self._encoder


def load_encoder(place: str) -> tuple[Any, Any]:
    """Return a pre-trained encoder in float32 and evaluation mode, and its tokenizer.

    Args:
        place: A folder, or a name on the Hugging Face hub; only that may use the network.

    Raises:
        ModelError: There is none, it is damaged, has no safetensors or no [CLS].
    """
    from transformers import AutoModel, AutoTokenizer  # long to import; few models have one

    from subfit.model.pretrained import load_whole

    local = _is_local(place)
    common = {"local_files_only": local, "trust_remote_code": False}
    if local:
        check_header(Path(place), read_config(Path(place)))
    options = {**common, "use_safetensors": True, "dtype": torch.float32}
    # Models trained on masked words come without the weights of a pooler, which is of no use here.
    encoder = load_whole(AutoModel, place, options, spared="pooler")
    tokenizer = tokenizer_at(place, AutoTokenizer, padding_side="right", **common)
    if encoder.config.is_encoder_decoder or getattr(encoder.config, "is_decoder", False):
        raise ModelError(f"{place}: not an encoder alone, such as BERT")
    if tokenizer.cls_token_id is None or len(tokenizer) > encoder.config.vocab_size:
        raise ModelError(f"{place}: its tokenizer has no [CLS], or is not that of its encoder")
    encoder.pooler = None
    check_finite(Path(place), tensors_of(encoder))
    return encoder.eval(), tokenizer


def _is_local(place: str) -> bool:
    """Tell folders from names on the hub.

    Raises:
        ModelError: It is a path, and there is no folder.
    """
    if Path(place).is_dir():
        return True
    if Path(place).exists() or place.count("/") > 1 or place.startswith((".", "/", "~")):
        raise ModelError(
            f"{place}: no encoder here; an encoder is a folder with config.json and"
            " model.safetensors, or a hub name"
        )
    return False
