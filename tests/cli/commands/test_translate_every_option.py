"""A German film with a plain Marian model, through every option that ``translate`` has."""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest
from click.core import ParameterSource

from subfit.cli.commands.translate import translate
from tests.cli.conftest import Cli

FILM = """\
1
00:00:01,000 --> 00:00:03,000
<i>Wo ist der alte Leuchtturm?</i>

2
00:00:03,200 --> 00:00:05,000
Er schreibt seiner Mutter

3
00:00:05,100 --> 00:00:07,000
einen langen Brief.

4
00:00:08,000 --> 00:00:08,600
- Wer ist da?
- Anna, um 18:30!

5
00:00:09,000 --> 00:00:10,500
[DONNER]
"""
SCRIPT = "Nr;Anfang;Ende;Text\n1;00:00:01:00;00:00:03:00;Wo ist der alte Leuchtturm?\n"
RUNS = {
    "report": (
        *("film.de.srt", "-o", "out.srt", "--report", "report.json", "--sort", "risk"),
        *("--glossary", "terms.csv", "--keep", "Anna", "--keep-list", "names.txt"),
        *("--alternatives", "2", "--bilingual", "source-first"),
        *("--timing", "extend", "--out-slack", "1", "--shot-changes", "cuts.txt"),
        *("--beam", "3"),
        *("--device", "cpu", "--precision", "fp32", "--threads", "1", "--bottom-heavy"),
    ),
    "limits": (
        *("film.de.srt", "-o", "out.vtt", "--report", "report.json", "--guideline", "ted"),
        *("--cps", "14", "--cpl", "32", "--lines", "2", "--length-ratio", "0.5:1.5"),
        *("--strict-budget", "--no-condense", "--no-join", "--sdh", "remove", "--overwrite"),
        *("--encoding", "utf-8", "--output-encoding", "utf-16", "--input-format", "srt"),
        *("--memory", "memory.tsv", "--memory-out", "kept.tmx"),
    ),
    "season": (
        *("season", "-o", "out/", "--include", "*.srt", "--fail-fast", "--quiet"),
        *("--cue-reports", "reports", "--isometric"),
        *("--engine", "local", "--json"),
    ),
    "script": (
        *("script.csv", "-o", "out.csv", "--report", "report.json"),
        *("--columns", "source=Text,start=Anfang,end=Ende", "--fps", "25"),
        *("--dub-budget", "both", "--speed-factor", "1.1"),
    ),
    # What is for models that are told in words has nothing to act on, and does no harm.
    "words": (
        *("film.de.srt", "-o", "out.srt", "--report", "report.json", "--context", "2"),
        *("--concurrency", "2", "--timeout", "5", "--price", "1:2"),
    ),
}
"""What each run is given, behind the languages and the model."""
ELSEWHERE = {
    "sheet": "needs a workbook: tests/cli/commands/test_translate_dubbing.py",
    "dry_run": "translates nothing: test_a_dry_run_loads_no_model",
    "voice": "needs espeak-ng: test_a_voice_is_asked_or_missing_in_a_line",
    "ray_address": "needs a cluster that runs",
    "workers": "needs Ray: test_it_goes_through_ray",
    "formality": "test_what_the_model_was_not_trained_for",
    "prompt": "test_what_the_model_was_not_trained_for",
    "channel_model": "for a model beside one with an encoder: test_translate_channel.py",
    "pivot_model": "for pairs without English: tests/batch/test_pivot.py",
}
LANGUAGES = ("-s", "de", "-t", "en")
LACKS = (
    "takes no lengths",
    "rates no ends",
    "has no table of words",
    "has no list of words",
)


@pytest.fixture
def model(tiny_marian_folder: Path, tmp_path: Path) -> str:
    season = tmp_path / "season"
    season.mkdir()
    (season / "one.de.srt").write_text(FILM, encoding="utf-8")
    (tmp_path / "film.de.srt").write_text(FILM, encoding="utf-8")
    (tmp_path / "script.csv").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "terms.csv").write_text("de,en\nLeuchtturm,lighthouse\n", encoding="utf-8")
    (tmp_path / "names.txt").write_text("Anna\n", encoding="utf-8")
    (tmp_path / "cuts.txt").write_text("00:00:07,500\n", encoding="utf-8")
    (tmp_path / "memory.tsv").write_text("Wer ist da?\tWho is there?\n", encoding="utf-8")
    return str(tiny_marian_folder)


def used(arguments: tuple[str, ...]) -> set[str]:
    """The options that a command line names, by their first long name."""
    everything = [*LANGUAGES, "--model", "x", *arguments]
    with translate.make_context("translate", everything) as context:
        given = {
            name
            for name in context.params
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
    both = {"--isometric", "--length-ratio"}  # one parameter
    return (given - {"length_ratio"}) | {each for each in both if each in arguments}


def test_every_option_is_among_the_runs() -> None:
    known = {
        "--isometric" if "--isometric" in each.opts else each.name
        for each in translate.params
        if isinstance(each, click.Option) and each.name != "length_ratio"
    } | {"--isometric", "--length-ratio"}
    tried = set().union(*(used(arguments) for arguments in RUNS.values())) - {"inputs"}
    assert known - tried == set(ELSEWHERE), "give a new option to one of RUNS"
    assert not tried & set(ELSEWHERE)


@pytest.mark.parametrize("arguments", RUNS.values(), ids=RUNS)
def test_a_german_film_goes_through(
    arguments: tuple[str, ...], cli: Cli, model: str, tmp_path: Path
) -> None:
    done = cli("translate", *arguments, *LANGUAGES, "--model", model)
    assert done.code in (0, 3), done.err
    assert "Traceback" not in done.err
    shown = done.out + done.err
    if "--json" in arguments:
        told = json.dumps(done.json["settings"])
        (report,) = (tmp_path / "reports").rglob("*.json")
        written = list((tmp_path / "out").rglob("*.srt"))
    else:
        told, report = shown, tmp_path / "report.json"
        written = list(tmp_path.glob("out.*"))
    assert len(written) == 1 and written[0].stat().st_size > 100
    kept = report.read_text(encoding="utf-8")
    for lack in LACKS:  # once each, on the terminal and in the report
        assert (told.count(lack), kept.count(lack)) == (1, 1), lack


def test_a_season_is_told_once_what_the_model_cannot_do(
    cli: Cli, model: str, tmp_path: Path
) -> None:
    (tmp_path / "season" / "two.de.srt").write_text(FILM, encoding="utf-8")
    done = cli("translate", "season", "-o", "out/", *LANGUAGES, "--model", model)
    shown = done.out + done.err
    assert [shown.count(lack) for lack in LACKS] == [1] * len(LACKS)


def test_a_dry_run_loads_no_model(cli: Cli, model: str) -> None:
    done = cli("translate", "film.de.srt", *LANGUAGES, "--model", model, "--dry-run")
    assert done.code == 0, done.err


def test_what_the_model_was_not_trained_for(cli: Cli, model: str) -> None:
    """A form of address is kept by barring the words of the other, in languages that have two."""
    options = (
        "film.de.srt",
        "--model",
        model,
        "-o",
        "out.srt",
        "--overwrite",
        "--formality",
        "formal",
    )
    refused = cli("translate", *options, *LANGUAGES)
    assert (refused.code, refused.err.strip().count("\n")) == (2, 0)
    assert "--formality knows the forms of address of de, es, fr, it, not of en" in refused.err
    done = cli("translate", *options, "-s", "en", "-t", "fr", "--prompt", "chat")
    assert done.code in (0, 3), done.err
    assert "formal, as asked for" in done.out
    assert (done.out + done.err).count("reads no prompt, as only language models do") == 1


def test_a_voice_is_asked_or_missing_in_a_line(cli: Cli, model: str) -> None:
    asked = ("script.csv", "--columns", "source=Text,start=Anfang,end=Ende", "--fps", "25")
    done = cli("translate", *asked, *LANGUAGES, "--model", model, "--voice", "espeak-ng")
    assert "Traceback" not in done.err and done.code in (0, 1, 2, 3)


@pytest.mark.slow
@pytest.mark.ray
@pytest.mark.skipif(find_spec("ray") is None, reason="needs subfit[ray]")
def test_it_goes_through_ray(cli: Cli, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(each for each in sys.path if each))
    done = cli(
        *("translate", "season", "-o", "out/", *LANGUAGES, "--model", model),
        *("--engine", "ray", "--workers", "1", "--json"),
    )
    assert done.code in (0, 3), done.err
