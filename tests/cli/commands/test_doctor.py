"""``subfit doctor``: what is here and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.cli.commands import doctor
from tests.cli.conftest import Cli


def test_models_devices_and_defaults_are_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "subfit.toml").write_text("[translate]\ncps = 12\n", encoding="utf-8")
    found = cli("doctor", "--json").json
    assert "en-multi" in found["models"] and found["devices"][0].startswith("cpu")
    assert found["options"] == {"translate.cps": "subfit.toml:2"}
    assert cli("doctor").code == 0


def test_what_is_missing_is_told_with_what_needs_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    outcome = cli("doctor")
    assert outcome.code == 1
    assert "torch: translate, train, evaluate and compare" in outcome.out
    assert "av: tracks" in outcome.out


def test_where_there_is_no_model_it_is_told_how_to_get_one(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "bundled_models", dict)
    monkeypatch.setattr(doctor, "kept_models", tuple)
    outcome = cli("doctor")
    assert outcome.code == 1 and "'subfit model get'" in outcome.out
