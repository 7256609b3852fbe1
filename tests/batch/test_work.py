"""The models of a run: each loaded once, whatever is translated with it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.batch import work
from subfit.batch.job import Job
from subfit.batch.setup import RunSetup
from subfit.batch.work import Models
from subfit.limits.guideline import Guideline
from subfit.text.counting import EVERYTHING

NETFLIX = Guideline.load("netflix", "ja").counting
PROCESSES = {"one": 4, "two": 1, "other": 4, "from-en": 2, "to-en": 3}


class Loaded:
    """A model that remembers what translators were made of it."""

    def __init__(self, place: str) -> None:
        self.place, self.wanted = place, list[tuple[str, str, tuple[str, ...]]]()
        self.channels: list[str | None] = []

    def translator(self, wanted, beside=(), channel=None):
        beside = tuple(one.place for one in beside)
        self.channels.append(None if channel is None else channel.place)
        self.wanted.append((wanted.source_language, wanted.target_language, beside))
        return SimpleNamespace(place=self.place, number=len(self.wanted))


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Loaded]:
    made: list[Loaded] = []

    def load(place: str, *_: object) -> Loaded:
        made.append(Loaded(place))
        return made[-1]

    monkeypatch.setattr(work, "load_model", load)
    monkeypatch.setattr(work, "share_cores", lambda model, threads: PROCESSES[model.place])
    return made


def setup_of(
    models: dict[str, tuple[str, ...]],
    pivot: str | None = None,
    channels: dict[str, str] | None = None,
) -> RunSetup:
    job = Job(("film.srt",), tuple(models)).translating_from("it")
    return RunSetup(job, models, {}, pivot, channels or {})


def test_a_model_of_several_languages_is_loaded_once(loaded: list[Loaded]) -> None:
    models = Models(setup_of({"de": ("one",), "fr": ("one",)}))
    first = models.translator("de", EVERYTHING)
    assert models.translator("de", EVERYTHING) is first
    models.translator("fr", EVERYTHING)
    models.translator("de", NETFLIX)
    assert [one.place for one in loaded] == ["one"]
    assert [pair[:2] for pair in loaded[0].wanted] == [("it", "de"), ("it", "fr"), ("it", "de")]


def test_models_that_translate_together_stand_beside_the_first(loaded: list[Loaded]) -> None:
    Models(setup_of({"de": ("one", "two")})).translator("de", EVERYTHING)
    assert loaded[0].wanted == [("it", "de", ("two",))] and not loaded[1].wanted


def test_of_two_legs_the_second_reads_english(loaded: list[Loaded]) -> None:
    models = Models(setup_of({"de": ("from-en",)}, pivot="to-en"))
    models.translator("de", EVERYTHING)
    first = models.into_english()
    assert first is not None and models.into_english() is first
    assert {one.place: one.wanted[0][:2] for one in loaded} == {
        "from-en": ("en", "de"),
        "to-en": ("it", "en"),
    }
    assert Models(setup_of({"de": ("one",)})).into_english() is None


def test_channel_models_stand_beside_their_legs_and_are_loaded_once(loaded: list[Loaded]) -> None:
    channels = {"en": "from-en", "fr": "other"}
    models = Models(setup_of({"de": ("from-en",), "fr": ("from-en",)}, "to-en", channels))
    for language in ("de", "fr"):
        models.translator(language, EVERYTHING)
    models.into_english()
    assert {one.place: one.channels for one in loaded} == {
        "from-en": [None, "other"],
        "other": [],
        "to-en": ["from-en"],
    }


@pytest.mark.parametrize(
    ("names", "alone", "processes"),
    [(("one",), True, 4), (("one", "two"), True, 1), (("from-en",), True, 2), (("one",), False, 1)],
)
def test_models_share_sentences_out_as_all_of_them_allow(
    loaded: list[Loaded], names: tuple[str, ...], alone: bool, processes: int
) -> None:
    models = Models(setup_of({"de": names}), alone=alone)
    models.translator("de", EVERYTHING)
    assert models.processes == processes
