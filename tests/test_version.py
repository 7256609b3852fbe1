"""The version is told alike everywhere."""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import subfit
from subfit.version import __version__


def test_the_package_says_its_version(project_root: Path) -> None:
    project = tomllib.loads((project_root / "pyproject.toml").read_text())["project"]
    assert subfit.__version__ == __version__
    assert project.get("version", __version__) == __version__
    try:
        installed = version("subfit")
    except PackageNotFoundError:
        pytest.skip("subfit is not installed")
    assert installed == __version__


def test_the_newest_entry_of_the_changes_is_of_this_version_or_later(project_root: Path) -> None:
    changes = (project_root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = [line for line in changes.splitlines() if line.startswith("## ")]
    assert any(__version__ in line or "Unreleased" in line for line in headings[:2])
