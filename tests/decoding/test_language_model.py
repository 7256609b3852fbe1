"""A decoder-only model as a translator: prompted, and searched under ceilings."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, normalizers
from transformers import PreTrainedTokenizerFast

from subfit.decoding.hypotheses import Request, SearchSettings, Setting, TermConstraint
from subfit.decoding.language_model import CausalTranslator, TokenTexts, token_texts
from subfit.decoding.loading import Wanted, load_model
from subfit.decoding.prompts import TalkSettings
from subfit.errors import ModelError, UsageError
from subfit.model.config import Computing
from subfit.text.counting import count_characters
from tests.accelerator import on_gpu
from tests.tiny import PAIRS
from tests.tiny_causal import save_tiny_causal, tiny_chat_tokenizer

CPU = Computing(device="cpu", precision="fp32")
SETTINGS = SearchSettings(beams=3, nbest=3, max_steps=40, batch_size=4)
LEARNT = PAIRS[:8]
LINES = tuple(pair.source for pair in LEARNT)


@pytest.fixture(scope="module")
def translator(talking_folder: Path) -> CausalTranslator:
    return opened(talking_folder)


def opened(folder: Path, talk: TalkSettings | None = None) -> CausalTranslator:
    model = load_model(str(folder), CPU, talk or TalkSettings())
    made = model.translator(Wanted("en", "de", settings=SETTINGS))
    assert isinstance(made, CausalTranslator)
    return made


def test_it_says_what_it_learnt(translator: CausalTranslator) -> None:
    found = translator.translate([Request(text) for text in LINES])
    said = [nbest[0].text for nbest in found]
    assert sum(text == pair.target for text, pair in zip(said, LEARNT, strict=True)) >= 6


def test_no_answer_is_over_its_ceiling_or_has_two_lines(translator: CausalTranslator) -> None:
    requests = [Request(text, ceiling, 5) for text in LINES for ceiling in (6.0, 12.0, 25.0)]
    found = translator.translate(requests)
    assert any(found)
    for request, nbest in zip(requests, found, strict=True):
        for hypothesis in nbest:
            assert hypothesis.characters <= request.ceiling
            assert len(hypothesis.text) <= request.ceiling
            assert "\n" not in hypothesis.text
            assert "<|" not in hypothesis.text
            assert "\ufffd" not in hypothesis.text


def test_the_prompt_is_the_models_own_with_what_is_asked_for(translator, monkeypatch):
    tokenizer = translator._loaded.tokenizer
    terms = (TermConstraint("door", ("Tür", "Tor*"), "de"),)
    request = Request("The door is open.", 20.0, 18, terms=terms, formality="informal")
    translator._said["I hear it."] = "Ich höre es."
    prompt = tokenizer.decode(
        translator._prompt_of(replace(request, setting=Setting(before=("I hear it.",))))
    )
    assert prompt.startswith(
        "<|system|>You translate film subtitles from English into German, and answer"
    )
    assert prompt.endswith("\n\nThe door is open.<|end|>\n<|assistant|>")
    for part in (
        "I hear it.",
        "Ich höre es.",
        "door = Tür / Tor",
        "familiarly",
        "at most 18 characters",
    ):
        assert part in prompt


def test_ratings_are_of_the_answer_to_the_free_prompt(translator: CausalTranslator) -> None:
    ((*nbest,),) = translator.translate([Request(LINES[0], 20.0, 20)])
    ((*rated,),) = translator.rate([LINES[0]], [nbest])
    prompt = translator._prompt_of(Request(LINES[0]))
    model, texts = translator._loaded.model, translator._texts
    for before, after in zip(nbest, rated, strict=True):
        with torch.inference_mode():
            fed = torch.tensor([[*prompt, *before.token_ids]])
            table = model(fed).logits.log_softmax(-1)[0, len(prompt) - 1 :]
        steps = [float(table[n, token]) for n, token in enumerate(before.token_ids)]
        ends = sorted(texts.ends | texts.line_ends)
        total = sum(steps) + float(table[len(steps), ends].logsumexp(0))
        assert after.log_probability == pytest.approx(total, abs=1e-3)
        assert after.score == pytest.approx(total / (len(steps) + 1), abs=1e-3)
        assert after.text == before.text
        assert after.closing < 0


def test_a_text_longer_than_the_model_has_places_for_is_not_accepted(translator):
    assert translator.accepts(LINES[0])
    assert not translator.accepts("word and word " * 300)


def test_a_base_model_goes_on_with_a_text(talking_folder: Path) -> None:
    translator = opened(talking_folder, TalkSettings(prompt="base"))
    tokens = translator._prompt_of(Request("I hear music.", 10.0))
    said = translator._loaded.tokenizer.decode(tokens)
    assert said == "English: I hear music.\nGerman:"
    assert not translator.capabilities.lengths
    (nbest,) = translator.translate([Request("I hear music.", 10.0)])
    assert all(len(each.text) <= 10 for each in nbest)


def test_it_cannot_vote_and_must_know_its_languages(talking_folder: Path) -> None:
    model = load_model(str(talking_folder), CPU)
    with pytest.raises(UsageError, match="cannot translate together"):
        model.translator(Wanted("en", "de"), [model])
    with pytest.raises(UsageError, match="name both"):
        model.translator(Wanted(None, "de"))


@pytest.mark.parametrize(("device", "precision"), [("cpu", "bf16"), on_gpu("bf16"), on_gpu("fp32")])
def test_other_arithmetic_is_near_float32(talking_folder, translator, device, precision):
    model = load_model(str(talking_folder), Computing(device=device, precision=precision))
    other = model.translator(Wanted("en", "de", settings=SETTINGS))
    assert other.precision == precision
    pairs = zip(
        translator.translate([Request(text) for text in LINES]),
        other.translate([Request(text) for text in LINES]),
        strict=True,
    )
    same = sum(one[0].text == found[0].text for one, found in pairs if one and found)
    assert same >= len(LINES) - 2


def test_a_model_without_safetensors_or_whole_weights_is_told(talking_folder, tmp_path):
    broken = Path(shutil.copytree(talking_folder, tmp_path / "broken"))
    weights = broken / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:500])
    with pytest.raises(ModelError, match=r"cannot be (loaded|read)"):
        load_model(str(broken), CPU)
    weights.unlink()
    with pytest.raises(ModelError, match=r"no model\.safetensors here"):
        load_model(str(broken), CPU)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_causal(tmp_path_factory.mktemp("causal") / "toy")


@pytest.fixture
def damaged(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / "toy"))


def refusal(folder: Path) -> str:
    with pytest.raises(ModelError) as caught:
        translator = load_model(str(folder), CPU).translator(Wanted("en", "de"))
        translator.translate([Request("How are you?")])
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
def test_a_chat_template_that_fails_is_told_with_the_way_out(damaged: Path, template: str) -> None:
    (damaged / "chat_template.jinja").write_text(template, encoding="utf-8")
    told = refusal(damaged)
    assert told.startswith("toy: its chat template cannot be filled in (")
    assert told.endswith("); give --prompt base, or FILE")


def test_tokens_that_the_model_does_not_know_are_refused(damaged: Path) -> None:
    path = damaged / "tokenizer.json"
    values = json.loads(path.read_text(encoding="utf-8"))
    values["added_tokens"].append({**values["added_tokens"][0], "id": 900, "content": "How"})
    values["added_tokens"][-1]["special"] = False
    path.write_text(json.dumps(values), encoding="utf-8")
    told = "toy: its tokenizer has the token 400, the model knows 400; they do not belong together"
    assert refusal(damaged) == told


TEXTS = (
    "Where is the old lighthouse?",
    "Heute Nacht ist es kalt.",
    "Größe, ça va, señor",
    "Где маяк?",
    "灯台はどこですか。",
    "أين المنارة؟",
    "🏴‍☠️ 👩‍🚀 e\u0301",
)


def sentencepiece_like() -> PreTrainedTokenizerFast:
    """A tokenizer of words, letters and bytes, as Llama 2 and Gemma have it."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += ["▁", "▁the", "h", "o", "u", "s", "e", "W", "r", "i", "l", "d", "g", "t", "?", "."]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    backend = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>", byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    steps = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence(steps)
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )


TOKENIZERS = {"bytes": tiny_chat_tokenizer, "pieces": sentencepiece_like}


@pytest.fixture(params=TOKENIZERS)
def tokenizer(request: pytest.FixtureRequest) -> PreTrainedTokenizerFast:
    return TOKENIZERS[request.param]()


def vocabulary(tokenizer: PreTrainedTokenizerFast, more: int = 0) -> TokenTexts:
    return token_texts(tokenizer, len(tokenizer) + more, [tokenizer.eos_token_id])


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_never_count_less_than_the_text(text, tokenizer):
    known = vocabulary(tokenizer)
    tokens = tokenizer(text, add_special_tokens=False).input_ids
    assert tokenizer.decode(tokens) == text
    counted = sum(count_characters(known.texts[token]) for token in tokens)
    assert counted >= count_characters(text)
    if "🏴" not in text:
        assert counted == count_characters(text)
