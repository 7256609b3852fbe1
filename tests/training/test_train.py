"""Training runs: the same after a kill, whole at any moment, and they learn."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file

from subfit.errors import InputFileError, RecipeError
from subfit.model.checkpoint import load_checkpoint
from subfit.training.folder import export_run
from subfit.training.sections import Data, Optimizer, Schedule
from subfit.training.train import check_resumable, train
from tests.tiny import PAIRS, RECIPE, write_pairs
from tests.training.runs import assert_same, steps, weights


@pytest.mark.parametrize("optimizer", [pytest.param("adam", marks=pytest.mark.slow), "muon"])
def test_a_run_cut_in_two_ends_with_the_same_weights(recipe, tmp_path, optimizer):
    recipe = replace(recipe, optimizer=replace(recipe.optimizer, name=optimizer))
    torch.manual_seed(1)
    train(steps(recipe, 9), tmp_path / "whole")
    torch.manual_seed(2)  # whatever the random state is outside
    train(steps(recipe, 5), tmp_path / "cut")
    torch.manual_seed(3)
    train(steps(recipe, 9), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))
    assert_same(
        load_file(tmp_path / "whole" / "state" / "optimizer.safetensors"),
        load_file(tmp_path / "cut" / "state" / "optimizer.safetensors"),
    )
    progress = json.loads((tmp_path / "cut" / "state" / "progress.json").read_text())
    assert progress["step"] == 9
    assert progress["epoch"] >= 1  # the cut run also crossed into another epoch


@pytest.mark.parametrize("kind", ["unigram", pytest.param("bpe", marks=pytest.mark.slow)])
def test_a_run_with_everything_random_in_its_data_is_cut_without_trace(recipe, tmp_path, kind):
    variants = [replace(pair, target=f"Also, {pair.target}") for pair in PAIRS[:9]]
    write_pairs(tmp_path / "toy.tsv", (*PAIRS, *variants))
    variations = {"unpunctuated": 0.2, "ellipsis": 0.2, "renamed": 0.2}
    data = replace(recipe.data, targets_per_source=1, variations=variations)
    recipe = replace(recipe, data=data, vocabulary=replace(recipe.vocabulary, type=kind))
    train(steps(recipe, 8), tmp_path / "whole")
    train(steps(recipe, 3), tmp_path / "cut")
    train(steps(recipe, 8), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))


def test_resuming_with_another_model_is_refused_by_name(recipe, tmp_path):
    train(recipe, tmp_path / "run")
    check_resumable(steps(recipe, 99), tmp_path / "run")
    check_resumable(replace(recipe, data=replace(recipe.data, root="x")), tmp_path / "run")
    wider = replace(
        recipe,
        model=replace(recipe.model, width=64),
        run=replace(recipe.run, seed=2),
    )
    with pytest.raises(RecipeError, match=r"model\.width was 32, is 64; run\.seed was 1, is 2"):
        check_resumable(wider, tmp_path / "run")


@pytest.mark.parametrize(
    ("change", "error", "problem"),
    [
        ({"data": Data(train=("no.tsv",), dev="toy.tsv")}, InputFileError, r"no\.tsv"),
        ({"data": Data(train=("toy.tsv",), dev="no.tsv")}, InputFileError, r"no\.tsv"),
        ({"data": Data(train=("toy.tsv",), dev="empty.tsv")}, InputFileError, "no sentence pairs"),
        ({"vocabulary": replace(RECIPE.vocabulary, pieces=9999)}, RecipeError, "pieces=9999: Voc"),
        ({"vocabulary": replace(RECIPE.vocabulary, pieces=9)}, RecipeError, "pieces=9: "),
        ({"vocabulary": replace(RECIPE.vocabulary, type="bpe", pieces=264)}, RecipeError, "=264: "),
        ({"model": replace(RECIPE.model, max_tokens=4)}, RecipeError, "model.max_tokens=4"),
    ],
)
def test_recipes_that_do_not_go_with_their_data(recipe, tmp_path, change, error, problem):
    (tmp_path / "empty.tsv").write_text("a\t\n")
    changed = replace(recipe, **change)
    changed = replace(changed, data=replace(changed.data, root=str(tmp_path)))
    with pytest.raises(error, match=problem) as caught:
        train(changed, tmp_path / "run")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["bpe", "char"])
def test_every_kind_of_vocabulary_trains(recipe, tmp_path, kind):
    vocabulary = replace(recipe.vocabulary, type=kind)
    train(replace(recipe, vocabulary=vocabulary), tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model")
    tokenizer = load_checkpoint(str(tmp_path / "model")).tokenizer
    text = "Das Schiff, 漢!"
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_a_run_that_saved_nothing_leaves_nothing_to_the_next(recipe, tmp_path):
    wild = Optimizer(name="adam", learning_rate=1e30, clip=0)
    fewer = replace(recipe.vocabulary, pieces=330)
    with pytest.raises(RecipeError, match="not a number"):
        train(steps(replace(recipe, optimizer=wild, vocabulary=fewer), 40), tmp_path / "run")
    (tmp_path / "run" / "validated").mkdir()
    (tmp_path / "run" / "validated" / "00000099.safetensors").touch()
    averaged = replace(recipe, run=replace(recipe.run, average=2))
    train(averaged, tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model")
    train(averaged, tmp_path / "fresh")
    export_run(tmp_path / "fresh", tmp_path / "expected")
    for name in ("tokenizer.model", "model.safetensors"):
        expected = (tmp_path / "expected" / name).read_bytes()
        assert (tmp_path / "model" / name).read_bytes() == expected, name


@pytest.mark.slow
def test_a_toy_run_learns_its_pairs(recipe, tmp_path, scores):
    recipe = replace(
        recipe,
        data=replace(recipe.data, join=0.0),
        schedule=Schedule(steps=500, warmup=20, shape="cooldown", cooldown=200),
        model=replace(recipe.model, dropout=0.0),
        run=replace(recipe.run, batch_tokens=300, validate_steps=500),
    )
    train(recipe, tmp_path / "run")
    last = json.loads((tmp_path / "run" / "log.jsonl").read_text().splitlines()[-1])
    assert last["bleu"] > 75
