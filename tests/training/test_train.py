"""Training runs: the same after a kill, whole at any moment, and they learn."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.errors import InputFileError, RecipeError, SubfitError
from subfit.model.checkpoint import load_checkpoint
from subfit.training.folder import export_run
from subfit.training.recipe import load_recipe
from subfit.training.sections import Data, Optimizer
from subfit.training.train import check_resumable, train
from subfit.training.trainer import Progress, Trainer
from tests.tiny import PAIRS, RECIPE, write_pairs
from tests.training.runs import assert_same, changed, logged, steps, weights

CUT = {
    "muon": {"optimizer": {"name": "muon"}},
    "everything random in the data": {
        "data": {
            "targets_per_source": 1,
            "variations": {"unpunctuated": 0.2, "ellipsis": 0.2, "renamed": 0.2},
        },
    },
    "batches of one shape": {"run": {"packed": True, "batch_tokens": 400}},
    "a vocabulary of each side": {
        "data": {"max_ratio": 40.0},
        "vocabulary": {"pieces": 330, "target_type": "unigram"},
        "run": {"batch_tokens": 400},
    },
}
SLOW = {
    "adam": {"optimizer": {"name": "adam"}},
    "bpe": {**CUT["everything random in the data"], "vocabulary": {"type": "bpe"}},
    **{
        f"{kind} for targets": {
            **CUT["a vocabulary of each side"],
            "vocabulary": {"pieces": 330, "target_type": kind},
        }
        for kind in ("bpe", "char")
    },
}
slow = [pytest.param(sections, id=name, marks=pytest.mark.slow) for name, sections in SLOW.items()]


@pytest.mark.parametrize(
    "sections", [*(pytest.param(sections, id=name) for name, sections in CUT.items()), *slow]
)
def test_a_run_cut_in_two_ends_with_the_same_weights(recipe, tmp_path, sections):
    variants = [replace(pair, target=f"Also, {pair.target}") for pair in PAIRS[:9]]
    write_pairs(tmp_path / "toy.tsv", (*PAIRS, *variants))
    recipe = changed(recipe, **sections)
    torch.manual_seed(1)
    train(steps(recipe, 9), tmp_path / "whole")
    torch.manual_seed(2)  # whatever the random state is outside
    train(steps(recipe, 5), tmp_path / "cut")
    torch.manual_seed(3)
    ahead = changed(steps(recipe, 9), run={"workers": int(recipe.run.packed is True)})
    check_resumable(ahead, tmp_path / "cut")
    train(ahead, tmp_path / "cut")
    assert_same_state(tmp_path / "whole", tmp_path / "cut")
    progress = json.loads((tmp_path / "cut" / "state" / "progress.json").read_text())
    assert progress["step"] == 9
    assert progress["epoch"] >= 1  # the cut run also crossed into another epoch


def assert_same_state(one: Path, other: Path) -> None:
    assert_same(weights(one), weights(other))
    assert_same(*(load_file(each / "state" / "optimizer.safetensors") for each in (one, other)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_run_ends_as_an_unbroken_one(recipe, tmp_path):
    run = {"accumulate": 2, "save_minutes": 0.0, "average": 2, "log_steps": 1}
    recipe = changed(steps(recipe, 12), run=run)
    train(recipe, tmp_path / "whole")
    child = os.fork()
    if not child:
        train(recipe, tmp_path / "cut")
        os._exit(0)
    ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
    while os.waitid(os.P_PID, child, ended) is None and not (tmp_path / "cut/log.jsonl").exists():
        time.sleep(0.01)
    time.sleep(random.random() / 10)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    train(recipe, tmp_path / "cut")
    assert_same_state(tmp_path / "whole", tmp_path / "cut")
    losses = logged(tmp_path / "whole", "loss")
    assert len(losses) == 12 and losses == logged(tmp_path / "cut", "loss")


def test_a_run_killed_while_it_is_measured_at_its_end_is_only_measured_again(
    recipe, tmp_path, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "validate", killed)
        with pytest.raises(SystemExit):
            train(changed(recipe, run={"validate_steps": 100}), tmp_path / "run")
    assert json.loads((tmp_path / "run/state/progress.json").read_text())["step"] == 6
    reached = weights(tmp_path / "run")
    train(recipe, tmp_path / "run")
    assert_same(reached, weights(tmp_path / "run"))
    assert [*logged(tmp_path / "run", "dev_loss")] == [6]


def killed(self: Trainer) -> dict[str, float]:
    raise SystemExit


def test_resuming_with_another_model_is_refused_by_name(recipe, tmp_path):
    train(recipe, tmp_path / "run")
    check_resumable(steps(recipe, 99), tmp_path / "run")
    check_resumable(changed(recipe, data={"root": "x"}), tmp_path / "run")
    wider = changed(recipe, model={"width": 64}, run={"seed": 2})
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
    recipe = changed(replace(recipe, **change), data={"root": str(tmp_path)})
    with pytest.raises(error, match=problem) as caught:
        train(recipe, tmp_path / "run")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["bpe", "char"])
def test_every_kind_of_vocabulary_trains(recipe, tmp_path, kind):
    train(changed(recipe, vocabulary={"type": kind}), tmp_path / "run")
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
    averaged = changed(recipe, run={"average": 2})
    train(averaged, tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model")
    train(averaged, tmp_path / "fresh")
    export_run(tmp_path / "fresh", tmp_path / "expected")
    for name in ("tokenizer.model", "model.safetensors"):
        expected = (tmp_path / "expected" / name).read_bytes()
        assert (tmp_path / "model" / name).read_bytes() == expected, name


@pytest.mark.slow
def test_a_toy_run_learns_its_pairs(recipe, tmp_path, scores):
    recipe = changed(
        recipe,
        data={"join": 0.0},
        schedule={"steps": 500, "warmup": 20, "shape": "cooldown", "cooldown": 200},
        model={"dropout": 0.0},
        run={"batch_tokens": 300, "validate_steps": 500},
    )
    train(recipe, tmp_path / "run")
    assert logged(tmp_path / "run", "bleu")[500] > 75


def test_the_log_has_losses_and_scores(recipe, tmp_path, scores):
    seen: list[Progress] = []
    said: list[str] = []
    train(recipe, tmp_path / "run", report=seen.append, announce=said.append)
    for key, at in {"loss": [2, 4, 6], "dev_loss": [3, 6], "bleu": [6], "chrf": [6]}.items():
        assert [*logged(tmp_path / "run", key)] == at
    assert logged(tmp_path / "run", "length_ratio")
    assert [each.step for each in seen] == [2, 4, 6]
    assert seen[-1].target_tokens > 0
    assert said[0] == "30 pairs to train on, 30 to validate on"
    assert load_recipe(tmp_path / "run" / "recipe.yaml") == recipe


def test_an_exploding_loss_stops_the_run_and_spares_the_state(recipe, tmp_path):
    train(recipe, tmp_path / "run")
    before = weights(tmp_path / "run")
    wild = Optimizer(name="adam", learning_rate=1e30, clip=0)
    with pytest.raises(SubfitError, match=r"step \d+: the loss is not a number; lower"):
        train(steps(replace(recipe, optimizer=wild), 40), tmp_path / "run")
    assert_same(before, weights(tmp_path / "run"))
