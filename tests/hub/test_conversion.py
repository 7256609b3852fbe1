"""Pickled weights: converted once, refused where they are more than weights."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.hub import convert_weights
from subfit.hub.convert_weights import main
from subfit.hub.download import conversions, fetch, kept
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


def test_weights_that_run_code_are_refused(hub, pickled_folder, converted_here):
    class Harmful:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("harm done",)

    bad = pickled_folder / "pytorch_model.bin"
    bad.write_bytes(pickle.dumps({"weight": Harmful()}))
    hub.add(NAME, pickled_folder)
    with pytest.raises(ModelError, match="cannot be converted to safetensors") as caught:
        fetch([NAME])
    assert "\n" not in str(caught.value)
    assert not list(conversions().iterdir())


def test_a_folder_with_pickled_weights_is_converted_into_the_cache(
    hub: FakeHub, pickled_folder: Path, converted_here: None
) -> None:
    before = sorted(path.name for path in pickled_folder.iterdir())
    assert load_checkpoint(str(pickled_folder)).folder == pickled_folder
    assert sorted(path.name for path in pickled_folder.iterdir()) == before
    assert load_checkpoint(str(pickled_folder))
    assert len(list(conversions().iterdir())) == 1


def test_pickled_weights_in_parts_are_converted_part_by_part(
    hub: FakeHub, family_folder: Callable[[str, int], Path], tmp_path: Path, converted_here: None
) -> None:
    whole = family_folder("nllb", 0)
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
    ours, theirs = load_checkpoint(str(folder)).model, load_checkpoint(str(whole)).model
    for name, value in theirs.state_dict().items():
        assert torch.equal(value, ours.state_dict()[name]), name


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no pickle", None),
        ([torch.ones(2)], "it holds no weights by name"),
        ({"weight": torch.ones(2), "epoch": 7}, "epoch is no tensor"),
        ({"weight": Path("x")}, "it holds more than tensors, which subfit does not load"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(content, told, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(convert_weights, "confine", lambda: None)  # an audit hook is for ever
    pickled, safe = tmp_path / "weights.bin", tmp_path / "weights.safetensors"
    if isinstance(content, bytes):
        pickled.write_bytes(content)
    else:
        torch.save(content, pickled)
    with pytest.raises(SystemExit) as caught:
        main(str(pickled), str(safe))
    said = capsys.readouterr().err
    assert caught.value.code == 1 and said.count("\n") == 1
    assert told is None or said == f"{told}\n"
    assert not safe.exists()


@pytest.mark.parametrize(
    "harm",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.fork()",
    ],
)
def test_once_confined_a_process_can_neither_connect_nor_start_programs(harm):
    place = str(Path(convert_weights.__file__).parent)
    program = f"import sys; sys.path.insert(0, {place!r}); import convert_weights as c; c.confine()"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"{program}; {harm}"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "is not allowed here" in done.stderr
