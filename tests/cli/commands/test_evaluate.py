"""``subfit evaluate`` of several models that translate together."""

import hashlib
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_models_that_translate_together_are_measured_as_one(
    cli: Cli, tiny_model_folder: Path, tiny_marian_folder: Path, tmp_path: Path
) -> None:
    test = tmp_path / "test.tsv"
    test.write_text("Who is there?\tWer ist da?\nI hear music.\tIch höre Musik.\n", "utf-8")
    alone = cli("evaluate", tiny_model_folder, test, "--json").json
    twin = Path(shutil.copytree(tiny_model_folder, tmp_path / "twin"))
    together = cli("evaluate", tiny_model_folder, test, "--beside", twin, "--json").json
    assert (alone["setup"]["model"], together["setup"]["model"]) == ("tiny", "tiny + twin")
    assert together["figures"] == alone["figures"]
    refused = cli("evaluate", tiny_model_folder, test, "--beside", tiny_marian_folder)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "cannot translate together" in refused.err


def test_adequacy_is_told_with_what_made_it(
    cli: Cli, tiny_model_folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("systran_align")
    test = tmp_path / "test.tsv"
    test.write_text("Who is there?\tWer ist da?\nI hear music.\tIch höre Musik.\n", "utf-8")
    measured = cli("evaluate", tiny_model_folder, test, "--metrics", "REP,DROP", "--json").json[
        "figures"
    ]
    assert measured["REP"]["value"] >= 0
    assert measured["DROP"]["value"] >= 0
    assert "align:fast_align" in measured["DROP"]["signature"]
    assert "REP" in cli("evaluate", tiny_model_folder, test, "--metrics", "REP").out
    assert "REP" not in cli("evaluate", tiny_model_folder, test, "--json").json["figures"]


def test_figures_say_what_computed_them_and_what_came_out(
    cli: Cli, tiny_model_folder: Path, tmp_path: Path
) -> None:
    test = tmp_path / "test.tsv"
    test.write_text("Who is there?\tWer ist da?\nI hear music.\tIch höre Musik.\n", "utf-8")
    done = cli("evaluate", tiny_model_folder, test, "-o", tmp_path / "out.txt")
    checksum = hashlib.sha256((tmp_path / "out.txt").read_bytes()).hexdigest()
    assert "in fp32 on cpu, trained with seed 1" in done.out
    assert f"SHA-256 {checksum[:12]}" in done.out
