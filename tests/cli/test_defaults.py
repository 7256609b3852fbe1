"""Defaults of options: from the nearest subfit.toml and the environment, each with its origin."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Cli


@pytest.mark.parametrize("folder", [".", "reels/one"])
def test_options_come_from_the_nearest_file_and_the_command_line_overrules_it(
    folder: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.yaml").write_text("extends: netflix\ncps: 9\n", encoding="utf-8")
    text = '[budget]\nguideline = "mine.yaml"\ntarget-language = "de"\n'
    (tmp_path / "subfit.toml").write_text(text, encoding="utf-8")
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(tmp_path / folder)
    scene = tmp_path / "scene.en.srt"
    assert cli("budget", scene, "--json").json["settings"]["guideline"]["cps"] == 9
    given = cli("budget", scene, "--json", "--cps", "8").json["settings"]["guideline"]
    assert given["cps"] == 8 and given["language"] == "de"


def test_the_environment_overrules_the_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "subfit.toml").write_text("[budget]\ncps = 9\n", encoding="utf-8")
    monkeypatch.setenv("SUBFIT_BUDGET_CPS", "7")
    assert cli("budget", "scene.en.srt", "--json").json["settings"]["guideline"]["cps"] == 7


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[budgt]\n", "subfit.toml:1: there is no command [budgt]; did you mean budget?"),
        ("\n[budget]\ncsp = 9\n", "subfit.toml:3: there is no option 'csp' in [budget]; did you"),
        ("[budget]\ncps = 'x'\n", "subfit.toml:2: Invalid value for '--cps': 'x'"),
        ("[budget]\ncps = [1]\n", "subfit.toml:2: cps must be text or a number"),
        ("[budget]\njson = 'yes'\n", "subfit.toml:2: json must be true or false"),
        ("budget = 1\n", "subfit.toml:1: budget must be a table of options"),
        ("[budget\n", "subfit.toml:1: not TOML: "),
    ],
)
def test_what_is_wrong_in_the_file_is_one_line_with_its_place(
    text: str, told: str, cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "subfit.toml").write_text(text, encoding="utf-8")
    outcome = cli("budget", "scene.en.srt")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert told in outcome.err


def test_a_wrong_variable_is_told_by_its_name(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBFIT_BUDGET_CPS", "x")
    outcome = cli("budget", "scene.en.srt")
    assert outcome.code == 2 and "error: SUBFIT_BUDGET_CPS: Invalid value" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("trnslate",), "Did you mean 'translate'?"),
        (("recipe", "vlidate"), "Did you mean 'validate'?"),
        (("budget", "scene.en.srt", "--guidline", "x"), "Did you mean one of: '--guideline'"),
    ],
)
def test_what_is_misspelt_gets_a_suggestion(
    arguments: tuple[str, ...], told: str, cli: Cli
) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert told in outcome.err
