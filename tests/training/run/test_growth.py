"""More encoder layers than the model has that a recipe starts from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.errors import ModelError, RecipeError
from subfit.model.checkpoint import Checkpoint
from subfit.training.recipe.model import Length
from subfit.training.recipe.recipe import Recipe
from subfit.training.run.folder import load_run
from subfit.training.run.growth import with_deeper_encoder
from subfit.training.train import check_resumable, prepare, train
from tests.tiny import RECIPE
from tests.training.run.test_start import fine_tuned


class TestDeeperEncoder:
    """More encoder layers than the model has that a recipe starts from."""

    def deeper(self, plain: Path, layers: int, steps: int = 3) -> Recipe:
        recipe = fine_tuned(plain, Length(encodings=("abs",), gate_steps=2), steps)
        return replace(recipe, model=replace(recipe.model, grown_encoder=layers))

    @pytest.mark.parametrize("layers", [2, 3, 5])
    def test_it_begins_as_the_shallower_one(self, plain, tmp_path, layers):
        model = prepare(self.deeper(plain, layers), tmp_path / "run").model.eval().cpu()
        before = load_run(plain / "run")
        with torch.no_grad():  # normalisations that scale and shift, as trained ones do
            for name, weight in before.model.named_parameters():
                if "norm" in name:
                    weight.add_(torch.linspace(0.1, 0.5, len(weight)))
        grown = with_deeper_encoder(Checkpoint("x", before.model, before.tokenizer), layers).model
        assert len(model.model.encoder.layers) == len(grown.model.encoder.layers) == layers
        source = torch.tensor([before.tokenizer.encode("It is cold tonight.")])
        target = torch.tensor([before.tokenizer.encode("Heute Nacht ist es kalt.")])
        with torch.inference_mode():
            wanted = before.model(input_ids=source, decoder_input_ids=target).logits
            found = grown.eval()(input_ids=source, decoder_input_ids=target).logits
        torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)

    def test_the_added_layers_learn_and_the_run_goes_on(self, plain, tmp_path):
        train(self.deeper(plain, 4), tmp_path / "run")
        train(self.deeper(plain, 4, steps=5), tmp_path / "run")
        run = load_run(tmp_path / "run")
        assert run.recipe.model.encoder_layers == 4
        assert all(layer.fc2.weight.abs().max() > 0 for layer in run.model.model.encoder.layers)
        with pytest.raises(RecipeError, match=r"model\.grown_encoder was 4, is 6"):
            check_resumable(self.deeper(plain, 6), tmp_path / "run")

    def test_a_model_cannot_shrink(self, plain, tmp_path):
        with pytest.raises(ModelError, match=r"has 2 encoder layers already"):
            train(self.deeper(plain, 1), tmp_path / "run")

    def test_there_must_be_a_model_to_grow(self):
        with pytest.raises(RecipeError, match=r"model\.grown_encoder=4"):
            replace(RECIPE, model=replace(RECIPE.model, grown_encoder=4))
