"""The vocabulary map of a model."""

from __future__ import annotations

import shutil

import torch

from benchmarks.vocabulary_map import make_map
from subfit.model.lexicon import LexicalTable, save_lexicon
from subfit.model.tokenizer import Tokenizer


def test_a_map_has_the_translations_of_each_piece_and_the_common_pieces(
    tiny_model_folder, tmp_path
):
    model = tmp_path / "tiny"
    shutil.copytree(tiny_model_folder, model)
    tokenizer = Tokenizer(model / "tokenizer.model")
    names, size = tokenizer.pieces, len(tokenizer)
    lengths = torch.zeros(size, dtype=torch.int64)
    lengths[20], lengths[30] = 2, 1
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)])
    table = LexicalTable(
        offsets,
        torch.tensor([40, 41, 42]),
        torch.tensor([0.5, 0.25, 1.0]),
        torch.arange(size),
    )
    save_lexicon(model, tokenizer, {"de": table})
    make_map(tmp_path / "map.txt", model, "de")
    common, *lines = (tmp_path / "map.txt").read_text(encoding="utf-8").splitlines()
    assert lines == [f"{names[20]}\t{names[40]} {names[41]}", f"{names[30]}\t{names[42]}"]
    assert common.startswith(f"\t{names[-1]} {names[-2]} ")
