"""Hugging Face's transformers without a word of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from transformers.utils import logging

from subfit.model.quick_import import load_shape_rules


@contextmanager
def quietly() -> Iterator[None]:
    """Keep transformers from drawing bars, and from tables of the weights that do not fit.

    It makes models without content first, by rules that PyTorch may have been imported without.
    """
    load_shape_rules()
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
