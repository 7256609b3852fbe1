import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.condensing.telegraphic import telegraphic

TEXT = "I will never go to the old house on the hill again, Mary."


def words_of(text: str) -> list[str]:
    return text.lower().replace(",", "").replace(".", "").split()


@pytest.mark.parametrize(
    ("text", "most", "words"),
    [
        ("Can we have breakfast now?", 15, {"breakfast"}),
        ("It is 25 degrees in Berlin.", 12, {"25", "Berlin"}),
        (TEXT, 30, {"never", "go"}),
    ],
)
def test_denials_names_numbers_and_verbs_stay_first(text: str, most: int, words: set[str]) -> None:
    found = telegraphic(text, most, "en")
    assert found is not None and len(found) <= most
    assert all(word.lower() in found.lower() for word in words)
    assert found[-1] == text[-1]


@given(st.integers(0, 60))
def test_words_keep_their_order_and_the_length(most: int) -> None:
    found = telegraphic(TEXT, most, "en")
    if found is None:
        assert most < 10
        return
    assert len(found) <= most
    rest = iter(words_of(TEXT))
    assert all(word in rest for word in words_of(found))


def test_a_word_that_is_too_long_is_not_cut() -> None:
    assert telegraphic("Incomprehensible.", 8, "en") is None
    assert telegraphic("", 8, "en") is None
