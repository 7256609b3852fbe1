"""Columns of scripts: found by their headings, or named."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.subtitles.formats import render_track
from subfit.subtitles.scripts import columns_of
from subfit.subtitles.scripts.columns import parse_columns
from tests.subtitles.scripts.scripts import read, texts
from tests.subtitles.scripts.test_dubbing import CSV


@pytest.mark.parametrize(
    ("columns", "script", "told"),
    [
        ("", "Name,Words\nAnn,One.\n", "headings found: A 'Name', B 'Words'"),
        ("", "Text,Original\nOne.,Two.\n", "source may be 'Text' or 'Original'"),
        ("source=Words", "Name,Line\nAnn,One.\n", "no column 'Words'.*A 'Name', B 'Line'"),
        ("source=Line", "Line,line\nA,B\n", "heads columns A and B; give a letter"),
        ("source=Line,speaker=A", "Line,Who\nA,B\n", "same column"),
    ],
)
def test_columns_that_are_not_clear_are_asked_for(columns: str, script: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"script.csv: .*{told}"):
        read(script, columns=columns)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("source", "not one of start"),
        ("words=Text", "not one of start"),
        ("source=A,source=B", "given twice"),
        ("source=A,end=B,duration=C", "not both"),
    ],
)
def test_columns_must_make_sense(text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        parse_columns(text)


@pytest.mark.parametrize(
    "columns",
    ["source=D", "source=4", "source=text", 'start=In,end=Out,"source=Text"', "speaker=Figur"],
)
def test_columns_go_by_heading_letter_or_number(columns: str) -> None:
    assert texts(read(CSV, columns=columns)) == ['Wait, "you" there.', "No – never."]


def test_a_table_without_a_header_goes_by_letters() -> None:
    track = read("00:01.0,00:02.0,Hello.\n", columns="start=A,end=B,source=C")
    assert (track.cues[0].start, track.cues[0].end, track.cues[0].text) == (1000, 2000, "Hello.")
    assert render_track(track.with_texts(["Hallo."])) == b"00:01.0,00:02.0,Hello.,Hallo.\n"


def test_an_unknown_header_is_no_line_to_translate() -> None:
    track = read("Zeit,Bis,Wörter\n00:01.0,00:02.0,Hello.\n", columns="start=A,end=B,source=C")
    assert texts(track) == ["Hello."]
    assert (
        render_track(track.with_texts(["x"])).decode().startswith("Zeit,Bis,Wörter,Translation\n")
    )


def test_headings_are_known_in_other_languages() -> None:
    track = read("Début\tFin\tPersonnage\tTexte original\n1\t2\tLéa\tHi.\n", format="tsv")
    assert list(columns_of(track) or {}) == ["start", "end", "speaker", "source"]
