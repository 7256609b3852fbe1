"""Lexical tables: which target pieces translate a source piece, and how often pieces occur.

A model folder holds them in ``lexicon.safetensors``, one for each target language; they belong to
the model's vocabulary, not to its weights. `subfit.training.lexicon` learns them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import torch
from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from subfit.errors import ModelError
from subfit.files import write_bytes
from subfit.model.checkpoint import Checkpoint, write_checksums
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.languages import closest_language

LEXICON_FILE = "lexicon.safetensors"
_PARTS = ("lengths", "targets", "probabilities", "counts")


@dataclass(frozen=True, slots=True)
class LexicalTable:
    """P(target piece | source piece) for one target language; only the best of each source."""

    offsets: Tensor
    """(source_size + 1,) int64; the translations of piece s are entries offsets[s] to
    offsets[s + 1]."""
    targets: Tensor
    """(entries,) int64 target pieces, the most probable of each source piece first."""
    probabilities: Tensor
    """(entries,) float32; those of a source piece sum to 1 or less."""
    counts: Tensor
    """(target_size,) int64, how often each piece occurs in the targets it was learned from."""

    def translations(self, piece: int) -> list[tuple[int, float]]:
        """Return the translations of a source piece with their probabilities, the best first."""
        entries = slice(int(self.offsets[piece]), int(self.offsets[piece + 1]))
        probabilities = self.probabilities[entries].tolist()
        return list(zip(self.targets[entries].tolist(), probabilities, strict=True))


Lexicon = Mapping[str, LexicalTable]
"""The tables of a model by the tags of its target languages."""


def find_table(checkpoint: Checkpoint, language: str | None) -> LexicalTable | None:
    """Return the table that a model has for a language.

    Args:
        checkpoint: The model.
        language: Tag of the target language, or, for a model of several sources, of the source;
            None will do for a model of one pair.

    Returns:
        The table, or None if the model has none for that language.

    Raises:
        ModelError: The file with the tables is damaged, or belongs to another vocabulary.
    """
    if checkpoint.folder is None or not (checkpoint.folder / LEXICON_FILE).is_file():
        return None
    lexicon = load_lexicon(checkpoint.folder, checkpoint.tokenizer)
    if language is None:
        return next(iter(lexicon.values())) if len(lexicon) == 1 else None
    closest = closest_language(language, list(lexicon))
    return None if closest is None else lexicon[closest]


def load_lexicon(folder: Path, tokenizer: AnyTokenizer) -> dict[str, LexicalTable]:
    """Load the tables of a model folder.

    Raises:
        ModelError: The file is missing, damaged, or belongs to another vocabulary.
    """
    path = folder / LEXICON_FILE
    try:
        with safe_open(str(path), framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except Exception as error:  # whatever a damaged file makes the library raise
        raise _damaged(path, "not a file of lexical tables") from error
    if metadata.get("vocabulary") != vocabulary_checksum(tokenizer):
        raise _damaged(path, "belongs to another vocabulary")
    languages = metadata.get("languages", "").split()
    wanted = {f"{language}.{part}" for language in languages for part in _PARTS}
    if not languages or set(tensors) != wanted:
        raise _damaged(path, "incomplete")
    sizes = (len(tokenizer.source), len(tokenizer.target))
    tables: dict[str, LexicalTable] = {}
    for language in languages:
        table = _restored([tensors[f"{language}.{part}"] for part in _PARTS], sizes)
        if table is None:
            raise _damaged(path, f"its table for {language} makes no sense")
        tables[language] = table
    return tables


def save_lexicon(folder: Path, tokenizer: AnyTokenizer, lexicon: Lexicon) -> None:
    """Write tables into a model folder, in place of any that are there, with new checksums.

    Raises:
        OutputFileError: The file cannot be written.
    """
    small = torch.int16 if len(tokenizer.target) <= torch.iinfo(torch.int16).max else torch.int32
    stored: dict[str, Tensor] = {}
    for language, table in lexicon.items():
        parts = (
            table.offsets.diff().to(torch.int16),
            table.targets.to(small),
            table.probabilities.half(),
            table.counts.to(torch.int32),
        )
        stored |= {f"{language}.{name}": part for name, part in zip(_PARTS, parts, strict=True)}
    metadata = {"languages": " ".join(lexicon), "vocabulary": vocabulary_checksum(tokenizer)}
    write_bytes(folder / LEXICON_FILE, save(stored, metadata=metadata), overwrite=True)
    write_checksums(folder)


def _restored(parts: Sequence[Tensor], sizes: tuple[int, int]) -> LexicalTable | None:
    """Make a table of what is stored, or None of what cannot be one."""
    lengths, targets, probabilities, counts = parts
    whole = (lengths, targets, counts)
    if any(tensor.ndim != 1 or tensor.is_floating_point() for tensor in whole):
        return None
    sizes_agree = (len(lengths), len(counts)) == sizes
    if (
        not sizes_agree
        or probabilities.shape != targets.shape
        or any(bool((own < 0).any()) for own in whole)
    ):
        return None
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), lengths.long().cumsum(0)])
    probabilities = probabilities.float()
    likely = bool(((probabilities >= 0) & (probabilities <= 1)).all())  # no NaN is either
    if int(offsets[-1]) != len(targets) or not likely or bool((targets >= len(counts)).any()):
        return None
    return LexicalTable(offsets, targets.long(), probabilities, counts.long())


def vocabulary_checksum(tokenizer: AnyTokenizer) -> str:
    """Return a SHA-256, in hexadecimal, that tells one vocabulary from another."""
    texts = "\n".join([*tokenizer.piece_texts, str(len(tokenizer.source))])
    return sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()


def _damaged(path: Path, problem: str) -> ModelError:
    return ModelError(f"{path}: {problem}; fetch it again, or delete it")
