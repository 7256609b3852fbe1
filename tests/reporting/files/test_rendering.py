"""A report in the form that its file's name asks for."""

from __future__ import annotations

import json
from pathlib import Path

from subfit.reporting.files.rendering import Forms, render_report
from subfit.reporting.files.table import Table


def test_only_the_form_that_is_asked_for_is_made() -> None:
    def no_table() -> Table:
        raise AssertionError("no table was asked for")

    forms = Forms({"größe": 1}, no_table, lambda: "<p>ü</p>")
    assert render_report(Path("r.HTML"), forms) == "<p>ü</p>".encode()
    text = render_report(Path("r.json"), forms).decode("utf-8")
    assert json.loads(text) == {"größe": 1} and "größe" in text and text.endswith("\n")


def test_half_a_character_does_not_break_the_file() -> None:
    forms = Forms({"text": "\ud83d"}, lambda: Table((), ()))
    assert b"?" in render_report(Path("r.json"), forms)
