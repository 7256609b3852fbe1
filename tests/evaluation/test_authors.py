"""Against the authors' own programs and papers: what a check of the equations once found wrong."""

from __future__ import annotations

import pytest

from benchmarks import isometric
from subfit.decoding.guide import Progress, Rewards
from subfit.evaluation.evaluation import measure
from subfit.training.folder import Patience
from subfit.training.predictor import prediction_errors
from tests.places import ROOT

ISOMETRIC = ROOT.parent / "shared" / "data" / "isometric"
OFFICIAL = {  # isometric_slt_stat.py of IWSLT 2022
    "apptek constrained": 86.5,
    "apv unconstrained": 39.0,
    "hw-tsc constrained": 98.0,
    "hw-tsc unconstrained": 96.5,
    "strong-baseline unconstrained": 68.0,
    "weak-baseline": 43.0,
}


@pytest.mark.skipif(not ISOMETRIC.is_dir(), reason="the task's public data is not here")
def test_length_compliance_is_that_of_the_task_s_own_program():
    test = isometric.test_set(ISOMETRIC, "de")
    found = {
        name: measure(outputs, test.pairs).value("LC IWSLT")
        for name, outputs in isometric.sent_in(ISOMETRIC, test, "de").items()
    }
    assert found == pytest.approx(OFFICIAL)


def test_the_variance_of_a_predictor_holds_its_bias():
    """Oka et al. 2020 give 19.92 for source lengths with a mean ratio of 1.226."""
    assert prediction_errors([11, 21, 31], [10, 20, 30])["variance"] == 1
    errors = prediction_errors([10, 14, 24], [12, 12, 20])
    assert errors["variance"] == pytest.approx((4 + 4 + 16) / 3)
    assert errors["mean_absolute"] == pytest.approx(8 / 3)


def test_a_piece_is_rewarded_until_it_is_present_the_first_one_too():
    rewards = Rewards({(5,): 1.0, (5, 6): 2.0, (7,): 4.0})
    said = rewards.after(Progress(), 5)
    assert sorted(rewards.offers(said)) == [(6, 2.0), (7, 4.0)]  # 5 is there
    again = rewards.after(rewards.after(said, 6), 7)
    assert list(rewards.offers(again)) == [] and again.earned == 6.0


def test_patience_waits_for_the_rate_to_have_risen():
    patience = Patience(limit=2, warmup=4000)
    for step, loss in zip(range(200, 4001, 200), [3.0] + [3.5] * 19, strict=True):
        patience.see(loss, step)
        assert not patience.exhausted
    patience.see(3.4, 4200)
    patience.see(3.4, 4400)
    assert patience.exhausted
