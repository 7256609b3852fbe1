"""What a translator's models are, what they know and what they can be asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from subfit.decoding.channel import Channel
from subfit.decoding.ensemble import check_ensemble
from subfit.decoding.hypotheses import Hypothesis, RatedPiece
from subfit.decoding.model_words import ModelWords
from subfit.decoding.predictor import find_predictor
from subfit.decoding.source_tokens import SourceTokens
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint
from subfit.model.directions import Directions
from subfit.model.length_predictor import LengthPredictor
from subfit.model.length_unit import length_unit
from subfit.model.tokenizer import normalize
from subfit.model.with_lengths import ConfigWithLengths
from subfit.text.alignment import WordScores


class DescribedModel:
    """One model, or several that vote, for one target language.

    Args:
        checkpoints: Of several the first gives configuration, arithmetic and length predictor.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language that is translated, where the model does not tell.

    Raises:
        UsageError: See `subfit.decoding.translator.Translator`.
    """

    takes_terms = bars_words = True
    """The search sees to it, with any model."""
    usage = None
    """What asking a server has come to: the model is here, and costs nothing."""
    channel: Channel | None = None
    """A model that translates the other way, to rank hypotheses by."""

    def __init__(
        self,
        checkpoints: Sequence[Checkpoint],
        target_language: str | None,
        source_language: str | None,
    ) -> None:
        self.checkpoint, self.checkpoints = checkpoints[0], checkpoints
        check_ensemble(checkpoints)
        self.config = self.checkpoint.model.config
        self.length_unit = length_unit(self.config, self.checkpoint.tokenizer)
        self.target_language, self._source_language = target_language, source_language
        self._source_tokens = SourceTokens(self.checkpoint, target_language, source_language)
        told = Directions.of_config(self.config).told(source_language, target_language)
        self._words = ModelWords(self.checkpoint, told)

    @property
    def name(self) -> str:
        """The names of all models, for reports."""
        return " + ".join(checkpoint.name for checkpoint in self.checkpoints)

    @property
    def precision(self) -> str:
        """The arithmetic of the models' linear layers."""
        return self.checkpoint.precision

    @property
    def takes_lengths(self) -> bool:
        """Whether a length can be asked for."""
        return self.checkpoint.length_aware

    @property
    def formalities(self) -> tuple[str, ...]:
        """The forms of address that translations can be asked for; none for most models."""
        return self._source_tokens.formalities

    @property
    def can_rate(self) -> bool:
        """Whether `rate` gives other scores than the search."""
        return self.takes_lengths and self.can_translate_freely

    @cached_property
    def can_translate_freely(self) -> bool:
        """Whether the models may be asked for no length at all."""
        return not self.takes_lengths or all(
            checkpoint.model.config.free_translation for checkpoint in self.checkpoints
        )

    @property
    def language(self) -> str:
        """Tag of the language that is translated into; ``und`` where that is not known."""
        only = getattr(self.config, "target_language", None)
        return self.target_language or only or "und"

    @property
    def source_language(self) -> str:
        """Tag of the language that is translated; ``und`` where nothing tells."""
        only = getattr(self.config, "source_language", None)
        if isinstance(self.config, ConfigWithLengths):  # it knows others, too
            only = self._source_language or only
        return only or self._source_language or "und"

    @property
    def mean_length_ratio(self) -> float:
        """Mean target/source characters of the model's training pairs."""
        return float(getattr(self.config, "mean_length_ratio", 1.0))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens of the target side's vocabulary each text has."""
        sides = self.checkpoint.tokenizer.target.encode_all([normalize(text) for text in texts])
        return [len(pieces) for pieces in sides]

    @property
    def channel_model(self) -> str | None:
        """The name of the channel model; None without one."""
        return None if self.channel is None else self.channel.name

    def channel_of(
        self, texts: Sequence[str], nbest: Sequence[Sequence[Hypothesis]]
    ) -> list[list[float]] | None:
        """See `AnyTranslator.channel_of`; None without a channel model."""
        return None if self.channel is None else self.channel.of(texts, nbest)

    def given_back(
        self, texts: Sequence[str], translations: Sequence[str]
    ) -> list[list[RatedPiece] | None] | None:
        """See `AnyTranslator.given_back`; None without a channel model."""
        return None if self.channel is None else self.channel.pieces(texts, translations)

    @property
    def word_scores(self) -> WordScores | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        return self._words.scores

    @cached_property
    def _predictor(self) -> LengthPredictor | None:
        return find_predictor(self.checkpoint, self._source_tokens.language_token)

    @property
    def can_predict_lengths(self) -> bool:
        """Whether a length predictor comes with the model."""
        return self._predictor is not None

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """Predict how long the translations of texts naturally are (Oka et al. 2020).

        Args:
            texts: Plain source texts, one line each.

        Returns:
            Per text the characters of its translation, 1 or more.

        Raises:
            UsageError: The model has no predictor.
        """
        unit = self.length_unit.characters
        return [max(1, round(length * unit)) for length in self.predict_units(texts)]

    def predict_units(self, texts: Sequence[str]) -> list[int]:
        """Do the same as `predict_lengths`, in the unit of the model's lengths."""
        if self._predictor is None:
            raise UsageError(
                f"{self.checkpoint.name} has no length predictor;"
                " 'subfit predictor train' makes a model with one"
            )
        return self._predictor.predict(texts)
