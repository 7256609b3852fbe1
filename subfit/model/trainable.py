"""The models that can be trained."""

from __future__ import annotations

from subfit.model.marian_config import SubfitConfig
from subfit.model.transformer import SubfitForTranslation
from subfit.model.with_lengths import ConfigWithLengths, ModelWithLengths

TrainableModel = SubfitForTranslation | ModelWithLengths
"""One of subfit's own shape, or one of Hugging Face's with what makes it take lengths."""
TrainableConfig = SubfitConfig | ConfigWithLengths
"""Its configuration."""
