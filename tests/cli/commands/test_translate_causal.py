"""``subfit translate --model FOLDER`` with a decoder-only model, and every option there is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.tiny import PAIRS

FILM = "".join(
    f"{number}\n00:00:{4 * number:02},000 --> 00:00:{4 * number + 3:02},000\n{pair.source}\n\n"
    for number, pair in enumerate(PAIRS[:4], start=1)
)


@pytest.fixture
def model(talking_folder: Path) -> str:
    Path("film.en.srt").write_text(FILM, encoding="utf-8")
    return str(shutil.copytree(talking_folder, "toy-llama"))


COMMON = ("-t", "de", "--beam", "2", "--overwrite", "--precision", "fp32", "--model")


def test_a_film_is_translated_within_its_budgets(cli: Cli, model: str) -> None:
    done = cli("translate", "film.en.srt", *COMMON, model, "--scene", "0", "--json")
    assert done.code == 0, done.err
    (file,) = done.json["files"]
    said = [cue["target"] for cue in file["cues"]]
    assert sum(text == pair.target for text, pair in zip(said, PAIRS, strict=False)) >= 3
    assert file["settings"]["scene"] == 0
    assert (file["settings"]["model"], file["settings"]["precision"]) == ("toy-llama", "fp32")


def test_tight_budgets_are_kept_or_told(cli: Cli, model: str) -> None:
    options = ("--cps", "5", "--strict-budget", "--json")
    done = cli("translate", "film.en.srt", *COMMON, model, *options)
    (file,) = done.json["files"]
    for cue in file["cues"]:
        assert cue["characters"] <= 15 or cue["status"] == "overflow"
    assert any(cue["status"] == "fits" for cue in file["cues"])


@pytest.mark.slow
def test_every_option_goes_with_it(cli: Cli, model: str) -> None:
    Path("terms.csv").write_text("source,target\nlighthouse,Leuchtturm\n", encoding="utf-8")
    options = "--glossary terms.csv --keep Nora --formality informal --alternatives 3"
    options += " --timing extend --bilingual source-first"
    options += " --no-join --scene 3 --prompt chat --length-ratio 0.5:1.5 --report film.json"
    done = cli("translate", "film.en.srt", *COMMON, model, *options.split())
    assert done.code in (0, 3), done.err
    (file,) = json.loads(Path("film.json").read_text(encoding="utf-8"))["files"]
    assert file["totals"]["address"]["taken"] == "informal"
    assert file["settings"]["prompt"]["description"].startswith("Any model")


def test_voting_is_refused(cli: Cli, model: str) -> None:
    done = cli("translate", "film.en.srt", *COMMON, model, "--model", model)
    assert done.code == 2
    assert "cannot translate together" in done.err
