"""TMX and XLIFF: written and read again, and nothing fetched."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from subfit.memory.entry import Entry
from subfit.memory.files import read_entries, write_tmx
from tests.memory.test_reading import GERMAN, TMX, entries


def test_what_is_written_as_tmx_is_read_again(tmp_path: Path) -> None:
    given = [Entry('"A" & <b>', "„A“ & <b>"), Entry("bell\a", "Glocke")]
    assert write_tmx(tmp_path / "out.tmx", iter(given), GERMAN, overwrite=False) == 2
    back = list(read_entries(str(tmp_path / "out.tmx"), GERMAN))
    assert [(entry.source, entry.target) for entry in back] == [
        ('"A" & <b>', "„A“ & <b>"),
        ("bell", "Glocke"),
    ]


def test_a_definition_outside_the_file_is_not_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("a connection was opened"))
    text = TMX.replace('SYSTEM "tmx14.dtd"', '[<!ENTITY % d SYSTEM "http://127.0.0.1:9/d">%d;]')
    assert len(entries(tmp_path, "a.tmx", text)) == 2
