"""Several processes train as one: the same losses, the same weights, one voice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

from subfit.training.recipe import Recipe, dump_recipe
from tests.training.runs import changed, logged, steps, weights

STEPS = 12


@pytest.fixture
def recipe(recipe: Recipe) -> Recipe:
    return changed(
        recipe,
        optimizer={"learning_rate": 1e-3, "clip": 0.5},
        schedule={"steps": STEPS},
        run={"log_steps": 1, "validate_steps": 6},
    )


def command(recipe: Recipe, folder: Path, processes: int, *more: str) -> list[str]:
    path = folder.parent / f"{folder.name}.yaml"
    path.write_text(dump_recipe(recipe), encoding="utf-8")
    torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
    start = [sys.executable, *(torchrun if processes > 1 else [])]
    arguments = ["train", str(path), "--run-dir", str(folder), "--threads", "1", *more]
    return [*start, "-m", "subfit", *arguments]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        arguments, capture_output=True, text=True, timeout=300, env=environment, check=False
    )


def train(recipe: Recipe, folder: Path, processes: int, *more: str) -> str:
    done = run(*command(recipe, folder, processes, *more))
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_same_run(one: Path, other: Path) -> None:
    for key in ("loss", "dev_loss", "target_tokens"):
        assert logged(one, key) == pytest.approx(logged(other, key), rel=1e-5)
    assert len(logged(one, "loss")) == STEPS
    # Softmax ignores the biases of keys: their gradients are 0, of which Adam blows up the noise.
    ours, theirs = (
        {name: value for name, value in weights(each).items() if not name.endswith("k_proj.bias")}
        for each in (one, other)
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("accumulate", [1, 2])
def test_two_processes_are_one_with_twice_the_batches(recipe, tmp_path, accumulate):
    said = train(changed(recipe, run={"accumulate": accumulate}), tmp_path / "two", 2)
    alone = train(changed(recipe, run={"accumulate": 2 * accumulate}), tmp_path / "one", 1)
    assert_same_run(tmp_path / "one", tmp_path / "two")
    for text in (said, alone):  # once, whoever is silent
        assert text.count("run folder:") == text.count(f"step {STEPS}/{STEPS}") == 1


MUON = """
import sys, torch, torch.distributed as dist
from subfit.training.optimizer import Muon

dist.init_process_group("gloo")
shapes = [(8, 8), (8, 24), (24, 8), (8, 8), (8, 8)][: int(sys.argv[2])]
generator = torch.Generator().manual_seed(1)
weights = [torch.nn.Parameter(torch.randn(shape, generator=generator)) for shape in shapes]
muon = Muon(weights, lr=1.0, weight_decay=0.1)
for _ in range(3):
    for weight in weights:
        weight.grad = torch.randn(weight.shape, generator=generator)
    muon.step()
if dist.get_rank() == dist.get_world_size() - 1:
    torch.save([weight.data for weight in weights], sys.argv[1])
dist.destroy_process_group()
"""


@pytest.mark.parametrize("matrices", [1, 5])
def test_processes_that_share_muon_s_work_out_move_the_weights_as_one_does(tmp_path, matrices):
    script = tmp_path / "muon.py"
    script.write_text(MUON, encoding="utf-8")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
    for count in ("1", "3"):
        done = run(*torchrun, count, str(script), str(tmp_path / count), str(matrices))
        assert done.returncode == 0, done.stderr
    one, three = (torch.load(tmp_path / count) for count in ("1", "3"))
    torch.testing.assert_close(three, one, rtol=0, atol=5e-3)  # products by other sizes


@pytest.mark.slow
def test_a_killed_run_ends_as_an_unbroken_one(recipe, tmp_path):
    recipe = changed(recipe, run={"accumulate": 2, "save_minutes": 0.0, "average": 2})
    train(recipe, tmp_path / "whole", 2)
    with subprocess.Popen(
        command(recipe, tmp_path / "cut", 2),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        log_file = tmp_path / "cut" / "log.jsonl"
        while process.poll() is None and not log_file.exists():
            time.sleep(0.01)
        time.sleep(random.random() / 10)
        kill_tree(process.pid)
    train(recipe, tmp_path / "cut", 2, "--resume")
    assert_same_run(tmp_path / "whole", tmp_path / "cut")


def kill_tree(process: int) -> None:
    """Kill a process and its children, the last first started; torchrun's are sessions apart."""
    children = Path(f"/proc/{process}/task/{process}/children")
    found = [int(each) for each in children.read_text().split()] if children.exists() else []
    for each in (*found, process):
        os.kill(each, 9)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_one_process_of_nccl_trains_as_one_without(recipe, tmp_path):
    python, *arguments = command(recipe, tmp_path / "nccl", 1)
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1"]
    done = run(python, *torchrun, *arguments)
    assert done.returncode == 0, done.stderr
    train(recipe, tmp_path / "alone", 1)
    for key in ("loss", "dev_loss"):
        alone = logged(tmp_path / "alone", key)
        assert logged(tmp_path / "nccl", key) == pytest.approx(alone, rel=1e-3)


@pytest.mark.slow
def test_failures_are_told_once(recipe, tmp_path):
    failed = run(*command(changed(recipe, data={"dev": "no.tsv"}), tmp_path / "run", 2))
    assert failed.returncode == 1
    [line] = [line for line in failed.stderr.splitlines() if line.startswith("subfit: error:")]
    assert "no.tsv" in line
    assert "resume" not in failed.stderr


@pytest.mark.slow
def test_another_number_of_batches_per_step_cannot_go_on(recipe, tmp_path):
    train(changed(recipe, run={"accumulate": 2}), tmp_path / "run", 1)
    train(steps(recipe, STEPS + 2), tmp_path / "run", 2, "--resume")  # 2 x 1, as 1 x 2 before
    refused = run(*command(steps(recipe, STEPS + 4), tmp_path / "run", 1, "--resume"))
    assert refused.returncode == 1
    assert "has 2 batches per step, not 1" in refused.stderr
