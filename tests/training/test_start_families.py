"""Models of Hugging Face that are taught lengths: Marian, NLLB, M2M100, mBART-50 and MADLAD."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from subfit.decoding.hypotheses import Request, SearchSettings
from subfit.decoding.translator import Translator
from subfit.errors import ModelError, UsageError
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.families import ModelWithLengths
from subfit.training.folder import export_run, load_run
from subfit.training.recipe import Recipe
from subfit.training.sections import Data, Length, Optimizer, Schedule
from subfit.training.start import load_start
from subfit.training.train import prepare, train
from tests.decoding.test_search_families import generated
from tests.tiny import PAIRS, RECIPE, save_tiny_marian, write_pairs
from tests.tiny_families import FAMILIES, inputs, targets

Folder = Callable[[str, int], Path]
ALL = (*FAMILIES, "marian")
CLASSES = {"brief": 0.95, "usual": 1.15, "ample": None}
EVERYTHING = Length(
    classes=CLASSES, encodings=("abs", "rel", "lrpe", "leninit", "lc"), gate_steps=3, free=0.4
)
TOKENS = Length(classes=CLASSES)
BOTH = Length(classes=CLASSES, encodings=("rel",), gate_steps=2, free=0.4)
TEXTS = [pair.source for pair in PAIRS[:6]]

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*max_new_tokens.*"),
    pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses"),
]


@pytest.fixture(scope="module")
def place(family_folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Gives the folder of a start by its family."""
    marian = save_tiny_marian(tmp_path_factory.mktemp("start") / "marian")

    def folder(family: str, steps: int = 0) -> Path:
        return marian if family == "marian" else family_folder(family, steps)

    return folder


def recipe_for(start: Path, root: Path, length: Length, steps: int) -> Recipe:
    root.mkdir(exist_ok=True)
    write_pairs(root / "toy.tsv")
    return replace(
        RECIPE,
        data=replace(RECIPE.data, root=str(root)),
        length=length,
        model=replace(RECIPE.model, start=str(start)),
        optimizer=Optimizer(learning_rate=0.002, label_smoothing=0.0),
        schedule=Schedule(steps=steps, warmup=1),
        run=replace(RECIPE.run, score_lines=2),
    )


def as_fed(family: str, checkpoint: Checkpoint) -> tuple[dict[str, torch.Tensor], torch.Tensor]:
    """Sources as the encoder takes them, and what the decoder is fed."""
    pieces, pairs = checkpoint.tokenizer, PAIRS[:2]
    start = checkpoint.model.config.decoder_start_token_id
    if family == "marian":
        source = torch.tensor([[*pieces.encode(pairs[0].source), pieces.eos_id]])
        target = torch.tensor(pieces.target.encode_all([pairs[0].target]))
        fed = torch.cat([torch.full((1, 1), start), target], dim=1)
        return {"input_ids": source, "attention_mask": torch.ones_like(source)}, fed
    source = inputs(pieces._tokenizer, family, [pair.source for pair in pairs])
    labels = targets(pieces._tokenizer, family, [pair.target for pair in pairs])
    before = torch.full((len(labels), 1), start)
    return source, torch.cat([before, labels[:, :-1].clamp(min=0)], dim=1)


@pytest.mark.parametrize("family", ALL)
def test_at_step_0_it_is_the_model_it_starts_from(family, place, tmp_path):
    start = load_checkpoint(str(place(family)))
    model = prepare(recipe_for(place(family), tmp_path, EVERYTHING, 5), tmp_path / "run").model
    source, fed = as_fed(family, start)
    asked = torch.tensor([9, 40][: len(fed)])
    with torch.inference_mode():
        wanted = start.model(**source, decoder_input_ids=fed).logits
        states, _ = model.eval().states(*source.values(), fed, asked)
        weight, bias = model.output_layer
        found = states @ weight.T + bias
    assert found.shape == wanted.shape  # no piece more, so that no probability is lost to one
    torch.testing.assert_close(found, wanted)


@pytest.fixture(scope="module")
def taught(
    place: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """Gives the folder of a run, cut in two after its start was removed, and of its model."""

    @cache
    def folder(family: str) -> Path:
        root = tmp_path_factory.mktemp(family)
        start = shutil.copytree(place(family), root / "start")
        recipe = recipe_for(start, root, BOTH, 3)
        train(recipe, root / "run")
        shutil.rmtree(start)  # it is needed no more
        train(replace(recipe, schedule=Schedule(steps=4, warmup=1)), root / "run")
        export_run(root / "run", root / "model", dtype=torch.float32)
        return root

    return folder


@pytest.mark.parametrize("family", ALL)
def test_what_is_exported_is_the_run_and_opens_with_hugging_faces_classes(family, place, taught):
    folder = taught(family) / "model"
    run, exported = load_run(taught(family) / "run"), load_checkpoint(str(folder))
    kept = exported.model.state_dict()
    for name, weight in run.model.state_dict().items():
        assert torch.equal(weight, kept[name]), name
    assert exported.length_aware and run.model.length_signal.gate.item() == 1.0
    translator = Translator(exported)  # its languages are those that it was trained for
    assert (translator.source_language, translator.language) == ("en", "de")
    assert translator.capabilities.lengths and translator.capabilities.rates
    found = translator.translate([Request(text, asked=12, ceiling=20) for text in TEXTS])
    assert all(len(each.text) <= 20 for nbest in found for each in nbest)
    model, loading = AutoModelForSeq2SeqLM.from_pretrained(folder, output_loading_info=True)
    assert not loading["missing_keys"] and not loading["unexpected_keys"]
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert tokenizer(TEXTS)["input_ids"] == exported.tokenizer._tokenizer(TEXTS)["input_ids"]
    before = load_checkpoint(str(place(family)))
    assert type(model) is type(before.model) and len(tokenizer) == len(before.tokenizer._tokenizer)
    told = json.loads((folder / "config.json").read_text(encoding="utf-8"))["subfit"]
    assert told["length_encodings"] == ["rel"] and told["target_language"] == "de"
    for name, value in exported.model.body.state_dict().items():
        assert torch.equal(value, model.state_dict()[name]), name
    if family == "marian":
        return  # its tiny one is random, and seldom ends
    # Without a length it is the same model as theirs.
    settings = SearchSettings(beams=4, nbest=4, max_steps=24)
    ours = Translator(exported, settings=settings).translate([Request(text) for text in TEXTS])
    theirs = generated(Checkpoint("theirs", model.eval(), exported.tokenizer), family)
    compared = [
        (list(nbest[0].token_ids), tokens)
        for nbest, (tokens, _) in zip(ours, theirs, strict=False)
        if nbest and len(tokens) < 22
    ]
    assert compared and all(found == wanted for found, wanted in compared)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["nllb", "madlad"])
def test_it_learns_to_obey(family: str, place: Callable[..., Path], tmp_path: Path) -> None:
    length = Length(classes=CLASSES, encodings=("abs",), gate_steps=10, free=0.3)
    recipe = recipe_for(place(family, 60), tmp_path, length, 120)
    recipe = replace(recipe, run=replace(recipe.run, batch_tokens=400, validate_steps=120))
    recipe = replace(recipe, optimizer=replace(recipe.optimizer, learning_rate=0.01))
    train(recipe, tmp_path / "run")
    run = load_run(tmp_path / "run")
    translator = Translator(Checkpoint("run", run.model, run.tokenizer))
    pairs = PAIRS[:12]
    told = translator.translate([Request(p.source, asked=len(p.target)) for p in pairs])
    right = sum(nbest[0].text == p.target for nbest, p in zip(told, pairs, strict=True) if nbest)
    assert right >= 9
    lengths = {
        asked: sum(
            len(nbest[0].text)
            for nbest in translator.translate([Request(p.source, asked=asked) for p in pairs])
            if nbest
        )
        for asked in (8, 40)
    }
    assert lengths[8] < lengths[40]


def test_it_may_start_from_one_that_was_taught_and_be_taught_several_languages(taught, tmp_path):
    for start in (taught("nllb") / "run", taught("nllb") / "model"):
        begun = load_start(recipe_for(start, tmp_path, TOKENS, 3))
        assert isinstance(begun.model, ModelWithLengths)
        files = {"de": ("toy.tsv",), "en": ("toy.tsv",)}
        data = Data(root=str(tmp_path), train=files, dev={"de": "toy.tsv", "en": "toy.tsv"})
        recipe = recipe_for(start, tmp_path, TOKENS, 3)
        recipe = replace(recipe, data=data, target_language=("de", "en"))
        trainer = prepare(recipe, tmp_path / f"{start.name}-next")
        config = trainer.model.config
        pieces = begun.tokenizer
        assert config.language_tokens == {
            each: pieces.language_token(each) for each in ("de", "en")
        }
        batch = trainer.batches.take(0)[0].batch
        own = {pieces.language_token("de"), pieces.language_token("en")}
        assert {int(batch.target[place + 1]) for place in batch.target_bounds[:-1]} <= own
        assert {int(batch.source[place]) for place in batch.source_bounds[:-1]} == {
            pieces.language_token("en")
        }
        assert len(trainer.model.source_rows) == len(CLASSES)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"target_language": "tlh"}, "does not know tlh; it knows 2 languages: de"),
        ({"length": Length(encodings=("abs",), positions=False)}, "length.positions: false is for"),
    ],
)
def test_what_cannot_be_made_of_it_is_a_line(change, problem, place, tmp_path):
    recipe = recipe_for(place("madlad"), tmp_path, change.get("length", Length()), 3)
    if "target_language" in change:
        recipe = replace(recipe, target_language=change["target_language"])
    with pytest.raises((ModelError, UsageError), match=problem) as it:
        prepare(recipe, tmp_path / "run")
    assert "\n" not in str(it.value)


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda path: path.unlink(), "is missing; the model takes lengths"),
        (
            lambda path: save_file({"source_rows": torch.zeros(1, 2)}, path),
            "is missing or of another size",
        ),
    ],
    ids=["gone", "other"],
)
def test_damaged_lengths_are_a_line(damage, problem, taught, tmp_path):
    shutil.copytree(taught("nllb") / "model", tmp_path / "model")
    damage(tmp_path / "model" / "lengths.safetensors")
    with pytest.raises(ModelError, match=problem) as it:
        load_checkpoint(str(tmp_path / "model"))
    assert "lengths.safetensors" in str(it.value) and "\n" not in str(it.value)
