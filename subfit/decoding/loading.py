"""Loading a model of any kind, to translate with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.devices import set_up
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import DEFAULT_SEARCH, Translator
from subfit.errors import UsageError
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.computing import DEFAULT_COMPUTING, Computing
from subfit.text.counting import EVERYTHING, Counting


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a translator is to be for."""

    source_language: str | None = None
    """Tag; None where the model knows it, or need not."""
    target_language: str | None = None
    """Tag; None where the model has but one."""
    counting: Counting = EVERYTHING
    """What a character is, for ceilings."""
    settings: SearchSettings = DEFAULT_SEARCH


class LoadedModel(Protocol):
    """A model in memory, which translators into all of its languages share."""

    @property
    def name(self) -> str:
        """Of the folder, the hub's or the server's, for reports."""

    def translator(self, wanted: Wanted, beside: Sequence[LoadedModel] = ()) -> AnyTranslator:
        """Return a translator.

        Args:
            wanted: What it is for.
            beside: Other models that are to translate together with this one.

        Raises:
            UsageError: The model does not translate so, or not together with the others.
        """


def load_model(place: str, computing: Computing = DEFAULT_COMPUTING) -> LoadedModel:
    """Load a model to translate with, of whatever kind it is.

    Args:
        place: From `subfit.model.bundled.find_model`.
        computing: Device, precision and threads.

    Raises:
        ModelError: It cannot be loaded.
        UsageError: The device or precision is not to be had.
    """
    return EncoderDecoder(set_up(load_checkpoint(place), computing))


@dataclass(frozen=True, slots=True)
class EncoderDecoder:
    """A model with an encoder for the source and a decoder for the translation."""

    checkpoint: Checkpoint

    @property
    def name(self) -> str:
        """See `LoadedModel.name`."""
        return self.checkpoint.name

    def translator(self, wanted: Wanted, beside: Sequence[LoadedModel] = ()) -> Translator:
        """See `LoadedModel.translator`."""
        voting = [each.checkpoint for each in beside if isinstance(each, EncoderDecoder)]
        if len(voting) < len(beside):
            names = " and ".join(each.name for each in (self, *beside))
            raise UsageError(f"{names} cannot translate together; name one model")
        return Translator(
            self.checkpoint,
            wanted.counting,
            wanted.settings,
            beside=voting,
            target_language=wanted.target_language,
            source_language=wanted.source_language,
        )
