"""What a run leaves in its folder: where it ran, what it was trained on, its log and curves."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

import subfit
from subfit.evaluation.corpus import Pair
from subfit.training.data.selection import Corpus
from subfit.training.recipe.recipe import Recipe
from subfit.training.run import curves
from subfit.training.run.curves import draw_curves
from subfit.training.run.environment import environments, record_data, record_environment
from subfit.training.run.log import read_log
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs


@pytest.fixture
def recipe(tmp_path: Path) -> Recipe:
    write_pairs(tmp_path / "toy.tsv")
    return replace(RECIPE, data=replace(RECIPE.data, root=str(tmp_path)))


def write_log(folder: Path, *lines: str) -> None:
    (folder / "log.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


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
    record_data(tmp_path, Corpus(pairs, {"duplicate": 4}), [Pair("", "x", "y")])
    counts = {
        "pairs": 3,
        "corpora": {"b": 2, "a": 1},
        "left_out": {"duplicate": 4},
        "dev_pairs": 1,
    }
    assert counts.items() <= json.loads((tmp_path / "data.json").read_text()).items()


class TestLog:
    def test_steps_logged_again_after_a_resume_count_once_the_last_time(self, tmp_path):
        write_log(
            tmp_path,
            '{"step": 2, "loss": 5.0}',
            '{"step": 4, "loss": 4.0}',
            '{"step": 4, "dev_loss": 4.5}',
            '{"step": 4, "loss": 3.0}',
            '{"step": 6, "loss": 2.0}',
        )
        log = read_log(tmp_path)
        assert log.series("loss") == ((2, 4, 6), (5.0, 3.0, 2.0))
        assert log.series("dev_loss") == ((4,), (4.5,))
        assert log.last("loss") == 2.0

    def test_half_a_line_is_passed_over(self, tmp_path):
        write_log(tmp_path, '{"step": 2, "loss": 5.0}', '{"step": 4, "lo', "7", '{"loss": 1}')
        assert read_log(tmp_path).series("loss") == ((2,), (5.0,))

    def test_nothing_logged_is_no_failure(self, tmp_path):
        assert read_log(tmp_path).last("bleu") is None


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
