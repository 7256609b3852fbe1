"""What a recipe may say of how it is trained."""

from __future__ import annotations

import pytest

from subfit.training.recipe.run import RunSettings
from tests.training.recipes import refusal


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("optimizer.learning_rate=0", "greater than 0"),
        ("optimizer.learning_rate=fast", 'must be a number, not "fast"'),
        ("optimizer.learning_rate=.nan", "a finite number"),
        ("optimizer.adam_learning_rate=0.1", "needs optimizer.name: muon"),
        ("optimizer.adam_learning_rate=-1", "adam_learning_rate must be greater than 0"),
        ("optimizer.learning_rate=1e999", "a finite number"),
        ("optimizer.learning_rate=1" + 400 * "0", "a finite number"),
        ("schedule.steps=0", "schedule.steps must be greater than or equal to 1"),
        ("schedule.warmup=-1", "schedule.warmup must be greater than or equal to 0"),
        ("schedule.warmup=200", "together exceed schedule.steps=100"),
        ("schedule.cooldown=5", "needs schedule.shape: cooldown"),
        ("run.log_steps=0", "run.log_steps must be greater than or equal to 1"),
        ("run.dtype=float16", "run.dtype must be 'float32' or 'bfloat16'"),
        ("schedule.minutes=5", "schedule.minutes needs schedule.shape: cooldown"),
        (
            "schedule={steps: 100, warmup: 10, shape: cooldown, cooldown: 95}",
            "together exceed schedule.steps=100",
        ),
        ("optimizer.betas=[0.9, 1.0]", "less than 1"),
    ],
)
def test_impossible_values_are_refused(written, override, problem):
    assert problem in refusal(written, override)


@pytest.mark.parametrize(
    ("said", "best"),
    [
        ({}, False),
        ({"patience": 3}, True),
        ({"patience": 3, "keep": "last"}, False),
        ({"keep": "best"}, True),
    ],
)
def test_the_best_weights_are_kept_where_asked_for_or_where_patience_runs_out(said, best):
    assert RunSettings(**said).keeps_best is best
