"""``subfit model`` against a hub on this machine."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli
from tests.hub.conftest import REVISION, FakeHub, hub

__all__ = ["hub"]
NAME = "Helsinki-NLP/opus-mt-en-de"


def test_a_model_is_fetched_shown_used_and_removed(
    cli: Cli, hub: FakeHub, tiny_marian_folder: Path
) -> None:
    hub.add(NAME, tiny_marian_folder)
    hub.models[NAME]["README.md"] = b"---\nlicense: cc-by-4.0\n---\n"
    fetched = cli("model", "get", "opus-mt", "-t", "de", "--json").json
    assert (fetched["name"], fetched["revision"]) == (NAME, REVISION)
    assert NAME in cli("model", "ls").out
    assert "licence: cc-by-4.0" in cli("model", "show", NAME).out
    hub.models.clear()
    translated = cli("translate", "scene.en.srt", "-t", "de", "--model", NAME, "--beam", "2")
    assert translated.code in (0, 3), translated.err
    assert cli("model", "rm", NAME).out == f"{NAME}: deleted\n"
    assert cli("model", "show", NAME).code == 1


def test_what_comes_with_subfit_is_listed_and_stays(cli: Cli, hub: FakeHub) -> None:
    listed = cli("model", "ls", "--json").json
    families = [family["name"] for family in listed["families"]]
    assert families == ["opus-mt", "nllb", "m2m100", "mbart50", "madlad"]
    names = [each["name"] for each in listed["models"]]
    assert "en-multi" in names
    refused = cli("model", "rm", "en-multi")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert cli("model", "show", "en-multi", "--json").json["target_languages"]


def test_a_family_needs_a_pair(cli: Cli, hub: FakeHub) -> None:
    assert cli("model", "get", "opus-mt").code == 2
    unknown = cli("model", "get", "nobody/nothing")
    assert unknown.code == 1
    assert unknown.err.count("\n") == 1
