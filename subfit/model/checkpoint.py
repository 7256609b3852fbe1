"""Model folders: finding, loading and saving them. Safetensors only, and no code from files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.hub.download import hub_name, with_safe_weights
from subfit.model import families
from subfit.model import tokenizer as tokenizers
from subfit.model.config import (
    CONFIG_FILE,
    OWN_KIND,
    LengthConfig,
    ModelConfig,
    Precision,
    check_config,
    read_config,
    refused,
)
from subfit.model.transformer import TrainableModel, load_weights
from subfit.model.weights import (
    WEIGHTS_FILE,
    check_finite,
    check_header,
    packed,
    tensors_of,
)

SUMS_FILE = "SHA256SUMS"
METRICS_FILE = "metrics.json"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded model with its tokenizer."""

    name: str
    """The folder's or hub model's name, for reports."""
    model: Any
    """In evaluation mode and float32: a `Transformer`, or a model of Hugging Face's, with lengths
    (`ModelWithLengths`) or without; `subfit.decoding.parts` knows their modules' names."""
    tokenizer: tokenizers.AnyTokenizer
    folder: Path | None = None
    """Where it was loaded from, if from a folder."""
    precision: Precision = "fp32"
    """The arithmetic of its linear layers when it translates."""

    @property
    def length_aware(self) -> bool:
        """Whether the model takes asked lengths."""
        return isinstance(self.model.config, LengthConfig)


def load_checkpoint(place: str) -> Checkpoint:
    """Load a model folder or hub model in float32, to translate with or to train on.

    Args:
        place: A folder, from `subfit.model.bundled.find_model`. Nothing is fetched.

    Raises:
        ModelError: Incomplete, damaged, or of a kind that subfit does not run.
    """
    folder = Path(place)
    values = read_config(folder)
    kind = values.get("model_type")
    if kind not in (OWN_KIND, "marian", *families.ARCHITECTURES):
        known = ", ".join([OWN_KIND, "marian", *families.ARCHITECTURES])
        problem = f"and subfit runs translation models of these types: {known}"
        raise refused(folder, "model_type", kind, problem)
    if kind not in families.ARCHITECTURES:
        check_config(folder, values)
    safe = folder if kind == OWN_KIND else with_safe_weights(folder, name_of(folder))
    check_header(safe, values)
    if kind == OWN_KIND:
        checkpoint = _load_own(folder, ModelConfig.from_dict(values))
    else:
        checkpoint = _load_family(folder, safe, values)
    check_finite(safe, tensors_of(checkpoint.model))
    return checkpoint


def _load_own(folder: Path, config: ModelConfig) -> Checkpoint:
    _check_token_ids(folder, config)
    _check_source_tokens(folder, config)
    tokenizer = load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)
    added = sum(token_id >= len(tokenizer.source) for token_id in config.source_token_ids)
    sizes: list[tuple[Sized, int]] = [(tokenizer.source, config.vocab_size - added)]
    if not tokenizer.shared:
        sizes.append((tokenizer.target, config.decoder_vocab_size or 0))
    _check_tokenizer(folder, tokenizer, config, sizes)
    return Checkpoint(folder.name, load_weights(folder, config), tokenizer, folder)


def load_tokenizer(
    folder: Path, *, shared: bool
) -> tokenizers.Tokenizer | tokenizers.TokenizerPair:
    """Load the tokenizer of a model of subfit's own.

    Raises:
        ModelError: A file is missing or is no SentencePiece model.
    """
    source = tokenizers.Tokenizer(folder / tokenizers.TOKENIZER_FILE)
    if shared:
        return source
    target = tokenizers.Tokenizer(folder / tokenizers.TARGET_TOKENIZER_FILE)
    return tokenizers.TokenizerPair(source, target)


def _check_tokenizer(
    place: object,
    tokenizer: tokenizers.AnyTokenizer,
    config: Any,
    sizes: Sequence[tuple[Sized, int]],
    *,
    padded: bool = False,
) -> None:
    """Check that vocabularies are a model's; those of Hugging Face's may have rows to spare."""
    apart = "they do not belong together"
    try:
        _ = tokenizer.piece_texts  # a list of pieces may have more than its models
    except (LookupError, ValueError, RuntimeError, TypeError) as error:
        reason = " ".join(str(error).split())[:120]
        raise ModelError(f"{place}: its tokenizer has pieces that are none ({reason})") from error
    for own, size in sizes:
        if len(own) > size or (len(own) < size and not padded):
            counts = f"the tokenizer has {len(own)} pieces, the model by its config.json {size}"
            raise ModelError(f"{place}: {counts}; {apart}")
    if tokenizer.eos_id != config.eos_token_id:
        raise ModelError(
            f"{place}: sentences end with token {tokenizer.eos_id} of the tokenizer, but"
            f" eos_token_id in config.json is {config.eos_token_id}; {apart}"
        )


def name_of(folder: Path) -> str:
    """Return a model's name for reports: on the hub, or its folder's."""
    return hub_name(folder) or folder.name


def load_pieces(folder: Path, kind: str, size: int) -> tokenizers.HubPieces:
    """Load the tokenizer of a model of Hugging Face's.

    Args:
        folder: Of the model.
        kind: Its ``model_type``.
        size: Pieces that the model has.
    """
    if kind == "marian":
        return tokenizers.MarianPieces.load(str(folder))
    return families.load_family_pieces(folder, kind, size)


def _load_family(folder: Path, safe: Path, values: Mapping[str, Any]) -> Checkpoint:
    """Load a model of Hugging Face's, with lengths where it was trained for them."""
    from subfit.model.pretrained import load_seq2seq

    kind = values["model_type"]
    if kind == "marian":
        tokenizers.check_vocabulary(safe, values.get("vocab_size"))
    model = load_seq2seq(str(safe))
    families.settle(model)
    _check_token_ids(folder, model.config)
    size = model.config.decoder_vocab_size
    pieces = load_pieces(safe, kind, size)
    _check_tokenizer(folder, pieces, model.config, [(pieces, size)], padded=True)
    plain = Checkpoint(name_of(folder), model, pieces, folder)
    return _with_lengths(plain, folder, values)


def _with_lengths(plain: Checkpoint, folder: Path, values: Mapping[str, Any]) -> Checkpoint:
    """A model of Hugging Face's, with lengths where it was trained for them."""
    lengths = values.get(families.LENGTHS_KEY)
    if lengths is None:
        return plain
    if not isinstance(lengths, dict):
        raise refused(folder, families.LENGTHS_KEY, lengths, "where an object is wanted")
    check_config(folder, lengths)
    body = plain.model
    config = families.ConfigWithLengths.of(body.config, body.generation_config, lengths)
    _check_source_tokens(folder, config)
    model = families.ModelWithLengths(body, config)
    _fill_lengths(model, folder / families.LENGTHS_FILE)
    return replace(plain, model=model.eval())


def _fill_lengths(model: families.ModelWithLengths, path: Path) -> None:
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
        weights[name] = value.to(own.dtype)
    check_finite(path, weights.items())
    model.load_state_dict(weights, strict=False)


def _check_source_tokens(folder: Path, config: Any) -> None:
    if not all(token_id < config.vocab_size for token_id in config.source_token_ids):
        problem = "length_classes, language_tokens or others name tokens beyond vocab_size"
        raise ModelError(f"{folder / CONFIG_FILE}: {problem}")


def _check_token_ids(place: Path, config: Any) -> None:
    for name in ("eos_token_id", "pad_token_id", "decoder_start_token_id"):
        value = getattr(config, name)
        size = min(config.vocab_size, config.decoder_vocab_size)
        if not isinstance(value, int) or not 0 <= value < size:
            raise ModelError(f"{place}: {name} in config.json is {value}, which is no token")


def save_checkpoint(
    folder: Path,
    model: TrainableModel,
    tokenizer: tokenizers.AnyTokenizer,
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
    real = torch.float32 if dtype == torch.int8 else dtype
    body = model.body if isinstance(model, families.ModelWithLengths) else model
    stored = _stored(body, real)
    # The folder may hold another model: no file of it is left half written.
    if dtype == torch.int8:
        stored = packed(stored)
    write_bytes(folder / WEIGHTS_FILE, save(stored, metadata={"format": "pt"}), overwrite=True)
    own: dict[str, Any] = {"dtype": str(real).removeprefix("torch.")}
    if isinstance(model, families.ModelWithLengths):
        lengths = save({name: tensor.detach().cpu() for name, tensor in model.added.items()})
        write_bytes(folder / families.LENGTHS_FILE, lengths, overwrite=True)
        own["architectures"] = [type(body).__name__]
    model.config.save(folder, **own)
    tokenizer.save(folder)
    for name, text in extra.items():
        write_bytes(folder / name, text.encode("utf-8"), overwrite=True)
    write_checksums(folder)


def _stored(model: Any, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Weights to store: no tied copy twice, nothing that is computed, real numbers in ``dtype``."""
    skipped = getattr(model, "_keys_to_ignore_on_save", None) or ()
    stored: dict[str, torch.Tensor] = {}
    seen: set[tuple[int, torch.Size]] = set()
    for name, value in model.state_dict().items():
        place = value.data_ptr(), value.shape
        if name in skipped or (value.numel() and place in seen):
            continue
        seen.add(place)
        value = value.detach().cpu()
        stored[name] = (value.to(dtype) if value.is_floating_point() else value).contiguous()
    return stored


def write_checksums(folder: Path) -> None:
    """Write ``SHA256SUMS`` over every other file of the folder."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS_FILE)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}" for file in files]
    write_bytes(folder / SUMS_FILE, ("\n".join(lines) + "\n").encode("utf-8"), overwrite=True)
