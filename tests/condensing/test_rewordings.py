import pytest

from subfit.condensing.rewordings import rewordings, shortest_wording


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("I do not know where it is.", "I don't know where it is."),
        ("It is cold, and we are late.", "It's cold, and we are late."),
        ("They will not come.", "They won't come."),
        ("I have seen it. I have a car.", "I've seen it. I have a car."),
        ("Let us begin.", "Let's begin."),
        ("They let us begin.", "They let us begin."),
        ("We are going to win.", "We'll win."),
        ("We are going to the station.", "We're going to the station."),
        ("In order to win, we have to run.", "To win, we must run."),
        ("You do not have to run.", "You don't have to run."),
        ("I know that you are tired.", "I know you are tired."),
        ("I know that man.", "I know that man."),
        ("However, nobody came.", "But nobody came."),
        ("All of the boats are here.", "All the boats are here."),
        ("She paid twenty-five percent.", "She paid 25 percent."),
        ("Every now and then it rains.", "Sometimes it rains."),
        ("She paid 25 percent.", "She paid 25%."),
        ("It’s true that we do not see it.", "It’s true that we don’t see it."),
        ("He is not able to swim.", "He's not able to swim."),
    ],
)
def test_the_same_is_said_in_fewer_characters(text: str, shortest: str) -> None:
    assert shortest_wording(text, "en") == shortest


@pytest.mark.parametrize(
    "text",
    ["Yes, I am.", "This is what it is for.", "Do you know where he is?", "It was twelve."],
)
def test_what_cannot_be_run_together_stays(text: str) -> None:
    assert rewordings(text, "en") == []


def test_languages_without_lists_have_none() -> None:
    assert rewordings("In order to win", "de") == []


def test_every_rewording_is_shorter_and_stands_in_its_place() -> None:
    text = "As a result, I think that they are able to take a look at all of the boats."
    found = rewordings(text, "en")
    assert len(found) >= 4
    for each in found:
        assert len(each.text) < each.end - each.start
        assert 0 <= each.start < each.end <= len(text)
