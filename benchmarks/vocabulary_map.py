"""Makes a vocabulary map for CTranslate2 of a model's own lexical table.

Both decoders are then restricted by the same table. CTranslate2 allows the translations of all
source pieces of a batch, and the most frequent pieces.
"""

from __future__ import annotations

from pathlib import Path

from subfit.model.tokenizer import TOKENIZER_FILE, Tokenizer

COMMON = 100
"""Most frequent target pieces, which are always allowed, as Marian's shortlists have them."""


def make_map(path: Path, model_folder: Path, language: str) -> None:
    """Write the file CTranslate2 reads: a source piece, a tab, target pieces between spaces.

    Args:
        path: To write to.
        model_folder: A model with a ``lexicon.safetensors``.
        language: Tag of the target language.

    Raises:
        ModelError: The model has no lexical tables, or they are damaged.
        KeyError: It has none for the language.
    """
    from subfit.model.lexicon import load_lexicon

    tokenizer = Tokenizer(model_folder / TOKENIZER_FILE)
    table, names = load_lexicon(model_folder, tokenizer)[language], tokenizer.pieces
    common = table.counts.topk(min(COMMON, len(names))).indices.tolist()
    lines = ["\t" + " ".join(names[each] for each in common)]  # for every source
    for source, name in enumerate(names):
        if targets := " ".join(names[each] for each, _ in table.translations(source)):
            lines.append(f"{name}\t{targets}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
