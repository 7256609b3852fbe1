"""Converts a subfit model to CTranslate2: the same weights without the length encodings.

What is left is a plain Marian model, which CTranslate2 runs as it is; asked for no length, subfit
translates the same (`tests/benchmarks/test_ctranslate2_model.py` compares the two).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from subfit.model.tokenizer import TOKENIZER_FILE, Tokenizer

NEVER = -1e9
"""Added to the logit of a piece that may not be written."""


def library() -> Any | None:
    """Return the module ``ctranslate2``, None where it is not installed."""
    try:
        import ctranslate2
    except ImportError:
        return None
    return ctranslate2


def library_alone() -> Any:
    """Import ``ctranslate2`` for translating only, as a process would that has no PyTorch.

    It imports PyTorch if it can, for its converters, and would seem to need that much more memory.
    """
    sys.modules.setdefault("torch", None)  # type: ignore[arg-type]
    import ctranslate2

    return ctranslate2


def convert(model_folder: Path, folder: Path, mapping: Path | None = None) -> None:
    """Write a CTranslate2 model in float32; it is quantised where it is loaded.

    Args:
        model_folder: A subfit model with one vocabulary for both sides.
        folder: To write to; made anew.
        mapping: A vocabulary map to put beside it; see `benchmarks.vocabulary_map`.

    Raises:
        ImportError: ``ctranslate2`` is not installed.
    """
    from ctranslate2.converters.transformers import BartLoader

    from subfit.model.checkpoint import load_checkpoint

    own = load_checkpoint(str(model_folder)).model
    model = as_marian(own)
    config = model.config
    config.normalize_before = config.normalize_embedding = False  # Marian's shape, to the loader
    barred = [config.pad_token_id, *own.config.source_token_ids]
    model.final_logits_bias[:, barred] = NEVER
    loader = BartLoader()
    spec = loader.get_model_spec(model)
    pieces = Tokenizer(model_folder / TOKENIZER_FILE).pieces
    loader.set_vocabulary(spec, pieces)
    spec.config.bos_token = spec.config.decoder_start_token = pieces[config.decoder_start_token_id]
    spec.config.eos_token = pieces[config.eos_token_id]
    spec.config.unk_token = "<unk>"
    spec.config.add_source_bos = spec.config.add_source_eos = False
    if mapping is not None:
        spec.register_vocabulary_mapping(str(mapping))
    spec.validate()
    spec.optimize()
    folder.mkdir(parents=True)
    spec.save(str(folder))


def as_marian(model: Any) -> Any:
    """Return the weights of one of subfit's models, without lengths, as a `MarianMTModel`."""
    from transformers import MarianConfig, MarianMTModel

    values = model.config.to_dict()
    names = set(MarianConfig().to_dict()) - {"model_type", "architectures"}
    kept = {name: value for name, value in values.items() if name in names}
    made = MarianMTModel(MarianConfig(**kept, forced_eos_token_id=None))
    made.load_state_dict(model.state_dict(), strict=False)
    return made.eval()


class Pieces:
    """Texts to and from pieces as CTranslate2 wants them, by the model's own tokenizer.

    Args:
        model_folder: A subfit model with one vocabulary for both sides. PyTorch is not needed.
        language: Tag of the target language.
    """

    def __init__(self, model_folder: Path, language: str) -> None:
        self.tokenizer = Tokenizer(model_folder / TOKENIZER_FILE)
        self.names = self.tokenizer.pieces
        self.ids = {name: token_id for token_id, name in enumerate(self.names)}
        config = json.loads((model_folder / "config.json").read_text(encoding="utf-8"))
        token = (config.get("language_tokens") or {}).get(language)
        self.before = [] if token is None else [token]

    def encode(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the source pieces of texts, the language's token first and the end token last."""
        rows = [
            [*self.before, *row, self.tokenizer.eos_id] for row in self.tokenizer.encode_all(texts)
        ]
        return [[self.names[each] for each in row] for row in rows]

    def decode(self, pieces: Sequence[str]) -> str:
        """Return the text of target pieces."""
        return self.tokenizer.decode(self.ids[each] for each in pieces).strip()
