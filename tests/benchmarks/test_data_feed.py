"""The benchmark of batches runs, and measures tokens."""

from __future__ import annotations

import re
import sys

from benchmarks import data_feed
from tests.tiny import write_pairs


def test_it_measures_tokens_per_second(tmp_path, tiny_model_folder, monkeypatch, capsys):
    write_pairs(tmp_path / "toy.tsv")
    data = [f"data.root={tmp_path}", "data.train=[toy.tsv]", "data.dev=toy.tsv"]
    tokenizer = ["--tokenizer", str(tiny_model_folder / "tokenizer.model")]
    monkeypatch.setattr(sys, "argv", ["data_feed", "small-en-de", *data, *tokenizer])
    data_feed.main()
    told = capsys.readouterr().out
    assert "30 pairs" in told
    assert re.search(r"batches: [1-9]\d+ target tokens/s", told)
