"""PyTorch imported without its rules for shapes, until something asks for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

DEFERRED = """
import sys
from subfit.model.startup import SHAPE_RULES, defer_shape_rules, load_shape_rules
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
        "load_shape_rules()",
        "torch._meta_registrations.meta_index_Tensor",
        "from torch._meta_registrations import meta_index_Tensor",
        "from subfit.model.pretrained import quietly\nwith quietly(): pass",
    ],
)
def test_they_are_there_when_something_asks(then):
    assert run(DEFERRED.format(then=then)) == "done"


def test_once_they_are_there_models_can_be_traced():
    trace = (
        "load_shape_rules()\n"
        "from torch._subclasses.fake_tensor import FakeTensorMode\n"
        "with FakeTensorMode(): assert (torch.ones(3, 4) @ torch.ones(4, 5)).shape == (3, 5)"
    )
    assert run(DEFERRED.format(then=trace)) == "done"


def test_what_is_imported_stays():
    script = (
        "import sys, torch\n"
        "from subfit.model.startup import SHAPE_RULES, defer_shape_rules\n"
        "before = sys.modules[SHAPE_RULES]\n"
        "defer_shape_rules()\n"
        "assert sys.modules[SHAPE_RULES] is before\n"
        "print('done')"
    )
    assert run(script) == "done"


def test_without_pytorch_nothing_happens():
    script = (
        "import sys\n"
        "from subfit.model import startup\n"
        "startup.find_spec = lambda name: None\n"
        "startup.defer_shape_rules()\n"
        "assert startup.SHAPE_RULES not in sys.modules\n"
        "print('done')"
    )
    assert run(script) == "done"
