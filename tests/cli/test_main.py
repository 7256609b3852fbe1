"""The program as a whole: what it imports, how it fails, its exit codes."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from subfit.cli import main
from subfit.cli.commands.translate import translate
from subfit.reporting.figures import CUE_FIGURES

from .conftest import Cli

HEAVY = ("torch", "transformers", "sacrebleu", "pysrt", "rich")


def imported(*commands: list[str]) -> list[tuple[str, set[str]]]:
    """Run commands in one fresh interpreter.

    Returns:
        For each its exit code, and which heavy modules there are behind it.
    """
    program = (
        "import sys\nfrom subfit.cli.main import run\n"
        f"for command in {list(commands)!r}:\n"
        "    code = run(command)\n"
        f"    told = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "    print('behind:', code, *told, flush=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True
    )
    lines = [each.split() for each in done.stdout.splitlines() if each.startswith("behind:")]
    assert len(lines) == len(commands), done.stderr
    return [(code, set(modules)) for _, code, *modules in lines]


def test_help_imports_nothing_heavy_and_measuring_no_torch(project_root: Path) -> None:
    scene = str(project_root / "examples" / "lighthouse.en.srt")
    first, *others = imported(
        ["--help"],
        ["translate", "--help"],
        ["budget", scene],
        ["check", scene],
        ["reflow", "--dry-run", scene],
    )
    assert first == ("0", set())
    for code, modules in others:
        assert code in ("0", "3")
        assert modules.isdisjoint({"torch", "transformers", "sacrebleu"})


def test_measuring_a_model_tells_wrong_arguments_before_torch_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_model_folder: Path
) -> None:
    """In one interpreter: the last command alone is right as far as can be seen without a model."""
    monkeypatch.chdir(tmp_path)
    Path("test.tsv").write_text("Who is there?\tWer ist da?\n", encoding="utf-8")
    Path("two.txt").write_text("Wer da?\nWer?\n", encoding="utf-8")
    Path("taken.tsv").write_text("mine", encoding="utf-8")
    wrong = [
        ["evaluate", "MODEL", "absent.tsv"],
        ["evaluate", "no-such-model", "test.tsv"],
        ["evaluate", "MODEL", "test.tsv", "-t", "tlh"],
        ["evaluate", "MODEL", "test.tsv", "--beside", "no-such-model"],
        ["evaluate", "MODEL", "test.tsv", "--ask", "much"],
        ["evaluate", "MODEL", "test.tsv", "--ask", "9", "--length-ratio", ":0.8"],
        ["evaluate", "MODEL", "test.tsv", "--ask", "two.txt"],
        ["evaluate", "MODEL", "test.tsv", "--against", "two.txt"],
        ["evaluate", "MODEL", "test.tsv", "--against", "no-such-model"],
        ["evaluate", "MODEL", "test.tsv", "-o", "taken.tsv"],
        ["compare", "absent.tsv", "--rows", "rows.yaml"],
    ]
    commands = [[each.replace("MODEL", str(tiny_model_folder)) for each in one] for one in wrong]
    for command, (code, modules) in zip(wrong, imported(*commands), strict=True):
        assert code in "12", command
        assert modules.isdisjoint({"torch", "transformers", "sacrebleu"}), command


BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package in ("torch", "transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=package)

sys.meta_path.insert(0, Blocked())
from subfit.cli.main import run
for command in %r:
    print("behind:", run(command), flush=True)
"""


def test_what_needs_no_model_works_without_torch_and_the_rest_says_so_in_a_line(
    tmp_path: Path, project_root: Path
) -> None:
    scene, out = str(project_root / "examples" / "lighthouse.en.srt"), str(tmp_path / "out.srt")
    works = [
        ["--help"],
        ["check", scene, "--json"],
        ["reflow", scene, "-o", out],
        ["budget", scene],
        ["guidelines"],
        ["model", "ls"],
        ["memory", "ls"],
        ["translate", scene, "-t", "de", "-o", str(tmp_path / "de.srt"), "--dry-run"],
    ]
    needs = [["translate", scene, "-t", "de", "-o", str(tmp_path / "de.srt")]]
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED % (works + needs)],
        check=False,
        capture_output=True,
        text=True,
    )
    codes = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("behind:")]
    assert set(codes[: len(works)]) <= {"0", "3"} and codes[len(works) :] == ["1"], done.stderr
    told = "subfit: error: this needs torch, which is not installed: pip install torch\n"
    assert done.stderr == told


def test_translate_has_no_more_options_than_somebody_can_read() -> None:
    assert sum(isinstance(one, click.Option) for one in translate.params) <= 60


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_is_listed_and_explains_itself(name: str, cli: Cli) -> None:
    assert f"\n  {name} " in cli("--help").out
    assert cli(name, "--help").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["translate"],
        ["translate", "a.srt"],
        ["translate", "a.srt", "-t", "../../de"],
        ["translate", "a.srt", "-t", "de", "--beam", "0"],
        ["translate", "a.srt", "-t", "de", "--length-ratio", "1.1"],
        ["translate", "a.srt", "b.srt", "-t", "de", "-o", "c.srt"],
        ["translate", "a.srt", "-", "-t", "de"],
        ["translate", "a.srt", "-t", "de", "--report", "report.xml"],
        ["translate", "a.srt", "-t", "de", "-o", "c.srt", "--report", "c.csv", "--cps"],
        ["translate", "movie.srt", "movie.en.srt", "-t", "de"],
        ["budget", "scene.en.srt", "--cps", "0"],
        ["budget", "scene.en.srt", "--encoding", "klingon"],
        ["check", "-", "--source", "-"],
        ["check", "scene.en.srt", "--length-ratio", ":1.1"],
        ["translate", ".", "-t", "de"],
        ["translate", "..", "scene.en.srt", "-t", "de"],
        ["translate", "", "-t", "de"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], cli: Cli) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 2
    assert outcome.err.startswith("subfit: error: ") and outcome.err.count("\n") == 1
    assert outcome.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ["translate", "scene.en.srt", "-t", "tlh"],
        ["translate", "scene.en.srt", "-t", "de,tlh", "-o", "out"],
        ["translate", "scene.en.srt", "-t", "de", "-s", "tlh"],
        ["translate", "scene.en.srt", "-t", "tlh", "--model", "MODEL"],
        ["translate", "scene.en.srt", "-t", "de", "-s", "tlh", "--model", "MODEL"],
        ["evaluate", "MODEL", "test.tsv", "-t", "tlh"],
        ["evaluate", "MODEL", "test.tsv", "-t", "tlh", "--against", "MODEL"],
    ],
    ids=" ".join,
)
def test_a_language_that_no_model_is_for_is_wrong_usage_in_every_command(
    arguments: list[str], cli: Cli, tiny_model_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "test.tsv").write_text("Who is there?\tWer ist da?\n", encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    outcome = cli(*[str(tiny_model_folder) if each == "MODEL" else each for each in arguments])
    assert outcome.code == 2
    assert "tlh" in outcome.err and outcome.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


OUTPUTS = {
    "translate": ("-t", "de", "--report", "taken.json"),
    "check": ("--report", "taken.json"),
    "reflow": ("-o", "taken.srt"),
    "fit": ("-o", "taken.srt"),
}


@pytest.mark.parametrize("command", OUTPUTS)
@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--guideline", "nefltix", "did you mean netflix?"),
        ("--cpl", "0", "--cpl must be more than 0"),
        ("--encoding", "klingon", "unknown encoding 'klingon'"),
    ],
)
def test_a_wrong_argument_is_told_before_an_output_that_exists(
    command: str, option: str, value: str, told: str, cli: Cli, tmp_path: Path
) -> None:
    taken = [tmp_path / "taken.json", tmp_path / "taken.srt"]
    for path in taken:
        path.write_text("mine")
    outcome = cli(command, "scene.en.srt", *OUTPUTS[command], option, value)
    assert (outcome.code, outcome.err.count("\n")) == (2, 1)
    assert told in outcome.err
    assert [path.read_text() for path in taken] == ["mine", "mine"]


def test_without_a_command_the_help_is_shown_as_it_is(cli: Cli) -> None:
    outcome = cli()
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("Usage: subfit") and "\n  translate " in outcome.err


@pytest.mark.parametrize("arguments", [["budget", "."], ["check", ".."], ["budget", ""]])
def test_a_folder_is_no_file(arguments: list[str], cli: Cli) -> None:
    outcome = cli(*arguments)
    assert outcome.code == 1
    assert (
        outcome.err.endswith("(it is a folder); name a file in it\n")
        and outcome.err.count("\n") == 1
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_full_standard_output_is_told_on_the_other_stream(project_root: Path) -> None:
    """Though Python holds back what is printed, and writes it when it exits."""
    scene = project_root / "examples" / "lighthouse.en.srt"
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "subfit", "budget", str(scene)],
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 1
    assert done.stderr == "subfit: error: standard output: no space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize(
    ("redirection", "code", "told"),
    [
        ("<&-", 1, "subfit: error: -: cannot be read (standard input is closed)\n"),
        (">&- </dev/null", 1, "subfit: error: -: the file is empty\n"),
        (">&- 2>&- </dev/null", 1, ""),
    ],
)
def test_closed_streams(redirection: str, code: int, told: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m subfit budget - {redirection}"
    done = subprocess.run(["sh", "-c", command], check=False, capture_output=True, text=True)
    assert done.stderr.startswith(told) and done.stdout == ""
    assert done.returncode == code


@pytest.mark.skipif(os.name != "posix", reason="pipes of another kind")
def test_a_reader_that_leaves_is_no_error_message(project_root: Path) -> None:
    scene = project_root / "examples" / "lighthouse.en.srt"
    command = [sys.executable, "-m", "subfit", "budget", str(scene), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_terminal_without_unicode_still_prints(project_root: Path) -> None:
    scene = project_root / "examples" / "lighthouse.en.srt"
    done = subprocess.run(
        [sys.executable, "-m", "subfit", "budget", str(scene)],
        check=False,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout


@pytest.mark.parametrize("name", [figure.name for figure in CUE_FIGURES])
def test_every_key_of_a_cue_in_reports_is_documented(name: str, project_root: Path) -> None:
    assert f"`{name}`" in (project_root / "docs" / "cli.md").read_text(encoding="utf-8")
