"""Models of a hub: fetched whole, kept, used offline; everything else is one clear line."""

from __future__ import annotations

import errno
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import Wanted, load_model
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.hub.cache import kept, kept_models, remove
from subfit.hub.download import fetch
from subfit.hub.families import FAMILIES
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint
from subfit.model.computing import EXACT

from .conftest import REVISION, FakeHub

NAME = "Helsinki-NLP/opus-mt-en-de"


@pytest.fixture
def pickled_folder(tiny_marian_folder: Path, tmp_path: Path) -> Path:
    """A Marian model as most of OPUS-MT are published: weights pickled, tied ones repeated."""
    folder = tmp_path / "pickled"
    folder.mkdir()
    for path in tiny_marian_folder.iterdir():
        if path.suffix != ".safetensors":
            (folder / path.name).write_bytes(path.read_bytes())
    weights = load_file(tiny_marian_folder / "model.safetensors")
    shared = weights["model.shared.weight"]
    weights |= {f"model.{side}.embed_tokens.weight": shared for side in ("encoder", "decoder")}
    torch.save(weights, folder / "pytorch_model.bin")
    return folder


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


def test_where_it_came_from_is_kept(hub: FakeHub, tiny_marian_folder: Path) -> None:
    hub.add(NAME, tiny_marian_folder)
    model = fetch([NAME])
    assert json.loads((model.folder / "origin.json").read_text()) == {
        "name": NAME,
        "revision": REVISION,
        "licence": "cc-by-4.0",
        "converted": False,
    }
    assert [each.origin.name for each in kept_models()] == [NAME]
    remove(NAME)
    assert kept(NAME) is None
    with pytest.raises(ModelError, match="is not here"):
        remove(NAME)


def test_the_model_of_a_group_is_taken_where_the_pair_has_none(
    hub: FakeHub, tiny_marian_folder: Path
) -> None:
    hub.add("Helsinki-NLP/opus-mt-en-roa", tiny_marian_folder)
    assert Path(find_model("opus-mt", "en", "fr")).name == "Helsinki-NLP--opus-mt-en-roa"


def test_an_interrupted_download_goes_on_and_is_never_taken_for_whole(
    hub: FakeHub, pickled_folder: Path, converted_here: None
) -> None:
    hub.add(NAME, pickled_folder)
    whole = hub.models[NAME]["pytorch_model.bin"]
    hub.models[NAME]["pytorch_model.bin"] = whole[: len(whole) // 2]
    with pytest.raises(ModelError):
        fetch([NAME])
    assert kept(NAME) is None
    hub.models[NAME]["pytorch_model.bin"] = whole
    assert load_checkpoint(str(fetch([NAME]).folder))
    fetched = [path for method, path, _ in hub.asked if method == "GET"]
    assert sum(path.endswith("vocab.json") for path in fetched) == 1  # what was there is kept


def test_an_unknown_name_is_one_line(hub: FakeHub) -> None:
    with pytest.raises(ModelError, match="the hub has no such model, or not for you: nobody/model"):
        find_model("nobody/model", "en", "de")
    with pytest.raises(ModelError, match=r"opus-mt-en-de, .* and \d+ more"):
        find_model("opus-mt", "en", "de")


def test_a_gated_model_says_how_to_get_it(hub: FakeHub) -> None:
    hub.gated.add("owner/gated")
    with pytest.raises(ModelError, match="is gated; accept its terms"):
        fetch(["owner/gated"])


def test_no_network_is_one_line(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="out of reach") as caught:
        fetch([NAME], endpoint="http://127.0.0.1:9")
    assert "\n" not in str(caught.value)


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


def test_a_model_without_weights_is_refused(hub: FakeHub, tiny_marian_folder: Path) -> None:
    hub.add(NAME, tiny_marian_folder, without=("model.safetensors",))
    with pytest.raises(ModelError, match=r"has no model\.safetensors or pytorch_model\.bin"):
        fetch([NAME])


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


@pytest.mark.parametrize("family", ["nllb", "m2m100", "mbart50", "madlad"])
def test_a_family_is_fetched_by_its_name_and_translates(
    family: str, hub: FakeHub, family_folder: Callable[[str, int], Path]
) -> None:
    (name,) = FAMILIES[family].models
    hub.add(name, family_folder(family, 60))
    place = find_model(family, "en", "de")
    hub.models.clear()  # it is here now
    assert find_model(family, "de", "fr") == place
    translator = load_model(place, EXACT).translator(Wanted("en", "de"))
    assert translator.name == name
    ((best, *_),) = translator.translate([Request("Where is the old lighthouse?")])
    assert best.text == "Wo ist der alte Leuchtturm?"


@pytest.mark.parametrize("step", ["huggingface_hub.snapshot_download", "subfit.hub.download.keep"])
def test_a_full_disk_is_one_line_and_nothing_passes_for_whole(
    step: str, hub: FakeHub, tiny_marian_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "model.safetensors")

    hub.add(NAME, tiny_marian_folder)
    with monkeypatch.context() as patch:
        patch.setattr(step, full)
        with pytest.raises(ModelError, match="no room left in") as caught:
            fetch([NAME])
    assert "\n" not in str(caught.value)
    assert kept(NAME) is None and not list(kept_models())
    assert load_checkpoint(str(fetch([NAME]).folder))  # as soon as there is room
