"""What a training run leaves in its folder: log, provenance, and a model that can be shipped."""

from __future__ import annotations

import json
import platform
import shlex
import shutil
import signal
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import distributions, version
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.optim import Optimizer
from transformers import AutoConfig, GenerationConfig

from subfit.errors import InputFileError, ModelError, OutputFileError
from subfit.evaluation.corpus import Pair
from subfit.files import write_bytes
from subfit.model import families
from subfit.model.checkpoint import (
    METRICS_FILE,
    load_pieces,
    load_tokenizer,
    save_checkpoint,
    write_checksums,
)
from subfit.model.config import CONFIG_FILE, ModelConfig, read_config
from subfit.model.length_predictor import PREDICTOR_FOLDER
from subfit.model.lexicon import LEXICON_FILE
from subfit.model.tokenizer import (
    HUB_FILES,
    MARIAN_FILES,
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
)
from subfit.model.transformer import TrainableConfig, TrainableModel, Transformer
from subfit.training.pairs import Corpus, class_counts
from subfit.training.recipe import Recipe, dump_recipe, load_recipe
from subfit.training.sections import RunSettings
from subfit.version import __version__

VALIDATED = "validated"
"""The folder of the weights kept at validations, inside the run's."""
STATE = "state"
OUTPUT_BIAS = "final_logits_bias"
"""Of Marian's shape; what the name ends with where Hugging Face's model is a part."""
GIVEN = (OUTPUT_BIAS, "length_signal.gate", "fertility.table")
"""What is no weight, and yet cannot be computed again."""


def save_state(
    folder: Path, model: nn.Module, optimizers: list[Optimizer], progress: dict[str, Any]
) -> None:
    """Replace ``folder/state`` by the present state; a kill at any moment leaves a whole one."""
    new, old, place = folder / "state.new", folder / "state.old", folder / STATE
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    _save(weights_of(model), new / "model.safetensors")
    _save(_moments(optimizers), new / "optimizer.safetensors")
    (new / "progress.json").write_text(json.dumps(progress), encoding="utf-8")
    if place.exists():  # if not, an earlier kill left ``old`` as the only whole one
        shutil.rmtree(old, ignore_errors=True)
        place.rename(old)
    new.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def _save(
    tensors: Mapping[str, Tensor], path: Path, metadata: dict[str, str] | None = None
) -> None:
    try:
        save_file(dict(tensors), path, metadata=metadata)
    except (OSError, SafetensorError) as error:
        raise OutputFileError(
            path, f"cannot be written ({' '.join(str(error).split())})"
        ) from error


def load_state(
    folder: Path, model: nn.Module, optimizers: list[Optimizer]
) -> dict[str, Any] | None:
    """Restore the newest whole state into model and optimisers.

    Returns:
        The ``progress`` it was saved with, or None when the folder has no state.
    """
    place = _newest(folder)
    if place is None:
        return None
    try:
        model.load_state_dict(load_file(place / "model.safetensors"), strict=False)
        _restore_moments(optimizers, load_file(place / "optimizer.safetensors"))
        progress: dict[str, Any] = json.loads((place / "progress.json").read_text(encoding="utf-8"))
    except (OSError, SafetensorError, ValueError) as error:
        problem = f"the state of the run is damaged ({' '.join(str(error).split())})"
        raise InputFileError(place, problem, remedy="begin anew without --resume") from error
    return progress


def has_state(folder: Path) -> bool:
    """Tell whether a run can go on from this folder."""
    return _newest(folder) is not None


def weights_of_state(folder: Path) -> dict[str, Tensor] | None:
    """Return the weights of the newest whole state, or None when there is no state."""
    place = _newest(folder)
    return load_file(place / "model.safetensors") if place else None


def _newest(folder: Path) -> Path | None:
    return next((folder / name for name in (STATE, "state.old") if (folder / name).exists()), None)


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """Return what makes a model: its weights, each tied one once, and what else it was given.

    Marian's output bias comes with the model that a run starts from; the gate on the length signal
    is opened by the training, and what pieces were aligned with is counted before it.
    """
    everything = [*model.named_parameters(), *model.named_buffers()]
    return {
        name: value.detach().contiguous()
        for name, value in everything
        if isinstance(value, nn.Parameter) or name in GIVEN or name.endswith(OUTPUT_BIAS)
    }


def _moments(optimizers: list[Optimizer]) -> dict[str, Tensor]:
    return {
        f"{number}.{index}.{key}": torch.as_tensor(value).contiguous()
        for number, optimizer in enumerate(optimizers)
        for index, entry in optimizer.state_dict()["state"].items()
        for key, value in entry.items()
    }


def _restore_moments(optimizers: list[Optimizer], saved: dict[str, Tensor]) -> None:
    for number, optimizer in enumerate(optimizers):
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in saved.items():
            owner, index, key = name.split(".")
            if int(owner) == number:
                state.setdefault(int(index), {})[key] = value
        optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


@dataclass(slots=True)
class Patience:
    """Counts the validations since the dev loss was at its lowest."""

    limit: int
    """After so many without a lower loss it is over; 0 for never."""
    warmup: int = 0
    """Steps whose validations do not count: the loss may rise with the rate."""
    best: float | None = None
    waited: int = 0

    def see(self, dev_loss: float, step: int) -> None:
        """Take note of a validation."""
        if self.best is None or dev_loss < self.best:
            self.best, self.waited = dev_loss, 0
        elif step > self.warmup:
            self.waited += 1

    @property
    def exhausted(self) -> bool:
        """Whether to stop."""
        return 0 < self.limit <= self.waited


def keep_weights(
    folder: Path, model: nn.Module, run: RunSettings, step: int, dev_loss: float
) -> None:
    """Keep the weights of a validation, if export will want them, and drop those it will not.

    The dev loss stands in each file, so that what is kept never depends on the saved state.

    Args:
        folder: The run folder.
        model: As it was validated.
        run: Says how many weights are kept, and whether the last or the best.
        step: Of the validation.
        dev_loss: Measured at it.
    """
    if run.average < 2 and not run.keeps_best:
        return
    place = folder / VALIDATED
    place.mkdir(exist_ok=True)
    path = place / f"{step:08d}.safetensors"
    _save(weights_of(model), path.with_suffix(".new"), {"dev_loss": repr(dev_loss)})
    path.with_suffix(".new").replace(path)
    kept = sorted(place.glob("*.safetensors"))
    if run.keeps_best:
        kept.sort(key=_dev_loss, reverse=True)
    for superfluous in kept[: -run.average]:
        superfluous.unlink()


def _dev_loss(path: Path) -> float:
    with safe_open(path, framework="pt") as file:
        return float((file.metadata() or {}).get("dev_loss", "inf"))


def average_weights(files: Sequence[Path]) -> dict[str, Tensor]:
    """Return the mean of the weights in some files, all of the same model."""
    total: dict[str, Tensor] = {}
    for path in files:
        for name, value in load_file(path).items():
            value = value.double()
            total[name] = total[name] + value if name in total else value
    return {name: (value / len(files)).float() for name, value in total.items()}


@contextmanager
def interruptions() -> Iterator[Callable[[], bool]]:
    """Catch SIGINT and SIGTERM in the block.

    Yields:
        A function that tells whether one has come. The second one raises KeyboardInterrupt where
        it falls. Outside the main thread, where Python allows no handlers, nothing is caught.
    """
    caught: list[int] = []

    def catch(number: int, _: FrameType | None) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if main else ()
    former = {number: signal.signal(number, catch) for number in numbers}
    try:
        yield lambda: bool(caught)
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


LOG_FILE = "log.jsonl"
ENVIRONMENT_FILE = "environment.json"
DATA_FILE = "data.json"
_PACKAGES = (
    "torch", "transformers", "sentencepiece", "sacrebleu", "numpy", "entmax", "systran-align",
)  # fmt: skip


def read_log(folder: Path) -> dict[int, dict[str, float]]:
    """Read the log of a run folder: figures by step; without one, nothing was logged.

    A run that was killed and resumed logs the steps after its saved state again: what was logged
    last counts. A line that a kill left half written is passed over.
    """
    figures: defaultdict[int, dict[str, float]] = defaultdict(dict)
    path = folder / LOG_FILE
    text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for line in text.splitlines():
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            entry = json.loads(line)
            figures[int(entry.pop("step"))] |= entry
    return figures


def logged(folder: Path) -> dict[str, Any]:
    """Return ``steps``, ``target_tokens``, ``seconds`` and ``tokens_per_second`` of a whole run.

    Seconds are those of training, of steps too that a kill undid.
    """
    log = {step: entry for step, entry in read_log(folder).items() if "loss" in entry}
    tokens, seconds = (
        max((entry.get(name, 0) for entry in log.values()), default=0)
        for name in ("target_tokens", "seconds")
    )
    speed = round(tokens / seconds, 1) if seconds else None
    return {
        "steps": max(log, default=0), "target_tokens": tokens, "seconds": round(seconds, 1),
        "tokens_per_second": speed,
    }  # fmt: skip


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
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES if any(distributions(name=name))},
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
    lengths = values.get(families.LENGTHS_KEY)
    if lengths is None:
        return ModelConfig.from_dict(values)
    family = AutoConfig.from_pretrained(folder, local_files_only=True)
    delattr(family, families.LENGTHS_KEY)
    generation = GenerationConfig.from_pretrained(folder, local_files_only=True)
    return families.ConfigWithLengths.of(family, generation, lengths)


def load_run_tokenizer(folder: Path, config: TrainableConfig) -> AnyTokenizer:
    """Load the tokenizer of a run."""
    if isinstance(config, families.ConfigWithLengths):
        return load_pieces(folder, config.family.model_type, int(config.decoder_vocab_size or 0))
    return load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)


def empty_model(config: TrainableConfig, *, tied: bool = True) -> TrainableModel:
    """Return a model whose weights are still to be loaded.

    Args:
        config: Its configuration.
        tied: See `subfit.model.families.new_body`.
    """
    if isinstance(config, families.ConfigWithLengths):
        return families.ModelWithLengths(families.new_body(config, tied=tied), config)
    return Transformer(config)


def is_finished(recipe: Recipe, folder: Path) -> bool:
    """Tell whether a run has come to its end by this recipe, and its model has been measured."""
    if not (folder / METRICS_FILE).is_file():  # written last
        return False
    former = load_recipe(folder / RECIPE_FILE)
    return (former.schedule, former.run) == (recipe.schedule, recipe.run)


def clear(folder: Path) -> None:
    """Take away what a run left that ended before it saved a state: it may be of another recipe."""
    files = (
        TOKENIZER_FILE,
        TARGET_TOKENIZER_FILE,
        *MARIAN_FILES,
        *HUB_FILES,
        families.GENERATION_FILE,
    )
    for name in (*files, LOG_FILE, LEXICON_FILE):
        (folder / name).unlink(missing_ok=True)
    for name in (VALIDATED, PREDICTOR_FOLDER):
        shutil.rmtree(folder / name, ignore_errors=True)


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
