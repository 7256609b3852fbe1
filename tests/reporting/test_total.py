"""The declaration of a figure of a whole file."""

from __future__ import annotations

from subfit.reporting.total import Column, Total


def test_a_total_is_one_column_or_those_it_declares() -> None:
    columns = (Column("a"), Column("b"))
    assert Total("cues", of=len, columns=columns).all_columns == columns
    (column,) = Total("cues", of=len, heading="Cues").all_columns
    assert (column.name, column.heading, column.value(5)) == ("cues", "Cues", 5)


def test_a_total_is_defined_under_its_name_or_part_by_part() -> None:
    assert Total("cues", of=len, definition="all of them").definitions == {"cues": "all of them"}
    assert Total("cues", of=len).definitions == {}
    parts = {"a": "one", "b": "other"}
    assert Total("cues", of=len, definition=parts).definitions == parts
