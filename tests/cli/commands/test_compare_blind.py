"""compare --sheet and --judged: people read two systems without knowing which is which."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli


def test_a_sheet_is_drawn_judged_and_counted(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "test.en-de.tsv").write_text("One.\tEins.\nTwo.\tZwei.\nThree.\tDrei.\n")
    (tmp_path / "old.txt").write_text("Eins.\nZwo.\nDie drei.\n")
    (tmp_path / "new.txt").write_text("Eins.\nZwei.\nDrei.\n")
    rows = "against: old\nrows: {old: {model: old.txt}, new: {model: new.txt}}\n"
    (tmp_path / "rows.yaml").write_text(rows)
    given = ("compare", "test.en-de.tsv", "--rows", "rows.yaml", "--trials", "10")
    assert cli(*given, "--sheet", "read.csv").code == 0
    sheet = (tmp_path / "read.csv").read_bytes()
    assert b"One." not in sheet and b"old" not in sheet and sheet.count(b"\n") == 3
    refused = cli(*given, "--sheet", "read.csv")
    assert refused.code == 1 and "read.csv" in refused.err and "exists" in refused.err
    lines = sheet.decode("utf-8-sig").splitlines()
    better = [line.split(",")[2] in ("Zwei.", "Drei.") for line in lines[1:]]
    votes = [
        line.replace(",,,", ",A,A," if first else ",B,B,")
        for line, first in zip(lines[1:], better, strict=True)
    ]
    (tmp_path / "read.csv").write_text("\n".join([lines[0], *votes]), encoding="utf-8")
    told = cli("compare", "--judged", "read.csv")
    assert told.out.startswith("new: 2 better, 0 worse, 0 alike (sign test p 0.5000, Fleiss's")
    (tmp_path / "read.csv").write_text("\n".join([lines[0], votes[0] + "maybe"]))
    wrong = cli("compare", "--judged", "read.csv")
    assert (wrong.code, wrong.err.count("\n")) == (1, 1) and "row 2" in wrong.err
