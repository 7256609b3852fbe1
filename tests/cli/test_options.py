"""What values on the command line are read as, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from subfit.cli import options
from subfit.cli.parameters import language_in_name, number_ranges, whole_numbers
from subfit.errors import UsageError
from subfit.servers.settings import Price, ServerSettings
from tests.places import DATA

from .conftest import Cli

TINY = DATA / "tiny"
RATIOS = options.all_of(options.length_ratio_option, options.isometric_option)


def parsed(added: Callable[[Any], Any], *arguments: str) -> dict[str, Any]:
    """What a command with these options is given."""

    def command(**values: Any) -> dict[str, Any]:
        return values

    made = click.command()(added(command))
    values: dict[str, Any] = made.main(list(arguments), standalone_mode=False)
    return values


@pytest.mark.parametrize(
    ("arguments", "languages"),
    [
        (("-t", "de"), ("de",)),
        (("-t", "de, fr", "-t", "es"), ("de", "fr", "es")),
        (("-t", "pt-BR,de", "-t", "DE,pt-br"), ("pt-BR", "de")),
    ],
)
def test_languages_are_a_list_however_they_are_given(arguments, languages) -> None:
    assert parsed(options.target_languages_option, *arguments) == {"target_language": languages}


def test_users_get_the_fastest_arithmetic_and_measurements_float32() -> None:
    assert parsed(options.computing_options)["precision"] == "auto"
    assert parsed(options.measuring_options)["precision"] == "fp32"
    server = parsed(options.server_option, "--server", "price=0.5:1.5,concurrency=8")["server"]
    assert server == ServerSettings(concurrency=8, price=Price(0.5, 1.5))


@pytest.mark.parametrize(
    ("added", "arguments"),
    [
        (options.target_languages_option, ""),
        *((options.target_languages_option, f"-t {tag}") for tag in ("klingonese9", "../de")),
        (options.reading_options(options.SUBTITLE_FORMATS), "--input-format xlsx"),
        (options.reading_options(frames="of the film"), "--fps 0"),
        *((RATIOS, f"--length-ratio {ratio}") for ratio in ("1.1:0.9", "1")),
        (options.timing_options, "--out-slack 11"),
        (options.dubbing_options, "--dub-budget words"),
        (options.beam_option, "--beam 65"),
        (options.penalty_options, "--length-penalty -1"),
        *((options.computing_options, wrong) for wrong in ("--threads 0", "--precision int4")),
        *((options.server_option, f"--server {wrong}") for wrong in ("timeout=0", "price=-1:2")),
        *((click.option("--n", type=whole_numbers), f"--n {n}") for n in ("20,10", "0,10", "a")),
        *((click.option("--n", type=number_ranges), f"--n {n}") for n in ("9-3", "0", "a")),
    ],
)
def test_values_that_cannot_be_are_refused(added: Callable[[Any], Any], arguments: str) -> None:
    with pytest.raises((click.UsageError, UsageError)):
        parsed(added, *arguments.split())


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("movie.de.srt", "de"),
        ("movie.de.sdh.srt", "de"),
        ("movie.pt-BR.vtt", "pt-BR"),
        ("de.srt", "und"),
        ("a.movie.srt", "und"),
        ("movie.de.hi.srt", "de"),
        ("movie.German.srt", "de"),
        ("Let.It.Be.1080p.srt", "und"),
    ],
)
def test_the_language_in_a_file_s_name(name: str, language: str) -> None:
    assert language_in_name(name) == language


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


@pytest.mark.parametrize("wanted", [True, False])
def test_a_flag_that_stands_for_a_value_may_be_in_the_file(wanted, cli, tmp_path):
    text = f"[translate]\nisometric = {str(wanted).lower()}\n"
    (tmp_path / "subfit.toml").write_text(text, encoding="utf-8")
    made = cli("translate", "scene.en.srt", "-t", "de", "--model", TINY, "-o", "x.srt", "--json")
    (file,) = made.json["files"]
    asked = file["settings"]["length_ratio"]
    assert (asked == {"minimum": 0.9, "maximum": 1.1, "spaces": False, "free": 10}) == wanted
    assert (asked is None) == (not wanted)


def test_names_in_a_file_are_found_beside_the_file_of_defaults(cli, tmp_path, monkeypatch):
    (tmp_path / "subfit.toml").write_text('[translate]\nkeep = ["@names.txt"]\n', encoding="utf-8")
    (tmp_path / "names.txt").write_text("lighthouse\n", encoding="utf-8")
    (tmp_path / "reel").mkdir()
    monkeypatch.chdir(tmp_path / "reel")
    scene = tmp_path / "scene.en.srt"
    made = cli("translate", scene, "-t", "de", "--model", TINY, "-o", "x.srt", "--json")
    terms = [term for cue in made.json["files"][0]["cues"] for term in cue["terms"]]
    assert any("lighthouse" in json.dumps(term) for term in terms)


def test_an_address_in_the_environment_keeps_its_colons(cli, monkeypatch):
    monkeypatch.setenv("SUBFIT_TRANSLATE_MODEL", "http://127.0.0.1:9/v1#any")
    failed = cli("translate", "scene.en.srt", "-t", "de", "-o", "-")
    assert failed.code == 1 and "127.0.0.1:9" in failed.err


def test_the_environment_overrules_the_file(cli, tmp_path, monkeypatch):
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
def test_what_is_wrong_in_the_file_is_one_line_with_its_place(text, told, cli, tmp_path):
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
def test_what_is_misspelt_gets_a_suggestion(arguments, told, cli):
    outcome = cli(*arguments)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert told in outcome.err
