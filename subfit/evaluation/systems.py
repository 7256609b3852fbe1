"""Systems that are compared: models with settings of their search, or files of translations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.loading import Wanted, load_translator, needs_languages
from subfit.decoding.prompts.template import DEFAULT_TALK, TalkSettings
from subfit.decoding.search_types import Ensemble, Normalization, SearchSettings
from subfit.evaluation.evaluation_set import EvaluationSet, read_lines
from subfit.evaluation.outputs import Outputs
from subfit.memory.files import files_of
from subfit.model.bundled import NONE, find_channel, find_model
from subfit.model.checkpoint import MEASUREMENTS_FILE, METRICS_FILE
from subfit.model.config import EXACT, Computing

_DEFAULTS = SearchSettings()
_MODEL_SUFFIXES = (".json", ".safetensors", ".model", ".spm")
_FIGURES = (METRICS_FILE, MEASUREMENTS_FILE)


def settings_of(
    beam: int | None,
    length_penalty: float | None,
    coverage_penalty: float | None = None,
    length_normalization: Normalization | None = None,
    ensemble: Ensemble | None = None,
) -> SearchSettings:
    """Return the settings of a search, the defaults where None is given."""
    beams = _DEFAULTS.beams if beam is None else beam
    penalty = _DEFAULTS.length_penalty if length_penalty is None else length_penalty
    return SearchSettings(
        beams=beams,
        nbest=beams,
        length_penalty=penalty,
        length_normalization=length_normalization or _DEFAULTS.length_normalization,
        ensemble=ensemble or _DEFAULTS.ensemble,
        coverage_penalty=coverage_penalty or 0.0,
    )


def read_translations(system: str, test: EvaluationSet) -> Outputs:
    """Read translations from a file, one a line.

    Raises:
        InputFileError: It cannot be read, or has another number of lines.
    """
    return Outputs(test.select(read_lines(Path(system)), Path(system)))


def load_system(
    model: str,
    test: EvaluationSet,
    wanted: Wanted,
    computing: Computing = EXACT,
    talk: TalkSettings = DEFAULT_TALK,
    beside: Sequence[str] = (),
    channel_model: str = NONE,
) -> AnyTranslator:
    """Load a model of any kind to measure it.

    Args:
        model: As `subfit.decoding.loading.load_translator` takes it.
        test: What it is to translate. Of a model that must be told its languages, those that are
            not named are those in the name of the file.
        wanted: Languages and search.
        computing: Where and how precisely.
        talk: How a model is talked to that is told in words what to do.
        beside: Models that vote with it.
        channel_model: As `subfit.decoding.loading.load_translator` takes it.

    Raises:
        ModelError: There is no such model, or it cannot be loaded.
        UsageError: It does not translate so.
    """
    wanted = with_languages(model, test, wanted)
    pair = wanted.source_language or "und", wanted.target_language or "und"
    channel = find_channel(channel_model, find_model(model, *pair), *pair)
    return load_translator(
        model,
        source_language=wanted.source_language,
        target_language=wanted.target_language,
        settings=wanted.settings,
        computing=computing,
        talk=talk,
        beside=beside,
        channel_model=channel,
    )


def with_languages(model: str, test: EvaluationSet, wanted: Wanted) -> Wanted:
    """Return what is wanted of a model with the languages that it must be told."""
    languages = test.languages
    source, target = wanted.source_language or languages[0], wanted.target_language or languages[1]
    if needs_languages(find_model(model, source or "und", target or "und")):
        return replace(wanted, source_language=source, target_language=target)
    return wanted


def model_checksum(model: str, pair: tuple[str, str] = ("und", "und")) -> str:
    """Return a SHA-256 over what a model's translations depend on.

    Args:
        model: As for `subfit.decoding.loading.load_translator`. A server, whose files are not
            here, is known by its address alone.
        pair: Languages, for a family that has a model for each pair.

    Raises:
        ModelError: There is no such model.
    """
    folder = Path(find_model(model, *pair))
    if folder.is_file():  # GGUF
        with folder.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    if not folder.is_dir():
        return f"hub:{model}"
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in _MODEL_SUFFIXES and path.name not in _FIGURES and path.is_file():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{digest}  {path.relative_to(folder)}\n".encode())
    return total.hexdigest()


def memory_checksum(name: str) -> str:
    """Return a SHA-256 over the files of a translation memory."""
    total = hashlib.sha256()
    for path in files_of(name):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()
