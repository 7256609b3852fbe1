"""The figures of a released model as Markdown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from subfit.training.release.card_tables import (
    commands,
    definitions,
    dev_section,
    language_section,
)
from subfit.training.release.measurements import MeasuredRow, Slot
from subfit.training.release.test_sets import REFERENCE

BLEU = {"value": 30.26, "signature": "nrefs:1|tok:13a"}


def on_lines(control: str, kind: Any = "test", language: str = "de", **changes: Any) -> MeasuredRow:
    """What is measured on a test set of 1200 lines, of which the first 1000 are translated."""
    figures = {
        "quality": {"bleu": BLEU, "bleu_star": BLEU, "chrf": BLEU},
        "source_ratio": {"mean": 1.084, "sd": 0.2, "count": 1000},
        "compliance": {"iwslt": 0.3271, "strict": 0.25},
        "variance": None,
        "overflow": None,
        "lines": 1000,
        "file_lines": 1200,
        "file": "test/mixed.en-de.tsv",
        "beam": 5,
        "long": {"lines": 900, "strict": 0.2, "overflow": None},
        **changes,
    }
    command = f"subfit evaluate tiny test/mixed.en-de.tsv -t {language}  # {control}"
    return MeasuredRow(Slot(kind, language, "mixed", control), {"subfit": "9.9"}, command, figures)


def on_files(**changes: Any) -> MeasuredRow:
    over = {"over": 1476, "characters": 7339.0}
    figures = {
        "files": 18,
        "guideline": "netflix",
        "cues": 1234,
        "translated": 1229,
        "overflow": {"before": over, "after": None},
        "lines_overflow": 0,
        "same_times": 1234,
        "length_ratio": {"mean": 1.03, "sd": 0.29, "count": 9},
        "cps": {"mean": None, "sd": None, "count": 0, "worst": None},
        **changes,
    }
    return MeasuredRow(Slot("files", "de", "films"), {"subfit": "9.9"}, "subfit translate", figures)


def cells(text: str, first: str) -> list[str]:
    """The cells of the row of a table that begins with a cell."""
    (row,) = [line for line in text.splitlines() if line.startswith(f"| {first} |")]
    return [cell.strip() for cell in row.strip("|").split(" | ")]


def test_rows_stand_in_the_order_of_the_controls_whenever_they_were_measured():
    rows = [on_lines("isometric"), on_lines("something new"), on_lines("natural")]
    text = language_section("de", rows, {})
    places = [text.index(f"| {name} |") for name in ("natural", "isometric", "something new")]
    assert places == sorted(places)
    assert text.startswith("### German (de)\n")
    assert "`test/mixed.en-de.tsv`: the first 1,000 of 1,200 lines, 900 of them with" in text


def test_every_row_has_as_many_cells_as_the_table_has_columns():
    scores = {"rep": 1.25, "drop": 3.5, "signature": "s"}
    rows = [on_lines("natural", adequacy=scores), on_lines("isometric"), on_files()]
    text = language_section("de", rows, {"numbers": (3, 4)})
    for table in text.split("\n\n"):
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.count("|") for line in lines}) <= 1
    assert cells(text, "natural")[-2:] == ["1.2", "3.5"]
    assert cells(text, "isometric")[-2:] == ["–", "–"]  # not measured


def test_what_there_is_none_of_is_a_dash_and_thousands_are_parted():
    row = cells(language_section("de", [on_files()], {}), "films (18), netflix")
    assert row[1:5] == ["1,234", "1,229", "1,476 / 7,339", "–"]
    assert row[-2:] == ["–", "–"]


def test_the_challenge_set_is_summed_up():
    text = language_section("de", [], {"numbers": (3, 4), "names": (5, 5)})
    assert cells(text, "numbers") == ["numbers", "3 of 4"]
    assert cells(text, "all") == ["all", "8 of 9"]


def test_the_price_of_the_limit_is_told_on_lines_whose_references_keep_it():
    compliant = {"lines": 604, "quality": {"bleu": BLEU, "chrf": BLEU}}
    changes = {"compliant_references": compliant, "cut_references": {"bleu": BLEU}}
    rows = [on_lines("natural", **changes), on_lines("isometric", **changes)]
    told = "Of the references 604 are isometric themselves"
    assert told in language_section("de", rows, {})
    assert told not in language_section("de", rows[:1], {})
    assert told not in language_section("de", [on_lines("natural"), on_lines("isometric")], {})


@pytest.mark.parametrize(
    ("natural", "told"),
    [("Der Turm\nist alt.", "the same"), ("Der Turm ist sehr alt.", "Der Turm ist sehr alt. (22)")],
)
def test_cues_that_may_be_shown_are_shown_with_their_natural_translation(natural, told):
    cue = {
        "source": "The tower | is old.",
        "target": "Der Turm ist alt.",
        "characters": 17.0,
        "budget": None,
        "natural": natural,
        "natural_characters": 22.0,
    }
    shown = {"shortened": [], "unsure": [cue], "sure": []}
    text = language_section("de", [on_files(shown=shown)], {})
    assert f"| The tower \\| is old. | Der Turm ist alt. | 17 / – | {told} |" in text
    assert "The model was least sure of" in text and "It was surest of" not in text


def test_where_nothing_was_measured_there_is_no_section():
    other = [on_lines("natural", language="it")]
    assert language_section("de", other, {}) == dev_section(other, {}) == commands([]) == ""
    assert definitions([]) == "Nothing was measured yet."
    assert language_section("cy", [on_lines("natural", language="cy")], {}).startswith("### cy\n")


def test_figures_come_with_what_made_them():
    rows = [on_lines("natural", kind="dev"), on_lines("isometric", beam=8), on_files()]
    text = definitions(rows)
    for part in ("subfit 9.9", "beam 5", "beam 8", "BLEU `nrefs:1|tok:13a`", "chrF `nrefs:1"):
        assert text.count(part) == 1
    assert f"`{REFERENCE}`" not in text
    assert "REP" not in text
    assert f"`{REFERENCE}`" in definitions([on_lines(REFERENCE)])
    assert all(f"\n{row.command}\n" in commands(rows) for row in rows)
    assert "Loss per token: dev 1.235." in dev_section(rows, {"dev": 1.23456})


def test_the_figures_of_the_model_that_comes_with_subfit_stand_in_its_card(project_root):
    folder = project_root / "models" / "en-multi"
    rows = json.loads((folder / "measurements.json").read_text(encoding="utf-8"))["rows"]
    card = (folder / "README.md").read_text(encoding="utf-8")
    for row in rows:
        assert row["command"] in card
        if row["kind"] == "test":
            assert f"| {row['wish']} | {row['figures']['quality']['bleu']['value']:.1f} |" in card
