"""Loading a model of any kind, to translate with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import torch

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.devices import choose_causal, is_small, set_up
from subfit.decoding.prompts.template import DEFAULT_TALK, TalkSettings, find_template
from subfit.decoding.rating import Channel
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import DEFAULT_SEARCH, Translator
from subfit.errors import UsageError
from subfit.hub.names import ServerAddress, is_causal, is_server
from subfit.model.bundled import find_channel, find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import DEFAULT_COMPUTING, Computing, read_config
from subfit.model.families import ARCHITECTURES, LENGTHS_KEY
from subfit.model.startup import can_fork, cores
from subfit.text.counting import EVERYTHING, Counting

if TYPE_CHECKING:  # it imports transformers, which other models do without
    from subfit.model.pretrained import CausalModel


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
        """The name of the folder, the hub's or the server's, for reports."""

    def translator(
        self,
        wanted: Wanted,
        beside: Sequence[LoadedModel] = (),
        channel: LoadedModel | None = None,
    ) -> AnyTranslator:
        """Return a translator.

        Args:
            wanted: What it is for.
            beside: Other models that are to translate together with this one.
            channel: A model that translates the other way, to rate translations by.

        Raises:
            UsageError: The model does not translate so, or not together with the others.
        """


def load_model(
    place: str, computing: Computing = DEFAULT_COMPUTING, talk: TalkSettings = DEFAULT_TALK
) -> LoadedModel:
    """Load a model to translate with, of whatever kind it is.

    Args:
        place: From `subfit.model.bundled.find_model`.
        computing: Device, precision and threads.
        talk: Prompts and server settings, for language models.

    Raises:
        ModelError: It cannot be loaded.
        UsageError: The device or precision is not to be had.
    """
    if is_server(place):
        return Prompted(ServerAddress.parse(place), talk)
    if is_causal(place):
        from subfit.model.pretrained import load_causal

        device, precision = choose_causal(computing)
        return Prompted(load_causal(place, device, precision), talk)
    return EncoderDecoder(set_up(load_checkpoint(place), computing))


def share_cores(model: LoadedModel, threads: int | None) -> int:
    """Let a model that is so small that more threads only slow it down compute with one.

    For a process of our own: all of it has one thread then.

    Args:
        model: What was loaded.
        threads: How many cores it is to use; None for all there are.

    Returns:
        How many processes may work beside each other for that, this one among them.
    """
    small = isinstance(model, EncoderDecoder) and is_small(model.checkpoint)
    if not small or (threads is not None and not can_fork()):
        return 1
    torch.set_num_threads(1)
    return threads or cores()


def load_translator(
    model: str | Path,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    counting: Counting = EVERYTHING,
    settings: SearchSettings = DEFAULT_SEARCH,
    computing: Computing = DEFAULT_COMPUTING,
    talk: TalkSettings = DEFAULT_TALK,
    beside: Sequence[str | Path] = (),
    channel_model: str | Path | None = None,
) -> AnyTranslator:
    """Find a model of any kind, load it, and return a translator.

    Args:
        model: A folder, a name (of a model that comes with subfit, of a family, ``owner/model`` on
            the hub), a GGUF file or the address of a server. Only names that are not kept yet, and
            servers, need a network.
        source_language: Tag of the language to translate; models of many must be told.
        target_language: Tag of the language to translate into; models of many must be told.
        counting: What a character is, for ceilings: the guideline's ``counting``.
        settings: Beam search.
        computing: Device, precision and threads.
        talk: Prompts and server settings, for language models.
        beside: Other models that vote with it.
        channel_model: A model that translates the other way, to rank hypotheses by how well they
            give their sources back; ``auto`` for the one of a model that comes with subfit, if it
            has one, None for none.

    Raises:
        ModelError: There is no such model, or it cannot be loaded.
        UsageError: It does not translate so, or not together with the others.
    """
    pair = source_language or "und", target_language or "und"
    place, *more = (find_model(str(name), *pair) for name in (model, *beside))
    first, *others = (load_model(each, computing, talk) for each in (place, *more))
    back = find_channel(None if channel_model is None else str(channel_model), place, *pair)
    channel = None if back is None else load_model(back, computing, talk)
    wanted = Wanted(source_language, target_language, counting, settings)
    return first.translator(wanted, others, channel)


def needs_languages(place: str) -> bool:
    """Whether a model translates from several languages, so that source and target must be named.

    Args:
        place: From `subfit.model.bundled.find_model`.
    """
    if is_server(place) or is_causal(place):
        return True
    values = read_config(Path(place))
    if values.get("language_tokens") and values.get("target_language"):
        return True
    return values.get("model_type") in ARCHITECTURES and LENGTHS_KEY not in values


@dataclass(frozen=True, slots=True)
class EncoderDecoder:
    """A model with an encoder for the source and a decoder for the translation."""

    checkpoint: Checkpoint

    @property
    def name(self) -> str:
        """See `LoadedModel.name`."""
        return self.checkpoint.name

    def translator(
        self,
        wanted: Wanted,
        beside: Sequence[LoadedModel] = (),
        channel: LoadedModel | None = None,
    ) -> Translator:
        """See `LoadedModel.translator`."""
        voting = [model.checkpoint for model in beside if isinstance(model, EncoderDecoder)]
        if len(voting) < len(beside):
            _refuse_voting(self, beside)
        return Translator(
            self.checkpoint,
            wanted.counting,
            wanted.settings,
            beside=voting,
            target_language=wanted.target_language,
            source_language=wanted.source_language,
            channel=None if channel is None else _channel_of(channel, wanted),
        )


@dataclass(frozen=True, slots=True)
class Prompted:
    """A model that is told in words what to do: a decoder-only one, or one behind a server."""

    model: CausalModel | ServerAddress
    """Nothing is sent to a server before something is to be translated."""
    talk: TalkSettings

    @property
    def name(self) -> str:
        """See `LoadedModel.name`."""
        return str(self.model) if isinstance(self.model, ServerAddress) else self.model.name

    def translator(
        self,
        wanted: Wanted,
        beside: Sequence[LoadedModel] = (),
        channel: LoadedModel | None = None,
    ) -> AnyTranslator:
        """See `LoadedModel.translator`."""
        only = "only models with an encoder for the source and a decoder do"
        _refuse_voting(self, beside)
        if channel is not None:  # it tells few hypotheses, and no comparable scores
            raise UsageError(f"{self.name} takes no --channel-model; {only}")
        if wanted.settings.coverage_penalty:  # it attends to no source of its own
            raise UsageError(f"{self.name} takes no --coverage-penalty; {only}")
        if wanted.settings.length_normalization != "mean":  # generate knows no other
            raise UsageError(f"{self.name} takes no --length-normalization; {only}")
        source, target = wanted.source_language, wanted.target_language
        if source is None or target is None:
            raise UsageError(
                f"{self.name} translates between any languages; name both, with -s and -t"
            )
        wish, told = self.talk.prompt, (source, target, wanted.counting)
        if isinstance(self.model, ServerAddress):
            from subfit.decoding.server_translator import server_translator

            return server_translator(self.model, self.talk, *told, wanted.settings.beams)
        from subfit.decoding.language_model import CausalTranslator

        template = find_template(wish, self.model.model_type, self.name)
        return CausalTranslator(self.model, template, *told, wanted.settings)


def _refuse_voting(model: LoadedModel, beside: Sequence[LoadedModel]) -> None:
    """Refuse to let a model translate together with others."""
    if beside:
        names = " and ".join(refused.name for refused in (model, *beside))
        raise UsageError(f"{names} cannot translate together; name one model")


def _channel_of(model: LoadedModel, wanted: Wanted) -> Channel:
    """What rates translations by how well a model gives their sources back."""
    turned = Wanted(wanted.target_language, wanted.source_language)
    if not isinstance(model, EncoderDecoder):
        raise UsageError(
            f"{model.name} cannot be a channel model; name one with an encoder for the source and"
            " a decoder for the translation"
        )
    return model.translator(turned).as_channel()
