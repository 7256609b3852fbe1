"""Models of several target languages: each is asked for by its token."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from subfit.errors import UsageError
from subfit.hypotheses import Request
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.export import export_run
from subfit.training.train import train
from subfit.translate import Translator
from tests.tiny import RECIPE, write_pairs


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    folder = tmp_path_factory.mktemp("several")
    write_pairs(folder / "toy.tsv")
    data = replace(
        RECIPE.data,
        root=str(folder),
        train={"de": ("toy.tsv",), "it": ("toy.tsv",)},
        dev={"de": "toy.tsv", "it": "toy.tsv"},
        temperature=5.0,
    )
    train(replace(RECIPE, target_language=("de", "it"), data=data), folder / "run")
    assert '"bleu_it"' in (folder / "run" / "log.jsonl").read_text()
    export_run(folder / "run", folder / "model")
    return load_checkpoint(str(folder / "model"))


def test_the_language_token_comes_first_and_then_the_length_class(trained):
    tokens = trained.model.config.language_tokens
    short = trained.model.config.class_named("short").token_id
    for tag, language in (("it", "it"), ("de", "de"), ("de-AT", "de")):
        translator = Translator(trained, target_language=tag)
        assert translator._tokens(Request("Go."))[0] == tokens[language]
        assert translator._tokens(Request("Go on.", asked=3))[:2] == [tokens[language], short]


def test_tokens_before_sources_are_never_found_in_translations(trained):
    barred = set(trained.model.config.source_token_ids)
    assert len(barred) == 5
    assert barred <= set(Translator(trained, target_language="it")._search.barred)


@pytest.mark.parametrize(("tag", "problem"), [(None, "name the target"), ("fr", "not fr")])
def test_a_language_the_model_does_not_have_is_refused(trained, tag, problem):
    with pytest.raises(UsageError, match=f"translates into de, it.*{problem}"):
        Translator(trained, target_language=tag)


def test_a_model_of_one_language_needs_none_named(tiny_model_folder: Path):
    checkpoint = load_checkpoint(str(tiny_model_folder))
    assert Translator(checkpoint)._tokens(Request("Go.")) == Translator(
        checkpoint, target_language="de"
    )._tokens(Request("Go."))
