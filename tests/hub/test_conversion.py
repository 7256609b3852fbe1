"""Pickled weights: converted once, refused where they are more than weights."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.hub.cache import kept, kept_models
from subfit.hub.download import fetch
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint
from tests.hub.conftest import NAME

from .conftest import FakeHub


def test_a_pickled_model_is_converted_once_and_translates_the_same(
    hub: FakeHub, pickled_folder: Path, tiny_marian_folder: Path
) -> None:
    hub.add(NAME, pickled_folder)
    place = find_model("opus-mt", "en", "de")
    assert kept(NAME) is not None
    assert not (Path(place) / "pytorch_model.bin").exists()
    asked = len(hub.asked)
    assert find_model("opus-mt", "en-GB", "de-AT") == place
    assert find_model(NAME, "en", "de") == place
    assert len(hub.asked) == asked  # the second time, nobody is asked
    checkpoint = load_checkpoint(place)
    assert checkpoint.name == NAME
    texts = [Request("The door is open."), Request("Who is there?")]
    ours, theirs = (
        [[hypothesis.text for hypothesis in nbest] for nbest in Translator(each).translate(texts)]
        for each in (checkpoint, load_checkpoint(str(tiny_marian_folder)))
    )
    assert ours == theirs


def test_weights_that_run_code_are_refused(hub: FakeHub, pickled_folder: Path) -> None:
    class Harmful:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("harm done",)

    bad = pickled_folder / "pytorch_model.bin"
    bad.write_bytes(pickle.dumps({"weight": Harmful()}))
    hub.add(NAME, pickled_folder)
    with pytest.raises(ModelError, match="cannot be converted to safetensors") as caught:
        fetch([NAME])
    assert "\n" not in str(caught.value)
    assert kept(NAME) is None


@pytest.mark.parametrize("content", [b"", b"damaged", b"PK\3\4" + bytes(100)])
def test_damaged_weights_are_refused(
    pickled_folder: Path, hub: FakeHub, converted_here: None, content: bytes
) -> None:
    (pickled_folder / "pytorch_model.bin").write_bytes(content)
    with pytest.raises(ModelError, match="cannot be converted") as caught:
        load_checkpoint(str(pickled_folder))
    assert "\n" not in str(caught.value)


def test_a_folder_with_pickled_weights_is_converted_into_the_cache(
    hub: FakeHub, pickled_folder: Path, converted_here: None
) -> None:
    before = sorted(path.name for path in pickled_folder.iterdir())
    assert load_checkpoint(str(pickled_folder)).folder == pickled_folder
    assert sorted(path.name for path in pickled_folder.iterdir()) == before
    assert load_checkpoint(str(pickled_folder))
    assert len(list(kept_models())) == 1


def test_pickled_weights_in_parts_are_converted_part_by_part(
    hub: FakeHub, family_folder: Callable[[str, int], Path], tmp_path: Path, converted_here: None
) -> None:
    whole = family_folder("nllb", 60)
    parts = shutil.copytree(whole, tmp_path / "parts")
    weights = load_file(parts / "model.safetensors")
    (parts / "model.safetensors").unlink()
    places = {}
    for number, names in enumerate((sorted(weights)[::2], sorted(weights)[1::2]), 1):
        part = f"pytorch_model-0000{number}-of-00002.bin"
        torch.save({name: weights[name] for name in names}, parts / part)
        places |= dict.fromkeys(names, part)
    index = json.dumps({"metadata": {}, "weight_map": places})
    (parts / "pytorch_model.bin.index.json").write_text(index, encoding="utf-8")
    hub.add("owner/parts", parts)
    folder = fetch(["owner/parts"]).folder
    assert not list(folder.glob("*.bin*"))
    ours, theirs = load_checkpoint(str(folder)).model, load_checkpoint(str(whole)).model
    for name, value in theirs.state_dict().items():
        assert torch.equal(value, ours.state_dict()[name]), name
