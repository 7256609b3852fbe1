"""``subfit evaluate --back-model``: translations rated by how well they give their sources back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.tiny import PAIRS

FEW = PAIRS[:4]


@pytest.fixture
def german(tmp_path: Path) -> Path:
    """German sources with English references, in that order."""
    path = tmp_path / "toy.de-en.tsv"
    path.write_text("".join(f"{p.target}\t{p.source}\n" for p in FEW), encoding="utf-8")
    return path


@pytest.fixture
def english(tmp_path: Path) -> Path:
    """English translations of them, one a line."""
    path = tmp_path / "human.txt"
    path.write_text("".join(f"{p.source}\n" for p in FEW), encoding="utf-8")
    return path


def test_a_file_of_translations_is_rated_line_by_line(
    cli: Cli, tiny_model_folder: Path, german: Path, english: Path
) -> None:
    done = cli("evaluate", english, german, "--back-model", tiny_model_folder, "--json").json
    trip = done["round_trip"]
    assert len(trip["lines"]) == len(FEW) and trip["model"] == "tiny"
    assert {*trip["lines"][0]} == {"text", "chrf", "log_probability", "pieces"}
    assert trip["chrf"] == pytest.approx(sum(line["chrf"] for line in trip["lines"]) / len(FEW))
    assert trip["log_probability"] < 0 and "nc:6" in trip["signature"]
    assert done["quality"]["chrf"]["value"] == pytest.approx(100)
    shown = cli("evaluate", english, german, "--back-model", tiny_model_folder).out
    assert f"chrF {trip['chrf']:.2f}" in shown and "nats a token of the sources" in shown
    plain = cli("evaluate", english, german, "--json").json
    assert "round_trip" not in plain


def test_what_a_model_translates_is_rated_too(
    cli: Cli, tiny_model_folder: Path, tiny_marian_folder: Path, german: Path
) -> None:
    """A model that tells nothing of its languages translates there."""
    asked = ("evaluate", tiny_marian_folder, german, "--back-model", tiny_model_folder)
    done = cli(*asked, "--limit", "2", "--json").json
    assert len(done["round_trip"]["lines"]) == 2


def test_what_cannot_be_rated_is_told_in_a_line(
    cli: Cli, tiny_model_folder: Path, german: Path, english: Path, tmp_path: Path
) -> None:
    turned = tmp_path / "toy.en-de.tsv"
    turned.write_text("".join(f"{p.source}\t{p.target}\n" for p in FEW), encoding="utf-8")
    wrong = cli("evaluate", english, turned, "--back-model", tiny_model_folder)
    nowhere = cli("evaluate", english, german, "--back-model", "./nowhere")
    beside = cli("evaluate", english, german, "--beside", tiny_model_folder)
    short = tmp_path / "short.txt"
    short.write_text("Who?\n", encoding="utf-8")
    few = cli("evaluate", short, german, "--back-model", tiny_model_folder)
    told = [each.err.strip().splitlines() for each in (wrong, nowhere, beside, few)]
    assert all(each.code in (1, 2) for each in (wrong, nowhere, beside, few))
    assert [len(lines) for lines in told] == [1, 1, 1, 1], told
    assert "tiny translates from en, not from de" in told[0][0]
    assert "nowhere: no model here" in told[1][0]
    assert "is a file of translations" in told[2][0]
    assert "1 lines for the 4 lines" in told[3][0]
