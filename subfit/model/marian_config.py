"""The configuration as Hugging Face's library has it, for training and for models it loads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from transformers import MarianConfig

from subfit.model.config import LengthConfig


class SubfitConfig(LengthConfig, MarianConfig):  # type: ignore[misc]
    """A `MarianConfig` with the length signals a model was trained with; see `LengthConfig`."""

    model_type = "subfit"

    if TYPE_CHECKING:  # or its values would seem to be those of `LengthConfig` alone

        def __init__(self, **values: Any) -> None: ...
