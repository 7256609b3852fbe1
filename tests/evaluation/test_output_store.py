"""Kept translations: taken where nothing has changed, made anew where anything has."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from subfit.errors import OutputFileError
from subfit.evaluation.comparison import compare
from subfit.evaluation.outputs import OutputStore
from subfit.evaluation.systems import Comparison, Row
from tests.evaluation.conftest import FEW


def test_a_row_is_translated_once(rows, lines, tmp_path, translations):
    store, comparison = OutputStore(tmp_path / "outputs"), Comparison(rows)
    first = compare(comparison, lines, store, trials=10)
    assert translations == ["natural", "8", "natural"]
    assert compare(comparison, lines, store, trials=10) == first
    assert len(translations) == 3
    (tmp_path / "outputs" / "short.txt").unlink()
    assert [one.label for one in compare(comparison, lines, store, trials=10)] == list(rows)
    assert translations[3:] == ["8"]


@pytest.mark.parametrize(
    "change",
    [
        {"ask": 9},
        {"beam": 3},
        {"length_penalty": 0.5},
        {"coverage_penalty": 0.2},
        {"ask": "source"},
    ],
)
def test_other_settings_are_translated_anew(rows, lines, tmp_path, translations, change):
    store = OutputStore(tmp_path / "outputs")
    compare(Comparison({"short": rows["short"]}), lines, store, trials=10)
    compare(Comparison({"short": replace(rows["short"], **change)}), lines, store, trials=10)
    assert len(translations) == 2


def test_another_model_lines_or_edited_translations_are_noticed(
    lines, tmp_path, tiny_model_folder, translations
):
    model = shutil.copytree(tiny_model_folder, tmp_path / "model")
    store, comparison = OutputStore(tmp_path / "outputs"), Comparison({"a/b": Row(str(model))})
    compare(comparison, lines, store, trials=10)
    (model / "metrics.json").write_text("{}")  # a model does not translate by its figures
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 1
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "mean_length_ratio": 3.0}))
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 2
    (tmp_path / "outputs" / "a-b.txt").write_text("better\n" * len(FEW), encoding="utf-8")
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 3
    compare(comparison, replace(lines, pairs=lines.pairs[:4]), store, trials=10)
    assert len(translations) == 4


def test_files_of_others_are_left_alone(rows, tmp_path):
    (tmp_path / "plain.txt").write_text("mine")
    with pytest.raises(OutputFileError, match="in the way"):
        OutputStore(tmp_path).check(list(rows))
