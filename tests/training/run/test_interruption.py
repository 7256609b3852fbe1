"""Interrupted runs: the state is saved, and the run goes on."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping

import pytest

from subfit.training.run.state import has_state
from subfit.training.run.trainer import Measured
from subfit.training.train import train
from tests.training.runs import assert_same, weights


def interrupting(*signals: int) -> Measured:
    """Return what sends signals to this process at the first validation, after step 3."""

    def interrupt(step: int, figures: Mapping[str, float]) -> None:
        if step == 3:
            for number in signals:
                os.kill(os.getpid(), number)

    return interrupt


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGTERM]
)
def test_ctrl_c_saves_the_state_and_the_run_goes_on(recipe, tmp_path, number):
    train(recipe, tmp_path / "whole")
    said: list[str] = []
    handler = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", measured=interrupting(number), announce=said.append)
    assert signal.getsignal(number) is handler
    assert said[-1] == "interrupted; the state of step 3 is saved"
    train(recipe, tmp_path / "run")
    assert_same(weights(tmp_path / "whole"), weights(tmp_path / "run"))


def test_the_second_ctrl_c_does_not_wait(recipe, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", measured=interrupting(signal.SIGINT, signal.SIGINT))
    assert not has_state(tmp_path / "run")
