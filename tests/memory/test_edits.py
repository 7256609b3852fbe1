"""Corrections from the page of a report, as entries of a memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from subfit.errors import InputFileError, UsageError
from subfit.memory.files import read_entries
from subfit.memory.store import Languages

GERMAN = Languages("en", "de")


def read(folder: Path, document: Any) -> list[tuple[str, str]]:
    path = folder / "film.de.srt.edits.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return [(entry.source, entry.target) for entry in read_entries(str(path), GERMAN)]


def edits(*sentences: list[tuple[str, str]]) -> dict[str, Any]:
    """A document as the page hands it out."""
    cues = [
        {"cues": [{"number": 1, "source": ours, "target": theirs} for ours, theirs in sentence]}
        for sentence in sentences
    ]
    languages = {"source": "en", "target": "de"}
    return {"output": "out/film.de.srt", "languages": languages, "edits": [], "sentences": cues}


def test_a_sentence_over_several_cues_is_whole_and_without_its_dots(tmp_path: Path) -> None:
    document = edits(
        [("She opened the box...", "Sie öffnete\ndie Kiste …"), ("and laughed.", "… und lachte.")]
    )
    assert read(tmp_path, document) == [
        ("She opened the box and laughed.", "Sie öffnete die Kiste und lachte.")
    ]


def test_every_speaker_of_a_cue_has_an_entry(tmp_path: Path) -> None:
    two = ("- Is it late?\n- No.", "- Ist es spät?\n- Nein.")
    uneven = ("- Is it late?\n- No.", "Es ist nicht spät.")
    assert read(tmp_path, edits([two], [uneven])) == [
        ("Is it late?", "Ist es spät?"),
        ("No.", "Nein."),
    ]


def test_what_is_not_said_is_left_out(tmp_path: Path) -> None:
    document = edits([("[sighs] Not again.", "[seufzt] Nicht schon wieder.")])
    assert read(tmp_path, document) == [("Not again.", "Nicht schon wieder.")]


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        ([], "no edits"),
        ({"files": []}, "no edits"),
        ({"edits": [], "sentences": [{"cues": [{"number": 1}]}]}, "no edits"),
        ({"edits": [], "sentences": 3}, "no edits"),
        ({"edits": []}, "no edits of a report"),
    ],
)
def test_other_documents_are_one_clear_line(tmp_path: Path, document: Any, problem: str) -> None:
    with pytest.raises(InputFileError, match=problem):
        read(tmp_path, document)


def test_edits_of_other_languages_are_refused(tmp_path: Path) -> None:
    document = edits([("Yes.", "Oui.")]) | {"languages": {"source": "en", "target": "fr"}}
    with pytest.raises(UsageError, match="en to fr, not of en to de"):
        read(tmp_path, document)
