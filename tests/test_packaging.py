"""What pyproject.toml promises, what constraints.txt pins and what the wheel holds agree."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
DIRECT = [
    Requirement(line)
    for line in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
]

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def pins() -> dict[str, str]:
    """Return the version that constraints.txt fixes for each package."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


@pytest.mark.parametrize("requirement", DIRECT, ids=lambda requirement: requirement.name)
def test_direct_dependency_is_pinned_within_its_range(requirement: Requirement) -> None:
    version = pins()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version)


def test_everything_that_a_pinned_package_needs_is_pinned_and_allowed() -> None:
    problems = [
        f"{name} needs {requirement}, pinned: {pins().get(canonicalize_name(requirement.name))}"
        for name, requirement in indirect_requirements()
        if not requirement.specifier.contains(
            pins().get(canonicalize_name(requirement.name), "0"), prereleases=True
        )
        or canonicalize_name(requirement.name) not in pins()
    ]
    assert problems == []


def indirect_requirements() -> Iterator[tuple[str, Requirement]]:
    """Yield what the installed pinned packages need here, optional extras left out."""
    for name in pins():
        try:
            lines = distribution(name).requires or []
        except PackageNotFoundError:  # a tool that this environment does not have
            continue
        for requirement in map(Requirement, lines):
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                yield name, requirement


def test_constraints_are_plain_exact_pins() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    wrong = [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[0-9][0-9a-z.]*", line)]
    assert wrong == [], "no local versions (+cpu), no ranges, no addresses"


def test_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert f"\nlicense: {PROJECT['license']}\n" in citation
    assert PROJECT["version"] in changelog


def run(*command: str | Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in the project's root, outside the `make` that may have started the tests."""
    environment = {name: text for name, text in os.environ.items() if "MAKE" not in name}
    if path is not None:
        environment["PATH"] = f"{path}{os.pathsep}{environment['PATH']}"
    return subprocess.run(
        command, check=False, cwd=ROOT, capture_output=True, text=True, env=environment
    )


def write_script(path: Path, *lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)


@needs_make
@pytest.mark.parametrize(
    "target",
    ["demo", "test", "test-all", "test-bare", "fuzz", "slow", "golden", "clean", "help"],
)
def test_make_knows_its_targets(target: str) -> None:
    done = run("make", "-n", target)
    assert (done.returncode, done.stderr) == (0, "")


@needs_make
@pytest.mark.parametrize(
    ("exit_code", "make_exit_code", "shown"),
    [
        (0, 0, "Guten Tag."),
        (3, 0, "some cues are over their budget"),
        (1, 2, ""),
        (2, 2, ""),
    ],
)
def test_demo_ends_well_even_if_some_cues_are_over_budget(
    tmp_path: Path, exit_code: int, make_exit_code: int, shown: str
) -> None:
    write_script(tmp_path / "bin/pip")
    write_script(
        tmp_path / "bin/subfit", f"echo Guten Tag. > {tmp_path}/result", f"exit {exit_code}"
    )
    (tmp_path / ".installed").touch()
    done = run("make", "demo", f"VENV={tmp_path}", f"RESULT={tmp_path}/result")
    assert done.returncode == make_exit_code
    assert shown in done.stdout


@needs_make
def test_an_old_python_is_refused_by_name(tmp_path: Path) -> None:
    write_script(tmp_path / "python3.8", "exit 1")
    done = run("make", "demo", f"VENV={tmp_path}/venv", f"PYTHON={tmp_path}/python3.8")
    assert done.returncode != 0
    assert "subfit needs Python 3.11 or newer" in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize(
    ("said", "exit_code", "last_line"),
    [
        ("12 passed, 1 skipped in 3.21s", 0, "12 passed, 1 skipped in 3.21s"),
        ("1 failed, 11 passed in 3.21s", 2, "1 failed, 11 passed in 3.21s"),
        ("12 passed in 3.21s", 2, "make test failed (exit code 2) outside the tests"),
        ("No module named pytest", 2, "make test failed (exit code 2) outside the tests"),
    ],
)
def test_ci_script_ends_with_the_result(tmp_path, said, exit_code, last_line):
    write_script(
        tmp_path / "make", f"echo '{said}'", "echo 'Contracts: 1 kept'", f"exit {exit_code}"
    )
    done = run(ROOT / ".ci/run", path=tmp_path)
    assert done.returncode == exit_code
    assert done.stdout.splitlines()[-1].startswith(last_line)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Build the wheel and return the names of the files in it."""
    pytest.importorskip("hatchling", reason="building without isolation needs hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    command += ["--no-build-isolation", "--wheel-dir", str(folder), str(ROOT)]
    done = run(*command)
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("subfit-*.whl")
    return set(zipfile.ZipFile(path).namelist())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("recipes", "subfit/recipes"),
        ("models", "subfit/models"),
        ("subfit/guidelines", "subfit/guidelines"),
        ("subfit/report_files", "subfit/report_files"),
    ],
)
def test_wheel_holds_the_data(wheel: set[str], source: str, target: str) -> None:
    files = [path for path in (ROOT / source).rglob("*") if path.is_file()]
    names = {
        f"{target}/{path.relative_to(ROOT / source).as_posix()}"
        for path in files
        if "__pycache__" not in path.parts
    }
    assert names, f"{source} is empty"
    assert names <= wheel


@pytest.mark.slow
def test_wheel_holds_no_tests_and_no_examples(wheel: set[str]) -> None:
    assert {name.split("/")[0].split("-")[0] for name in wheel} == {"subfit"}
    assert "subfit/py.typed" in wheel
