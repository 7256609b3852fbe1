"""Terms take the places of the words they stand for, and are scored as the model scores them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.fitting.rewording import LESS, reworded, rewordings
from subfit.fitting.task import Task
from subfit.limits.budget import budget_for
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.model.checkpoint import load_checkpoint
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence, Term, TermFinder
from tests.tiny import PAIRS

GUN = Term(("gun", "guns"), ("Knarre", "Knarren"), "de")
BOAT = Term(("boat",), ("Kahn",), "de")
LADY = Term(("the old lady",), ("die Alte",), "de")
KNOWN = {
    ("guns", "Waffen"),
    ("gun", "Waffe"),
    ("boat", "Boot"),
    ("old", "alte"),
    ("lady", "Dame"),
    ("the", "Das"),
}


class Words:
    """Knows the words of `KNOWN`."""

    def scores(self, source, source_words, target, target_words):
        """Return 0.9 for them, and 0 for others."""
        return [
            [0.9 * ((one.text.lower(), other.text) in KNOWN) for other in target_words]
            for one in source_words
        ]


def task_of(text: str, *terms: Term, words: object = None) -> Task:
    found = TermFinder(terms, "de").find(text)
    budget = budget_for(text, None, Guideline(language="de"))
    return Task(Sentence((Part(0, 0, text),)), (budget,), found, words=words or Words())


@pytest.mark.parametrize(
    ("source", "terms", "translation", "texts"),
    [
        (
            "Put the guns in the boat.",
            (GUN, BOAT),
            "Leg die Waffen ins Boot.",
            ["Leg die Knarre ins Kahn.", "Leg die Knarren ins Kahn."],
        ),
        # what the translation has already, stays
        ("A gun in a boat.", (GUN, BOAT), "Ein Boot, eine Knarre.", ["Ein Kahn, eine Knarre."]),
        # an article that has gone to another noun does not count
        (
            "The boat of the old lady.",
            (BOAT, LADY),
            "Das Boot der alte Dame.",
            ["Das Kahn der die Alte."],
        ),
        # where a sentence begins
        ("Yes. The old lady sings.", (LADY,), "Ja. alte Dame singt.", ["Ja. Die Alte singt."]),
        ("Yes. The old lady sings.", (LADY,), "„alte Dame singt.", ["„Die Alte singt."]),
        # as a term has it, with accents written apart before it
        (
            "Cafe\u0301, cafe\u0301: a gun.",
            (GUN,),
            "Café, Café: Waffe.",
            [f"Café, Café: {each}." for each in GUN.targets],
        ),
        # nothing tells where
        ("A gun.", (GUN,), "Eine Pistole.", []),
        # both for one word
        ("The old lady.", (LADY, Term(("old",), ("betagt",), "de")), "Dame.", ["Die Alte."]),
        ("No term here.", (GUN,), "Kein Wort.", []),
    ],
)
def test_terms_take_the_places_of_the_words_they_stand_for(source, terms, translation, texts):
    found = rewordings(task_of(source, *terms), translation)
    assert [each.text for each in found] == texts
    forms = {form.lower() for term in terms for form in term.targets}
    for each in found:
        assert all(each.text[swap.start : swap.end].lower() in forms for swap in each.swaps)


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(load_checkpoint(str(tiny_model_folder)))


def test_what_is_reworded_has_the_score_that_the_model_gives_it(translator):
    found = 0
    for pair in PAIRS:
        ((best, *_),) = translator.translate([Request(pair.source)])
        words = best.text.split()
        if not words or not words[0].isalpha():
            continue
        term = Occurrence(pair.source.split()[0].strip(",."), 0, ("Kutter",), language="de")

        class First:
            def scores(self, source, source_words, target, target_words):
                return [
                    [0.9 * (i == j == 0) for j, _ in enumerate(target_words)]
                    for i, _ in enumerate(source_words)
                ]

        task = replace(task_of(pair.source, words=First()), terms=(term,))
        with patch("subfit.fitting.rewording.LESS", 0.0):
            free = reworded(task, [best], translator)
        for each, other in zip(reworded(task, [best], translator), free, strict=True):
            found += 1
            pieces = len(each.token_ids) + 1
            assert other.credit - each.credit == pytest.approx(LESS * pieces)
            assert each.text.split()[0].strip(",.!?") == "Kutter"
            assert translator.checkpoint.tokenizer.decode(list(each.token_ids)) == each.text
            ((rated,),) = translator.rate([pair.source], [[each]])
            assert rated.log_probability == pytest.approx(each.log_probability, abs=1e-4)
            assert rated.score == pytest.approx(each.score, abs=1e-4)
            assert each.credit >= -LESS * (len(each.token_ids) + 1) - 1e-6
            assert each.characters == len(each.text)
    assert found > len(PAIRS) // 2


def test_a_term_that_the_model_would_never_say_stands_where_it_belongs():
    from subfit.model.bundled import find_model
    from subfit.subtitles.formats import parse_track

    translator = Translator(load_checkpoint(find_model(None, "en", "de")), target_language="de")
    track = parse_track(
        b"1\n00:00:01,000 --> 00:00:06,000\nPut the guns in the boat, Nora.\n", name="a.srt"
    )
    done = localize(track, translator, Guideline.load("netflix", "de"), Options(terms=(GUN, BOAT)))
    (cue,) = done.outcomes
    words = cue.target.replace(",", " ").replace(".", " ").split()
    assert words.count("Kahn") == 1 and {"Knarre", "Knarren"} & set(words)
    assert "Boot" not in words and words[-1] == "Nora"
