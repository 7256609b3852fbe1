"""Where ``subfit translate`` writes, and what it refuses before it begins."""

from pathlib import Path

import pytest

from tests.cli.conftest import SCENE, Cli


def test_an_existing_output_is_refused_before_the_model_is_loaded(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "scene.de.srt").write_text("mine")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{")
    outcome = cli("translate", "scene.en.srt", "-t", "de", "--model", "model")
    assert outcome.code == 1
    assert "scene.de.srt: the file exists already; pass --overwrite" in outcome.err
    assert (tmp_path / "scene.de.srt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--lines", "-1"], "--lines must be more than 0"),
        (["--model", "no/such/model"], "no model here"),
        (["--output-encoding", "klingon"], "unknown encoding 'klingon'"),
        (["--guideline", "ted", "--timing", "extend"], "pass --out-slack"),
        (["-t", "tlh", "-o", "scene.de.srt"], "no model comes with subfit"),
        (["--report", "scene.de.xml"], "the name must end in"),
    ],
)
def test_a_wrong_argument_is_told_before_outputs_that_exist(
    arguments: list[str], part: str, cli: Cli, tmp_path: Path
) -> None:
    taken = [tmp_path / "scene.de.srt", tmp_path / "report.json"]
    for path in taken:
        path.write_text("mine")
    if "-t" not in arguments:
        arguments = ["-t", "de", *arguments]
    outcome = cli("translate", "scene.en.srt", "--report", "report.json", *arguments)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert part in outcome.err
    assert [path.read_text() for path in taken] == ["mine", "mine"]


def test_overwrite_replaces(translate: Cli, tmp_path: Path) -> None:
    (tmp_path / "scene.de.srt").write_text("old")
    assert translate("scene.en.srt", "--overwrite").code == 0
    assert "-->" in (tmp_path / "scene.de.srt").read_text(encoding="utf-8")


def test_an_input_named_as_in_the_target_language_is_translated_with_a_warning(
    translate: Cli, tmp_path: Path
) -> None:
    for name in ("a.de.srt", "b.ger.srt"):
        (tmp_path / name).write_text(SCENE, encoding="utf-8")
    one = translate("a.de.srt", "-o", "x.srt")
    assert one.code == 0 and one.err.count("\n") == 1
    assert "subfit: warning: a.de.srt: named as in de already, translated all" in one.err
    two = translate("scene.en.srt", "a.de.srt", "b.ger.srt", "-o", "out", "--dry-run")
    assert "warning: a.de.srt (and 1 more file): named as in de already" in two.err
    assert "warning" not in translate("scene.en.srt", "-o", "y.srt").err


@pytest.mark.parametrize("overwrite", [(), ("--overwrite",)])
def test_no_input_is_the_output_of_another(
    overwrite: tuple[str, ...], translate: Cli, tmp_path: Path
) -> None:
    (tmp_path / "scene.de.srt").write_text(SCENE, encoding="utf-8")
    outcome = translate("scene.en.srt", "scene.de.srt", *overwrite)
    assert outcome.code == 2 and "would" in outcome.err
    assert (tmp_path / "scene.de.srt").read_text(encoding="utf-8") == SCENE


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-o", "absent/out.srt"), "absent/out.srt: there is no folder absent; make it first"),
        (("-o", "scene.en.srt/"), "scene.en.srt: is a file, not a folder"),
        (("-o", "scene.en.srt/in/"), "scene.en.srt/in: cannot be made (not a directory)"),
    ],
)
def test_a_place_that_cannot_be_written_is_told_at_once(
    options: tuple[str, str], told: str, cli: Cli
) -> None:
    outcome = cli("translate", "scene.en.srt", "-t", "de", *options)
    assert outcome.code == 1 and outcome.err.count("\n") == 1
    assert told in outcome.err


@pytest.mark.parametrize("output", ["out.docx", "out.sub2", "out.vt"])
def test_an_output_of_no_known_format_is_refused(output: str, cli: Cli, tmp_path: Path) -> None:
    outcome = cli("translate", "scene.en.srt", "-t", "de", "-o", output)
    assert outcome.code == 2 and outcome.err.count("\n") == 1
    assert f"suffix {Path(output).suffix!r}; use one of .srt, .vtt" in outcome.err
    assert not (tmp_path / output).exists()


@pytest.mark.parametrize("place", ["there", "there/", "absent/", "in.srt/"])
def test_an_output_that_is_a_folder_or_ends_as_one_takes_the_file(
    place: str, translate: Cli, tmp_path: Path
) -> None:
    (tmp_path / "there").mkdir()
    assert translate("scene.en.srt", "-o", place, "--report", "r.json").code == 0
    assert [each.name for each in (tmp_path / place).iterdir()] == ["scene.de.srt"]
    assert translate("scene.en.srt", "-o", place).code == 1
    stdin = translate("-", "-o", place, stdin=SCENE.encode())
    assert stdin.code == 2 and "standard input has no name" in stdin.err


def test_webvtt_named_srt_is_written_as_the_output_is_named(translate: Cli, tmp_path: Path) -> None:
    scene = "WEBVTT - a scene\n\n00:01.000 --> 00:03.000\nThe door is open.\n"
    (tmp_path / "movie.en.srt").write_text(scene, encoding="utf-8")
    for options, begins in ((), "1\n00:00:01,000 -->"), (("-o", "movie.vtt"), "WEBVTT - a scene\n"):
        outcome = translate("movie.en.srt", *options)
        assert outcome.code in (0, 3)
        assert outcome.out.count("line 1: it begins as WebVTT") == 1
        name = options[-1] if options else "movie.de.srt"
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert written.startswith(begins) and written.count("-->") == 1
