"""Where a run was trained, and on what."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

import subfit
from subfit.evaluation.corpus import Pair
from subfit.training.folder import environments, record_data, record_environment
from subfit.training.pairs import Corpus
from subfit.training.recipe import Recipe
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    write_pairs(tmp_path / "toy.tsv")
    return replace(RECIPE, data=replace(RECIPE.data, root=str(tmp_path)))


class TestEnvironment:
    def test_it_names_every_version_the_machine_and_the_command(self, tmp_path, monkeypatch):
        monkeypatch.setattr("sys.argv", ["subfit", "train", "my recipe.yaml"])
        record_environment(tmp_path)
        (entry,) = json.loads((tmp_path / "environment.json").read_text())
        assert entry["subfit"] == subfit.__version__
        assert set(entry["packages"]) >= {"torch", "transformers", "sentencepiece", "sacrebleu"}
        assert all(entry["packages"].values())
        assert entry["command"] == "subfit train 'my recipe.yaml'"
        assert entry["started"].endswith("+00:00")
        assert entry["threads"] >= 1
        assert entry["platform"] and entry["device"] and entry["python"]

    def test_every_resume_adds_an_entry(self, recipe, tmp_path):
        train(recipe, tmp_path / "run")
        train(replace(recipe, schedule=replace(recipe.schedule, steps=8)), tmp_path / "run")
        assert len(environments(tmp_path / "run")) == 2

    @pytest.mark.parametrize("text", ["", "{}", "[1", "null"])
    def test_a_damaged_file_is_begun_anew(self, tmp_path, text):
        (tmp_path / "environment.json").write_text(text)
        record_environment(tmp_path)
        assert len(environments(tmp_path)) == 1


def test_the_data_is_counted_by_corpus(tmp_path):
    pairs = (Pair("a", "x", "y"), Pair("b", "x", "y"), Pair("b", "x", "z"))
    (tmp_path / "toy.tsv").write_text("x\ty\n")
    recipe = replace(RECIPE, data=replace(RECIPE.data, root=str(tmp_path)))
    record_data(tmp_path, recipe, Corpus(pairs, {"duplicate": 4}), [Pair("", "x", "y")])
    counts = {
        "pairs": 3,
        "corpora": {"b": 2, "a": 1},
        "left_out": {"duplicate": 4},
        "dev_pairs": 1,
        "length_classes": {"short": 0, "normal": 3, "long": 0},
        "sha256": {"toy.tsv": sha256(b"x\ty\n").hexdigest()},
    }
    assert counts.items() <= json.loads((tmp_path / "data.json").read_text()).items()
