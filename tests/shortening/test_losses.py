import pytest

from subfit.condensing.shortenings import Passage
from subfit.fitting.losses import Loss
from subfit.shortening.losses import changed_words, losses_between, losses_by_edits


def losses_of(text: str, shorter: str) -> set[Loss]:
    """What the rules' own way to a text loses."""
    passage = Passage(text, "en")
    found = passage.shortenings(0, len(text), len(shorter), ways=400)
    edits = next(each.edits for each in found if each.text == shorter)
    return set(losses_by_edits(passage, 0, len(text), edits))


@pytest.mark.parametrize(
    ("text", "shorter"),
    [
        ("Well, it is cold in here.", "It's cold in here."),
        ("Come here now, Mary.", "Come here now."),
        ("We really need to see the boats.", "We need to see the boats."),
        ("Boats leave the harbour during the day.", "Boats leave the harbour."),
    ],
)
def test_what_can_be_spared_is_no_loss(text: str, shorter: str) -> None:
    assert not losses_of(text, shorter)


@pytest.mark.parametrize(
    ("text", "shorter", "loss"),
    [
        (
            "The boat leaves at the pier in ten minutes.",
            "The boat leaves at the pier.",
            Loss.NUMBER,
        ),
        ("We met the captain in Hamburg.", "We met the captain.", Loss.NAME),
        ("It fell into the pond, and now it is gone.", "It fell into the pond.", Loss.PART),
        ("We forget names. We forget our keys.", "We forget our keys.", Loss.PART),
        ("Do not keep your money in one box.", "Do not keep your money.", Loss.PART),
        ("We see boats, bridges and ships.", "We see boats.", Loss.PART),
        ("We see boats, bridges, and ships.", "We see boats, and ships.", Loss.PART),
        ("We need no boat now, so let's sell it.", "We need no boat now.", Loss.PART),
        ("He comes here, and he does not sing.", "He comes here.", Loss.NEGATION),
    ],
)
def test_what_is_essential_is_told(text: str, shorter: str, loss: Loss) -> None:
    assert loss in losses_of(text, shorter)


@pytest.mark.parametrize(
    ("source", "text", "losses"),
    [
        ("I do not think that he will come.", "I don't think he'll come.", set()),
        ("It's going to be a very long day.", "It'll be a long day.", set()),
        ("I have never been there.", "I have been there.", {Loss.NEGATION}),
        ("Tom has seen the boats of Hamburg.", "Tom has seen the boats.", {Loss.NAME}),
        ("There are twenty-five boats.", "There are 25 boats.", set()),
        ("There are twenty-five boats.", "There are boats.", {Loss.NUMBER}),
        ("The old dog barks at night.", "The young cat barks at night.", {Loss.WORDS}),
        ("She sings every morning here.", "Every morning.", {Loss.VERB, Loss.WORDS}),
    ],
)
def test_a_text_written_anew_is_compared_by_its_words(
    source: str, text: str, losses: set[Loss]
) -> None:
    assert losses_between(source, text, "en") == losses


def test_words_of_meaning_count_more_than_others() -> None:
    assert changed_words("The dog is here.", "A dog is here.", "en") < 1
    assert changed_words("The dog is here.", "The cat is here.", "en") == 2
