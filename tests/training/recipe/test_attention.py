"""The section ``attention`` of recipes."""

from __future__ import annotations

import pytest

from subfit.errors import RecipeError
from subfit.training.recipe.attention import Attention
from subfit.training.recipe.file import load_recipe
from tests.places import ROOT
from tests.training.recipes import WHOLE

FERREIRA = ROOT / "recipes" / "ferreira2018.yaml"


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ("{fertility: predicted}", "need attention.kind: csoftmax or csparsemax"),
        ("{kind: sparsemax, exhaustion: 0.4}", "need attention.kind: csoftmax or csparsemax"),
        ("{kind: csparsemix}", "attention.kind"),
        ("{kind: csoftmax, constant: 0}", "attention.constant"),
        ("{kind: csoftmax, exhaustion: -1}", "attention.exhaustion"),
    ],
)
def test_what_cannot_be_is_told(written, section: str, problem: str) -> None:
    with pytest.raises(RecipeError, match=problem):
        load_recipe(written(f"{WHOLE}attention: {section}\n"))


def test_no_length_class_is_called_as_the_sink(written) -> None:
    with pytest.raises(RecipeError, match="must not be called"):
        load_recipe(written(WHOLE.replace("short: 0.9", "sink: 0.9")))


@pytest.mark.parametrize(
    ("variant", "attention"),
    [
        ("softmax", Attention()),
        ("csoftmax-constant", Attention("csoftmax", constant=1.5, exhaustion=0.6)),
        ("csparsemax-predicted", Attention("csparsemax", "predicted", exhaustion=0.4)),
    ],
)
def test_the_papers_best_systems_are_variants(variant: str, attention: Attention) -> None:
    assert load_recipe(FERREIRA, variant=variant).attention == attention
