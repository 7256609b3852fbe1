"""Terms on their way through fitting: budgets first, then terms, then scores."""

from __future__ import annotations

import math

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.fitting.outcomes import TermUse
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline, override
from subfit.localization import Localization, Options, localize
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.joining import join_cues
from subfit.subtitles.sentences import Part, Sentence, parse_cues
from subfit.terms.glossary import Term, TermFinder, name
from tests.scripted import ScriptedTranslator

STRICT = Options(strict_budget=True)
HARBOUR = Term(("harbour",), ("Hafen",), "de")
SHIP = Term(("ship",), ("Kahn", "Kähne"), "de")


def run(script, *texts: str, terms=(HARBOUR, SHIP), most: float = 200.0, **limits) -> Localization:
    cues = tuple(Cue(2000 * n, 2000 * n + 1990, text) for n, text in enumerate(texts))
    guideline = override(Guideline(language="de", max_characters=most), **limits)
    options = Options(terms=tuple(terms), strict_budget=True)
    return localize(Track(cues, "srt"), ScriptedTranslator(script), guideline, options)


def test_what_has_the_terms_goes_before_what_scores_better():
    done = run(
        {"The ship is in the harbour.": ["Das Schiff liegt im Hafen.", "Der Kahn liegt im Hafen."]},
        "The ship is in the harbour.",
    )
    (outcome,) = done.outcomes
    assert outcome.target == "Der Kahn liegt im Hafen."
    assert [(use.source, use.placed) for use in outcome.terms] == [
        ("ship", True),
        ("harbour", True),
    ]
    assert done.report.totals["terms"] == {"found": 2, "placed": 2}


def test_a_translation_that_has_its_terms_is_left_as_it_is():
    script = {"A ship.": ["Ein Kahn.", "Zwei Kähne."]}
    translator = ScriptedTranslator(script)
    track = Track((Cue(0, 2000, "A ship."),), "srt")
    localize(track, translator, Guideline(language="de"), Options(terms=(SHIP,)))
    assert translator.asked == ["A ship."]


def test_a_budget_goes_before_a_term():
    done = run(
        {"The ship sails.": ["Der alte, große Kahn segelt.", "Es segelt."]},
        "The ship sails.",
        most=20,
    )
    (outcome,) = done.outcomes
    assert outcome.target == "Es segelt." and outcome.status == "fits"
    assert outcome.terms == (
        TermUse("ship", ("Kahn", "Kähne"), False, "no translation with it fits"),
    )
    assert done.report.clean


def test_reasons():
    long = Term(("ship",), ("Donaudampfschiff",), "de")
    (outcome,) = run({"A ship.": "Ein Kahn."}, "A ship.", terms=[long], most=10).outcomes
    assert outcome.terms[0].reason == "it has 16 characters, and there is room for 10"
    (outcome,) = run({"A ship.": "Ein Kahn."}, "A ship.", terms=[long]).outcomes
    assert outcome.terms[0].reason == "no translation with it was found"


def test_a_term_over_two_cues_is_told_where_it_begins():
    script = {
        "We sail to the old harbour of the big ship now.": "Wir fahren jetzt zum Hafen des Kahnes."
    }
    done = run(
        script,
        "We sail to the old harbour of the big",
        "ship now.",
        terms=[HARBOUR, Term(("big ship",), ("Kahn*",), "de")],
        most=25,
    )
    first, second = done.outcomes
    assert [(use.source, use.placed) for use in first.terms] == [
        ("harbour", True),
        ("big ship", True),
    ]
    assert second.terms == ()


def test_capitals():
    (outcome,) = run({"The ship is at sea": "Der Kahn ist auf See"}, "THE SHIP IS AT SEA").outcomes
    assert outcome.target == "DER KAHN IST AUF SEE" and outcome.terms[0].placed


@pytest.mark.parametrize(
    ("source_language", "language", "term", "text", "translations"),
    [
        # Within a text without spaces.
        ("en", "zh-Hans", ("tower", "灯塔"), "The tower is dark.", ("那座塔很暗。", "灯塔很暗。")),
        ("ja", "en", ("灯台", "lighthouse"), "古い灯台です。", ("A tower.", "A lighthouse.")),
        ("en", "th", ("school", "โรงเรียน"), "A school here.", ("ที่นี่", "ที่โรงเรียนนี้")),
        # No letter without its marks.
        ("hi", "en", ("किताब", "book"), "यह किताब है।", ("It is this.", "It is a book.")),
        ("en", "de", ("street", "Straße"), "THE STREET IS LONG", ("Es ist lang", "Die Straße")),
        ("tr", "en", ("ışık", "light"), "IŞIK ÇOK İYİ", ("Very good", "Good light")),
    ],
)
def test_terms_in_other_scripts(source_language, language, term, text, translations):
    terms = (Term(term[:1], term[1:], language),)
    guideline = Guideline(language=language, max_characters=100)
    options = Options(terms=terms, source_language=source_language)
    track = Track((Cue(0, 4000, text),), "srt")
    (sentence,) = join_cues(track.cues, parse_cues(track.cues, "srt"), language=source_language)
    script = {sentence.spoken: list(translations)}
    (outcome,) = localize(track, ScriptedTranslator(script), guideline, options).outcomes
    assert outcome.target.casefold() == translations[1].casefold()
    assert [use.placed for use in outcome.terms] == [True]


def test_a_name_is_kept_with_its_capitals():
    script = {"Wolf is here.": ["Der wolf ist da.", "Wolf ist da."]}
    (outcome,) = run(script, "Wolf is here.", terms=[name("Wolf")]).outcomes
    assert outcome.target == "Wolf ist da."


@pytest.mark.parametrize("text", ["♪ ship ♪", "[SHIP HORN]"])
def test_what_is_not_translated_has_no_terms(text):
    (outcome,) = run({}, text).outcomes
    assert outcome.status == "passed" and outcome.terms == ()


def test_a_number_goes_before_what_scores_better_and_is_no_term():
    done = run({"Platform 17.": ["Gleis sieben.", "Gleis 17."]}, "Platform 17.")
    (outcome,) = done.outcomes
    assert outcome.target == "Gleis 17." and done.report.cues[0].terms == ()
    assert done.report.totals["terms"]["found"] == done.report.totals["lost"] == 0


def test_a_translation_that_has_its_numbers_is_left_as_it_is():
    translator = ScriptedTranslator({"Platform 17.": ["Gleis 17.", "Gleis sieben."]})
    track = Track((Cue(0, 2000, "Platform 17."),), "srt")
    localize(track, translator, Guideline(language="de"))
    assert translator.asked == ["Platform 17."]


def test_a_number_that_is_lost_is_told_and_a_cue_with_it_is_worth_a_look():
    done = run({"Platform 17.": "Gleis sieben.", "A ship.": "Ein Kahn."}, "A ship.", "Platform 17.")
    (lost,) = done.report.cues[1].lost
    assert (lost.source, lost.reason) == ("17", "no translation with it was found")
    assert done.report.totals["lost"] == 1 and done.report.clean
    assert done.report.worst(1)[0].number == 2


def test_terms_of_the_glossary_overrule_what_would_be_kept():
    term = Term(("channel 17",), ("Kanal siebzehn",), "de")
    script = {"On channel 17.": ["Auf Kanal 17.", "Auf Kanal siebzehn."]}
    (cue,) = run(script, "On channel 17.", terms=[term]).report.cues
    assert cue.outcome.target == "Auf Kanal siebzehn." and not cue.lost


class Forgetful(ScriptedTranslator):
    """Leaves the number out of what is short, unless it is asked for the number."""

    def __init__(self) -> None:
        super().__init__({})
        self.wanted: list[list[str]] = []
        self.ceilings: list[float] = []

    def _answers(self, request: Request) -> list[Hypothesis]:
        self.wanted.append([each.source for each in request.terms])
        self.ceilings.append(request.ceiling)
        text = "Der Zug fährt auf Gleis 17 ab."
        if request.ceiling < 20:
            text = "Ab Gleis 17." if request.terms else "Er fährt ab."
        return [Hypothesis(text, float(len(text)), -0.2, -0.2)]


@pytest.mark.parametrize(
    ("most", "target"), [(40, "Der Zug fährt auf Gleis 17 ab."), (15, "Ab Gleis 17.")]
)
def test_a_number_that_shortening_lost_is_asked_for_once(most, target):
    translator = Forgetful()
    track = Track((Cue(0, 2000, "The train leaves from platform 17."),), "srt")
    done = localize(track, translator, Guideline(language="de", max_characters=most), STRICT)
    assert done.outcomes[0].target.replace("\n", " ") == target
    assert translator.wanted.count(["17"]) == (most == 15)


def test_what_cannot_fit_is_not_asked_for():
    translator = Forgetful()
    track = Track((Cue(0, 2000, "See www.example.org/a-very-long-address."),), "srt")
    done = localize(track, translator, Guideline(language="de", max_characters=15))
    assert done.report.totals["lost"] == 1
    assert not any(translator.wanted)
    assert translator.ceilings.count(math.inf) == 1


def test_separated_cues_and_long_texts_have_their_terms_where_they_stand():
    sentence = Sentence(
        (Part(0, 0, "Nora has a ship", opening="..."), Part(1, 0, "in the harbour."))
    )
    text = "Nora has a ship in the harbour."
    found = TermFinder((SHIP, HARBOUR), "de").find(text)
    budgets = (LengthBudget(), LengthBudget())
    first, second = Task(sentence, budgets, found).separated()
    for task, word in ((first, "ship"), (second, "harbour")):
        (term,) = task.terms
        assert task.sentence.text[term.start :].startswith(word)
