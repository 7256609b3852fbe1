"""Our own models without Hugging Face's code: what they compute is what that computes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import torch

from subfit.decoding.network import Network
from subfit.model.checkpoint import load_checkpoint, save_checkpoint
from subfit.model.config import LENGTH_ENCODINGS
from subfit.model.tokenizer import Tokenizer
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
