"""How PyTorch starts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from subfit.model.startup import WAITING

DEFERRED = """
import sys
from subfit.model.startup import SHAPE_RULES, defer_shape_rules
defer_shape_rules()
import torch
module = sys.modules[SHAPE_RULES]
assert type(module).__name__ == "_Deferred", type(module)
assert torch.ones(2, 2).softmax(-1).sum() == 2
{then}
assert type(module).__name__ == "module"
assert torch.empty(2, 3, device="meta").softmax(-1).shape == (2, 3)
print("done")
"""


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "then",
    [
        "from torch._meta_registrations import meta_index_Tensor",
        "from subfit.model.pretrained import quietly\nwith quietly(): pass",
    ],
)
def test_they_are_there_when_something_asks(then):
    assert run(DEFERRED.format(then=then)) == "done"


SHOWN = """
import os, sys
{before}
import subfit
print({{name: os.environ.get(name) for name in {names}}})
"""


def _after_import(before: str = "", **variables: str) -> dict[str, str | None]:
    environment = {name: text for name, text in os.environ.items() if name not in WAITING}
    script = SHOWN.format(before=before, names=list(WAITING))
    shown = subprocess.run(
        [sys.executable, "-c", script],
        env=environment | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    values: dict[str, str | None] = eval(shown.stdout)
    return values


@pytest.mark.parametrize("name, value", [("OMP_WAIT_POLICY", "ACTIVE"), ("GOMP_SPINCOUNT", "9")])
def test_what_the_user_has_set_stays(name: str, value: str) -> None:
    assert _after_import(**{name: value}) == dict.fromkeys(WAITING) | {name: value}
