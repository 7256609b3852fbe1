"""``subfit lexicon``: a model folder gets its lexical tables."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from subfit.model.checkpoint import load_checkpoint
from subfit.model.dictionary_file import find_dictionary
from subfit.model.lexicon import find_table
from subfit.model.word_list import find_known_words
from subfit.text.known_words import lowered_words
from tests.cli.conftest import Cli
from tests.tiny import PAIRS, write_pairs


@pytest.fixture
def model(tiny_model_folder: Path, tmp_path: Path) -> Path:
    """The tiny model, with a recipe over ``toy.tsv``."""
    folder = Path(shutil.copytree(tiny_model_folder, tmp_path / "tiny"))
    (tmp_path / "data").mkdir()
    write_pairs(tmp_path / "data" / "toy.tsv")
    recipe = "name: toy\nsource_language: en\ntarget_language: de\n"
    recipe += "data: {train: [toy.tsv], dev: toy.tsv}\n"
    (folder / "recipe.yaml").write_text(recipe, encoding="utf-8")
    return folder


def test_the_folder_gets_tables(cli: Cli, model: Path) -> None:
    outcome = cli("lexicon", model, "--data", "data", "--json")
    assert outcome.code == 0, outcome.err
    (found,) = outcome.json["tables"]
    assert (found["language"], found["pairs"]) == ("de", 30)
    checkpoint = load_checkpoint(str(model))
    table = find_table(checkpoint, "de")
    assert table is not None
    (door,) = checkpoint.tokenizer.encode("lighthouse")[:1]
    assert table.translations(door)


def test_the_folder_gets_a_dictionary(cli: Cli, model: Path, tmp_path: Path) -> None:
    more = "toy\tI like lanterns.\tIch mag Laternen.\ntoy\tNo lanterns!\tKeine Laternen!\n"
    toy = tmp_path / "data" / "toy.tsv"
    toy.write_text(toy.read_text("utf-8") + more, encoding="utf-8")
    outcome = cli("lexicon", model, "--data", "data", "--json")
    checkpoint = load_checkpoint(str(model))
    dictionary = find_dictionary(checkpoint, "de")
    assert dictionary is not None
    assert outcome.json["tables"][0]["entries"] == len(dictionary.words)
    (best, *_) = dictionary.look_up("lanterns", opening=False)
    assert checkpoint.tokenizer.decode(list(best)) == "Laternen"


def test_the_folder_gets_the_words_of_all_pairs(cli: Cli, model: Path) -> None:
    outcome = cli("lexicon", model, "--data", "data", "--pairs", "1", "--json")
    (found,) = outcome.json["tables"]
    assert [Path(each).name for each in outcome.json["files"]] == [
        "lexicon.safetensors",
        "words.safetensors",
        "dictionary.safetensors",
    ]
    words = find_known_words(load_checkpoint(str(model)), "de")
    assert words is not None
    targets = " ".join(pair.target for pair in PAIRS)
    assert words.out_of_vocabulary(f"{targets} Leuchttturm", "") == ("Leuchttturm",)
    assert found["words"] == len(set(lowered_words(targets)))


def test_a_model_of_several_sources_has_a_table_for_each_and_one_list_of_words(
    cli: Cli, model: Path, tmp_path: Path
) -> None:
    recipe = "name: toy\nsource_language: [de, it]\ntarget_language: en\n"
    files = "train: {de: [toy.tsv], it: [toy.tsv]}, dev: {de: toy.tsv, it: toy.tsv}"
    recipe += f"data: {{turned: true, {files}}}\n"
    (model / "recipe.yaml").write_text(recipe, encoding="utf-8")
    outcome = cli("lexicon", model, "--data", "data", "--json")
    assert outcome.code == 0, outcome.err
    assert [table["language"] for table in outcome.json["tables"]] == ["de", "it"]
    checkpoint = load_checkpoint(str(model))
    assert find_table(checkpoint, "it") is not None
    words = find_known_words(checkpoint, "en-GB")
    assert words is not None
    sources = " ".join(pair.source for pair in PAIRS)
    assert words.out_of_vocabulary(f"{sources} Leuchtturm", "") == ("Leuchtturm",)
    assert {table["words"] for table in outcome.json["tables"]} == {
        len(set(lowered_words(sources)))
    }


def test_tables_are_replaced_only_when_asked(cli: Cli, model: Path) -> None:
    assert cli("lexicon", model, "--data", "data").code == 0
    former = (model / "lexicon.safetensors").read_bytes()
    refused = cli("lexicon", model, "--data", "data", "--pairs", "10")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert (model / "lexicon.safetensors").read_bytes() == former
    assert cli("lexicon", model, "--data", "data", "--pairs", "10", "--overwrite").code == 0
    assert (model / "lexicon.safetensors").read_bytes() != former


@pytest.mark.parametrize("absent", ["recipe.yaml", "toy.tsv"])
def test_what_is_missing_is_named(absent: str, cli: Cli, model: Path, tmp_path: Path) -> None:
    for folder in (model, tmp_path / "data"):
        (folder / absent).unlink(missing_ok=True)
    outcome = cli("lexicon", model, "--data", "data")
    assert outcome.code in (1, 2)
    assert absent in outcome.err
    assert outcome.err.count("\n") == 1
