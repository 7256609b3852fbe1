"""Hugging Face's transformers is quiet, and afterwards as it was."""

from __future__ import annotations

import pytest
from transformers.utils import logging

from subfit.model.pretrained import quietly


@pytest.mark.parametrize("shown", [True, False])
def test_bars_and_warnings_are_as_before_also_after_an_error(shown):
    before, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    try:
        (logging.enable_progress_bar if shown else logging.disable_progress_bar)()
        logging.set_verbosity_info()
        with pytest.raises(OSError, match="damaged"), quietly():
            assert not logging.is_progress_bar_enabled()
            assert logging.get_verbosity() == logging.ERROR
            raise OSError("damaged")
        assert logging.is_progress_bar_enabled() is shown
        assert logging.get_verbosity() == logging.INFO
    finally:
        (logging.enable_progress_bar if before else logging.disable_progress_bar)()
        logging.set_verbosity(level)
