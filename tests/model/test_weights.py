"""Our own models without Hugging Face's code: what they compute is what that computes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from subfit.decoding.network import Network
from subfit.errors import ModelError
from subfit.model import checkpoint
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer
from subfit.model.weights import FEWEST_ROWS, LARGEST, packed, unpacked
from subfit.training.sections import Length
from tests.hub_reference import hub_model
from tests.tiny import tiny_model

SOURCE = [17, 260, 261, 262, 50, 2]
TARGET = [301, 302, 303, 304, 2]
ONE_CUE = "1\n00:00:01,000 --> 00:00:04,000\nGood night.\n"


@pytest.mark.parametrize(
    ("positions", "dtype"),
    [(True, torch.float32), (False, torch.float16)],
    ids=["+PE, float32", "no PE, float16"],
)
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"activation_function": "swish", "scale_embedding": False},
        {"activation_function": "gelu", "length_predictor": True},
        {"share_encoder_decoder_embeddings": False},
        {"coverage_vector": True},
        {"source_attention": "csoftmax", "sink_token": 300, "exhaustion": 0.5},
        {"source_attention": "csparsemax", "sink_token": 300, "fertility": "max-align"},
        {"source_attention": "csparsemax", "sink_token": 300, "fertility": "predicted"},
    ],
    ids=str,
)
@torch.inference_mode()
def test_every_shape_is_saved_loaded_and_gives_the_scores_of_hugging_face(
    tiny_model_folder, tmp_path, changes, positions, dtype
):
    tokenizer = Tokenizer(tiny_model_folder / "tokenizer.model")
    length = Length(
        classes={"short": 1.0, "long": None}, encodings=LENGTH_ENCODINGS, positions=positions
    )
    model = tiny_model(tokenizer, length=length, **changes)
    save_checkpoint(tmp_path, model, tokenizer, {}, dtype=dtype)
    if not model.config.share_encoder_decoder_embeddings:
        (tmp_path / "target.model").write_bytes((tmp_path / "tokenizer.model").read_bytes())
    loaded = load_checkpoint(str(tmp_path)).model
    for name, weight in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], weight.to(dtype).to(weight.dtype)
                           if weight.is_floating_point() else weight), name  # fmt: skip
    network = Network([loaded])
    rated = network.rate([TARGET], network.encode([SOURCE]))[0]
    fed = torch.tensor([[loaded.config.decoder_start_token_id, *TARGET[:-1]]])
    logits = hub_model(loaded)(input_ids=torch.tensor([SOURCE]), decoder_input_ids=fed).logits[0]
    wanted = logits.log_softmax(-1).gather(1, torch.tensor(TARGET).unsqueeze(1)).squeeze(1)
    torch.testing.assert_close(torch.tensor(rated), wanted, atol=1e-4, rtol=1e-4)


def test_a_translation_does_without_hugging_face(tiny_model_folder, tmp_path):
    (tmp_path / "one.srt").write_text(ONE_CUE, encoding="utf-8")
    command = ["translate", str(tmp_path / "one.srt"), "-t", "de", "-q"]
    script = (
        "import sys\n"
        "from subfit.cli.main import main\n"
        f"sys.argv[1:] = {[*command, '--model', str(tiny_model_folder)]!r}\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code in (0, 3), end.code\n"
        "import json\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
        "print(json.dumps('torch._dynamo' in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    *_, packages, compiler = done.stdout.splitlines()
    assert (tmp_path / "one.de.srt").is_file()
    assert not {"transformers", "sympy", "sacrebleu"} & set(json.loads(packages))
    assert not json.loads(compiler)


SHARED, FC1 = "model.shared.weight", "model.encoder.layers.0.fc1.weight"


@pytest.fixture(params=["own", "marian"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    fixture = {"own": "tiny_model_folder", "marian": "tiny_marian_folder"}[request.param]
    return Path(shutil.copytree(request.getfixturevalue(fixture), tmp_path / "model"))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        load_checkpoint(str(folder))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def change(folder: Path, **values: object) -> None:
    path = folder / "config.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**known, **values}), encoding="utf-8")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 1e30])
def test_a_weight_that_is_no_number_is_refused_by_its_name(folder, number):
    path = folder / "model.safetensors"
    weights = {name: value.float() for name, value in load_file(path).items()}
    weights = {n: v.long() if n.endswith("piece_characters") else v for n, v in weights.items()}
    weights = {n: v.bool() if n.endswith("piece_leads") else v for n, v in weights.items()}
    weights[FC1][3, 5] = number
    save_file(weights, path, metadata={"format": "pt"})
    assert refusal(folder).startswith(f"{folder}: {FC1} holds numbers that are not finite")


@pytest.mark.parametrize("dtype", [torch.complex64, torch.int32, torch.bool])
def test_weights_of_another_type_are_refused(folder, dtype):
    path = folder / "model.safetensors"
    weights = load_file(path)
    save_file({**weights, FC1: weights[FC1].to(dtype)}, path, metadata={"format": "pt"})
    assert refusal(folder).startswith(f"{path}: {FC1} is of the type ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_position_embeddings", 1_000_000_000),
        ("encoder_layers", 5000),
        ("decoder_layers", 100_000),
        ("d_model", 2_000_000),
        ("encoder_ffn_dim", 2**30),
        ("decoder_ffn_dim", 2**30),
        ("vocab_size", 2**30),
    ],
)
def test_sizes_are_refused_before_a_model_is_made(folder, key, value, monkeypatch):
    def made(*_: object, **__: object) -> nn.Module:
        raise AssertionError("a model was made")

    monkeypatch.setattr(checkpoint, "load_weights", made)
    monkeypatch.setattr("subfit.model.pretrained.load_whole", made)
    change(folder, **{key: value})
    assert refusal(folder).startswith(f"{folder / 'config.json'}: {key} is {value}, ")


ROWS = FEWEST_ROWS


def test_no_weight_is_off_by_more_than_half_a_step_of_its_row():
    matrix = torch.randn(ROWS, 7, generator=torch.Generator().manual_seed(1))
    matrix[3] *= 1000
    steps = matrix.abs().amax(dim=1, keepdim=True) / LARGEST
    found = unpacked(packed({"w": matrix}))["w"]
    assert ((found - matrix).abs() <= steps * 0.5001).all()


@pytest.fixture
def eight_bits(tiny_model_folder, tmp_path):
    model = load_checkpoint(str(tiny_model_folder))
    save_checkpoint(tmp_path / "model", model.model, model.tokenizer, {}, dtype=torch.int8)
    return tmp_path / "model"


def test_a_model_in_eight_bits_is_read_as_float32(tiny_model_folder, eight_bits):
    former = dict(load_checkpoint(str(tiny_model_folder)).model.named_parameters())
    used = dict(load_checkpoint(str(eight_bits)).model.named_parameters())
    for name, weight in used.items():
        assert weight.dtype == torch.float32
        assert torch.allclose(
            weight, former[name], atol=0.005 * former[name].detach().abs().max().item()
        )
