"""Fine-tuning: a run begins as the model it starts from, and ends as one that obeys lengths."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import MarianConfig, MarianMTModel

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError, RecipeError
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.training.folder import export_run, load_run
from subfit.training.recipe import Recipe
from subfit.training.sections import Length, Schedule
from subfit.training.train import check_resumable, prepare, train
from tests.hub_reference import hub_model
from tests.tiny import PAIRS, RECIPE, save_tiny_marian, write_pairs
from tests.training.runs import changed, logged

CLASSES = {"brief": 0.95, "usual": 1.15, "ample": None}
"""Length classes that the first model's vocabulary knows nothing of."""


def fine_tuned(plain: Path, length: Length, steps: int, start: str = "") -> Recipe:
    model = replace(RECIPE.model, start=start or str(plain / "run"), width=64)  # not its width
    data = replace(RECIPE.data, root=str(plain))
    schedule = Schedule(steps=steps, warmup=1)
    return replace(RECIPE, data=data, length=length, model=model, schedule=schedule)


SIGNALS = {
    "encodings": Length(encodings=("abs", "rel", "lrpe", "leninit", "lc"), gate_steps=3),
    "tokens": Length(classes=CLASSES),
    "tokens where targets begin": Length(classes=CLASSES, class_side="target", free=0.3),
    "both": Length(classes=CLASSES, encodings=("rel",), gate_steps=2),
}


@pytest.mark.parametrize("length", SIGNALS.values(), ids=SIGNALS)
def test_at_step_0_it_is_the_model_it_starts_from(plain, tmp_path, length):
    model = prepare(fine_tuned(plain, length, 5), tmp_path / "run").model.eval()
    before = load_run(plain / "run")
    asked = torch.tensor([9, 40])
    source = torch.tensor([before.tokenizer.encode("It is cold tonight.")] * 2)
    target = torch.tensor([before.tokenizer.encode("Heute Nacht ist es kalt.")] * 2)
    with torch.inference_mode():
        wanted = hub_model(before.model)(input_ids=source, decoder_input_ids=target).logits
        found = hub_model(model)(
            input_ids=source, decoder_input_ids=target, decoder_char_budget=asked
        ).logits
    pieces = wanted.shape[-1]
    torch.testing.assert_close(found[..., :pieces], wanted)
    torch.testing.assert_close(found.log_softmax(-1)[..., :pieces], wanted.log_softmax(-1))


@pytest.mark.parametrize("signals", ["tokens where targets begin", "both"])
def test_it_trains_saves_loads_and_translates(plain, tmp_path, signals):
    length = SIGNALS[signals]
    recipe = fine_tuned(plain, length, 4)
    train(recipe, tmp_path / "run")
    check_resumable(recipe, tmp_path / "run")  # though its sizes are the other model's
    run = load_run(tmp_path / "run")
    assert run.recipe.model.width == RECIPE.model.width
    assert run.model.config.vocab_size == len(run.tokenizer) + len(CLASSES)
    export_run(tmp_path / "run", tmp_path / "model", dtype=torch.float32)
    requests = [Request(pair.source, asked=12) for pair in PAIRS[:5]]
    exported = Translator(load_checkpoint(str(tmp_path / "model"))).translate(requests)
    kept = Translator(Checkpoint("run", run.model, run.tokenizer)).translate(requests)
    assert [[each.text for each in nbest] for nbest in exported] == [
        [each.text for each in nbest] for nbest in kept
    ]
    assert run.model.length_signal.gate.item() == 1.0


@pytest.mark.slow
def test_a_run_cut_in_two_needs_its_start_no_more(plain, tmp_path):
    shutil.copytree(plain / "run", tmp_path / "start")
    recipe = fine_tuned(plain, SIGNALS["both"], 6, str(tmp_path / "start"))
    train(recipe, tmp_path / "whole")
    train(replace(recipe, schedule=Schedule(steps=3, warmup=1)), tmp_path / "cut")
    shutil.rmtree(tmp_path / "start")
    train(recipe, tmp_path / "cut")
    whole, cut = load_run(tmp_path / "whole").model, load_run(tmp_path / "cut").model
    for name, weight in whole.state_dict().items():
        assert torch.equal(weight, cut.state_dict()[name]), name


def test_a_length_head_stays_where_the_recipe_has_one(plain, tmp_path):
    length = Length(predictor="encoder")
    train(fine_tuned(plain, length, 2), tmp_path / "first")
    head = load_run(tmp_path / "first").model.length_head.state_dict()
    kept = prepare(fine_tuned(plain, length, 2, str(tmp_path / "first")), tmp_path / "kept").model
    for name, weight in kept.length_head.state_dict().items():
        torch.testing.assert_close(weight.cpu(), head[name])
    dropped = prepare(
        fine_tuned(plain, Length(), 2, str(tmp_path / "first")), tmp_path / "dropped"
    ).model
    assert dropped.length_head is None


def test_a_marian_model_with_embeddings_for_each_side_is_refused(plain, tmp_path):
    folder = save_tiny_marian(tmp_path / "marian")
    config = MarianConfig.from_pretrained(folder, share_encoder_decoder_embeddings=False)
    MarianMTModel(config).save_pretrained(folder)
    with pytest.raises(ModelError, match="embeddings for each side"):
        train(fine_tuned(plain, Length(), 2, str(folder)), tmp_path / "run")


def test_frozen_parts_stay_as_the_start_has_them(plain, tmp_path):
    recipe = fine_tuned(plain, Length(), 2)
    frozen = ("model.shared", "model.encoder.layers.0")
    recipe = replace(recipe, model=replace(recipe.model, frozen=frozen))
    before = load_run(Path(recipe.model.start)).model.state_dict()
    after = train(recipe, tmp_path / "run").state_dict()
    moved = {name for name, value in before.items() if not torch.equal(value, after[name])}
    assert "model.decoder.layers.0.fc1.weight" in moved
    assert not any(name.startswith(frozen) or "embed_tokens" in name for name in moved)
    with pytest.raises(RecipeError, match=r"no 'model\.encoder\.layers\.00'"):
        wrong = replace(recipe, model=replace(recipe.model, frozen=("model.encoder.layers.00",)))
        train(wrong, tmp_path / "other")


def test_rehearsed_corpora_teach_what_the_start_says_of_them(plain, tmp_path):
    wrong = [Pair("wrong", pair.source, pair.target[::-1]) for pair in PAIRS]
    (tmp_path / "dev").write_text((plain / "toy.tsv").read_text())
    write_pairs(tmp_path / "toy.tsv", wrong)
    recipe = changed(fine_tuned(plain, Length(), 6), data={"root": str(tmp_path), "dev": "dev"})
    before, weight = load_run(plain / "run").model, "model.decoder.layers.0.fc1.weight"
    kept = train(changed(recipe, data={"rehearsed": ("wrong",)}), tmp_path / "kept")
    assert torch.equal(kept.state_dict()[weight].cpu(), before.state_dict()[weight])
    assert not torch.equal(
        train(recipe, tmp_path / "moved").state_dict()[weight].cpu(), before.state_dict()[weight]
    )


def test_what_is_rehearsed_beside_something_new_is_forgotten_less(plain, tmp_path):
    recipe = fine_tuned(plain, Length(), 40)
    new = [Pair("new", pair.source, pair.target[::-1]) for pair in PAIRS[15:]]
    write_pairs(tmp_path / "toy.tsv", (*PAIRS[:15], *new))
    write_pairs(tmp_path / "dev.tsv", PAIRS[:15])
    recipe = changed(
        recipe,
        data={"root": str(tmp_path), "dev": "dev.tsv"},
        run={"validate_steps": 40, "log_steps": 40, "batch_tokens": 200},
    )
    forgotten = []
    for rehearsed in ((), ("toy",)):
        made = changed(recipe, data={"rehearsed": rehearsed})
        folder = tmp_path / f"run{len(rehearsed)}"
        train(made if rehearsed else changed(made, data={"weights": {"toy": 0}}), folder)
        forgotten.append(logged(folder, "dev_loss")[40])
    assert forgotten[1] < forgotten[0]


def test_a_resumed_run_goes_on_being_taught_by_its_start(plain, tmp_path):
    recipe = changed(fine_tuned(plain, Length(), 6), data={"rehearsed": ("toy",)})
    new = [Pair("new", pair.source, pair.target[::-1]) for pair in PAIRS[15:]]
    write_pairs(tmp_path / "toy.tsv", (*PAIRS[:15], *new))
    (tmp_path / "dev.tsv").write_text((tmp_path / "toy.tsv").read_text())
    recipe = changed(recipe, data={"root": str(tmp_path), "dev": "dev.tsv"})
    train(recipe, tmp_path / "whole")
    train(changed(recipe, schedule={"steps": 3}), tmp_path / "cut")
    train(recipe, tmp_path / "cut")
    ends = [load_file(tmp_path / each / "state/model.safetensors") for each in ("whole", "cut")]
    assert all(torch.equal(value, ends[1][name]) for name, value in ends[0].items())


def test_a_teacher_before_the_start_brings_back_what_it_says(plain, tmp_path):
    wrong = [Pair("new", pair.source, pair.target[::-1]) for pair in PAIRS]
    (tmp_path / "dev").write_text((plain / "toy.tsv").read_text())
    write_pairs(tmp_path / "toy.tsv", wrong)
    recipe = changed(fine_tuned(plain, Length(), 40), data={"root": str(tmp_path), "dev": "dev"})
    recipe = changed(recipe, run={"validate_steps": 40, "batch_tokens": 200})
    train(recipe, tmp_path / "forgot")
    model = {"start": str(tmp_path / "forgot"), "teacher": str(plain / "run")}
    again = changed(recipe, model=model, data={"rehearsed": ("new",)})
    train(again, tmp_path / "again")
    losses = [logged(tmp_path / each, "dev_loss")[40] for each in ("forgot", "again")]
    assert losses[1] < losses[0]
    with pytest.raises(RecipeError, match="which names no corpora"):
        train(changed(again, data={"rehearsed": ()}), tmp_path / "other")
    small = changed(RECIPE, data={"root": str(plain)}, vocabulary={"pieces": 330})
    train(changed(small, schedule={"steps": 2, "warmup": 1}), tmp_path / "small")
    wrong_size = changed(again, model={"teacher": str(tmp_path / "small")})
    with pytest.raises(RecipeError, match="another vocabulary or other sizes"):
        train(wrong_size, tmp_path / "other")


def test_what_is_rehearsed_needs_a_start(tmp_path):
    write_pairs(tmp_path / "toy.tsv")
    recipe = changed(RECIPE, data={"root": str(tmp_path), "rehearsed": ("toy",)})
    with pytest.raises(RecipeError, match=r"data\.rehearsed needs a model\.start"):
        train(recipe, tmp_path / "run")


def test_forms_of_address_are_added_behind_the_vocabulary_and_kept(plain, tmp_path):
    recipe = fine_tuned(plain, Length(), 4)
    recipe = replace(recipe, data=replace(recipe.data, formality=0.67))
    train(recipe, tmp_path / "run")
    # From a model that has them, which is asked to learn no more of them.
    train(fine_tuned(plain, Length(), 4, start=str(tmp_path / "run")), tmp_path / "second")
    for run in (load_run(tmp_path / "run"), load_run(tmp_path / "second")):
        size = len(run.tokenizer)
        assert run.model.config.formality_tokens == {"formal": size, "informal": size + 1}
        assert run.model.config.vocab_size == size + 2
    export_run(tmp_path / "second", tmp_path / "model", dtype=torch.float32)
    translator = Translator(load_checkpoint(str(tmp_path / "model")))
    assert translator.capabilities.formalities == ("formal", "informal")
    requests = [Request("Can you help me?", formality=form) for form in (None, "formal")]
    assert len(translator.translate(requests)) == 2
    plainly, formally = (translator._source_tokens.of(each) for each in requests)
    assert formally == (size, *plainly)
