"""Memories written for other tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import UsageError
from subfit.memory.entry import Entry
from subfit.memory.files import write_entries
from subfit.memory.store import Languages

ENTRIES = (Entry("Go\ton.", "Weiter."), Entry("Stop.", "Halt."))


def test_a_table_has_an_entry_a_line(tmp_path: Path) -> None:
    path = tmp_path / "memory.tsv"
    count = write_entries(path, iter(ENTRIES), Languages("en", "de"), overwrite=False)
    assert count == 2
    assert path.read_text(encoding="utf-8") == "Go on.\tWeiter.\nStop.\tHalt.\n"


def test_tmx_has_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    assert write_entries(path, iter(ENTRIES), Languages("en", "de"), overwrite=False) == 2
    text = path.read_text(encoding="utf-8")
    assert text.count("<tu>") == 2 and 'srclang="en"' in text and "Halt." in text


def test_another_suffix_is_no_memory() -> None:
    with pytest.raises(UsageError, match=r"written as \.tmx or \.tsv"):
        write_entries(Path("memory.docx"), iter(ENTRIES), Languages("en", "de"), overwrite=False)
