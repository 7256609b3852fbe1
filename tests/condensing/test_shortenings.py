from hypothesis import given
from hypothesis import strategies as st

from subfit.condensing.shortenings import Passage

LATE = "Well, in order to catch the boat, we are going to leave in the morning, Mary."


def shortest_of(text: str, most: float, **more: object) -> list[str]:
    return [each.text for each in Passage(text, "en").shortenings(0, len(text), most, **more)]  # type: ignore[arg-type]


def test_what_is_said_shorter_goes_before_what_is_left_out() -> None:
    first, *_ = shortest_of(LATE, 71)
    assert first == "Well, to catch the boat, we are going to leave in the morning, Mary."
    first, *_ = shortest_of(LATE, 60)
    assert first == "Well, to catch the boat, we'll leave in the morning, Mary."


def test_nothing_longer_than_asked_and_no_more_lost_than_needed() -> None:
    found = Passage(LATE, "en").shortenings(0, len(LATE), 50)
    assert found and all(len(each.text) <= 50 for each in found)
    assert [each.cost for each in found] == sorted(each.cost for each in found)
    (gone,) = found[0].omitted[-1:]
    assert "Mary" in LATE[slice(*gone)]


def test_only_the_part_in_one_cue_is_shortened() -> None:
    text = "I do not know the man who did not pay."
    start = text.index("who")
    found = Passage(text, "en").shortenings(start, len(text), len(text) - start - 1)
    assert found[0].text == "who didn't pay."


def test_a_part_keeps_the_capitals_that_it_is_written_with() -> None:
    text = "we do not know"
    found = Passage(text, "en").shortenings(0, len(text), 13, written="WE DO NOT KNOW")
    assert not found or found[0].text.startswith("WE")


def test_names_to_keep_stay() -> None:
    text = "Come here now, Mary."
    assert Passage(text, "en").shortenings(0, len(text), 14)[0].text == "Come here now."
    assert not Passage(text, "en", ("Mary",)).shortenings(0, len(text), 14)


def test_every_sentence_keeps_a_verb_over_all_its_cues() -> None:
    passage = Passage("He is ill, and she is here.", "en")
    end = passage.text.index(" and")
    first = passage.shortenings(0, end, 2)
    assert not first  # what is left of it would begin with "and"
    made = next(each for each in passage.shortenings(end, len(passage.text), 2, ways=99) or [None])
    assert made is None


@given(st.integers(1, 76))
def test_no_length_breaks_it(most: int) -> None:
    for each in Passage(LATE, "en").shortenings(0, len(LATE), most):
        assert 0 < len(each.text) <= most
        assert any(map(str.isalnum, each.text))


def test_other_languages_have_no_rules() -> None:
    assert not Passage("Das ist nicht wahr.", "de").shortenings(0, 19, 10)
