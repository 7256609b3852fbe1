"""A test set of a few toy pairs, and rows of comparisons over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.evaluation import comparison as comparison_module
from subfit.evaluation.corpus import read_evaluation_set
from subfit.evaluation.rows import Row
from tests.tiny import PAIRS, write_pairs

FEW = PAIRS[:8]


@pytest.fixture
def test_file(tmp_path) -> Path:
    return write_pairs(tmp_path / "test.tsv", FEW)


@pytest.fixture
def lines(test_file):
    return read_evaluation_set(test_file)


@pytest.fixture
def rows(tiny_model_folder, tmp_path) -> dict[str, Row]:
    (tmp_path / "human.txt").write_text("".join(f"{p.target}\n" for p in FEW), encoding="utf-8")
    model = str(tiny_model_folder)
    return {
        "plain": Row(model),
        "short": Row(model, ask=8, beam=2),
        "ceiling": Row(model, length_ratio=":0.8"),
        "human": Row(str(tmp_path / "human.txt")),
    }


@pytest.fixture
def translations(monkeypatch) -> list[str]:
    """What has been translated, row by row: the lengths asked for."""
    asked: list[str] = []
    translate = comparison_module.translate_pairs

    def counted(translator, pairs, row, length, on_progress):
        asked.append(length.text)
        return translate(translator, pairs, row, length, on_progress)

    monkeypatch.setattr(comparison_module, "translate_pairs", counted)
    return asked
