"""Training runs: the same after a kill, whole at any moment, and they learn."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.errors import InputFileError, RecipeError, SubfitError
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import load_checkpoint
from subfit.training.recipe.data import Data
from subfit.training.recipe.file import load_recipe
from subfit.training.recipe.recipe import Recipe
from subfit.training.recipe.run import Optimizer, Schedule
from subfit.training.run import state, trainer
from subfit.training.run.export import export_run
from subfit.training.run.folder import average_weights
from subfit.training.run.state import has_state, load_state, save_state
from subfit.training.run.trainer import Measured, Progress
from subfit.training.train import check_resumable, train
from tests.tiny import PAIRS, RECIPE, write_pairs


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    write_pairs(tmp_path / "toy.tsv")
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(tmp_path), join=0.3),
        length=replace(RECIPE.length, noise=2),
        model=replace(RECIPE.model, dropout=0.1),
    )


def steps(recipe: Recipe, count: int) -> Recipe:
    return replace(recipe, schedule=replace(recipe.schedule, steps=count))


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "state" / "model.safetensors")


def assert_same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, value in one.items():
        assert torch.equal(value, other[name]), name


@pytest.mark.parametrize("optimizer", [pytest.param("adam", marks=pytest.mark.slow), "muon"])
def test_a_run_cut_in_two_ends_with_the_same_weights(recipe, tmp_path, optimizer):
    recipe = replace(recipe, optimizer=replace(recipe.optimizer, name=optimizer))
    torch.manual_seed(1)
    train(steps(recipe, 12), tmp_path / "whole")
    torch.manual_seed(2)  # whatever the random state is outside
    train(steps(recipe, 5), tmp_path / "cut")
    torch.manual_seed(3)
    train(steps(recipe, 12), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))
    assert_same(
        load_file(tmp_path / "whole" / "state" / "optimizer.safetensors"),
        load_file(tmp_path / "cut" / "state" / "optimizer.safetensors"),
    )
    progress = json.loads((tmp_path / "cut" / "state" / "progress.json").read_text())
    assert progress["step"] == 12
    assert progress["epoch"] >= 1  # the cut run also crossed into another epoch


@pytest.mark.parametrize("kind", ["unigram", pytest.param("bpe", marks=pytest.mark.slow)])
def test_a_run_with_everything_random_in_its_data_is_cut_without_trace(recipe, tmp_path, kind):
    more = [Pair("lc", pair.source.lower(), f"{pair.target.lower()} ja") for pair in PAIRS[:9]]
    variants = [replace(pair, target=f"Also, {pair.target}") for pair in PAIRS[:9]]
    write_pairs(tmp_path / "toy.tsv", (*PAIRS, *more, *variants))
    variations = {"unpunctuated": 0.2, "ellipsis": 0.2, "renamed": 0.2}
    data = replace(
        recipe.data, targets_per_source=1, lowercased={"lc": "tag"}, variations=variations
    )
    classes = {"short": "q0.33", "normal": "q0.67", "long": None}
    recipe = replace(
        recipe,
        data=data,
        length=replace(recipe.length, classes=classes),
        vocabulary=replace(recipe.vocabulary, type=kind, sampling=0.1),
    )
    train(steps(recipe, 12), tmp_path / "whole")
    train(steps(recipe, 5), tmp_path / "cut")
    check_resumable(steps(recipe, 12), tmp_path / "cut")
    train(steps(recipe, 12), tmp_path / "cut")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "cut"))
    bounds = load_recipe(tmp_path / "cut" / "recipe.yaml").length.classes
    assert 0.8 < bounds["short"] < bounds["normal"] < 1.5
    config = export_run(tmp_path / "cut", tmp_path / "model").config
    assert {each.name: each.upper for each in config.classes[:2]} == {
        name: bounds[name] for name in ("short", "normal")
    }
    halves = replace(recipe.length, classes={"short": "q0.5", "normal": "q0.67", "long": None})
    with pytest.raises(RecipeError, match=r"length\.classes was .*, is"):
        train(steps(replace(recipe, length=halves), 14), tmp_path / "cut")


def test_a_run_says_what_it_is_trained_on(recipe, tmp_path):
    write_pairs(tmp_path / "toy.tsv", (*PAIRS, PAIRS[0], replace(PAIRS[1], target="Gut.")))
    train(steps(recipe, 3), tmp_path / "run")
    told = json.loads((tmp_path / "run" / "data.json").read_text())
    assert told["pairs"] == 31
    assert told["dev_pairs"] == 32
    assert told["left_out"] == {"duplicate": 1}
    assert told["translations"]["several"] == 1


@pytest.mark.slow
def test_measuring_on_the_way_leaves_the_weights_alone(recipe, tmp_path, scores):
    often = replace(recipe.run, validate_steps=1, score_steps=2, score_lines=3, average=2)
    train(recipe, tmp_path / "plain")
    train(replace(recipe, run=often), tmp_path / "measured")
    assert_same(weights(tmp_path / "plain"), weights(tmp_path / "measured"))


def test_the_log_has_losses_and_scores(recipe, tmp_path, scores):
    seen: list[Progress] = []
    said: list[str] = []
    train(recipe, tmp_path / "run", report=seen.append, announce=said.append)
    lines = [json.loads(line) for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines if "loss" in line] == [2, 4, 6]
    assert [line["step"] for line in lines if "dev_loss" in line] == [3, 6]
    assert [line["step"] for line in lines if "bleu" in line] == [6]
    assert {"chrf", "length_ratio"} <= {key for line in lines for key in line}
    assert [each.step for each in seen] == [2, 4, 6]
    assert seen[-1].target_tokens > 0
    assert said[0] == "30 pairs to train on, 30 to validate on"
    assert load_recipe(tmp_path / "run" / "recipe.yaml") == recipe


def interrupting(*signals: int) -> Measured:
    """Return what sends signals to this process at the first validation, after step 3."""

    def interrupt(step: int, figures: Mapping[str, float]) -> None:
        if step == 3:
            for number in signals:
                os.kill(os.getpid(), number)

    return interrupt


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM]
)
def test_ctrl_c_saves_the_state_and_the_run_goes_on(recipe, tmp_path, number):
    train(recipe, tmp_path / "whole")
    said: list[str] = []
    handler = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", measured=interrupting(number), announce=said.append)
    assert signal.getsignal(number) is handler
    assert said[-1] == "interrupted; the state of step 3 is saved"
    train(recipe, tmp_path / "run")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "run"))


def test_the_second_ctrl_c_does_not_wait(recipe, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", measured=interrupting(signal.SIGINT, signal.SIGINT))
    assert not has_state(tmp_path / "run")


class TestSavedState:
    """Whatever moment a run is killed at, a whole state is there."""

    @pytest.fixture
    def model(self) -> torch.nn.Linear:
        return torch.nn.Linear(2, 2)

    def save(self, folder, model, value: float) -> None:
        with torch.no_grad():
            model.weight.fill_(value)
        save_state(folder, model, [], {"step": value})

    def step(self, folder, model) -> float | None:
        progress = load_state(folder, model, [])
        assert progress is None or (model.weight == progress["step"]).all()
        return progress and progress["step"]

    @pytest.mark.parametrize("moment", range(9))
    def test_killed_while_saving(self, tmp_path, model, monkeypatch, moment):
        self.save(tmp_path, model, 1.0)
        self.kill_at(monkeypatch, moment)
        with pytest.raises(SystemExit):
            self.save(tmp_path, model, 2.0)
        monkeypatch.undo()
        assert self.step(tmp_path, model) in (1.0, 2.0)

    @pytest.mark.parametrize("first", range(9))
    @pytest.mark.parametrize("second", range(9))
    def test_killed_twice(self, tmp_path, model, monkeypatch, first, second):
        self.save(tmp_path, model, 1.0)
        for moment, value in ((first, 2.0), (second, 3.0)):
            self.kill_at(monkeypatch, moment)
            with suppress(SystemExit):  # after the first kill there may be less to do
                self.save(tmp_path, model, value)
            monkeypatch.undo()
        assert self.step(tmp_path, model) in (1.0, 2.0, 3.0)
        self.save(tmp_path, model, 4.0)
        assert self.step(tmp_path, model) == 4.0
        assert sorted(each.name for each in tmp_path.iterdir()) == ["state"]

    def kill_at(self, monkeypatch, moment: int) -> None:
        """Let the process die at a call that changes files; the last moments are past the end."""
        calls = iter(range(100))

        def dying(name, original):
            def call(*args, **kwargs):
                if next(calls) == moment:
                    raise SystemExit(name)
                return original(*args, **kwargs)

            return call

        monkeypatch.setattr(state, "save_file", dying("save", state.save_file))
        monkeypatch.setattr(shutil, "rmtree", dying("rmtree", shutil.rmtree))
        for name in ("mkdir", "rename", "write_text"):
            monkeypatch.setattr(Path, name, dying(name, getattr(Path, name)))


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


def test_an_exploding_loss_stops_the_run_and_spares_the_state(recipe, tmp_path):
    train(recipe, tmp_path / "run")
    before = weights(tmp_path / "run")
    wild = Optimizer(name="adam", learning_rate=1e30, clip=0)
    with pytest.raises(SubfitError, match=r"loss of step \d+ is not a number; lower"):
        train(steps(replace(recipe, optimizer=wild), 40), tmp_path / "run")
    assert_same(before, weights(tmp_path / "run"))


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


@pytest.mark.parametrize("kind", ["unigram", "bpe", "char"])
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


def test_the_same_recipe_gives_the_same_vocabulary(recipe, tmp_path):
    pairs = tuple(replace(pair, source=f"{pair.source} {n}") for n in range(9) for pair in PAIRS)
    write_pairs(tmp_path / "many.tsv", pairs)
    many = replace(recipe, data=replace(recipe.data, train=("many.tsv",)))
    few = replace(many, vocabulary=replace(many.vocabulary, sentences=150, pieces=330))
    for name in ("one", "two"):
        train(steps(few, 2), tmp_path / name)
    one, two = ((tmp_path / name / "tokenizer.model").read_bytes() for name in ("one", "two"))
    assert one == two


def test_export_averages_the_last_validations(recipe, tmp_path):
    run = replace(recipe.run, validate_steps=1, average=3)
    train(replace(recipe, run=run), tmp_path / "run")
    kept = sorted((tmp_path / "run" / "validated").iterdir())
    assert [each.stem for each in kept] == ["00000004", "00000005", "00000006"]
    mean = average_weights(kept)
    name = "model.encoder.layers.0.fc1.weight"
    by_hand = sum(load_file(each)[name] for each in kept) / 3
    torch.testing.assert_close(mean[name], by_hand)
    assert not torch.equal(mean[name], load_file(kept[-1])[name])
    export_run(tmp_path / "run", tmp_path / "model", dtype=torch.float32)
    exported = load_checkpoint(str(tmp_path / "model")).model.state_dict()
    for key, value in mean.items():
        assert torch.equal(exported[key], value), key


def test_export_without_averaging_takes_the_state(recipe, tmp_path):
    metrics = {"bleu": 12.5}
    train(recipe, tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model", metrics=metrics, card="# Card\n")
    names = {each.name for each in (tmp_path / "model").iterdir()}
    assert names == {
        "README.md",
        "SHA256SUMS",
        "config.json",
        "metrics.json",
        "model.safetensors",
        "recipe.yaml",
        "tokenizer.model",
    }
    assert json.loads((tmp_path / "model" / "metrics.json").read_text()) == metrics
    shipped = load_recipe(tmp_path / "model" / "recipe.yaml")
    assert shipped == replace(recipe, data=replace(recipe.data, root="data"))
    checkpoint = load_checkpoint(str(tmp_path / "model"))
    ratios = [len(pair.target) / len(pair.source) for pair in PAIRS]
    assert checkpoint.model.config.mean_length_ratio == pytest.approx(sum(ratios) / 30, abs=1e-4)
    stored = weights(tmp_path / "run")["model.shared.weight"]
    torch.testing.assert_close(
        checkpoint.model.state_dict()["model.shared.weight"], stored, atol=1e-3, rtol=1e-3
    )


def test_folders_without_a_run_are_refused(recipe, tmp_path):
    with pytest.raises(SubfitError, match="no training run"):
        export_run(tmp_path / "nothing", tmp_path / "model")
    train(recipe, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "state")
    with pytest.raises(SubfitError, match="saved nothing yet"):
        export_run(tmp_path / "run", tmp_path / "model")
    assert not (tmp_path / "model").exists()


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


def test_time_is_counted_over_kills(recipe, tmp_path, monkeypatch):
    """What a kill undoes is trained again: its time was spent all the same."""
    folder, clock = tmp_path / "run", [0.0]

    def tick() -> float:
        clock[0] += 1.0
        return clock[0]

    monkeypatch.setattr(trainer.time, "monotonic", tick)
    often = replace(recipe, run=replace(recipe.run, log_steps=1, save_minutes=1000))
    train(steps(often, 3), folder)
    saved = json.loads((folder / "state" / "progress.json").read_text())["seconds"]
    logged = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert saved >= max(line.get("seconds", 0) for line in logged)  # also since the last line
    with (folder / "log.jsonl").open("a") as log:  # two more steps, and then a kill
        log.write(json.dumps({"step": 5, "loss": 1.0, "seconds": saved + 200}) + "\n")
    train(steps(often, 4), folder)
    assert json.loads((folder / "state" / "progress.json").read_text())["seconds"] > saved + 200
