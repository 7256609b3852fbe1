"""``subfit models``."""

import json
from pathlib import Path

import pytest

import subfit.model.bundled as bundled
from tests.cli.conftest import Cli


def test_models_are_listed_with_their_languages(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, languages in (
        ("en-x", {"target_language": "x"}),
        ("m", {"language_tokens": {"es": 1, "it": 2}}),
    ):
        (tmp_path / name).mkdir()
        config = {"source_language": "en", **languages}
        (tmp_path / name / "config.json").write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setattr(bundled, "bundled_folder", lambda name: tmp_path)
    assert cli("models").out == "en-x  en to x\nm     en to es, it\n"
    assert cli("models", "--json").json["models"] == [
        {"name": "en-x", "source_language": "en", "target_languages": ["x"]},
        {"name": "m", "source_language": "en", "target_languages": ["es", "it"]},
    ]
