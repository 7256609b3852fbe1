"""Model folders: finding, loading and saving them. Safetensors only, and no code from files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sized
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file, save

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.hub.conversion import with_safe_weights
from subfit.hub.download import hub_name
from subfit.model.config import (
    CONFIG_FILE,
    LengthConfig,
    ModelConfig,
    Precision,
    check_config,
    read_config,
    refused,
)
from subfit.model.families import (
    ARCHITECTURES,
    GENERATION_FILE,
    LENGTHS_FILE,
    LENGTHS_KEY,
    ConfigWithLengths,
    ModelWithLengths,
    load_pieces,
    settle,
    stored_body,
)
from subfit.model.tokenizer import (
    MARIAN_FILES,
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
    MarianPieces,
    Tokenizer,
    TokenizerPair,
    check_vocabulary,
)
from subfit.model.weights import (
    WEIGHTS_FILE,
    check_encoder_sizes,
    check_finite,
    check_sizes,
    is_sound,
    load_weights,
    packed,
    read_header,
    unsound,
)

if TYPE_CHECKING:
    from subfit.model.transformer import SubfitForTranslation, TrainableModel

SUMS_FILE = "SHA256SUMS"
METRICS_FILE = "metrics.json"
MEASUREMENTS_FILE = "measurements.json"
OWN_KIND = "subfit"
"""The ``model_type`` of subfit's own models."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded model with its tokenizer."""

    name: str
    """The folder's or hub model's name, for reports."""
    model: Any
    """In evaluation mode, its weights in float32: `ModelWeights`, or a model of Hugging Face's,
    with lengths (`ModelWithLengths`) or without; `subfit.decoding.parts` knows their modules'
    names."""
    tokenizer: AnyTokenizer
    folder: Path | None = None
    """Where it was loaded from, if from a folder."""
    precision: Precision = "fp32"
    """The arithmetic of its linear layers when it translates."""

    @property
    def length_aware(self) -> bool:
        """Whether the model takes asked lengths."""
        return isinstance(self.model.config, LengthConfig)


def load_checkpoint(place: str) -> Checkpoint:
    """Load a model folder or hub model in float32, ready to translate.

    Args:
        place: A folder, from `subfit.model.bundled.find_model`. Nothing is fetched.

    Raises:
        ModelError: Incomplete, damaged, or of a kind that subfit does not run.
    """
    return _load(place, _weights)


def load_trainable(place: str) -> Checkpoint:
    """Load a model as `load_checkpoint` does, but so that it can be trained on, or ``generate``."""
    from subfit.model.pretrained import load_own

    return _load(place, lambda folder, _: load_own(folder))


def _weights(folder: Path, values: Mapping[str, Any]) -> Any:
    return load_weights(folder, ModelConfig.from_dict(values))


def _load(place: str, load_own: Callable[[Path, Mapping[str, Any]], Any]) -> Checkpoint:
    folder = Path(place)
    values = read_config(folder)
    kind = values.get("model_type")
    if isinstance(kind, str) and kind in ARCHITECTURES:
        return _load_family(folder, kind, values)
    if kind not in (OWN_KIND, "marian"):
        known = ", ".join(["subfit", "marian", *ARCHITECTURES])
        problem = f"and subfit runs translation models of these types: {known}"
        raise refused(folder, "model_type", kind, problem)
    check_config(folder, values)
    safe = with_safe_weights(folder, name_of(folder)) if kind == "marian" else folder
    header = read_header(safe)
    check_sizes(folder, values, header)
    if kind == "marian":
        check_vocabulary(safe, values.get("vocab_size"))
        plain = replace(_load_marian(safe, name_of(folder)), folder=folder)
        checkpoint = _with_lengths(plain, folder, values)
    else:
        checkpoint = _checked(folder, load_own(folder, values))
    check_finite(safe, checkpoint.model, header)
    return checkpoint


def _checked(folder: Path, model: Any) -> Checkpoint:
    """Put a model of subfit's together with its tokenizer."""
    config = model.config
    _check_token_ids(str(folder), config)
    _check_source_tokens(folder, config)
    if (folder / MARIAN_FILES[0]).is_file():
        check_vocabulary(folder, config.vocab_size)
    tokenizer = load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)
    _check_texts(folder, tokenizer)
    added = sum(token_id >= len(tokenizer.source) for token_id in config.source_token_ids)
    padded = not isinstance(tokenizer, Tokenizer | TokenizerPair)
    _check_pieces(folder, tokenizer.source, config.vocab_size - added, padded=padded)
    if not tokenizer.shared:
        _check_pieces(folder, tokenizer.target, config.decoder_vocab_size)
    _check_end(folder, tokenizer, config)
    return Checkpoint(folder.name, model, tokenizer, folder)


def load_tokenizer(folder: Path, *, shared: bool) -> AnyTokenizer:
    """Load what a model folder or run folder has for a tokenizer.

    Raises:
        ModelError: A file is missing or is no SentencePiece model.
    """
    if (folder / MARIAN_FILES[0]).is_file():  # fine-tuned from a Marian model
        return MarianPieces.load(str(folder))
    source = Tokenizer(folder / TOKENIZER_FILE)
    return source if shared else TokenizerPair(source, Tokenizer(folder / TARGET_TOKENIZER_FILE))


def _check_pieces(place: object, tokenizer: Sized, size: int, *, padded: bool = False) -> None:
    """Check that a vocabulary is a model's; Marian models may have rows to spare."""
    if len(tokenizer) > size or (len(tokenizer) < size and not padded):
        raise ModelError(
            f"{place}: the tokenizer has {len(tokenizer)} pieces, the model by its config.json"
            f" {size}; they do not belong together"
        )


def _check_texts(place: object, tokenizer: AnyTokenizer) -> None:
    """Check that every piece can be told: a list of pieces may have more than its models."""
    try:
        _ = tokenizer.piece_texts
    except (LookupError, ValueError, RuntimeError, TypeError) as error:
        reason = " ".join(str(error).split())[:120]
        raise ModelError(f"{place}: its tokenizer has pieces that are none ({reason})") from error


def _check_end(place: object, tokenizer: AnyTokenizer, config: Any) -> None:
    if tokenizer.eos_id != config.eos_token_id:
        raise ModelError(
            f"{place}: sentences end with token {tokenizer.eos_id} of the tokenizer, but"
            f" eos_token_id in config.json is {config.eos_token_id}; they do not belong together"
        )


def name_of(folder: Path) -> str:
    """Return a model's name for reports: on the hub, or its folder's."""
    return hub_name(folder) or folder.name


def _load_marian(folder: Path, name: str) -> Checkpoint:
    from subfit.model.pretrained import load_marian

    model = load_marian(str(folder))
    _check_token_ids(str(folder), model.config)
    tokenizer = MarianPieces.load(str(folder))
    _check_texts(folder, tokenizer)
    _check_pieces(folder, tokenizer.piece_texts, model.config.decoder_vocab_size, padded=True)
    _check_end(folder, tokenizer, model.config)
    return Checkpoint(name, model, tokenizer)


def _load_family(folder: Path, kind: str, values: Mapping[str, Any]) -> Checkpoint:
    from subfit.model.pretrained import load_seq2seq

    safe = with_safe_weights(folder, name_of(folder))
    header = read_header(safe)
    check_encoder_sizes(folder, values, header)
    model = load_seq2seq(str(safe))
    check_finite(safe, model, header)
    settle(model)
    _check_token_ids(str(folder), model.config)
    pieces = load_pieces(safe, kind, model.config.decoder_vocab_size)
    _check_texts(folder, pieces)
    _check_pieces(folder, pieces, model.config.decoder_vocab_size, padded=True)
    _check_end(folder, pieces, model.config)
    return _with_lengths(Checkpoint(name_of(folder), model, pieces, folder), folder, values)


def _with_lengths(plain: Checkpoint, folder: Path, values: Mapping[str, Any]) -> Checkpoint:
    """A model of Hugging Face's, with lengths where it was trained for them."""
    lengths = values.get(LENGTHS_KEY)
    if lengths is None:
        return plain
    if not isinstance(lengths, dict):
        raise refused(folder, LENGTHS_KEY, lengths, "where an object is wanted")
    check_config(folder, lengths)
    settle(plain.model)
    body = plain.model
    config = ConfigWithLengths.of(body.config, body.generation_config, lengths)
    _check_source_tokens(folder, config)
    model = ModelWithLengths(body, config)
    _fill_lengths(model, folder / LENGTHS_FILE)
    return replace(plain, model=model.eval())


def _fill_lengths(model: ModelWithLengths, path: Path) -> None:
    """Read what makes a model take lengths."""
    try:
        weights = load_file(path)
    except Exception as error:  # whatever a damaged file makes the library raise
        problem = "cannot be read" if path.is_file() else "is missing; the model takes lengths"
        raise ModelError(f"{path}: {problem}") from error
    for name, own in model.added.items():
        value = weights.get(name)
        if value is None or value.shape != own.shape:
            raise ModelError(f"{path}: {name} is missing or of another size than config.json has")
        if value.is_floating_point() and not is_sound(value):
            raise unsound(path, name)
        weights[name] = value.to(own.dtype)
    model.load_state_dict(weights, strict=False)


def _check_source_tokens(folder: Path, config: Any) -> None:
    if not all(token_id < config.vocab_size for token_id in config.source_token_ids):
        problem = "length_classes, language_tokens or others name tokens beyond vocab_size"
        raise ModelError(f"{folder / CONFIG_FILE}: {problem}")


def _check_token_ids(place: str, config: Any) -> None:
    for name in ("eos_token_id", "pad_token_id", "decoder_start_token_id"):
        value = getattr(config, name)
        size = min(config.vocab_size, config.decoder_vocab_size)
        if not isinstance(value, int) or not 0 <= value < size:
            raise ModelError(f"{place}: {name} in config.json is {value}, which is no token")


def save_checkpoint(
    folder: Path,
    model: TrainableModel,
    tokenizer: AnyTokenizer,
    extra: dict[str, str],
    *,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write a model folder: configuration, weights, tokenizer, other texts and checksums.

    Args:
        folder: Made if absent.
        model: What to save; its tied weights are stored once. Of one with lengths, the folder is
            one of Hugging Face's, with a file more.
        tokenizer: Its file, or one for each side, is copied.
        extra: Other text files, by name.
        dtype: Type of the stored weights; int8, for a model of subfit's own, as
            `subfit.model.weights` has it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(model, ModelWithLengths):
        stored, config = stored_body(model.body, dtype), replace(model.config)
        config.family = _labelled(config.family, model.body, dtype)
        texts = {CONFIG_FILE: config.to_json_string(), **extra}
        if config.generation is not None:
            texts[GENERATION_FILE] = config.generation.to_json_string()
        lengths = save({name: tensor.detach().cpu() for name, tensor in model.added.items()})
        write_bytes(folder / LENGTHS_FILE, lengths, overwrite=True)
    else:
        in_eight_bits = dtype == torch.int8
        real = torch.float32 if in_eight_bits else dtype
        stored = _stored(model, real)
        stored = packed(stored) if in_eight_bits else stored
        texts = {CONFIG_FILE: _labelled(model.config, model, real).to_json_string(), **extra}
    # The folder may hold another model: no file of it is left half written.
    weights = save(stored, metadata={"format": "pt"})
    write_bytes(folder / WEIGHTS_FILE, weights, overwrite=True)
    tokenizer.save(folder)
    for name, text in texts.items():
        write_bytes(folder / name, text.encode("utf-8"), overwrite=True)
    write_checksums(folder)


def _labelled(config: Any, model: object, dtype: torch.dtype) -> Any:
    """A copy of a configuration that says what weights of it are stored."""
    config = deepcopy(config)
    config.dtype, config.architectures = dtype, [type(model).__name__]
    return config


def _stored(model: SubfitForTranslation, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Weights to store: no tied copy twice, no sinusoids, real numbers in ``dtype``."""
    skipped = {"lm_head.weight"}
    if model.config.share_encoder_decoder_embeddings:  # then `model.shared.weight` holds them
        skipped |= {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"}
    stored: dict[str, torch.Tensor] = {}
    for name, value in model.state_dict().items():
        if name in skipped or "embed_positions" in name:
            continue
        value = value.detach().cpu()
        stored[name] = (value.to(dtype) if value.is_floating_point() else value).contiguous()
    return stored


def write_checksums(folder: Path) -> None:
    """Write ``SHA256SUMS`` over every other file of the folder."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS_FILE)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files]
    write_bytes(folder / SUMS_FILE, ("\n".join(lines) + "\n").encode("utf-8"), overwrite=True)
