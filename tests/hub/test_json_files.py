"""JSON files of models."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.hub.json_files import read_json


def test_values_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"größe": 1}', encoding="utf-8")
    assert read_json(path) == {"größe": 1}


@pytest.mark.parametrize("content", ["{", "[" * 200_000, "\udcff"])
def test_damaged_ones_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content.encode("utf-8", errors="surrogateescape"))
    with pytest.raises(ValueError):
        read_json(path)


def test_a_huge_one_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    with path.open("wb") as file:
        file.truncate(100_000_001)
    with pytest.raises(ValueError, match="more than 100,000,000 bytes"):
        read_json(path)
