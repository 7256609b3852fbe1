"""A tiny model of two target languages, and what it can be measured on."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from subfit.training.release import test_sets as test_sets_module
from subfit.training.release.test_sets import options_for
from tests.cli.conftest import SCENE
from tests.tiny import PAIRS, write_pairs

LINES = PAIRS[:6]
"""All of more than ten characters."""


@pytest.fixture(scope="session")
def several_folder(tiny_model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The frozen checkpoint as a model of two languages: two of its pieces become their tokens."""
    folder = tmp_path_factory.mktemp("several") / "tiny"
    shutil.copytree(tiny_model_folder, folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"target_language": None, "language_tokens": {"de": 100, "it": 101}}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture
def corpora(several_folder: Path, tmp_path: Path) -> Path:
    """A folder with test sets, subtitle files and a model."""
    shutil.copytree(several_folder, tmp_path / "tiny")
    for folder in ("test", "films", "scenes"):
        (tmp_path / folder).mkdir()
    write_pairs(tmp_path / "test" / "mixed.en-de.tsv", LINES)
    write_pairs(tmp_path / "test" / "mixed.en-it.tsv", LINES[:3])
    write_pairs(tmp_path / "test" / "news.en-de.tsv", LINES[2:])
    write_pairs(tmp_path / "test" / "mixed.en-fr.tsv", LINES)
    (tmp_path / "films" / "film.en.srt").write_text(SCENE, encoding="utf-8")
    (tmp_path / "films" / "film.fr.srt").write_text(SCENE, encoding="utf-8")
    (tmp_path / "scenes" / "scene.en.srt").write_text(SCENE, encoding="utf-8")
    return tmp_path


@dataclass
class Translations:
    """What is translated of test sets."""

    wishes: list[str] = field(default_factory=list)
    most: int | None = None
    """The command is interrupted after so many."""


@pytest.fixture
def translations(monkeypatch: pytest.MonkeyPatch) -> Translations:
    seen = Translations()
    translate = test_sets_module.translate_pairs

    def counted(translator, pairs, wish, **options):
        if len(seen.wishes) == seen.most:
            raise KeyboardInterrupt
        seen.wishes.append(f"{translator.target_language} {options_for(wish)}")
        return translate(translator, pairs, wish, **options)

    monkeypatch.setattr(test_sets_module, "translate_pairs", counted)
    return seen
