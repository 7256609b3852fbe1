"""Tables in Markdown."""

from __future__ import annotations

from subfit.evaluation.tables import markdown


def test_markdown_cells_cannot_break_the_table():
    assert (
        markdown(["a", "b*"], [["x|y\n", "1"]]) == "| a | b\\* |\n| --- | ---: |\n| x\\|y | 1 |\n"
    )
