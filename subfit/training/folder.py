"""What a training run leaves in its folder: log, provenance, and a model that can be shipped."""

from __future__ import annotations

import json
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import torch
from transformers import AutoConfig, GenerationConfig

from subfit.errors import ModelError
from subfit.evaluation.corpus import Pair
from subfit.files import write_bytes
from subfit.model.checkpoint import (
    METRICS_FILE,
    load_pieces,
    load_tokenizer,
    save_checkpoint,
    write_checksums,
)
from subfit.model.config import CONFIG_FILE, ModelConfig, read_config
from subfit.model.families import (
    GENERATION_FILE,
    LENGTHS_KEY,
    ConfigWithLengths,
    ModelWithLengths,
    new_body,
)
from subfit.model.length_predictor import PREDICTOR_FOLDER
from subfit.model.lexicon import LEXICON_FILE
from subfit.model.tokenizer import (
    HUB_FILES,
    MARIAN_FILES,
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
)
from subfit.model.transformer import (
    TrainableConfig,
    TrainableModel,
    Transformer,
)
from subfit.training.pairs import Corpus, class_counts
from subfit.training.recipe import Recipe, dump_recipe, load_recipe
from subfit.training.state import (
    VALIDATED,
    average_weights,
    weights_of_state,
)
from subfit.version import __version__

LOG_FILE = "log.jsonl"
ENVIRONMENT_FILE = "environment.json"
DATA_FILE = "data.json"
_PACKAGES = (
    "torch", "transformers", "sentencepiece", "sacrebleu", "numpy", "entmax", "systran-align",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunLog:
    """What a run logged, by name of the figure and step; every step has one value."""

    figures: Mapping[str, Mapping[int, float]]

    def series(self, name: str) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return the steps at which a figure was logged, ascending, and its values."""
        values = sorted(self.figures.get(name, {}).items())
        return tuple(step for step, _ in values), tuple(value for _, value in values)

    @property
    def seconds(self) -> float:
        """Training time that was logged so far, that of steps which a kill undid included."""
        return max(self.series("seconds")[1], default=0.0)

    @property
    def training(self) -> dict[str, Any]:
        """``steps``, ``target_tokens``, ``seconds`` and ``tokens_per_second`` of the whole run."""
        tokens = max(self.series("target_tokens")[1], default=0)
        return {
            "steps": max(self.series("loss")[0], default=0),
            "target_tokens": tokens,
            "seconds": round(self.seconds, 1),
            "tokens_per_second": round(tokens / self.seconds, 1) if self.seconds else None,
        }


def read_log(folder: Path) -> RunLog:
    """Read the log of a run folder; without one, nothing was logged.

    A run that was killed and resumed logs the steps after its saved state again: what was logged
    last counts. A line that a kill left half written is passed over.
    """
    figures: dict[str, dict[int, float]] = {}
    path = folder / LOG_FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        step = entry.pop("step", None) if isinstance(entry, dict) else None
        if isinstance(step, int):
            for name, value in entry.items():
                if isinstance(value, int | float):
                    figures.setdefault(name, {})[step] = value
    return RunLog(figures)


def write_log(folder: Path, line: Mapping[str, Any]) -> None:
    """Append the figures after a step to the log of a run folder."""
    with (folder / LOG_FILE).open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def record_environment(folder: Path) -> None:
    """Append to ``environment.json`` what the run is started, or gone on with, with and on."""
    write_json(folder / ENVIRONMENT_FILE, [*environments(folder), _environment()])


def environments(folder: Path) -> list[dict[str, Any]]:
    """Return what `record_environment` wrote, the earliest first; nothing of a damaged file."""
    try:
        content = json.loads((folder / ENVIRONMENT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return content if isinstance(content, list) else []


def record_data(folder: Path, recipe: Recipe, corpus: Corpus, dev: Sequence[Pair]) -> None:
    """Write to ``data.json`` what the run is trained and validated on, and what is left out."""
    root = Path(recipe.data.root)
    named = [*recipe.data.train_files, *recipe.data.dev_files, *(("", n) for n in recipe.data.drop)]
    data = {
        **corpus.to_dict(),
        "dev_pairs": len(dev),
        "length_classes": class_counts(recipe, corpus.pairs),
        "sha256": {name: sha256((root / name).read_bytes()).hexdigest() for _, name in named},
    }
    write_json(folder / DATA_FILE, data)


def write_json(path: Path, document: Any) -> None:
    """Replace a JSON file at once."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_bytes(path, text.encode("utf-8"), overwrite=True)


def _environment() -> dict[str, Any]:
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(sys.argv),
        "subfit": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "platform": platform.platform(),
        "device": device_name(),
        "threads": torch.get_num_threads(),
    }


def device_name() -> str:
    """Return the name of the accelerator that models are trained on, or of the processor."""
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str | None:
    """The checkout's commit, ``-dirty`` behind it if files differ; None outside a checkout."""
    root = Path(__file__).parents[2]
    if not (root / ".git").exists():  # else git would name a repository around site-packages
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        process = subprocess.run(
            [*command, "--exclude=*"], capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return process.stdout.strip()


RECIPE_FILE = "recipe.yaml"


class TrainedRun(NamedTuple):
    """A run, finished or not, ready to be used."""

    recipe: Recipe
    model: TrainableModel
    """The model in evaluation mode, float32."""
    tokenizer: AnyTokenizer


def load_run(folder: Path) -> TrainedRun:
    """Load the model of a run.

    The weights are the mean over the ``run.average`` validations kept, the last or the best by
    ``run.keep``, or the last saved state's where none are kept or nothing was validated yet.

    Raises:
        ModelError: The folder holds no run, or nothing is saved in it yet.
        RecipeError: Its recipe is damaged.
    """
    if not ((folder / RECIPE_FILE).is_file() and (folder / CONFIG_FILE).is_file()):
        raise ModelError(f"{folder}: no training run in this folder")
    recipe = load_recipe(folder / RECIPE_FILE)
    config = load_config(folder)
    tokenizer = load_run_tokenizer(folder, config)
    validated = sorted((folder / VALIDATED).glob("*.safetensors"))[-recipe.run.average :]
    use_validated = validated and (recipe.run.average > 1 or recipe.run.keeps_best)
    weights = average_weights(validated) if use_validated else weights_of_state(folder)
    if weights is None:
        raise ModelError(f"{folder}: the run has saved nothing yet")
    model = empty_model(config, tied=UNTIED not in weights)
    model.set_piece_table(tokenizer.target.piece_characters, tokenizer.target.piece_leads)
    model.load_state_dict(weights, strict=False)  # sinusoids and tied copies are not stored
    return TrainedRun(recipe, model.eval(), tokenizer)


UNTIED = "body.lm_head.weight"
"""Among a run's weights where the output layer has some of its own."""


def load_config(folder: Path) -> TrainableConfig:
    """Load the configuration of a run's model."""
    values = read_config(folder)
    lengths = values.get(LENGTHS_KEY)
    if lengths is None:
        return ModelConfig.from_dict(values)
    family = AutoConfig.from_pretrained(folder, local_files_only=True)
    delattr(family, LENGTHS_KEY)
    generation = GenerationConfig.from_pretrained(folder, local_files_only=True)
    return ConfigWithLengths.of(family, generation, lengths)


def load_run_tokenizer(folder: Path, config: TrainableConfig) -> AnyTokenizer:
    """Load the tokenizer of a run."""
    if isinstance(config, ConfigWithLengths):
        return load_pieces(folder, config.family.model_type, int(config.decoder_vocab_size or 0))
    return load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)


def empty_model(config: TrainableConfig, *, tied: bool = True) -> TrainableModel:
    """Return a model whose weights are still to be loaded.

    Args:
        config: Its configuration.
        tied: See `subfit.model.with_lengths.new_body`.
    """
    if isinstance(config, ConfigWithLengths):
        return ModelWithLengths(new_body(config, tied=tied), config)
    return Transformer(config)


def is_finished(recipe: Recipe, folder: Path) -> bool:
    """Tell whether a run has come to its end by this recipe, and its model has been measured."""
    if not (folder / METRICS_FILE).is_file():  # written last
        return False
    former = load_recipe(folder / RECIPE_FILE)
    return (former.schedule, former.run) == (recipe.schedule, recipe.run)


def clear(folder: Path) -> None:
    """Take away what a run left that ended before it saved a state: it may be of another recipe."""
    files = (TOKENIZER_FILE, TARGET_TOKENIZER_FILE, *MARIAN_FILES, *HUB_FILES, GENERATION_FILE)
    for name in (*files, LOG_FILE, LEXICON_FILE):
        (folder / name).unlink(missing_ok=True)
    for name in (VALIDATED, PREDICTOR_FOLDER):
        shutil.rmtree(folder / name, ignore_errors=True)


def reopen(folder: Path) -> None:
    """Take away the figures of a run that goes on: they are of other weights."""
    (folder / METRICS_FILE).unlink(missing_ok=True)


def export_run(
    run_folder: Path, out_folder: Path, *, dtype: torch.dtype = torch.float16
) -> TrainableModel:
    """Build a model folder from a run, finished or not, and return the model in float32.

    The weights are those of `load_run`.

    Args:
        run_folder: What `subfit.training.train.train` wrote.
        out_folder: Made if absent; its files are replaced.
        dtype: Type of the stored weights.

    Raises:
        ModelError: The folder holds no run, or nothing is saved in it yet.
        RecipeError: Its recipe is damaged.
    """
    recipe, model, tokenizer = load_run(run_folder)
    texts = {RECIPE_FILE: dump_recipe(replace(recipe, data=replace(recipe.data, root="data")))}
    if (run_folder / METRICS_FILE).is_file():
        texts[METRICS_FILE] = (run_folder / METRICS_FILE).read_text(encoding="utf-8")
    save_checkpoint(out_folder, model, tokenizer, texts, dtype=dtype)
    if (run_folder / LEXICON_FILE).is_file():
        shutil.copyfile(run_folder / LEXICON_FILE, out_folder / LEXICON_FILE)
        write_checksums(out_folder)
    if (run_folder / PREDICTOR_FOLDER).is_dir():
        shutil.copytree(
            run_folder / PREDICTOR_FOLDER, out_folder / PREDICTOR_FOLDER, dirs_exist_ok=True
        )
    return model
