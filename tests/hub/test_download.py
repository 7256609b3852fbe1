"""Models of a hub: fetched whole, kept, used offline; everything else is one clear line."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from subfit.errors import ModelError
from subfit.hub.download import conversions, fetch, kept, kept_models, remove
from subfit.hub.names import is_causal
from subfit.model.bundled import find_model
from subfit.model.checkpoint import load_checkpoint
from tests.hub.conftest import NAME

from .conftest import REVISION, FakeHub


def test_where_a_model_came_from_is_known_until_it_is_removed(hub, pickled_folder, converted_here):
    (pickled_folder / "README.md").write_text("---\nlicense: cc-by-4.0\n---\n")
    hub.add(NAME, pickled_folder)
    model = fetch([NAME])
    assert (model.name, model.revision, model.licence) == (NAME, REVISION, "cc-by-4.0")
    assert model.converted and model.size > 10_000
    assert list(kept_models()) == [model] and kept(NAME) == model
    assert remove(NAME) == model
    assert kept(NAME) is None and not list(conversions().iterdir())
    with pytest.raises(ModelError, match="is not here"):
        remove(NAME)


def test_an_interrupted_download_goes_on_and_is_never_taken_for_whole(
    hub: FakeHub, tiny_marian_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.add(NAME, tiny_marian_folder)
    hub.broken.add("model.safetensors")
    with pytest.raises(ModelError) as caught:
        fetch([NAME])
    assert "\n" not in str(caught.value)
    assert kept(NAME) is None and not list(kept_models())
    hub.broken.clear()
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


def test_a_full_disk_is_one_line(hub, tiny_marian_folder, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "model.safetensors")

    hub.add(NAME, tiny_marian_folder)
    monkeypatch.setattr("huggingface_hub.snapshot_download", full)
    with pytest.raises(ModelError, match="no room left in") as caught:
        fetch([NAME])
    assert "\n" not in str(caught.value)
    assert kept(NAME) is None


@pytest.mark.parametrize(
    ("values", "causal"),
    [
        ({"architectures": ["LlamaForCausalLM"], "model_type": "llama"}, True),
        ({"architectures": ["MarianMTModel"], "model_type": "marian"}, False),
        ({"architectures": ["T5ForConditionalGeneration"], "model_type": "t5"}, False),
        ({"architectures": ["SubfitForTranslation"], "model_type": "llama"}, False),
        ({"architectures": [], "model_type": "llama"}, False),
        ([], False),
    ],
)
def test_decoder_only_models_are_told_by_their_configuration(tmp_path, values, causal):
    (tmp_path / "config.json").write_text(json.dumps(values), encoding="utf-8")
    assert is_causal(str(tmp_path)) is causal


def test_an_empty_folder_is_none(tmp_path: Path) -> None:
    assert not is_causal(str(tmp_path))
