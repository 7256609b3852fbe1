from types import SimpleNamespace
from typing import Any

import pytest

from subfit.decoding.hypotheses import Hypothesis
from subfit.errors import UsageError
from subfit.evaluation.reranking import check_reranking, reranked, source_words


def hypotheses(*texts: str) -> list[Hypothesis]:
    return [Hypothesis(text, len(text), -number, -number) for number, text in enumerate(texts)]


def translator(source: str, target: str) -> Any:
    return SimpleNamespace(name="m", source_language=source, language=target)


def test_in_one_language_the_words_of_the_source_count() -> None:
    source = "The last boat to Bergen leaves at ten."
    found = hypotheses("A ship goes.", "The last boat leaves.", "Last boat leaves the place.")
    best, *_ = reranked(source, found)
    assert best.text == "The last boat leaves."
    assert source_words(source, "the the boat") == 2  # each as often as both have it


def test_of_those_that_say_as_much_the_more_probable_stays_first() -> None:
    found = hypotheses("boat b", "boat a", "none")
    assert [one.text for one in reranked("boat", found)] == [
        "boat b",
        "boat a",
        "none",
    ]


def test_between_languages_nothing_is_reranked() -> None:
    check_reranking(translator("en", "en-GB"))
    with pytest.raises(UsageError, match="translates between languages"):
        check_reranking(translator("en", "de"))
