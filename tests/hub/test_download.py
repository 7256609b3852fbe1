"""Models of a hub: fetched whole, kept, used offline; everything else is one clear line."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from subfit.errors import ModelError
from subfit.hub.cache import kept, kept_models
from subfit.hub.download import fetch
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint
from tests.hub.conftest import NAME

from .conftest import FakeHub


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


def test_a_model_without_weights_is_refused(hub: FakeHub, tiny_marian_folder: Path) -> None:
    hub.add(NAME, tiny_marian_folder, without=("model.safetensors",))
    with pytest.raises(ModelError, match=r"has no model\.safetensors or pytorch_model\.bin"):
        fetch([NAME])


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
