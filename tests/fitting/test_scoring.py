"""Translations without made-up words go before others, and what is left of such words is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.cli.views.summary import figures_of
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.formats import parse_track
from subfit.text.known_words import KnownWords, fingerprint, lowered_words
from tests.scripted import ScriptedTranslator

SCENE = """\
1
00:00:01,000 --> 00:00:09,000
The queen's men reach every corner.

2
00:00:10,000 --> 00:00:11,400
The queen's men reach every corner.
"""
MADE_UP = "Die Männer der Königin erreichern jede Ecke."
KNOWN = "Die Männer der Königin erreichen jeden Winkel."
SHORT = "Sie errein jede Ecke."
SHORT_KNOWN = "Sie sind in jeder Ecke."
NETFLIX = Guideline.load("netflix", "de")


class Inventive(ScriptedTranslator):
    """Makes up words, and finds better ones with more beams or for less length."""

    known_words = KnownWords(
        map(fingerprint, lowered_words(f"{KNOWN} {SHORT_KNOWN} Die Ecke jede")), "de"
    )

    def __init__(self, loss: float = 0.03, *, short_known: bool = True) -> None:
        super().__init__({})
        self.loss, self.short_known = loss, short_known
        self.requests: list[Request] = []

    def _answers(self, request: Request) -> list[Hypothesis]:
        self.requests.append(request)
        if request.asked:
            found = [_hypothesis(SHORT, -0.3)]
            if self.short_known and request.asked < 20:
                found.append(_hypothesis(SHORT_KNOWN, -0.33))
            return found
        better = [_hypothesis(KNOWN, -0.2 - self.loss)] if request.beams else []
        return [_hypothesis(MADE_UP, -0.2), *better]


def _hypothesis(text: str, score: float) -> Hypothesis:
    return Hypothesis(text, float(len(text)), score, score)


def translated(translator: ScriptedTranslator, cue: int) -> Localization:
    track = parse_track(SCENE.encode(), name="scene.srt", format="srt")
    only = replace(track, cues=track.cues[cue : cue + 1])
    fitting = replace(DEFAULT_SETTINGS, condensations=0)
    return localize(only, translator, NETFLIX, Options(fitting=fitting, strict_budget=True))


def test_a_natural_translation_with_made_up_words_is_searched_again_with_more_beams():
    translator = Inventive()
    done = translated(translator, 0)
    assert [each.beams for each in translator.requests] == [0, 2 * translator.beams]
    assert done.outcomes[0].target.replace("\n", " ") == KNOWN
    (cue,) = done.outcomes
    assert (cue.unfamiliar, done.report.totals["unfamiliar"]) == ((), 0)
    assert cue.natural == KNOWN


def test_few_beams_stay_few():
    """Who asks for one beam wants speed."""
    translator = Inventive()
    translator.beams = 1
    translated(translator, 0)
    assert [each.beams for each in translator.requests] == [0, 2]


def test_a_much_worse_translation_is_not_taken_and_the_word_is_told():
    done = translated(Inventive(loss=0.5), 0)
    assert done.outcomes[0].target.replace("\n", " ") == MADE_UP
    (cue,) = done.outcomes
    assert cue.unfamiliar == ("erreichern",)
    assert done.report.to_dict()["totals"]["unfamiliar"] == 1
    assert done.report.worst(1)[0].outcome == cue


def test_shortening_goes_on_while_it_makes_up_words():
    translator = Inventive()
    done = translated(translator, 1)
    assert [each.target for each in done.outcomes] == [SHORT_KNOWN]
    asked = [each.asked for each in translator.requests if each.asked]
    assert max(asked) >= 20 > min(asked)


def test_what_is_left_of_them_is_told_of_shortened_cues():
    done = translated(Inventive(short_known=False), 1)
    assert [each.unfamiliar for each in done.outcomes] == [("errein",)]


@pytest.mark.parametrize("cue", [0, 1])
def test_without_a_list_nothing_is_searched_again(cue):
    translator = Inventive()
    translator.known_words = None
    done = translated(translator, cue)
    assert len([each for each in translator.requests if not each.asked]) == 1
    assert [each.unfamiliar for each in done.outcomes] == [()]


def test_the_terminal_names_the_words():
    done = translated(Inventive(loss=0.5), 0)
    told = dict(figures_of(done.report))
    assert told["unfamiliar"] == "1 cue with words that the model never saw: erreichern"
    assert "unfamiliar" not in dict(figures_of(translated(Inventive(), 0).report))
