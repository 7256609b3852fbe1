"""The picture of how a run went."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from subfit.training.recipe.recipe import Recipe
from subfit.training.run import curves
from subfit.training.run.curves import draw_curves
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs
from tests.training.run.test_log import write_log


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    write_pairs(tmp_path / "toy.tsv")
    return replace(RECIPE, data=replace(RECIPE.data, root=str(tmp_path)))


@pytest.mark.usefixtures("pictures")
class TestCurves:
    def test_they_are_a_picture_that_changes_with_the_log(self, tmp_path):
        write_log(tmp_path, '{"step": 2, "loss": 5.0}')
        draw_curves(tmp_path)
        first = (tmp_path / "curves.png").read_bytes()
        write_log(tmp_path, '{"step": 2, "loss": 5.0}', '{"step": 4, "loss": 1.0, "bleu": 7.0}')
        draw_curves(tmp_path)
        with Image.open(tmp_path / "curves.png") as image:
            image.verify()
            assert image.format == "PNG"
            assert image.width > 600 and image.height > 200
        assert (tmp_path / "curves.png").read_bytes() != first

    def test_a_run_draws_them(self, recipe, tmp_path):
        train(recipe, tmp_path / "run")
        assert (tmp_path / "run" / "curves.png").stat().st_size > 5000

    def test_without_matplotlib_a_run_says_so_once_and_trains(self, recipe, tmp_path, monkeypatch):
        monkeypatch.setattr(curves, "find_spec", lambda _: None)
        said: list[str] = []
        train(recipe, tmp_path / "run", announce=said.append)
        assert not (tmp_path / "run" / "curves.png").exists()
        assert [line for line in said if "matplotlib" in line] == [
            "curves are not drawn: matplotlib is missing; pip install 'subfit[train]' brings it"
        ]
