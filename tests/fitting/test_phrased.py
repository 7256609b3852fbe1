"""Phrases are said as the phrasebook has them, and the rest of a text is left to the model."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.limits.guideline import Guideline
from subfit.localization import DEFAULT_OPTIONS, localize
from subfit.subtitles.cues import Cue, Track
from subfit.terms.glossary import Term
from tests.scripted import ScriptedTranslator


class NoScores:
    """A lexical table that knows no word: models that have one are small."""

    def scores(self, source, source_words, target, target_words):
        return [[0.0] * len(target_words) for _ in source_words]


class Small(ScriptedTranslator):
    """Has a lexical table, and remembers its requests."""

    word_scores = NoScores()

    def __init__(self, script):
        super().__init__(script)
        self.requests = []

    def translate(self, requests, on_done=None):
        self.requests += requests
        return super().translate(requests, on_done)


def translated(script, *sources, language="de", seconds=4, **options):
    translator = Small(script)
    cues = tuple(Cue(9000 * n, 9000 * n + 1000 * seconds, text) for n, text in enumerate(sources))
    done = localize(
        Track(cues, "srt"),
        translator,
        Guideline.load("netflix", language),
        replace(DEFAULT_OPTIONS, **options),
    )
    return [cue.text.replace("\n", " ") for cue in done.track.cues], translator, done


def test_what_is_nothing_but_a_phrase_is_not_searched():
    texts, translator, done = translated({}, "Never mind!", "What's going on?")
    assert texts == ["Schon gut!", "Was ist hier los?"]
    assert translator.asked == []
    assert done.report.totals["untranslated"] == 0


def test_the_model_reads_what_is_left():
    script = {"I'll do it.": "Ich mache es.", "He is dead.": "Er ist tot.", "I love it.": "Toll."}
    texts, translator, _ = translated(
        script,
        "Never mind, I'll do it.",
        "He is dead. What do we do?",
        "I love it, thank you.",
    )
    assert texts == [
        "Schon gut, ich mache es.",
        "Er ist tot. Was machen wir jetzt?",
        "Toll, danke.",
    ]
    assert set(translator.asked) == set(script)


def test_german_nouns_and_names_keep_their_capitals_behind_a_phrase():
    script = {
        "The door is open.": "Türen sind offen.",
        "Zelenka is here.": "Zelenka ist da.",
        "There is Zelenka.": "Zelenka ist da.",
    }
    sources = (
        "Never mind, the door is open.",
        "Look, Zelenka is here.",
        "Look, there is Zelenka.",
    )
    texts, *_ = translated(script, *sources)
    assert texts == [
        "Schon gut, Türen sind offen.",
        "Schau, Zelenka ist da.",
        "Schau, Zelenka ist da.",
    ]


def test_the_rest_of_a_sentence_gets_the_characters_that_a_phrase_leaves():
    script = {"The door is open.": ["Die Tür da ist offen.", "Die Tür ist auf."]}
    texts, translator, _ = translated(script, "Never mind, the door is open.", seconds=1.7)
    assert texts == ["Macht nichts, die Tür ist auf."] or texts == ["Schon gut, die Tür ist auf."]
    limited = [one for one in translator.requests if one.ceiling < 1000]
    assert limited and all(one.ceiling <= 28 - len("Macht nichts, ") for one in limited)


def test_a_shorter_way_is_taken_where_there_is_no_room():
    texts, *_ = translated({}, "Thank you very much.", seconds=0.5)
    assert texts == ["Danke."]


def test_a_phrase_that_fits_nowhere_stays_whole_and_is_told():
    texts, translator, done = translated({}, "Where's everyone?", language="es", seconds=0.8)
    assert texts == ["¿Dónde están todos?"] and translator.asked == []
    assert done.report.totals["overflow"]["after"]["over"] == 1


def test_strict_budgets_are_left_to_the_model():
    script = {"Where's everyone?": ["¿Y todos?"]}
    options = {"language": "es", "seconds": 0.8, "strict_budget": True}
    texts, _, done = translated(script, "Where's everyone?", **options)
    assert texts == ["¿Y todos?"]
    assert done.report.totals["overflow"]["after"]["over"] == 0


def test_a_phrase_may_take_more_time():
    texts, translator, done = translated(
        {}, "Where's everyone?", language="es", seconds=0.9, timing="extend"
    )
    assert texts == ["¿Dónde están todos?"] and translator.asked == []
    assert done.report.totals["overflow"]["after"]["over"] == 0 and done.track.cues[0].end > 900


@pytest.mark.parametrize(
    ("form", "text"), [("formal", "Setzen Sie sich."), ("informal", "Setz dich.")]
)
def test_people_are_addressed_as_was_asked_for(form, text):
    class Addressing(Small):
        bars_words = True
        language = "de"

    cues = (Cue(0, 3000, "Sit down."),)
    options = replace(DEFAULT_OPTIONS, formality=form)
    guideline = Guideline.load("netflix", "de")
    done = localize(Track(cues, "srt"), Addressing({}), guideline, options)
    assert done.track.cues[0].text == text


def test_phrases_address_people_as_the_rest_of_their_text_does():
    texts, *_ = translated({"You are bleeding.": "Sie bluten ja."}, "Sit down! You are bleeding.")
    assert texts == ["Setzen Sie sich! Sie bluten ja."]


def test_each_language_has_its_marks():
    sources = ["Hurry up!", "What's going on?"]
    assert translated({}, *sources, language="es")[0] == ["¡Date prisa!", "¿Qué está pasando?"]
    french = translated({}, *sources, language="fr")[0]
    assert french == ["Dépêche-toi\u00a0!", "Que se passe-t-il\u00a0?"]


def test_what_is_shouted_is_shouted():
    assert translated({}, "GET DOWN!", "HURRY UP!")[0] == ["RUNTER!", "BEEIL DICH!"]


def test_what_stands_around_all_stays():
    assert translated({}, "*Step aside! Careful!*", "*HURRY UP!*")[0] == [
        "*Aus dem Weg! Vorsicht!*",
        "*BEEIL DICH!*",
    ]


def test_a_glossary_comes_first():
    terms = (Term(("fire",), ("Brand",), "de"),)
    script = {"Don't shoot!": "Kein Brand!", "Hold your fire!": "Haltet den Brand!"}
    texts, *_ = translated(script, "Hold your fire!", terms=terms)
    assert texts == ["Haltet den Brand!"]


def test_they_may_be_left_to_the_model():
    script = {"Hurry up!": "Schneller!"}
    assert translated(script, "Hurry up!", phrases=False)[0] == ["Schneller!"]


def test_models_without_a_lexical_table_know_them_well_enough():
    translator = ScriptedTranslator({"Never mind!": "Egal!"})
    track = Track((Cue(0, 3000, "Never mind!"),), "srt")
    assert (
        localize(track, translator, Guideline.load("netflix", "de")).track.cues[0].text == "Egal!"
    )
