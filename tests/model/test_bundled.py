"""Which models there are, and which languages they serve, by folders with a configuration only."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import subfit.model.bundled as bundled
from subfit.errors import ModelError, UsageError
from subfit.model.bundled import (
    bundled_models,
    check_direction,
    find_model,
)

MODELS: dict[str, dict[str, object]] = {
    "en-de": {"source_language": "en", "target_language": "de"},
    "a-multi": {"source_language": "en", "language_tokens": {"de": 8, "es": 9, "it": 10}},
    "fr-en": {"source_language": "fr", "target_language": "en"},
    "to-en": {"target_language": "en", "language_tokens": {"de": 8, "fr": 9, "pt-BR": 10}},
}


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of four bundled models."""
    for name, config in MODELS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text(json.dumps(config), encoding="utf-8")
    monkeypatch.setattr(bundled, "bundled_folder", lambda name: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("source", "target", "name"),
    [
        ("en", "de", "en-de"),
        ("en-GB", "de-AT", "en-de"),
        ("en", "it", "a-multi"),
        ("EN", "es-419", "a-multi"),
        ("eng", "ita", "a-multi"),
        ("fr-CA", "en", "fr-en"),
        ("de", "en-GB", "to-en"),
        ("deu", "eng", "to-en"),
    ],
)
def test_the_model_of_the_pair_goes_before_one_of_several_languages(models, source, target, name):
    assert find_model(None, source, target) == str(models / name)


@pytest.mark.parametrize(
    ("source", "target", "way_round"),
    [
        ("en", "tlh", ""),
        ("en", "fr", ""),
        ("fr", "it", ", or one from fr to en with --pivot-model"),
    ],
)
def test_languages_without_a_model_are_told_with_those_that_have_one(
    models, source, target, way_round
):
    with pytest.raises(UsageError) as raised:
        find_model(None, source, target)
    assert str(raised.value) == (
        f"no model comes with subfit for {source} to {target} (there is: en to de, es, it;"
        " fr to en; de, fr, pt-BR to en); name a model folder or a Marian hub model with"
        f" --model{way_round}"
    )


@pytest.mark.parametrize("damaged", ["{", "{}", '{"source_language": "en"}'])
def test_a_damaged_configuration_is_told(models, damaged):
    (models / "en-de" / "config.json").write_text(damaged, encoding="utf-8")
    with pytest.raises(ModelError, match=r"en-de/config\.json: (no|not a model) configuration"):
        find_model(None, "en", "it")


@pytest.mark.parametrize(
    ("name", "source", "target", "problem"),
    [
        ("to-en", "de-AT", "en-GB", None),
        ("to-en", "it", "en", "to-en translates from de, fr, pt-BR, not from it"),
        ("to-en", "de", "fr", "to-en translates into en, not fr"),
        ("en-de", "fr", "de", "en-de translates from en, not from fr"),
    ],
)
def test_both_languages_are_checked_without_loading_the_model(
    models, name, source, target, problem
):
    if problem is None:
        check_direction(str(models / name), source, target)
        return
    with pytest.raises(UsageError) as raised:
        check_direction(str(models / name), source, target)
    assert str(raised.value) == problem


def test_every_model_that_comes_with_subfit_is_found_by_its_languages():
    for model in bundled_models().values():
        for source, target in product(model.directions.sources, model.directions.targets):
            found = bundled_models()[Path(find_model(None, source, target)).name]
            assert found.directions.serves(source, target)


def test_a_file_that_another_program_runs_is_told_so():
    with pytest.raises(ModelError, match=r"run by a server; .* \(llama-server -m qwen\.GGUF"):
        find_model("qwen.GGUF", "en", "de")
