"""Weights read without Hugging Face's modelling code: the same models, to the bit."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import torch
from torch import Tensor

from subfit.decoding.network import Network
from subfit.model.checkpoint import Checkpoint, load_checkpoint, load_trainable, save_checkpoint
from subfit.model.config import LENGTH_ENCODINGS, ModelConfig
from subfit.model.tokenizer import Tokenizer
from subfit.model.transformer import SubfitConfig
from subfit.model.weights import ModelWeights
from subfit.training.sections import Length
from tests.tiny import tiny_model

SOURCES = [[9, 30, 41, 2], [300, 2], [17, 260, 261, 262, 50, 2]]
TARGETS = [[40, 41, 2], [7, 2], [301, 302, 303, 304, 2]]
ONE_CUE = "1\n00:00:01,000 --> 00:00:04,000\nGood night.\n"


def scores(checkpoint: Checkpoint) -> list[Tensor]:
    """What a model makes of sources and targets, and of a length that is asked for."""
    network = Network([checkpoint.model])
    memories = network.encode(SOURCES)
    rated = [torch.tensor(each) for each in network.rate(TARGETS, memories)]
    running = network.open(len(SOURCES), 1)
    running.admit(torch.arange(len(SOURCES)), memories)
    first = torch.full((len(SOURCES), 1), network.config.decoder_start_token_id)
    zeros = torch.zeros_like(first)
    asked = torch.tensor([5, 0, 31])
    steps = running.next(first, zeros[:, 0], zeros.unsqueeze(2), asked, zeros)
    return [*(each[0] for each in memories), *rated, steps]


def check_same(folder: Path) -> None:
    ours, theirs = load_checkpoint(str(folder)), load_trainable(str(folder))
    assert isinstance(ours.model, ModelWeights)
    sizes = [sum(each.numel() for each in one.model.parameters()) for one in (ours, theirs)]
    assert sizes[0] == sizes[1]
    with torch.inference_mode():
        for found, expected in zip(scores(ours), scores(theirs), strict=True):
            assert torch.equal(found, expected)


def test_the_frozen_models_states_and_scores_are_those_of_hugging_face(tiny_model_folder):
    check_same(tiny_model_folder)


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
def test_every_shape_gives_the_scores_of_hugging_face(
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
    check_same(tmp_path)


def test_what_a_configuration_leaves_out_is_as_in_hugging_face():
    theirs = SubfitConfig()
    for each in fields(ModelConfig):
        assert getattr(ModelConfig(), each.name) == getattr(theirs, each.name), each.name


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
