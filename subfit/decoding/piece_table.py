"""What the pieces of a checkpoint print, by the rule that budgets are counted in."""

from __future__ import annotations

import torch

from subfit.decoding.pieces import PieceTable
from subfit.model.checkpoint import Checkpoint
from subfit.text.counting import Counting, count_piece
from subfit.text.word_bounds import goes_on


def piece_table(checkpoint: Checkpoint, counting: Counting) -> PieceTable:
    """Tabulate what every piece of a checkpoint's vocabulary prints.

    Args:
        checkpoint: Model and tokenizer.
        counting: What a character is.
    """
    texts = list(checkpoint.tokenizer.piece_texts)
    # The vocabulary of a model may be padded beyond its tokenizer's.
    texts += [""] * (int(checkpoint.model.config.decoder_vocab_size) - len(texts))
    leads = [text.startswith(" ") for text in texts]
    space = count_piece(" ", counting)
    return PieceTable(
        characters=torch.tensor([count_piece(text, counting) for text in texts]),
        lead=torch.tensor([space * lead for lead in leads]),
        code_points=torch.tensor([len(text) for text in texts]),
        leads=torch.tensor(leads),
        inside_word=torch.tensor([goes_on(text) for text in texts]),
    )
