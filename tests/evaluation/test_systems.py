"""Every recipe that comes with subfit, and every variant of it, once through all commands."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from subfit.cli.main import run as run_command
from subfit.model.bundled import bundled_recipes
from subfit.training.recipe import load_recipe, recipe_variants
from tests.tiny import write_pairs

pytestmark = pytest.mark.slow

SYSTEMS = [
    pytest.param(path, variant, id=f"{name}-{variant}" if variant else name)
    for name, path in bundled_recipes().items()
    for variant in recipe_variants(path) or (None,)
]
TINY = """
data.train=[toy.tsv] data.dev=toy.tsv vocabulary.pieces=380 vocabulary.character_coverage=1
model.encoder_layers=1 model.decoder_layers=1 model.width=16 model.feed_forward=32 model.heads=2
schedule.steps=3 schedule.warmup=1 schedule.cooldown=0
run.batch_tokens=200 run.validate_steps=2 run.log_steps=1 run.score_steps=0 run.score_lines=3
"""


def run(*arguments: object, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command that must end with one of these codes; returns what it printed."""
    printed = io.TextIOWrapper(io.BytesIO(), write_through=True)
    with redirect_stdout(printed):
        assert run_command([str(each) for each in arguments]) in codes
    return printed.buffer.getvalue().decode()


def tiny(path: Path, variant: str | None, folder: Path, start: Path) -> list[str]:
    """Overrides that leave a system's method as it is, and everything else tiny."""
    recipe = load_recipe(path, variant=variant)
    overrides = [*TINY.split(), f"data.root={folder}"]
    if len(languages := recipe.target_languages) > 1:
        train, dev = ([f"{each}: {toy}" for each in languages] for toy in ("[toy.tsv]", "toy.tsv"))
        overrides += [f"data.train={{{', '.join(train)}}}", f"data.dev={{{', '.join(dev)}}}"]
    if recipe.length.gate_steps:
        overrides.append("length.gate_steps=2")
    if recipe.model.start:
        overrides.append(f"model.start={start}")
    return overrides


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of a baseline, for systems that start from one."""
    folder = tmp_path_factory.mktemp("start")
    write_pairs(folder / "toy.tsv")
    path = bundled_recipes()["small-en-de"]
    run("train", path, *tiny(path, None, folder, folder), "--run-dir", folder / "run")
    return folder / "run"


@pytest.mark.parametrize(("path", "variant"), SYSTEMS)
def test_it_trains_saves_loads_translates_and_evaluates(path, variant, start, tmp_path):
    toy = write_pairs(tmp_path / "toy.tsv")
    chosen = ["--variant", variant] if variant else []
    overrides = tiny(path, variant, tmp_path, start)
    folder, model = tmp_path / "run", tmp_path / "model"
    run("train", path, *overrides, *chosen, "--run-dir", folder, "--export", model)
    cues = "1\n00:00:01,000 --> 00:00:05,000\nWhere is the old lighthouse?\n"
    (tmp_path / "scene.srt").write_text(cues)
    recipe = load_recipe(path, variant=variant)
    language = recipe.target_languages[0]
    output = tmp_path / "scene.out.srt"
    command = ["translate", tmp_path / "scene.srt", "-t", language, "--model", model, "-o", output]
    run(*command, codes=(0, 3))  # three steps teach nothing: it may find nothing that fits
    assert output.read_text().count("-->") == 1
    asks = ["--ask", "source"] if recipe.length.encodings or recipe.length.classes else []
    found = json.loads(run("evaluate", model, toy, "-t", language, *asks, "--limit", 3, "--json"))
    assert found["lines"] == 3
    assert "nrefs" in found["figures"]["BLEU"]["signature"]
