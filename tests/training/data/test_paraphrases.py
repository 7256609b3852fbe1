import pytest

from subfit.evaluation.corpus import Pair
from subfit.training.data.paraphrases import copied, paraphrases, same_statement, shortened


def test_sources_of_one_translation_are_pairs_both_ways() -> None:
    pairs = [
        Pair("a", "How are you doing?", "Wie geht's?", "de"),
        Pair("a", "How's it going?", "Wie geht's?", "de"),
        Pair("a", "how's it going", "Wie geht's?", "de"),  # the same, but for case and marks
        Pair("a", "Elsewhere.", "Anderswo.", "de"),
        Pair("a", "What's up?", "Wie geht's?", "fr"),  # another language's
    ]
    made, counts = paraphrases(pairs[:3] + pairs[4:], "en")
    assert not made and counts.refused == 2  # "you", "it"
    made, counts = paraphrases([*pairs, Pair("b", "How do you do?", "wie geht's?", "de")], "en")
    assert {(one.source, one.target) for one in made} == {
        ("How are you doing?", "How do you do?"),
        ("How do you do?", "How are you doing?"),
    }
    assert (counts.groups, counts.pairs, counts.shorter) == (1, 2, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("He is here.", "She is here."),
        ("I am not late.", "I am late."),
        ("We saw Tom there.", "We saw Ann there."),
        ("It costs 20 euros.", "It costs 30 euros."),
        ("You saw it?", "You saw it."),
    ],
)
def test_what_a_language_leaves_open_is_no_paraphrase(one: str, other: str) -> None:
    assert not same_statement(one, other, "en")
    assert same_statement(one, one, "en")


def test_many_sources_are_drawn_from_and_the_seed_decides() -> None:
    words = ["Alpha", "Bravo", "Cargo", "Delta", "Echo", "Fox", "Golf", "Hotel", "India", "Kilo"]
    pairs = [Pair("a", f"{word.lower()} boats float", "Boote", "de") for word in words]
    made, counts = paraphrases(pairs, "en", seed=3)
    assert counts.pairs + counts.refused == 30
    assert (made, counts) == paraphrases(pairs, "en", seed=3)


def test_rules_and_copies_give_pairs() -> None:
    text = "Well, in order to win the race, we really have to run."
    (pair,) = shortened([text, text, "Too short."], "en")
    assert pair.source == text and len(pair.target) < len(text)
    assert [(each.source, each.target) for each in copied([text, "Too short."])] == [(text, text)]
    assert not list(shortened([text], "en", most=0))
