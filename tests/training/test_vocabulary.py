"""Vocabularies of the two sides: one for both, or one for each, such as characters for targets."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError, RecipeError
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.folder import export_run
from subfit.training.recipe import Recipe
from subfit.training.sections import Schedule, Vocabulary
from subfit.training.start import run_tokenizer
from subfit.training.train import prepare, train
from tests.decoding.test_search import compare
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, RECIPE, write_pairs

CHARACTERS = Vocabulary(pieces=330, character_coverage=1.0, target_type="char")
LEARNT = PAIRS[:8]


def recipe_for(folder: Path, pairs: tuple[Pair, ...], *, steps: int, pieces: int = 330) -> Recipe:
    """A recipe whose target side is characters."""
    write_pairs(folder / "toy.tsv", pairs)
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(folder), max_ratio=40.0),
        vocabulary=replace(CHARACTERS, pieces=pieces),
        schedule=Schedule(steps=steps, warmup=2),
        run=replace(RECIPE.run, batch_tokens=600, validate_steps=steps, log_steps=steps),
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose target is characters, after a few steps."""
    folder = tmp_path_factory.mktemp("characters")
    train(recipe_for(folder, LEARNT, steps=4, pieces=300), folder / "run")
    export_run(folder / "run", folder / "model")
    return folder


@pytest.fixture(scope="module")
def checkpoint(trained: Path) -> Checkpoint:
    return load_checkpoint(str(trained / "model"))


def test_each_side_has_pieces_of_its_own(tmp_path):
    recipe = replace(RECIPE, vocabulary=CHARACTERS)
    tokenizer = run_tokenizer(recipe, PAIRS, tmp_path)
    source, target = tokenizer.source, tokenizer.target
    assert len(source) == 330
    assert max(source.piece_characters) > 2
    assert max(target.piece_characters[3:]) == 1  # the unknown piece is never printed
    letters = {char for pair in PAIRS for char in pair.target}
    assert letters == set(target.piece_texts[3 + 256 :])
    assert "ß" not in "".join(source.piece_texts)
    assert (source.pad_id, source.eos_id) == (target.pad_id, target.eos_id) == (0, 2)
    assert source.token_id("<short>") == 3
    assert target.token_id("<short>") is None
    for pair in PAIRS:
        pieces = target.encode(pair.target)
        assert tokenizer.decode(pieces) == pair.target
        assert len(pieces) == len(pair.target) + 1  # the mark of the first word


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"target_type": "bpe", "target_pieces": 99}, "vocabulary.target_pieces=99: "),
        ({"target_type": "unigram", "pieces": 9999}, "vocabulary.pieces=9999: "),
        ({"target_type": "unigram", "target_pieces": 9999}, "vocabulary.target_pieces=9999: "),
    ],
)
def test_sizes_that_the_pairs_cannot_give_are_refused_by_their_key(tmp_path, change, problem):
    recipe = replace(RECIPE, vocabulary=replace(CHARACTERS, **change))
    with pytest.raises(RecipeError, match=problem) as caught:
        run_tokenizer(recipe, PAIRS, tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_character_decoder_learns_its_pairs(tmp_path):
    recipe = recipe_for(tmp_path, LEARNT, steps=300, pieces=300)
    cooldown = Schedule(steps=300, warmup=20, shape="cooldown", cooldown=150)
    train(replace(recipe, schedule=cooldown), tmp_path / "run")
    export_run(tmp_path / "run", tmp_path / "model")
    checkpoint = load_checkpoint(str(tmp_path / "model"))
    asked = [0] * len(LEARNT) + [len(pair.target) for pair in LEARNT]
    requests = [
        Request(pair.source, asked=wish) for pair, wish in zip(LEARNT * 2, asked, strict=True)
    ]
    found = Translator(checkpoint).translate(requests)
    assert [nbest[0].text for nbest in found] == [pair.target for pair in LEARNT * 2]
    for nbest, pair in zip(found, LEARNT * 2, strict=True):
        assert nbest[0].characters == len(pair.target)


@pytest.mark.parametrize("beams", [2, 4])
@pytest.mark.parametrize("asks", [True, False], ids=["asked", "free"])
def test_a_character_decoder_is_searched_as_generate_does(trained, beams, asks, monkeypatch):
    monkeypatch.setattr("tests.decoding.test_search.STEPS", 60)
    checkpoint = load_checkpoint(str(trained / "model"))
    tokenizer = checkpoint.tokenizer
    with torch.no_grad():  # a few steps teach it no end
        checkpoint.model.final_logits_bias[0, tokenizer.eos_id] += 3.0
    rows = [[*tokenizer.encode(pair.source), tokenizer.eos_id] for pair in LEARNT]
    width = max(map(len, rows))
    source = torch.tensor([row + [tokenizer.pad_id] * (width - len(row)) for row in rows])
    asked = torch.tensor([len(pair.target) for pair in LEARNT]) if asks else None
    assert compare(checkpoint.model, tokenizer, source, beams, asked) == len(LEARNT)


def without_the_target(folder: Path) -> None:
    (folder / "target.model").unlink()


def with_the_sides_exchanged(folder: Path) -> None:
    (folder / "tokenizer.model").rename(folder / "other")
    (folder / "target.model").rename(folder / "tokenizer.model")
    (folder / "other").rename(folder / "target.model")


def said_to_be_shared(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config["share_encoder_decoder_embeddings"] = True
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize(
    "damage",
    [without_the_target, with_the_sides_exchanged, said_to_be_shared],
)
def test_folders_whose_sides_do_not_fit_are_refused_in_one_line(trained, tmp_path, damage):
    folder = Path(shutil.copytree(trained / "model", tmp_path / "copy"))
    damage(folder)
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_fine_tuning_starts_from_both_vocabularies(trained, checkpoint, tmp_path):
    recipe = recipe_for(tmp_path, LEARNT, steps=2)
    other = {"brief": 1.0, "ample": None}  # the source side gets two more tokens
    length = replace(recipe.length, classes=other)
    start = replace(recipe.model, start=str(trained / "model"))
    joint = replace(recipe.vocabulary, target_type=None)  # the start's own vocabularies stay
    recipe = replace(recipe, vocabulary=joint, length=length, model=start)
    model = prepare(recipe, tmp_path / "run").model.eval()
    assert len(model.model.encoder.embed_tokens.weight) == len(checkpoint.tokenizer.source) + 2
    source = torch.tensor([checkpoint.tokenizer.encode(LEARNT[0].source)])
    target = torch.tensor([checkpoint.tokenizer.target.encode(LEARNT[0].target)])
    before = load_checkpoint(str(trained / "model")).model
    with torch.inference_mode():
        now, then = (
            hub_model(each)(input_ids=source, decoder_input_ids=target).logits
            for each in (model, before)
        )
    torch.testing.assert_close(now, then)


def test_a_vocabulary_made_before_is_taken(tmp_path):
    first = run_tokenizer(RECIPE, PAIRS, tmp_path)
    (tmp_path / "run").mkdir()
    given = replace(RECIPE.vocabulary, file=str(tmp_path / "tokenizer.model"), pieces=999)
    again = run_tokenizer(replace(RECIPE, vocabulary=given), PAIRS[:3], tmp_path / "run")
    assert again.source.pieces == first.source.pieces
    assert (tmp_path / "run" / "tokenizer.model").is_file()
