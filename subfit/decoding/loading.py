"""Loading a model of any kind, to translate with."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import SearchSettings
from subfit.decoding.linears import choose_precision, multiplies_bfloat16
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.prompts import DEFAULT_TALK, TalkSettings, find_template
from subfit.decoding.translator import DEFAULT_SEARCH, Translator
from subfit.errors import UsageError
from subfit.hub.names import ServerAddress, is_causal, is_server
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import DEFAULT_COMPUTING, Computing, Precision, read_config
from subfit.model.families import ARCHITECTURES, LENGTHS_KEY
from subfit.model.startup import can_fork, cores
from subfit.text.counting import EVERYTHING, Counting

if TYPE_CHECKING:  # it imports transformers, which other models do without
    from subfit.model.pretrained import CausalModel

SMALL = 50_000_000
"""Parameters below which one thread is faster than two, in int8: with 16 million a film took 1.3
times as long on two (``benchmarks/busy.py``)."""


def set_up(checkpoint: Checkpoint, computing: Computing) -> Checkpoint:
    """Return a checkpoint that computes as asked for; its model is moved to the device.

    Args:
        checkpoint: As loaded.
        computing: Where and how.

    Raises:
        UsageError: This machine has no such device, or the device no such precision.
    """
    device, precision = choose_computing(computing)
    return replace(checkpoint, model=checkpoint.model.to(device), precision=precision)


def choose_computing(
    computing: Computing, *, causal: bool = False
) -> tuple[torch.device, Precision]:
    """Set the number of threads, and return device and arithmetic for a model.

    Args:
        computing: As wished. Of a decoder-only model it is bfloat16, unasked, where the device
            multiplies that fast, else float32.
        causal: Whether it is decoder-only.

    Raises:
        UsageError: This machine has no such device, or the device no such precision.
    """
    if computing.threads is not None:
        torch.set_num_threads(computing.threads)
    keep_freed_memory()
    device = choose_device(computing.device)
    if causal and computing.precision == "auto" and device.type == "cpu":
        return device, "bf16" if multiplies_bfloat16() else "fp32"
    return device, choose_precision(computing.precision, device)


def choose_device(wish: str) -> torch.device:
    """Return the device for a wish, one of `subfit.model.config.DEVICES`.

    Raises:
        UsageError: There is no GPU that PyTorch can use, but one was asked for.
    """
    if wish == "auto":
        wish = "cuda" if torch.cuda.is_available() else "cpu"
    if wish == "cuda" and not torch.cuda.is_available():
        raise UsageError(
            "--device cuda: PyTorch finds no GPU here; leave it out, or install PyTorch for CUDA"
        )
    return torch.device(wish)


def keep_freed_memory(*, of_all_sizes: bool = False) -> None:
    """Let the C library reuse what it frees, where it is glibc.

    By default it gives large blocks back to the system at once, and every large tensor of the next
    step is mapped in again, page by page.

    Args:
        of_all_sizes: Also blocks of over 32 MiB, as the steps of a training have them.
    """
    trim_threshold, mmap_threshold, mmap_max = -1, -3, -4  # of malloc.h
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(mmap_threshold, 32 << 20)
        mallopt(trim_threshold, 512 << 20)
        if of_all_sizes:
            mallopt(mmap_max, 0)
            mallopt(trim_threshold, 2047 << 20)


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
    processors: tuple[type[ScoreProcessor], ...] = ()
    """What else changes or forbids scores in the search."""


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory, which translators into all of its languages share."""

    loaded: Checkpoint | CausalModel | ServerAddress
    """With an encoder for the source and a decoder; or told in words what to do: decoder-only, or
    behind a server, to which nothing is sent before something is to be translated."""
    talk: TalkSettings = DEFAULT_TALK

    @property
    def name(self) -> str:
        """The name of the folder, the hub's or the server's, for reports."""
        model = self.loaded
        return str(model) if isinstance(model, ServerAddress) else model.name

    def translator(self, wanted: Wanted, beside: Sequence[LoadedModel] = ()) -> AnyTranslator:
        """Return a translator.

        Args:
            wanted: What it is for.
            beside: Other models that are to translate together with this one.

        Raises:
            UsageError: The model does not translate so, or not together with the others.
        """
        voting = [model.loaded for model in (self, *beside)]
        checkpoints = [model for model in voting if isinstance(model, Checkpoint)]
        if len(voting) > max(1, len(checkpoints)):
            names = " and ".join(model.name for model in (self, *beside))
            raise UsageError(f"{names} cannot translate together; name one model")
        if not isinstance(self.loaded, Checkpoint):
            return self._prompted(self.loaded, wanted)
        return Translator(
            *(self.loaded, wanted.counting, wanted.settings),
            beside=checkpoints[1:],
            target_language=wanted.target_language,
            source_language=wanted.source_language,
            processors=wanted.processors,
        )

    def _prompted(self, model: CausalModel | ServerAddress, wanted: Wanted) -> AnyTranslator:
        """A translator that tells its model in words what to do."""
        refused = {  # few hypotheses and no comparable scores, no source attended to, and so on
            "--coverage-penalty": wanted.settings.coverage_penalty,
            "--length-normalization": wanted.settings.length_normalization != "mean",
            "score processors": wanted.processors,
        }
        for option in filter(refused.get, refused):
            only = "only models with an encoder for the source and a decoder do"
            raise UsageError(f"{self.name} takes no {option}; {only}")
        source, target = wanted.source_language, wanted.target_language
        if source is None or target is None:
            raise UsageError(
                f"{self.name} translates between any languages; name both, with -s and -t"
            )
        told = source, target, wanted.counting
        if isinstance(model, ServerAddress):
            from subfit.decoding.server_translator import server_translator

            return server_translator(model, self.talk, *told, wanted.settings.beams)
        from subfit.decoding.language_model import CausalTranslator

        template = find_template(self.talk.prompt, model.model_type, self.name)
        return CausalTranslator(model, template, *told, wanted.settings)


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
        return LoadedModel(ServerAddress.parse(place), talk)
    if is_causal(place):
        from subfit.model.pretrained import load_causal

        return LoadedModel(load_causal(place, *choose_computing(computing, causal=True)), talk)
    return LoadedModel(set_up(load_checkpoint(place), computing), talk)


def share_cores(model: LoadedModel, threads: int | None) -> int:
    """Let a model that is so small that more threads only slow it down compute with one.

    For a process of our own: all of it has one thread then.

    Args:
        model: What was loaded.
        threads: How many cores it is to use; None for all there are.

    Returns:
        How many processes may work beside each other for that, this one among them.
    """
    own = model.loaded
    if not isinstance(own, Checkpoint) or own.precision != "int8":
        return 1
    small = sum(each.numel() for each in own.model.parameters()) < SMALL
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
    processors: Sequence[type[ScoreProcessor]] = (),
) -> AnyTranslator:
    """Find a model of any kind, load it, and return a translator.

    Args:
        model: A folder, a name (of a model that comes with subfit, of a family, ``owner/model`` on
            the hub) or the address of a server. Only names that are not kept yet, and servers, need
            a network.
        source_language: Tag of the language to translate; models of many must be told.
        target_language: Tag of the language to translate into; models of many must be told.
        counting: What a character is, for ceilings: the guideline's ``counting``.
        settings: Beam search.
        computing: Device, precision and threads.
        talk: Prompts and server settings, for language models.
        beside: Other models that vote with it.
        processors: What else changes or forbids scores in the search.

    Raises:
        ModelError: There is no such model, or it cannot be loaded.
        UsageError: It does not translate so, or not together with the others.
    """
    pair = source_language or "und", target_language or "und"
    place, *more = (find_model(str(name), *pair) for name in (model, *beside))
    first, *others = (load_model(each, computing, talk) for each in (place, *more))
    wanted = Wanted(source_language, target_language, counting, settings, tuple(processors))
    return first.translator(wanted, others)


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
