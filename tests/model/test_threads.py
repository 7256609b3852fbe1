import os
import subprocess
import sys

import pytest

from subfit.model.startup import WAITING

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


def test_threads_wait_asleep_without_being_told() -> None:
    assert _after_import() == WAITING


@pytest.mark.parametrize("name, value", [("OMP_WAIT_POLICY", "ACTIVE"), ("GOMP_SPINCOUNT", "9")])
def test_what_the_user_has_set_stays(name: str, value: str) -> None:
    assert _after_import(**{name: value}) == dict.fromkeys(WAITING) | {name: value}


def test_nothing_is_set_that_comes_too_late() -> None:
    before = "sys.modules['torch'] = sys"  # as if it had been imported
    assert _after_import(before) == dict.fromkeys(WAITING)


def test_the_runtime_of_pytorch_reads_it() -> None:
    script = "import os; os.environ['OMP_DISPLAY_ENV'] = 'verbose'; import subfit, torch"
    environment = {name: text for name, text in os.environ.items() if name not in WAITING}
    shown = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    if "GOMP_SPINCOUNT" not in shown.stderr:
        pytest.skip("PyTorch has another OpenMP runtime here")
    assert "GOMP_SPINCOUNT = '0'" in shown.stderr
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in shown.stderr
