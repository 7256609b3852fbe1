import json
import math

import pytest

from subfit.reporting.lengths import (
    is_compliant_iwslt,
    is_compliant_strict,
    length_compliance,
    length_ratios,
    length_variance,
    plain_data,
)
from subfit.text.counting import Counting


@pytest.mark.parametrize(
    ("source", "target", "iwslt", "strict"),
    [
        ("x" * 20, "y" * 22, True, True),
        ("x" * 20, "y" * 18, True, True),
        ("x" * 20, "y" * 23, False, False),
        ("x" * 20, "y" * 17, False, False),
        ("x" * 10, "y" * 11, True, True),
        ("x" * 10, "y" * 30, True, False),  # at most 10 characters: always compliant
        ("x" * 11, "y" * 30, False, False),
        ("a b c d e f g", "y" * 30, True, False),  # 13 characters, 7 without spaces
        ("x" * 20, "y y " * 5 + "y" * 10, True, False),  # 30 characters, 20 without spaces
        ("", "", True, True),
        ("", "y", True, False),
        ("x" * 30, "", False, False),
    ],
)
def test_pairs_are_compliant_by_either_rule(source, target, iwslt, strict):
    assert is_compliant_iwslt(source, target) is iwslt
    assert is_compliant_strict(source, target) is strict


def test_compliance_is_a_share_of_all_pairs():
    sources, targets = ["x" * 20, "x" * 20, "short", "x" * 20], ["y" * 20, "y" * 40, "y" * 9, ""]
    compliance = length_compliance(sources, targets)
    assert (compliance.iwslt, compliance.strict) == (0.5, 0.25)


def test_length_ratio_is_a_mean_of_ratios_with_its_spread():
    ratios = length_ratios(["xx", "xxxx", ""], ["yyy", "yy", "y"])
    assert (ratios.mean, ratios.sd, ratios.count) == (1.0, 0.5, 2)
    assert length_ratios(["Hello"], ["今日"], Counting(half_width=True)).mean == 2 / 2.5


def test_variance_is_measured_against_what_was_asked():
    assert length_variance([10, 14, 20], [10, 12, 24]) == pytest.approx(20 / 3)


def test_nothing_measured_is_not_a_number():
    ratio, compliance = length_ratios([], []), length_compliance([], [])
    assert ratio.count == compliance.count == 0
    values = (ratio.mean, compliance.iwslt, compliance.strict, length_variance([], []))
    assert all(map(math.isnan, values))


def test_what_is_not_a_number_is_null_in_plain_data():
    data = plain_data({"compliance": length_compliance([], []), "most": [math.inf, 1]})
    assert data == {"compliance": {"iwslt": None, "strict": None, "count": 0}, "most": [None, 1]}
    assert json.loads(json.dumps(data, allow_nan=False)) == data
