"""Tables as text: read as Python's csv module reads them, and written without touching the rest."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.errors import InputFileError
from subfit.subtitles.scripts.csv_table import TextTable, read_text_table

FIELD = st.text(st.sampled_from('ab ,;"\té'), max_size=6)
TABLES = st.integers(2, 4).flatmap(
    lambda width: st.lists(st.lists(FIELD, min_size=width, max_size=width), min_size=2, max_size=6)
)


def read(text: str, format: str = "csv") -> TextTable:
    return read_text_table(text.encode(), "lines.csv", format, None, None)


def written(table: TextTable, edits: dict[tuple[int, int], str | float], like: int = 0) -> str:
    return table.with_cells(edits, like=like, encoding=None, name="out.csv").decode()


@given(rows=TABLES)
def test_values_are_those_that_python_reads(rows) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    text = out.getvalue()
    if not text.strip():
        return
    expected = [row or [""] for row in csv.reader(io.StringIO(text), delimiter="\t")]
    assert read(text, "tsv").cells == expected


@given(rows=TABLES, quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_a_file_without_new_values_stays_as_it_is(rows, quoting) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=quoting, lineterminator="\r\n").writerows(rows)
    if out.getvalue().strip():
        assert written(read(out.getvalue()), {}) == out.getvalue()


@pytest.mark.parametrize(
    ("text", "separator", "cells"),
    [
        ("id;text\n1;Hello, you\n", ";", [["id", "text"], ["1", "Hello, you"]]),
        ("id,text\n1,Hello; you\n", ",", [["id", "text"], ["1", "Hello; you"]]),
        ("id|text\n1|a,b\n", "|", [["id", "text"], ["1", "a,b"]]),
        ("sep=;\nid;text\n1;a,b\n", ";", [["id", "text"], ["1", "a,b"]]),
        ("text\nHello\n", ",", [["text"], ["Hello"]]),
    ],
)
def test_the_separator_is_found_out(text, separator, cells) -> None:
    table = read(text)
    assert (table.separator, table.cells) == (separator, cells)
    assert written(table, {}) == text


def test_only_the_fields_with_new_values_change() -> None:
    text = 'id,"text",note\n1,"Hi, you", x \n2,Hello,\n'
    assert written(read(text), {(1, 2): "a,b", (2, 1): "Hallo"}) == (
        'id,"text",note\n1,"Hi, you","a,b"\n2,Hallo,\n'
    )


def test_a_new_column_is_written_in_every_row_and_quoted_as_the_one_it_is_like() -> None:
    text = 'id,"text"\n1,"Hi"\n2,Hello\n'
    edits = {(0, 2): "German", (1, 2): "Hallo", (2, 2): "Guten Tag"}
    assert written(read(text), edits, like=1) == (
        'id,"text","German"\n1,"Hi","Hallo"\n2,Hello,Guten Tag\n'
    )


@pytest.mark.parametrize("value", ["=1+1", "+49 30", "-5", "@here"])
def test_what_a_spreadsheet_would_compute_becomes_text_and_is_read_back(value) -> None:
    out = written(read("id,text\n1,Hi\n"), {(1, 1): value})
    assert out == f"id,text\n1,'{value}\n"
    assert read(out).cells[1] == ["1", value]


def test_numbers_are_written_as_numbers() -> None:
    assert written(read('id,"12"\n1,"3"\n'), {(1, 1): 2.5}) == 'id,"12"\n1,"2.5"\n'
    assert written(read("id,12\n1,3\n"), {(1, 1): 4.0}) == "id,12\n1,4\n"


def test_a_quote_that_is_never_closed_is_told_with_its_line() -> None:
    with pytest.raises(InputFileError, match="a quotation mark is never closed") as caught:
        read('id,text\n1,"Hi"\n2,"Hello\n3,x\n')
    assert "lines.csv:3" in str(caught.value) or "line 3" in str(caught.value)


def test_rows_tell_the_line_of_the_file_where_they_begin() -> None:
    table = read('id,text\n1,"two\nlines"\n2,one\n')
    assert [table.place(row) for row in range(3)] == [1, 2, 4]
