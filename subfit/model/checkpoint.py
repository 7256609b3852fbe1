"""Model folders: finding, loading and saving them. Safetensors only, and no code from files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from safetensors.torch import save
from transformers import MarianConfig, MarianMTModel
from transformers.utils import logging as transformers_logging

from subfit.errors import ModelError
from subfit.formats import write_bytes
from subfit.model.config import LENGTH_ENCODINGS, SubfitConfig
from subfit.model.linears import Precision
from subfit.model.transformer import SubfitForTranslation
from subfit.tokenizer import (
    TARGET_TOKENIZER_FILE,
    TOKENIZER_FILE,
    AnyTokenizer,
    Tokenizer,
    TokenizerPair,
)

SUMS_FILE = "SHA256SUMS"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A loaded model with its tokenizer."""

    name: str
    """The folder's or hub model's name, for reports."""
    model: MarianMTModel
    """In evaluation mode, its weights in float32."""
    tokenizer: AnyTokenizer
    folder: Path | None = None
    """Where it was loaded from, if from a folder."""
    precision: Precision = "fp32"
    """The arithmetic of its linear layers when it translates."""

    @property
    def length_aware(self) -> bool:
        """Whether the model takes asked lengths."""
        return isinstance(self.model.config, SubfitConfig)


def load_checkpoint(place: str) -> Checkpoint:
    """Load a model folder or hub model in float32, ready to translate.

    Args:
        place: From `subfit.bundled.find_model`. Only a hub name may use the network.

    Raises:
        ModelError: Incomplete, damaged, or not of Marian's shape.
    """
    folder = Path(place)
    if folder.is_dir():
        return replace(_load_folder(folder), folder=folder)
    return _load_marian(place, place, local=False)


def _load_folder(folder: Path) -> Checkpoint:
    try:
        kind = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type")
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{folder / 'config.json'}: not a model configuration") from error
    if kind == "marian":
        return _load_marian(str(folder), folder.name, local=True)
    if kind != SubfitConfig.model_type:
        raise ModelError(f"{folder}: a {kind} model; subfit runs its own and Marian models")
    model = _from_pretrained(SubfitForTranslation, str(folder), local=True)
    config = model.config
    _check_length_signals(folder, config)
    tokenizer = load_tokenizer(folder, shared=config.share_encoder_decoder_embeddings)
    added = sum(token_id >= len(tokenizer.source) for token_id in config.source_token_ids)
    padded = not isinstance(tokenizer, Tokenizer | TokenizerPair)
    _check_pieces(folder, tokenizer.source, config.vocab_size - added, padded=padded)
    if not tokenizer.shared:
        _check_pieces(folder, tokenizer.target, config.decoder_vocab_size)
    return Checkpoint(folder.name, model, tokenizer)


def load_tokenizer(folder: Path, *, shared: bool) -> AnyTokenizer:
    """Load what a model folder or run folder has for a tokenizer.

    Args:
        folder: Where the files are.
        shared: Whether both sides have one vocabulary.

    Raises:
        ModelError: A file is missing or is no SentencePiece model.
    """
    from subfit.model.marian_pieces import VOCABULARY_FILE, MarianPieces

    if (folder / VOCABULARY_FILE).is_file():  # fine-tuned from a Marian model
        return MarianPieces.load(str(folder), local=True)
    source = Tokenizer(folder / TOKENIZER_FILE)
    return source if shared else TokenizerPair(source, Tokenizer(folder / TARGET_TOKENIZER_FILE))


def _check_pieces(place: object, tokenizer: Sized, size: int, *, padded: bool = False) -> None:
    """Check that a vocabulary is a model's; Marian models may have rows to spare."""
    if len(tokenizer) > size or (len(tokenizer) < size and not padded):
        raise ModelError(
            f"{place}: the tokenizer has {len(tokenizer)} pieces, the model {size};"
            " they do not belong together"
        )


def _load_marian(place: str, name: str, *, local: bool) -> Checkpoint:
    from subfit.model.marian_pieces import MarianPieces

    model = _from_pretrained(MarianMTModel, place, local=local)
    tokenizer = MarianPieces.load(place, local=local)
    _check_pieces(place, tokenizer.piece_texts, model.config.decoder_vocab_size, padded=True)
    return Checkpoint(name, model, tokenizer)


def _check_length_signals(folder: Path, config: SubfitConfig) -> None:
    """Refuse length signals that this version does not know, rather than leave them out."""
    unknown = set(config.length_encodings or ()) - set(LENGTH_ENCODINGS)
    if unknown:
        raise ModelError(
            f"{folder / 'config.json'}: unknown length encoding {sorted(unknown)[0]!r};"
            f" known: {', '.join(LENGTH_ENCODINGS)}"
        )
    try:
        bounds = [each.upper for each in config.classes]
        tokens = [0 <= token_id < config.vocab_size for token_id in config.source_token_ids]
    except (TypeError, ValueError, AttributeError):
        bounds, tokens = [], [False]
    if not all(tokens) or bounds != sorted(bounds):
        raise ModelError(
            f"{folder / 'config.json'}: length_classes or language_tokens make no sense"
        )


def _check_token_ids(place: str, config: MarianConfig) -> None:
    for name in ("eos_token_id", "pad_token_id", "decoder_start_token_id"):
        value = getattr(config, name)
        size = min(config.vocab_size, config.decoder_vocab_size)
        if not isinstance(value, int) or not 0 <= value < size:
            raise ModelError(f"{place}: {name} in config.json is {value}, which is no token")


def _from_pretrained(kind: type[MarianMTModel], place: str, *, local: bool) -> MarianMTModel:
    try:
        with _no_progress_bar():
            model, loading = kind.from_pretrained(
                place,
                use_safetensors=True,
                local_files_only=local,
                dtype=torch.float32,
                output_loading_info=True,
            )
    except Exception as error:  # whatever a damaged file makes the libraries raise
        raise ModelError(f"{place}: {_why(place, error)}") from error
    _check_token_ids(place, model.config)
    if missing := sorted(loading["missing_keys"]):  # they would hold random numbers
        raise ModelError(f"{place}: incomplete; {len(missing)} weights are missing ({missing[0]})")
    return model.eval()


def _why(place: str, error: Exception) -> str:
    """Say in a user's words why a model could not be loaded."""
    folder = Path(place)
    if folder.is_dir() and not list(folder.glob("model*.safetensors")):
        return "no model.safetensors here; subfit reads weights from safetensors only"
    reason = " ".join(str(error).split())
    if "ignore_mismatched_sizes" in reason:
        return "config.json and model.safetensors do not belong together; their sizes differ"
    return f"cannot be loaded; is it complete? ({reason[:160]})"


@contextmanager
def _no_progress_bar() -> Iterator[None]:
    """Keep transformers from drawing a bar for every model it loads; ours load in an instant."""
    shown = transformers_logging.is_progress_bar_enabled()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            transformers_logging.enable_progress_bar()


def save_checkpoint(
    folder: Path,
    model: SubfitForTranslation,
    tokenizer: AnyTokenizer,
    extra: dict[str, str],
    *,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write a model folder: configuration, weights, tokenizer, other texts and checksums.

    Args:
        folder: Made if absent.
        model: What to save; its tied weights are stored once.
        tokenizer: Its file, or one for each side, is copied.
        extra: Other text files, by name.
        dtype: Type of the stored weights.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = deepcopy(model.config)
    config.dtype, config.architectures = dtype, [type(model).__name__]
    config.save_pretrained(folder)
    # safetensors' own `save_file` makes a file that only its owner may read.
    weights = save(_stored(model, dtype), metadata={"format": "pt"})
    (folder / "model.safetensors").write_bytes(weights)
    tokenizer.save(folder)
    for name, text in extra.items():
        (folder / name).write_text(text, encoding="utf-8")
    write_checksums(folder)


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
    files = sorted(each for each in folder.iterdir() if each.is_file() and each.name != SUMS_FILE)
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}" for each in files]
    write_bytes(folder / SUMS_FILE, ("\n".join(lines) + "\n").encode("utf-8"), overwrite=True)
