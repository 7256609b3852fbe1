"""The passes: what is searched next when a translation is cut, too long, or in doubt."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

import pytest

from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.settings import FittingSettings, Weights
from subfit.limits.budget import LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.formats import parse_track
from tests.scripted import ScriptedTranslator

STRICT = Options(strict_budget=True)
HOWEVER_SHORT = FittingSettings(much_shorter=math.inf)
WAIT = "1\n00:00:10,000 --> 00:00:11,000\nWait for me at the bridge.\n"
"""A second is 17 characters."""


class Doubtful(ScriptedTranslator):
    """Its first shortened translation ends where no sentence would; it finds better later."""

    def __init__(self) -> None:
        super().__init__({})
        self.lengths: list[int] = []
        self.widths: list[int] = []

    def _answers(self, request: Request) -> list[Hypothesis]:
        if request.asked == FREE:
            return [Hypothesis("Warte bitte an der Brücke auf mich.", 35.0, -0.1, -0.1)]
        self.lengths.append(request.asked)
        self.widths.append(request.beams)
        cut = Hypothesis("Warte an der.", 13.0, -0.2, -0.2, closing=-5.0)
        whole = Hypothesis("Warte dort.", 11.0, -0.6, -0.6, closing=-0.1)
        return [cut if request.asked >= 15 else whole]


@pytest.mark.parametrize(
    ("doubtful", "weight", "asked", "chosen"),
    [
        (-math.inf, 0.0, [17, 15], "Warte an der."),  # it fits, and that is all that is asked
        (-2.0, 0.0, [17, 15, 14, 12, 10, 17], "Warte an der."),  # the last time with more beams
        (-2.0, 0.1, [17, 15, 14, 12], "Warte dort."),
    ],
)
def test_a_doubtful_end_is_no_reason_to_stop(doubtful, weight, asked, chosen):
    translator = Doubtful()
    fitting = FittingSettings(
        rounds=((1.0, 0.94), (0.85, 0.75), (0.64,)),
        weights=Weights(closing=weight),
        doubtful=doubtful,
        condensations=0,
    )
    track = parse_track(WAIT.encode(), name="scene.srt", format="srt")
    netflix = Guideline.load("netflix", "de")
    done = localize(track, translator, netflix, Options(fitting=fitting, strict_budget=True))
    assert [each.target for each in done.outcomes] == [chosen]
    assert done.outcomes[0].doubtful is (chosen == "Warte an der." and doubtful > -math.inf)
    assert done.report.totals["doubtful"] == done.outcomes[0].doubtful
    assert translator.lengths == asked
    assert translator.widths == [0] * min(len(asked), 5) + [16] * (len(asked) - 5)


@pytest.mark.parametrize(
    ("hopeless", "lengths"),
    [
        (0.0, [17, 15, 14, 12, 10, 17, 19, 21]),  # then with a little more room
        (0.5, [17, 15, 19, 21]),  # from 18 of 35 characters on, but for the first try
        (0.6, [17, 15, 21]),
        (0.7, [17, 15]),
    ],
)
def test_what_can_hardly_say_all_is_asked_for_only_where_budgets_are_strict(hopeless, lengths):
    def asked(*, strict: bool) -> list[int]:
        translator = Doubtful()
        fitting = FittingSettings(doubtful=0.0, condensations=0, hopeless=hopeless)
        options = Options(fitting=fitting, strict_budget=strict)
        track = parse_track(WAIT.encode(), name="scene.srt", format="srt")
        localize(track, translator, Guideline.load("netflix", "de"), options)
        return translator.lengths

    assert asked(strict=False) == lengths
    assert asked(strict=True) == [17, 15, 14, 12, 10, 17]


def test_what_was_made_longer_does_not_end_too_early():
    class Longer(ScriptedTranslator):
        def _answers(self, request: Request) -> list[Hypothesis]:
            text = "Ja." if request.asked == FREE else "Ja, das weiß ich auch."
            return [Hypothesis(text, float(len(text)), -0.2, -0.2, closing=-9.0)]

    track = parse_track(b"That is what I know, too.\n", name="x.txt", format="txt")
    options = Options(length_ratio=LengthRatio(0.8, 1.1))
    done = localize(track, Longer({}), Guideline.load("none", "de"), options)
    (cue,) = done.outcomes
    assert (cue.target, cue.doubtful) == ("Ja, das weiß ich auch.", False)


class Hurried(ScriptedTranslator):
    """What it says within any budget stops before its end; with more room it comes to one."""

    NATURAL = "Er sagte damals, dass er nie mehr hierher zurückkommen würde."
    NEARLY = "Er sagte, er komme nie mehr zurück."
    CUT = "Er sagte, dass er nie mehr."

    def _answers(self, request: Request) -> list[Hypothesis]:
        answers = [
            Hypothesis(self.NATURAL, 61.0, -0.2, -0.2, closing=-0.1),
            Hypothesis(self.NEARLY, 35.0, -0.4, -0.4, closing=-0.2),
            Hypothesis(self.CUT, 27.0, -0.3, -0.3, closing=-9.0),
        ]
        return [each for each in answers if each.characters <= request.ceiling]


@pytest.mark.parametrize(
    ("seconds", "whole", "target", "status"),
    [
        ("1,800", False, Hurried.CUT, "fits"),  # 30 characters
        ("1,800", True, Hurried.NEARLY, "overflow"),
        ("2,100", True, Hurried.NEARLY, "fits"),  # 35: nothing is in doubt
        ("4,000", True, Hurried.NATURAL, "fits"),
    ],
)
def test_whole_sentences_may_go_over_their_budget(seconds, whole, target, status):
    file = f"1\n00:00:00,000 --> 00:00:0{seconds}\nHe said that he would never come back here.\n"
    track = parse_track(file.encode(), name="scene.srt", format="srt")
    done = localize(
        track,
        Hurried({}),
        Guideline.load("netflix", "de"),
        Options(fitting=HOWEVER_SHORT, strict_budget=not whole),
    )
    (cue,) = done.outcomes
    assert (" ".join(cue.target.split()), cue.status) == (target, status)
    assert cue.doubtful is (target == Hurried.CUT)
    if whole and status == "overflow":
        assert Hurried.CUT in [" ".join(each.text.split()) for each in cue.alternatives]


def test_of_whole_sentences_a_little_over_goes_before_much_over():
    class Natural(Hurried):
        def _answers(self, request: Request) -> list[Hypothesis]:
            answers = super()._answers(request)
            return answers if request.asked != FREE else answers[:1]

    track = parse_track(
        b"He said that he would never come back here.\n", name="x.txt", format="txt"
    )
    options = Options(length_ratio=LengthRatio(maximum=0.75), fitting=HOWEVER_SHORT)
    done = localize(track, Natural({}), Guideline.load("none", "de"), options)
    assert done.outcomes[0].target == Hurried.NEARLY  # 35 characters of 32
    assert done.outcomes[0].status == "overflow"


@pytest.mark.parametrize(("score", "fits"), [(-0.45, True), (-0.7, False)])
def test_a_whole_sentence_that_fits_is_taken_unless_it_is_much_worse(score, fits):
    class Terse(Hurried):
        def _answers(self, request: Request) -> list[Hypothesis]:
            found = [replace(each, closing=each.closing / 2) for each in super()._answers(request)]
            fitting = Hypothesis("Er sagte: nie mehr zurück.", 26.0, score, score, closing=-0.5)
            return [*found, fitting]

    track = parse_track(b"He said that he would never come back here.\n", name="x", format="txt")
    options = Options(length_ratio=LengthRatio(maximum=0.7), fitting=HOWEVER_SHORT)
    done = localize(track, Terse({}), Guideline.load("none", "de"), options)
    (cue,) = done.outcomes
    whole = ("Er sagte: nie mehr zurück.", "fits") if fits else (Hurried.NEARLY, "overflow")
    assert (cue.target, cue.status) == whole


def test_alternatives_leave_whole_sentences_whole():
    class Late(Hurried):
        """Finds what fits, and is cut, only when alternatives are searched for."""

        def _answers(self, request: Request) -> list[Hypothesis]:
            if request.asked == 21:  # seven tenths of the budget, which no other search asks for
                return [Hypothesis("Er sagte, dass er.", 18.0, -0.3, -0.3, closing=-9.0)]
            return super()._answers(request)[:1] if request.asked == FREE else []

    track = parse_track(b"He said that he would never come back here.\n", name="x", format="txt")
    for whole in (False, True):
        options = Options(
            length_ratio=LengthRatio(maximum=0.7), alternatives=3, strict_budget=not whole
        )
        done = localize(track, Late({}), Guideline.load("none", "de"), options)
        (cue,) = done.outcomes
        assert (cue.status, cue.doubtful) == (("overflow", False) if whole else ("fits", True))


def test_what_is_taken_for_its_cut_alone_is_looked_at_for_doubt():
    class Parting(ScriptedTranslator):
        """Its best text can only be cut between article and noun; the next one ends too early."""

        NATURAL = "Wir gingen in den Leuchtturm."
        CUT = "Wir gingen, in ihn."
        rated = 0

        def _answers(self, request: Request) -> list[Hypothesis]:
            return [
                Hypothesis(self.NATURAL, 29.0, -0.20, -0.20),
                Hypothesis(self.CUT, 19.0, -0.21, -0.21),
            ]

        def rate(self, texts, nbest, formalities=()):
            self.rated += 1
            return [
                [replace(one, closing=-9.0 if one.text == self.CUT else -0.1) for one in each]
                for each in nbest
            ]

    file = (
        "1\n00:00:00,000 --> 00:00:01,060\nWe went into the\n\n"
        "2\n00:00:01,100 --> 00:00:04,000\nlighthouse.\n"
    )
    track = parse_track(file.encode(), name="scene.srt", format="srt")
    translator = Parting({})
    done = localize(track, translator, Guideline.load("netflix", "de"), Options())
    text = " ".join(" ".join(each.target.split()) for each in done.outcomes)
    assert text == Parting.NATURAL
    assert translator.rated and not done.report.totals["doubtful"]
    assert done.report.totals["overflow"]["before"]["over"] == 0


def test_a_floor_without_a_ceiling_asks_for_more_and_is_no_overflow():
    class Longer(ScriptedTranslator):
        lengths: list[int]

        def _answers(self, request: Request) -> list[Hypothesis]:
            self.lengths = [*getattr(self, "lengths", []), request.asked]
            text = "Ja." if request.asked == FREE else "Ja, das weiß ich auch."
            return [Hypothesis(text, float(len(text)), -0.2, -0.2)]

    track = parse_track(b"That is what I know, too.\n", name="x.txt", format="txt")
    translator = Longer({})
    options = Options(length_ratio=LengthRatio(0.8))
    done = localize(track, translator, Guideline.load("none", "de"), options)
    assert [(e.target, e.status) for e in done.outcomes] == [("Ja, das weiß ich auch.", "fits")]
    assert translator.lengths == [FREE, 20, 22]
    stubborn = ScriptedTranslator({"That is what I know, too.": "Ja."})
    done = localize(track, stubborn, Guideline.load("none", "de"), options)
    assert [(e.target, e.status) for e in done.outcomes] == [("Ja.", "fits")]


def test_what_was_found_for_a_lost_number_is_looked_at_for_doubt():
    class Counting(ScriptedTranslator):
        CUT = "Der Zug mit 17"

        def _answers(self, request: Request) -> list[Hypothesis]:
            if request.terms and request.ceiling < 40:
                texts = {self.CUT: -0.2}
            elif request.terms:
                texts = {"Der Zug mit 17 Menschen darin fährt jetzt ab.": -0.6}
            elif request.asked == FREE:
                natural = "Der Zug mit siebzehn Menschen fährt jetzt ab."
                texts = {natural: -0.1, "Der Zug fährt ab.": -0.5}
            else:
                texts = {"Der Zug fährt.": -0.9}
            return [
                Hypothesis(text, float(len(text)), score, score)
                for text, score in texts.items()
                if len(text) <= request.ceiling
            ]

        def rate(self, texts, nbest, formalities=()):
            return [
                [replace(one, closing=-9.0 if one.text == self.CUT else -0.3) for one in each]
                for each in nbest
            ]

    file = "1\n00:00:00,000 --> 00:00:01,200\nThe train with 17 people leaves.\n"
    track = parse_track(file.encode(), name="scene.srt", format="srt")
    (cue,) = localize(track, Counting({}), Guideline.load("netflix", "de"), STRICT).outcomes
    assert (cue.target, cue.doubtful) == (Counting.CUT, True)


def test_a_channel_model_chooses_among_natural_translations():
    class Ranked(ScriptedTranslator):
        channel_model = "scripted"

        def channel_of(self, texts, nbest):
            return [[0.0 if "Leuchtturm" in one.text else -2.0 for one in own] for own in nbest]

    script = {"Is that the lighthouse?": ["Ist das das Haus?", "Ist das der Leuchtturm?"]}
    translator = Ranked(script)
    film = parse_track(b"1\n00:00:01,000 --> 00:00:05,000\nIs that the lighthouse?\n", name="a.srt")
    guideline = Guideline.load("netflix", "de")
    options = Options(fitting=FittingSettings(channel_margin=0.15))  # the answers are 0.1 apart
    (cue,) = localize(film, cast(Any, translator), guideline, options).track.cues
    assert cue.text.replace("\n", " ") == "Ist das der Leuchtturm?"
    (cue,) = localize(film, cast(Any, ScriptedTranslator(script)), guideline).track.cues
    assert cue.text == "Ist das das Haus?"
