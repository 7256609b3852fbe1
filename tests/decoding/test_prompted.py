"""What models have in common that are told in words what to do."""

from __future__ import annotations

import pytest

from subfit.decoding.hypotheses import Request, TermConstraint
from subfit.decoding.prompted import PromptedTranslator
from subfit.decoding.prompts.template import find_template
from subfit.errors import UsageError
from subfit.text.counting import EVERYTHING


@pytest.fixture
def translator() -> PromptedTranslator:
    return PromptedTranslator("talker", find_template("chat", "", ""), "en", "de", EVERYTHING)


def told(translator: PromptedTranslator, request: Request) -> str:
    """All that the model is told."""
    messages = translator._prompter.messages(translator._asked(request))
    return "\n".join(message["content"] for message in messages)


@pytest.mark.parametrize(
    ("request_", "most"),
    [
        (Request("We sail."), None),
        (Request("We sail.", ceiling=17.9), 17),  # what there is room for
        (Request("We sail.", ceiling=17.0, asked=13), 13),
        (Request("We sail.", asked=13), 13),
    ],
)
def test_the_length_that_is_told_is_the_one_asked_for_or_what_there_is_room_for(
    translator, request_, most
):
    text = told(translator, request_)
    assert "We sail." in text
    assert ("character" in text) is (most is not None)
    assert most is None or f"{most} " in text


def test_terms_are_told_without_the_mark_of_an_open_end(translator):
    term = TermConstraint("harbour", ("Hafen*", "Häfen"))
    text = told(translator, Request("The harbour is shut.", terms=(term,)))
    assert "Hafen" in text and "Hafen*" not in text
    assert "Hafen" not in told(translator, Request("The harbour is shut."))


def test_it_knows_no_probabilities_and_says_that_it_predicts_no_lengths(translator):
    able = translator.capabilities
    assert able.lengths and able.terms and able.prompted and not (able.rates or able.predicts)
    with pytest.raises(UsageError, match="talker has no length predictor"):
        translator.predict_lengths(["We sail."])
