"""What stands in the folder of a run, and the weights that its model gets."""

from __future__ import annotations

import pytest
import torch
from safetensors.torch import save_file

from subfit.errors import ModelError
from subfit.training.folder import (
    average_weights,
    clear,
    is_finished,
    load_run,
    reopen,
)
from subfit.training.recipe import dump_recipe
from tests.tiny import RECIPE
from tests.training.runs import steps


def test_an_average_is_the_mean_in_float32_however_weights_are_stored(tmp_path):
    torch.manual_seed(1)
    drawn = [torch.randn(4, 3) * 1000 for _ in range(5)]
    files = [tmp_path / f"{number}.safetensors" for number in range(5)]
    for path, value in zip(files, drawn, strict=True):
        save_file({"weight": value, "half": value.half()}, path)
    mean = average_weights(files)
    torch.testing.assert_close(mean["weight"], torch.stack(drawn).mean(0))
    assert {value.dtype for value in mean.values()} == {torch.float32}
    assert torch.equal(average_weights([files[2]])["weight"], drawn[2])


@pytest.fixture
def run(tmp_path):
    """A folder that looks like that of a finished run."""
    (tmp_path / "recipe.yaml").write_text(dump_recipe(RECIPE), encoding="utf-8")
    for name in ("metrics.json", "log.jsonl", "tokenizer.model"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "validated").mkdir()
    return tmp_path


def test_a_run_is_finished_by_its_own_schedule_until_it_goes_on(run):
    assert is_finished(RECIPE, run)
    assert not is_finished(steps(RECIPE, 50), run)
    reopen(run)
    assert not is_finished(RECIPE, run)
    reopen(run)  # nothing is there any more


def test_what_ended_before_it_saved_anything_is_cleared(run):
    clear(run)
    left = {path.name for path in run.iterdir()}
    assert left == {"recipe.yaml", "metrics.json"}
    clear(run)


@pytest.mark.parametrize("absent", ["recipe.yaml", "config.json"])
def test_a_folder_without_a_run_is_told_by_its_place(run, absent):
    (run / "config.json").write_text("{}")
    (run / absent).unlink()
    with pytest.raises(ModelError, match="no training run in this folder") as caught:
        load_run(run)
    assert str(caught.value).startswith(str(run)) and "\n" not in str(caught.value)
