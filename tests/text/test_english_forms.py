"""Forms of English words."""

import pytest

from subfit.text.english_forms import noun_forms, verb_forms


@pytest.mark.parametrize(
    ("singular", "plural"),
    [("ship", "ships"), ("box", "boxes"), ("city", "cities"), ("key", "keys"), ("wish", "wishes")],
)
def test_plurals(singular, plural):
    assert noun_forms(singular) == (singular, plural)


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("sail", "sails sailed sailing"),
        ("stop", "stops stopped stopping"),
        ("hide", "hides hided hiding"),
        ("carry", "carries carried carrying"),
        ("play", "plays played playing"),
        ("oversee", "oversees overseed overseeing"),
        ("free", "frees freed freeing"),
        ("die", "dies died dying"),
        ("dye", "dyes dyed dyeing"),
        ("echo", "echoes echoed echoing"),
        ("go", "goes goed going"),
        ("admit", "admits admitted admitting"),
        ("prefer", "prefers preferred preferring"),
        ("begin", "begins beginned beginning"),
        ("offer", "offers offered offering"),
        ("visit", "visits visited visiting"),
        ("open", "opens opened opening"),
        ("quit", "quits quitted quitting"),
        ("panic", "panics panicked panicking"),
        ("fix", "fixes fixed fixing"),
    ],
)
def test_verbs(verb, forms):
    assert {verb, *forms.split()} <= {*verb_forms(verb)}


def test_the_first_word_of_a_phrase_is_the_verb():
    assert verb_forms("look after") == (
        "look after",
        "looks after",
        "looked after",
        "looking after",
    )


def test_what_another_verb_has_is_no_form():
    assert "hoped" not in verb_forms("hop") and "dying" not in verb_forms("dye")
