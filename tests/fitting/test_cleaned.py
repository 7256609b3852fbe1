"""Requests for what the model reads, and translations with everything put back."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml

from subfit.decoding.hypotheses import FREE, Hypothesis, Request, TermConstraint
from subfit.fitting.cleaned import as_read, cleaned, restored
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.subtitles.sentences import Part, Sentence
from tests.places import DATA

PLAIN = "Where is the lighthouse?"
ADDRESS = "Write to keeper@lighthouse.example today."


def task_of(text: str) -> Task:
    return Task(Sentence((Part(0, 0, text),)), (LengthBudget(42, floor=1),))


def hypothesis(text: str) -> Hypothesis:
    return Hypothesis(text, len(text), -1.0, -1.0)


def test_a_plain_sentence_is_asked_for_and_taken_as_it_is() -> None:
    task, request = task_of(PLAIN), Request(PLAIN, ceiling=30, asked=25)
    text = cleaned(PLAIN, task, "de")
    assert as_read(request, text) is request
    translation = hypothesis("Wo ist der Leuchtturm?")
    assert restored(translation, text, task) is translation


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("S-sorry, we are late.", "Tut mir leid, wir sind spät.", "T-Tut"),
        ("I know. [SIGHS] Go on.", "Ich weiß. Weiter.", "[SIGHS]"),
        ("What?! You left?!", "Was? Du gingst?", "?!"),
    ],
)
def test_what_the_model_did_not_read_is_put_back(source, translation, expected) -> None:
    task = task_of(source)
    text = cleaned(source, task, "de")
    assert expected not in translation
    whole = restored(hypothesis(translation), text, task)
    assert expected in whole.text
    assert whole.characters == len(whole.text)


def test_an_address_is_read_as_a_stand_in_and_comes_back_unaltered() -> None:
    task = task_of(ADDRESS)
    text = cleaned(ADDRESS, task, "de")
    assert "keeper@" not in text.text
    (stand_in,) = text.stand_ins
    written = hypothesis(f"Schreib heute an {stand_in.form}.")
    assert restored(written, text, task).text == "Schreib heute an keeper@lighthouse.example."
    term = TermConstraint(stand_in.source, (stand_in.source,), "de")
    (asked,) = as_read(Request(ADDRESS, terms=(term,)), text).terms
    assert asked.forms == (stand_in.form,)


def test_room_is_left_for_what_is_put_back() -> None:
    """A translation of what is asked for, with everything put back, is within what was asked."""
    text = cleaned(ADDRESS, task_of(ADDRESS), "de")
    assert text.growth > 0
    request = as_read(Request(ADDRESS, ceiling=40, dense=36, asked=38), text)
    assert request.ceiling + text.growth == 40
    assert request.dense + text.growth == 36
    assert request.asked + text.growth == 38
    free = as_read(Request(ADDRESS), text)
    assert (free.ceiling, free.dense, free.asked) == (math.inf, math.inf, FREE)
    tight = as_read(Request(ADDRESS, ceiling=2, dense=2, asked=2), text)
    assert (tight.ceiling, tight.dense, tight.asked) == (1, 1, 1)


def addresses() -> list[Any]:
    """Sources, a language, what a model makes of what it reads, and what is to be written."""
    rows = yaml.safe_load((DATA / "cleaning" / "addresses.yaml").read_text(encoding="utf-8"))
    return [
        pytest.param(row["source"], tag, *row[tag], id=f"{tag}-{row['source'][:20]}")
        for row in rows
        for tag in ("de", "es", "fr", "it")
        if tag in row
    ]


@pytest.mark.parametrize(("source", "language", "made", "written"), addresses())
def test_what_fits_as_it_is_read_fits_with_everything_put_back(source, language, made, written):
    task = task_of(source)  # no-break spaces are set later
    text = cleaned(source, task, language)
    request = as_read(Request(source, ceiling=float(len(written))), text)
    assert len(made) <= request.ceiling
    whole = restored(hypothesis(made), text, task)
    assert whole.text.replace("\u00a0", " ") == written.replace("~", " ")
    assert whole.characters == len(whole.text) <= len(written)
