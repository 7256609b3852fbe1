"""The isometric task's rule and table, on a folder made up here."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.isometric import main


def test_systems_stand_in_one_table_by_the_official_rule(tmp_path: Path, capsys) -> None:
    texts = {
        "isometric-mt-test.en-de.en": ["Where are you going now?", "Oh, no!"],
        "isometric-mt-test.en-de.de": ["Wohin gehst du denn nun?", "Oh nein!"],
        "alpha_en-de_constrained.de": ["Wohin gehst du denn nun?", "Oh nein, ganz bestimmt nicht!"],
        "beta_en-de.de": ["Wohin?", "Oh nein!"],
        "alpha_en-fr_constrained.fr": ["Oui"],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    main([str(tmp_path), "-t", "de", "--json", str(tmp_path / "out.json")])
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "| system | BLEU | chrF | LC IWSLT |"
    assert [line.split(" | ")[0] for line in shown[2:]] == ["| alpha constrained", "| beta"]
    rows = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["rows"]
    # Seven characters of source are free, whatever is said; six of twenty are not.
    assert [row["figures"]["LC IWSLT"]["value"] for row in rows] == [100, 50]
