"""What a model is asked for at first: nothing, its mean ratio, or what was predicted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import ClassVar

import pytest

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.fitting.settings import FittingSettings
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.length import LengthHead
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

STRICT = Options(strict_budget=True)
HOWEVER_SHORT = FittingSettings(much_shorter=math.inf)
TEXTS = ("The door is open.", "Wait for me at the bridge.")
SCENE = f"""\
1
00:00:01,000 --> 00:00:09,000
{TEXTS[0]}

2
00:00:10,000 --> 00:00:11,000
{TEXTS[1]}
"""


@pytest.fixture
def checkpoint(tiny_model_folder: Path) -> Checkpoint:
    return load_checkpoint(str(tiny_model_folder))


def first_asked(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Translate the scene and return what was asked for at first."""
    translator, rounds = Translator(checkpoint), list[list[Request]]()
    search = translator.translate

    def spy(requests, on_done=None):
        rounds.append(list(requests))
        return search(requests, on_done)

    monkeypatch.setattr(translator, "translate", spy)
    track = parse_track(SCENE.encode(), name="scene.srt", format="srt")
    localize(track, translator, Guideline.load("netflix", "de"))
    assert [each.text for each in rounds[0]] == list(TEXTS)
    return [each.asked for each in rounds[0]]


def with_predictor(checkpoint: Checkpoint, ratio: float) -> Checkpoint:
    config = checkpoint.model.config
    config.length_predictor = True
    checkpoint.model.length_head = LengthHead(config.d_model, ratio)
    return checkpoint


def test_a_model_that_translates_freely_is_asked_for_nothing(checkpoint, monkeypatch):
    assert first_asked(with_predictor(checkpoint, 1.5), monkeypatch) == [FREE, FREE]


def test_others_are_asked_for_the_mean_ratio(checkpoint, monkeypatch):
    checkpoint.model.config.free_translation = False
    checkpoint.model.config.mean_length_ratio = 2.0
    assert first_asked(checkpoint, monkeypatch) == [34, 52]


def test_or_for_the_predicted_length_and_never_more_than_the_budget(checkpoint, monkeypatch):
    checkpoint.model.config.free_translation = False
    asked = first_asked(with_predictor(checkpoint, 2.0), monkeypatch)
    assert asked == [34, 17]  # 17 characters per second, for one second


@pytest.mark.parametrize("whole", [False, True])
def test_a_joined_sentence_in_doubt_may_be_whole_cue_by_cue(whole):
    class Joined(ScriptedTranslator):
        TEXTS: ClassVar = {
            "He said": "Er sagte",
            "that he would never come back here.": "er komme nie mehr zurück.",
        }

        def _answers(self, request: Request) -> list[Hypothesis]:
            if request.text in self.TEXTS:
                text = self.TEXTS[request.text]
                return [Hypothesis(text, float(len(text)), -0.3, -0.3, closing=-0.1)]
            natural = "Er sagte damals, dass er nie mehr hierher zurückkommen würde."
            cut = "Er sagte, dass er nie mehr."
            answers = [
                Hypothesis(natural, 61.0, -0.2, -0.2, closing=-0.1),
                Hypothesis(cut, 27.0, -0.3, -0.3, closing=-9.0),
            ]
            return [each for each in answers if each.characters <= request.ceiling]

    file = (
        "1\n00:00:00,000 --> 00:00:01,000\nHe said\n\n"
        "2\n00:00:01,100 --> 00:00:02,700\nthat he would never come back here.\n"
    )
    track = parse_track(file.encode(), name="scene.srt", format="srt")
    netflix = Guideline.load("netflix", "de")
    done = localize(
        track, Joined({}), netflix, Options(fitting=HOWEVER_SHORT, strict_budget=not whole)
    )
    assert [each.status for each in done.outcomes] == ["fits", "fits"]
    texts = [" ".join(each.target.split()) for each in done.outcomes]
    assert texts == (list(Joined.TEXTS.values()) if whole else ["Er sagte,", "dass er nie mehr."])
    assert done.report.totals["doubtful"] == (not whole)
