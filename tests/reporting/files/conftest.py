"""A report on a small track, for the files that are made of it."""

import pytest

from subfit.reporting.report import Report, report_on
from tests.reporting.test_report import NETFLIX, OUTCOMES, TRACK


@pytest.fixture(scope="package")
def report() -> Report:
    return report_on(OUTCOMES, TRACK, NETFLIX, {"model": "en-de"})
