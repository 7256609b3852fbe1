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
from subfit.forking import can_fork, cores
from subfit.hub.contents import is_causal
from subfit.hub.names import ServerAddress, is_server
from subfit.model.bundled import find_channel, find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import DEFAULT_COMPUTING, Computing, read_config
from subfit.model.families import ARCHITECTURES, LENGTHS_KEY
from subfit.servers.settings import key_for
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
        talk: How models are talked to that are told in words what to do.

    Raises:
        ModelError: It cannot be loaded.
        UsageError: The device or precision is not to be had.
    """
    if is_server(place):
        return Server(ServerAddress.parse(place), talk)
    if is_causal(place):
        from subfit.model.pretrained import load_causal

        device, precision = choose_causal(computing)
        return Causal(load_causal(place, device, precision), talk)
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
        talk: How models are talked to that are told in words what to do.
        beside: Other models whose log-probabilities are averaged with the model's.
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
class Server:
    """A model behind a server; nothing is sent before something is to be translated."""

    address: ServerAddress
    talk: TalkSettings

    @property
    def name(self) -> str:
        """See `LoadedModel.name`."""
        return str(self.address)

    def translator(
        self,
        wanted: Wanted,
        beside: Sequence[LoadedModel] = (),
        channel: LoadedModel | None = None,
    ) -> AnyTranslator:
        """See `LoadedModel.translator`."""
        from subfit.decoding.server_translator import ServerTranslator
        from subfit.servers.client import ChatClient

        _refuse_voting(self, beside)
        _refuse_channel(self, channel)
        _refuse_penalty(self, wanted)
        source, target = _named_languages(self, wanted)
        template = find_template(self.talk.prompt, "", self.address.model)
        client = ChatClient(self.address, self.talk.server, key_for(self.address))
        beams = wanted.settings.beams
        return ServerTranslator(client, template, source, target, wanted.counting, beams)


@dataclass(frozen=True, slots=True)
class Causal:
    """A decoder-only model, which is told in words what to do."""

    loaded: CausalModel
    talk: TalkSettings

    @property
    def name(self) -> str:
        """See `LoadedModel.name`."""
        return self.loaded.name

    def translator(
        self,
        wanted: Wanted,
        beside: Sequence[LoadedModel] = (),
        channel: LoadedModel | None = None,
    ) -> AnyTranslator:
        """See `LoadedModel.translator`."""
        from subfit.decoding.language_model import CausalTranslator

        _refuse_voting(self, beside)
        _refuse_channel(self, channel)
        _refuse_penalty(self, wanted)
        source, target = _named_languages(self, wanted)
        template = find_template(self.talk.prompt, self.loaded.model_type, self.name)
        return CausalTranslator(
            self.loaded, template, source, target, wanted.counting, wanted.settings
        )


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


def _refuse_channel(model: LoadedModel, channel: LoadedModel | None) -> None:
    """Refuse a channel model to models that tell few hypotheses, and no comparable scores."""
    if channel is not None:
        raise UsageError(
            f"{model.name} takes no --channel-model; only models with an encoder for the source and"
            " a decoder do"
        )


def _refuse_penalty(model: LoadedModel, wanted: Wanted) -> None:
    """Refuse a coverage penalty to models that do not attend to a source of its own."""
    if wanted.settings.coverage_penalty:
        raise UsageError(
            f"{model.name} takes no --coverage-penalty; only models with an encoder for the source"
            " and a decoder do"
        )


def _named_languages(model: LoadedModel, wanted: Wanted) -> tuple[str, str]:
    """The languages that a model is told; both must be known."""
    source, target = wanted.source_language, wanted.target_language
    if source is None or target is None:
        raise UsageError(
            f"{model.name} translates between any languages; name both, with -s and -t"
        )
    return source, target
