"""Language models whose parts do not belong together, or whose template is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import Wanted, load_model
from subfit.errors import ModelError
from subfit.model.config import Computing
from tests.tiny_causal import save_tiny_causal


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_causal(tmp_path_factory.mktemp("causal") / "toy")


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "toy"))


def translator(folder: Path) -> AnyTranslator:
    model = load_model(str(folder), Computing(device="cpu", precision="fp32"))
    return model.translator(Wanted("en", "de"))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        translator(folder).translate([Request("How are you?")])
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}",
        "{{ raise_exception('no system role') }}",
        "{{ 1 / 0 }}",
        "{{ messages[9].content }}",
        "{% include 'another' %}",
        "{{ ''.__class__.__mro__ }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    ],
)
def test_a_chat_template_that_fails_is_told_with_the_way_out(folder: Path, template: str) -> None:
    (folder / "chat_template.jinja").write_text(template, encoding="utf-8")
    told = refusal(folder)
    assert told.startswith("toy: its chat template cannot be filled in (")
    assert told.endswith("); give --prompt base, or FILE")


def test_tokens_that_the_model_does_not_know_are_refused(folder: Path) -> None:
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values["added_tokens"].append({**values["added_tokens"][0], "id": 900, "content": "How"})
    values["added_tokens"][-1]["special"] = False
    path.write_text(json.dumps(values), encoding="utf-8")
    told = "toy: its tokenizer has the token 400, the model knows 400; they do not belong together"
    assert refusal(folder) == told
