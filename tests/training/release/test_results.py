"""What a run's model is worth on its dev set: with the weights, and the commands, of the export."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from subfit.model.config import ModelConfig
from subfit.training.release.results import Results, round_weights
from tests.tiny import RECIPE

NATURAL, ASKED = SimpleNamespace(name="natural"), SimpleNamespace(name="asked")


def results(**changes: Any) -> Results:
    """Results of which only the recipe and the two evaluations matter."""
    known: dict[str, Any] = {
        "recipe": RECIPE,
        "config": ModelConfig(),
        "parameters": 0,
        "training": {},
        "losses": {},
        "pairs": (),
        "natural": NATURAL,
        "asked": ASKED,
    }
    return Results(**{**known, **changes})


INTO_SEVERAL = replace(
    RECIPE,
    target_language=("de", "it"),
    data=replace(RECIPE.data, train={"de": ("a",), "it": ("b",)}, dev={"de": "d.tsv", "it": "i"}),
)
FROM_SEVERAL = replace(
    INTO_SEVERAL,
    source_language=("de", "it"),
    target_language="en",
    data=replace(INTO_SEVERAL.data, turned=True),
)


@pytest.mark.parametrize(
    ("recipe", "natural"),
    [
        (RECIPE, "subfit evaluate tiny toy.tsv"),
        (INTO_SEVERAL, "subfit evaluate tiny d.tsv -t de; subfit evaluate tiny i -t it"),
        (
            FROM_SEVERAL,
            "subfit evaluate tiny d.tsv -s de --turned; subfit evaluate tiny i -s it --turned",
        ),
    ],
    ids=["one pair", "into several", "from several"],
)
def test_every_dev_file_has_a_command(recipe, natural):
    found = results(recipe=recipe)
    assert found.command(cast(Any, NATURAL)) == natural
    asked = "; ".join(f"{each} --ask reference" for each in natural.split("; "))
    assert found.command(cast(Any, ASKED)) == asked


def test_a_model_without_length_control_has_one_evaluation():
    assert list(results().evaluations) == ["dev", "dev-ref"]
    assert list(results(asked=None).evaluations) == ["dev"]


def test_weights_are_measured_as_they_are_exported():
    torch.manual_seed(1)
    layer = torch.nn.Linear(30, 20)
    before = layer.weight.detach().clone()
    round_weights(cast(Any, layer))
    assert torch.equal(layer.weight, layer.weight.half().float())
    assert not torch.equal(layer.weight, before)
    torch.testing.assert_close(layer.weight.detach(), before, atol=1e-6, rtol=1e-3)
