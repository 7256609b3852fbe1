"""Models of several languages: each is asked for, or told, by its token."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace

import pytest

import subfit.model.bundled as bundled
from subfit.cli.main import run
from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.evaluation import evaluate
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.folder import export_run
from subfit.training.train import finish_run, train
from tests.conftest import SCORER
from tests.tiny import PAIRS, RECIPE, write_pairs

DEV = PAIRS[:6]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    folder = tmp_path_factory.mktemp("several")
    write_pairs(folder / "toy.tsv")
    write_pairs(folder / "dev.tsv", DEV)
    data = replace(
        RECIPE.data,
        root=str(folder),
        train={"de": ("toy.tsv",), "it": ("toy.tsv",)},
        dev={"de": "dev.tsv", "it": "dev.tsv"},
    )
    length = replace(RECIPE.length, predictor="encoder")
    recipe = replace(RECIPE, target_language=("de", "it"), data=data, length=length)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("subfit.training.train.dev_scorer", SCORER)
        train(recipe, folder / "run")
    assert '"bleu_it"' in (folder / "run" / "log.jsonl").read_text()
    export_run(folder / "run", folder / "model")
    return load_checkpoint(str(folder / "model"))


def test_the_language_token_comes_first_and_then_the_length_class(trained):
    tokens = trained.model.config.language_tokens
    short = trained.model.config.class_named("short").token_id
    for tag, language in (("it", "it"), ("de", "de"), ("de-AT", "de")):
        translator = Translator(trained, target_language=tag)
        assert translator._source_tokens.of(Request("Go."))[0] == tokens[language]
        assert translator._source_tokens.of(Request("Go on.", asked=3))[:2] == (
            tokens[language],
            short,
        )


def test_tokens_before_sources_are_never_found_in_translations(trained):
    barred = set(trained.model.config.source_token_ids)
    assert len(barred) == 5
    model = deepcopy(trained.model)
    model.final_logits_bias[0, list(barred)] += 20.0
    wished = Translator(replace(trained, model=model), target_language="it")
    for nbest in wished.translate([Request(pair.source, 30) for pair in PAIRS[:5]]):
        assert nbest
        assert not any(barred & set(each.token_ids) for each in nbest)


@pytest.mark.parametrize(("tag", "problem"), [(None, "name the target"), ("fr", "not fr")])
def test_a_language_the_model_does_not_have_is_refused(trained, tag, problem):
    with pytest.raises(UsageError, match=f"translates into de, it.*{problem}"):
        Translator(trained, target_language=tag)


def test_a_run_is_measured_in_every_language(trained):
    results = finish_run(trained.folder.parent / "run")
    assert results["dev"].lines == 2 * len(DEV)
    by_language = [
        evaluate(Translator(trained, target_language=tag), DEV).hypotheses for tag in ("de", "it")
    ]
    assert results["dev"].hypotheses == by_language[0] + by_language[1]
    assert results["dev-ref"].asked_lines == 2 * len(DEV)
    metrics = json.loads((trained.folder.parent / "run" / "metrics.json").read_text())
    assert set(metrics["length_predictor"]) == {"de", "it"}


def test_it_is_found_among_the_bundled_models_for_each_of_its_languages(
    trained, tmp_path, monkeypatch, capfd
):
    (tmp_path / "en-several").symlink_to(trained.folder)
    monkeypatch.setattr(bundled, "bundled_folder", lambda name: tmp_path)
    source = tmp_path / "scene.srt"
    source.write_text("1\n00:00:01,000 --> 00:00:05,000\nWho is there?\n", encoding="utf-8")
    for tag in ("de", "it-CH"):
        assert run(["translate", str(source), "-t", tag, "--json"]) in (0, 3)
        (file,) = json.loads(capfd.readouterr().out)["files"]
        assert file["settings"]["model"] == "en-several"
        assert (tmp_path / f"scene.{tag}.srt").is_file()
    assert run(["translate", str(source), "-t", "fr"]) == 2
    told = capfd.readouterr().err
    assert "for en to fr (there is: en to de, it)" in told and told.count("\n") == 1


@pytest.fixture(scope="module")
def into_english(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    """A model of two sources, trained on pairs that were gathered the other way round."""
    folder = tmp_path_factory.mktemp("sources")
    write_pairs(folder / "toy.tsv")
    data = replace(
        RECIPE.data,
        root=str(folder),
        turned=True,
        scripts=True,
        train={"de": ("toy.tsv",), "it": ("toy.tsv",)},
        dev={"de": "toy.tsv", "it": "toy.tsv"},
    )
    recipe = replace(RECIPE, source_language=("de", "it"), target_language="en", data=data)
    train(recipe, folder / "run")
    export_run(folder / "run", folder / "model")
    return load_checkpoint(str(folder / "model"))


def test_pairs_are_trained_on_the_other_way_round(into_english):
    figures = json.loads((into_english.folder.parent / "run" / "data.json").read_text())
    assert figures["languages"] == {"de": len(PAIRS), "it": len(PAIRS)}
    ratio = sum(len(pair.source) / len(pair.target) for pair in PAIRS) / len(PAIRS)
    assert into_english.model.config.mean_length_ratio == pytest.approx(ratio, abs=1e-3)


def test_a_film_is_translated_from_the_language_that_its_name_says(
    into_english, tmp_path, monkeypatch, capfd
):
    (tmp_path / "multi-en").symlink_to(into_english.folder)
    monkeypatch.setattr(bundled, "bundled_folder", lambda name: tmp_path)
    source = tmp_path / "scene.it.srt"
    source.write_text("1\n00:00:01,000 --> 00:00:05,000\nChi va là?\n", encoding="utf-8")
    assert run(["translate", str(source), "-t", "en", "--json"]) in (0, 3)
    (file,) = json.loads(capfd.readouterr().out)["files"]
    assert file["settings"]["model"] == "multi-en"
    assert (tmp_path / "scene.en.srt").is_file()
    assert run(["translate", str(source), "-s", "fr", "-t", "en"]) == 2
    told = capfd.readouterr().err
    assert "for fr to en (there is: de, it to en)" in told and told.count("\n") == 1
