"""Blind reading: the order is hidden, and what judges say is counted by the key."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from subfit.evaluation.blind import blind_sheet, fleiss_kappa, judged, key_of, sign_test

SOURCES = [f"source {n}" for n in range(60)]
OLD = [f"old {n}" for n in range(60)]
NEW = [f"new {n}" if n % 2 else f"old {n}" for n in range(60)]


def test_only_lines_that_differ_are_drawn_and_sides_are_mixed() -> None:
    sheet, key = blind_sheet(SOURCES, {"old": OLD, "new": NEW}, "old", 20)
    rows = list(csv.reader(sheet.decode("utf-8-sig").splitlines()))[1:]
    sides = list(csv.reader(key.decode("utf-8-sig").splitlines()))[1:]
    assert len(rows) == 20
    assert all({row[2].split()[0], row[3].split()[0]} == {"old", "new"} for row in rows)
    assert all(row[2].split()[0] == side[1] for row, side in zip(rows, sides, strict=True))
    assert {side[1] for side in sides} == {"old", "new"}


def test_votes_are_counted_for_the_system_that_stood_there(tmp_path: Path) -> None:
    sheet, key = blind_sheet(SOURCES, {"old": OLD, "new": NEW}, "old", 30)
    path = tmp_path / "read.csv"
    key_of(path).write_bytes(key)
    head, *rows = csv.reader(sheet.decode("utf-8-sig").splitlines())
    for n, row in enumerate(rows):
        better = "A" if row[2].startswith("new") else "B"
        row[4:] = ["=", "=", ""] if n < 10 else [better, better, ""]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    (found,) = judged(path)
    assert (found.label, found.wins, found.ties, found.losses) == ("new", 20, 10, 0)
    assert found.kappa == 1.0 and found.p == pytest.approx(2 / 2**20)


def test_kappa_and_sign_test_are_the_published_ones() -> None:
    # Two judges, ten lines: agreement 0.8, chance 0.5 in the pooled marginals.
    lines = ["++"] * 4 + ["--"] * 4 + ["+-"] * 2
    assert fleiss_kappa([list(line) for line in lines]) == pytest.approx(0.6)
    assert fleiss_kappa([["+"], ["-"]]) is None
    assert sign_test(8, 2) == pytest.approx(0.109375)
    assert sign_test(0, 0) == 1.0
