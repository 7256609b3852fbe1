"""``subfit config``."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_config_shows_every_value_with_its_origin_and_can_be_read_back(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[translate]\nguideline = "bbc"\n\n[recipe.cat]\nresolved = true\n'
    (tmp_path / "subfit.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("SUBFIT_TRANSLATE_BEAM", "3")
    shown = cli("config").out
    for line in (
        'guideline = "bbc"  # subfit.toml:2',
        "resolved = true  # subfit.toml:5",
        'beam = "3"  # SUBFIT_TRANSLATE_BEAM',
        "condense = true  # default",
    ):
        assert line in shown.splitlines()
    assert tomllib.loads(shown)["translate"]["guideline"] == "bbc"
    (tmp_path / "subfit.toml").write_text(cli("config").out, encoding="utf-8")
    monkeypatch.delenv("SUBFIT_TRANSLATE_BEAM")
    values = cli("config", "translate", "--json").json["options"]
    (beam,) = (value for value in values if value["option"] == "beam")
    assert beam["value"] == "3" and beam["origin"].startswith("subfit.toml:")
    assert cli("config", "trnslate").code == 2
