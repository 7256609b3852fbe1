"""Models of any kind: loaded once, translators made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from subfit.decoding import devices, loading
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Request
from subfit.decoding.loading import LoadedModel, Wanted, load_model, share_cores
from subfit.decoding.search_types import SearchSettings
from subfit.errors import UsageError
from subfit.model.config import EXACT, Computing
from tests.scripted import ScriptedTranslator


class Scripted:
    """A model of another kind."""

    name = "scripted"

    def translator(self, wanted: Wanted, beside: object = ()) -> AnyTranslator:
        return ScriptedTranslator({})


def test_a_model_folder_becomes_a_translator_as_wanted(tiny_marian_folder: Path) -> None:
    model: LoadedModel = load_model(str(tiny_marian_folder), EXACT)
    wanted = Wanted("en", "de", settings=SearchSettings(beams=2, nbest=2))
    translator = model.translator(wanted)
    assert (translator.name, translator.source_language, translator.language) == (
        tiny_marian_folder.name,
        "en",
        "de",
    )
    assert (translator.beams, translator.precision) == (2, "fp32")
    assert translator.capabilities.terms
    (nbest,) = translator.translate([Request("It is cold.", ceiling=12.0)])
    assert nbest and all(each.characters <= 12 for each in nbest)


def test_what_a_model_knows_of_its_languages_goes_before_what_is_wanted(
    tiny_model_folder: Path,
) -> None:
    model = load_model(str(tiny_model_folder), EXACT)
    assert model.translator(Wanted("fr")).source_language == "en"


def test_a_model_behind_a_server_takes_no_coverage_penalty() -> None:
    model = load_model("http://localhost:1/v1#chat", EXACT)
    wanted = Wanted("en", "de", settings=SearchSettings(coverage_penalty=0.2))
    with pytest.raises(UsageError, match="takes no --coverage-penalty"):
        model.translator(wanted)


def test_models_of_different_kinds_do_not_vote(tiny_model_folder: Path) -> None:
    model = load_model(str(tiny_model_folder), EXACT)
    voting = model.translator(Wanted(), [replace(model)])  # type: ignore[type-var]
    assert voting.name.count(" + ") == 1
    with pytest.raises(UsageError, match="and scripted cannot translate together"):
        model.translator(Wanted(), [Scripted()])


def test_a_channel_model_is_one_with_an_encoder_for_one_with_an_encoder(
    tiny_model_folder: Path,
) -> None:
    model = load_model(str(tiny_model_folder), EXACT)
    assert model.translator(Wanted(), channel=model).channel_model == "tiny"
    assert model.translator(Wanted()).channel_model is None
    with pytest.raises(UsageError, match="scripted cannot be a channel model"):
        model.translator(Wanted(), channel=Scripted())
    server = load_model("http://localhost:1/v1#chat", EXACT)
    with pytest.raises(UsageError, match="takes no --channel-model"):
        server.translator(Wanted("en", "de"), channel=model)


@pytest.mark.skipif(
    "onednn" not in torch.backends.quantized.supported_engines, reason="needs oneDNN"
)
@pytest.mark.parametrize(
    ("precision", "limit", "threads", "processes"),
    [("int8", 10**9, 1, 2), ("int8", 1, 3, 1), ("fp32", 10**9, 3, 1)],
)
def test_small_models_compute_with_one_thread_in_each_of_several_processes(
    tiny_model_folder, monkeypatch, precision, limit, threads, processes
):
    monkeypatch.setattr(devices, "SMALL", limit)
    monkeypatch.setattr(loading, "can_fork", lambda: True)
    monkeypatch.setattr(loading, "cores", lambda: 5)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(3)
        model = load_model(str(tiny_model_folder), Computing("cpu", precision))
        assert share_cores(model, 2) == processes
        assert torch.get_num_threads() == threads
        assert share_cores(model, None) == (5 if threads == 1 else 1)
        torch.set_num_threads(3)
        monkeypatch.setattr(loading, "can_fork", lambda: False)
        assert share_cores(model, 2) == 1  # they have what threads they were given
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
