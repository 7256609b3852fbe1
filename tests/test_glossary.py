"""Terms found in sources and recognised in translations."""

import pytest

from subfit.english_forms import noun_forms, verb_forms
from subfit.glossary import Occurrence, Term, TermFinder, missing_from, name

TERMS = (
    Term(("lighthouse", "lighthouses"), ("Leuchtturm", "Leuchttürme"), "de"),
    Term(("old lighthouse",), ("Alter Turm",), "de"),
    Term(("Polish",), ("Polnisch",), "de", case=True),
    Term(("don't",), ("bloß nicht",), "de"),
    Term(("C++",), ("C++",), "de"),
    Term(("lighthouse",), ("phare",), "fr"),
    name("Anna"),
    name("New York"),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lighthouse is dark.", ["lighthouse"]),
        ("Lighthouses are dark.", ["Lighthouses"]),
        ("The lighthouse's lamp", ["lighthouse"]),
        ("A lighthousekeeper, an unlighthouse", []),
        ("The old lighthouse is dark.", ["old lighthouse"]),
        ("The old lighthouse and the lighthouse", ["old lighthouse", "lighthouse"]),
        ("A lighthouse, no, two lighthouses!", ["lighthouse"]),
        ("You polish it. I speak Polish.", ["Polish"]),
        ("You polish it.", []),
        ("I DON’T SPEAK POLISH", ["DON'T", "POLISH"]),
        ("We use C++, not C.", ["C++"]),
        ("Anna's in New  York.", ["Anna", "New  York"]),
        ("anna in new york", []),
        ("", []),
    ],
)
def test_whole_words_are_found_and_the_longest_counts(text, found):
    assert [each.source for each in TermFinder(TERMS, "de").find(text)] == found


def test_each_language_has_its_own_terms_and_all_the_names():
    (found, anna) = TermFinder(TERMS, "fr").find("The old lighthouse, Anna!")
    assert (found.source, found.targets) == ("lighthouse", ("phare",))
    assert anna.targets == ("Anna",)


def test_a_name_may_have_its_genitive_in_german():
    def forms(text: str, language: str) -> tuple[str, ...]:
        return TermFinder([name(text)], language).find(text)[0].targets

    assert forms("Anna", "de") == ("Anna", "Annas")
    assert forms("Anna", "de-AT") == ("Anna", "Annas")
    assert forms("Anna", "it") == ("Anna",)
    assert forms("Lukas", "de") == ("Lukas",)


@pytest.mark.parametrize(
    ("form", "text", "there"),
    [
        ("Leuchtturm", "Der Leuchtturm.", True),
        ("Leuchtturm", "„Leuchtturm“", True),
        ("Leuchtturm", "Der Leuchtturm-Wärter", True),
        ("Leuchtturm", "Die Leuchtturmwärterin", False),
        ("Leuchtturm", "Des Leuchtturms", False),
        ("Leuchtturm*", "Des Leuchtturms", True),
        ("Leuchtturm", "der leuchtturm", False),
        ("Leuchtturm", "DER LEUCHTTURM BRENNT", True),
        ("geradeaus", "Geradeaus!", True),
        ("l'arche", "Voici l’arche.", True),
        ("New York", "New\u00a0York", True),
        ("Straße", "DIE STRASSE", True),
        ("über", "u\u0308ber", True),
    ],
)
def test_a_form_is_recognised_as_a_whole_word(form, text, there):
    assert Occurrence("x", 0, ("nothing", form)).is_in(text) is there


def test_what_is_missing():
    terms = TermFinder(TERMS, "de").find("Anna, the lighthouse!")
    assert [each.source for each in missing_from("Anna, der Turm!", terms)] == ["lighthouse"]
    assert not missing_from("Anna! Leuchttürme!", terms)


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
    ],
)
def test_verbs(verb, forms):
    assert verb_forms(verb) == (verb, *forms.split())


def test_the_first_word_of_a_phrase_is_the_verb():
    assert verb_forms("look after")[2] == "looked after"
