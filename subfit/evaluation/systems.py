"""Systems that are compared: models with settings of their search, or files of translations."""

from __future__ import annotations

import hashlib
from pathlib import Path

from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.evaluation import Evaluation, evaluate, measure
from subfit.evaluation.evaluation_set import EvaluationSet, read_lines
from subfit.evaluation.length_control import NATURAL, LengthControl, check_length_control
from subfit.evaluation.outputs import Outputs
from subfit.model.bundled import find_model
from subfit.model.checkpoint import MEASUREMENTS_FILE, METRICS_FILE
from subfit.model.computing import EXACT, Computing

_DEFAULTS = SearchSettings()
_MODEL_SUFFIXES = (".json", ".safetensors", ".model", ".spm")
_FIGURES = (METRICS_FILE, MEASUREMENTS_FILE)


def settings_of(
    beam: int | None, length_penalty: float | None, coverage_penalty: float | None = None
) -> SearchSettings:
    """Return the settings of a search, the defaults where None is given."""
    beams = _DEFAULTS.beams if beam is None else beam
    penalty = _DEFAULTS.length_penalty if length_penalty is None else length_penalty
    return SearchSettings(
        beams=beams,
        nbest=beams,
        length_penalty=penalty,
        coverage_penalty=coverage_penalty or 0.0,
    )


def is_translations(system: str) -> bool:
    """Tell whether a system is named by a file of its translations."""
    return Path(system).is_file()


def read_translations(system: str, test: EvaluationSet) -> Outputs:
    """Read translations from a file, one a line.

    Raises:
        InputFileError: It cannot be read, or has another number of lines.
    """
    return Outputs(test.select(read_lines(Path(system)), Path(system)))


def evaluate_other(
    system: str,
    test: EvaluationSet,
    control: LengthControl,
    settings: SearchSettings,
    target_language: str | None = None,
    computing: Computing = EXACT,
) -> Evaluation:
    """Measure the system that another one is compared with.

    Args:
        system: A file of translations or a model.
        test: What to translate.
        control: What the other system is asked for; a model that cannot be asked for it is asked
            for its natural length.
        settings: The search of a model.
        target_language: To translate into, for a model of several.
        computing: Where and how precisely.

    Raises:
        InputFileError: The file cannot be used.
        ModelError: There is no such model.
    """
    if is_translations(system):
        return measure(read_translations(system, test), test.pairs)
    translator = Translator.load(
        system, target_language=target_language, settings=settings, computing=computing
    )
    try:
        check_length_control(translator, control)
    except UsageError:
        control = LengthControl(NATURAL)
    return evaluate(translator, test.pairs, control)


def model_checksum(model: str) -> str:
    """Return a SHA-256 over what a model's translations depend on.

    Args:
        model: As for `Translator.load`. A hub model, whose files subfit does not keep, is known by
            its name alone.

    Raises:
        ModelError: There is no such model.
    """
    folder = Path(find_model(model, "und", "und"))
    if not folder.is_dir():
        return f"hub:{model}"
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in _MODEL_SUFFIXES and path.name not in _FIGURES and path.is_file():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{digest}  {path.relative_to(folder)}\n".encode())
    return total.hexdigest()
