"""The program that converts weights, which trusts nothing of what it reads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from subfit.hub import convert_weights
from subfit.hub.convert_weights import main, plain


def test_tied_weights_are_kept_once_and_all_values_stay():
    embedding = torch.randn(4, 3)
    weights = {
        "shared": embedding,
        "encoder.embed": embedding,  # tied
        "turned": embedding.T,  # the same memory in another shape
        "other": embedding.clone(),
        "empty": torch.empty(0),
        "empty too": torch.empty(0),
    }
    kept = plain(weights)
    assert list(kept) == ["shared", "turned", "other", "empty", "empty too"]
    for name, value in kept.items():
        assert torch.equal(value, weights[name])
        assert value.is_contiguous()


def test_what_is_no_tensor_is_named(capsys):
    with pytest.raises(SystemExit) as caught:
        plain({"weight": torch.ones(2), "epoch": 7})
    assert caught.value.code == 1
    assert capsys.readouterr().err == "epoch is no tensor\n"


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no pickle", None),
        ([torch.ones(2)], "it holds no weights by name"),
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
