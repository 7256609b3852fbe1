"""Models that commands are given are found before anything is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from subfit.cli.options.models import check_model, model_folder
from subfit.errors import ModelError, UsageError


def test_a_folder_is_found_by_its_path(tiny_model_folder: Path) -> None:
    assert model_folder(str(tiny_model_folder)).samefile(tiny_model_folder)


def test_what_is_nowhere_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model here"):
        model_folder(str(tmp_path / "nothing"))


def test_a_model_of_other_languages_is_refused(tiny_model_folder: Path) -> None:
    check_model(str(tiny_model_folder), "de")
    check_model(str(tiny_model_folder), None)
    with pytest.raises(UsageError, match="not"):
        check_model(str(tiny_model_folder), "fr")


def test_checking_takes_no_torch(tiny_model_folder: Path) -> None:
    code = (
        "import sys; from subfit.cli.options.models import check_model; "
        f"check_model({str(tiny_model_folder)!r}, 'de'); sys.exit('torch' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
