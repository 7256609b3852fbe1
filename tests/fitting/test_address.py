"""Forms of address: what is asked of models that are trained for it, and how a film is voted on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from subfit.errors import UsageError
from subfit.fitting.scenes import (
    check_formality,
    lacks_forms,
    source_form,
)
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.formats import parse_track
from subfit.text.formality import FormalityWish
from tests.scripted import ScriptedTranslator

SCRIPT = {
    "Are you ready, sir?": "Sind Sie bereit, mein Herr?",
    "You are late, Mr. Hill.": "Sie sind spät, Herr Hill.",
    "I like you, mom.": "Ich mag dich, Mama.",
    "It rains.": "Es regnet.",
}
TRACK = parse_track("\n".join(SCRIPT).encode(), name="a.txt", format="txt")
NONE = Guideline.load("none", "de")


class Trained(ScriptedTranslator):
    """Has a token for either form."""

    language = "de"
    able = replace(ScriptedTranslator.able, formalities=("formal", "informal"))

    def __init__(self, script: dict[str, str] = SCRIPT) -> None:
        super().__init__(script)
        self.forms: list[str | None] = []

    def translate(self, requests, on_done=None):
        self.forms += [request.formality for request in requests]
        return super().translate(requests, on_done)


@pytest.mark.parametrize("wish", ["formal", "informal"])
def test_the_form_is_a_condition_of_every_request_that_addresses_somebody(wish: str) -> None:
    translator = Trained()
    done = localize(TRACK, translator, NONE, Options(formality=wish))  # type: ignore[arg-type]
    assert translator.forms == [wish, wish, wish, None]
    assert done.address is not None and done.address.taken == wish
    assert done.address.unmet == (1 if wish == "formal" else 2)


@pytest.mark.parametrize("wish", [None, "auto"])
def test_a_film_gets_the_form_that_most_speaks_for(wish: FormalityWish | None) -> None:
    translator = Trained()
    done = localize(TRACK, translator, NONE, Options(formality=wish))
    assert done.address is not None and done.address.taken == "formal"
    assert (done.address.source_formal, done.address.source_informal) == (2, 1)
    assert translator.forms[-len(SCRIPT) :] == ["formal", "formal", "formal", None]


@pytest.mark.parametrize("text", ["Are you ready?", "It rains.\nAre you ready?"])
def test_what_cannot_disagree_with_another_is_translated_once(text: str) -> None:
    script = {"It rains.": "Es regnet.", "Are you ready?": "Sind Sie bereit?"}
    translator = Trained(script)
    track = parse_track(text.encode(), name="a.txt", format="txt")
    done = localize(track, translator, NONE)
    assert translator.asked == text.splitlines()
    assert done.address is not None and done.address.taken is None


def test_sentences_that_call_for_the_other_form_get_it_and_are_counted() -> None:
    spoken = ["Kommst du?", "Hast du Geld?", "Kommen Sie?", "Es regnet."]
    track = parse_track("\n".join(spoken).encode(), name="a.txt", format="txt")
    translator = Trained(dict.fromkeys(spoken, "…"))
    translator.language = "it"
    guideline = Guideline.load("none", "it")
    done = localize(track, translator, guideline, Options(source_language="de"))
    assert translator.forms == ["informal", "informal", "formal", "informal"]
    assert done.address is not None
    assert (done.address.taken, done.address.exceptions) == ("informal", 1)


@pytest.mark.parametrize("wish", ["auto", "formal"])
@pytest.mark.parametrize(
    ("source", "asked"),
    [
        ("It rains.", False),
        ("So we left, but the rain went on!", False),
        ("The boat is ready, sir.", True),
        ("I saw your boat.", True),
        ("Come here.", True),
        ("It rains, come in.", True),
        ("We are late. Please wait.", True),
        ("Is it raining?", True),
    ],
)
def test_no_form_is_asked_for_where_nobody_is_addressed(source, asked, wish):
    track = parse_track(f"{source}\nYou are late, sir.".encode(), name="a.txt", format="txt")
    translator = Trained({source: "…", "You are late, sir.": "Sie sind spät, mein Herr."})
    localize(track, translator, NONE, Options(formality=wish))
    assert translator.forms[-2:] == ["formal" if asked else None, "formal"]


@pytest.mark.parametrize(("wish", "prompted"), [("any", False), ("any", True), (None, True)])
def test_forms_are_mixed_where_any_will_do_or_voting_would_cost_prompts(wish, prompted):
    translator = Trained()
    translator.able = replace(translator.able, prompted=prompted)
    done = localize(TRACK, translator, NONE, Options(formality=wish))
    assert set(translator.forms) == {None}
    assert done.address is None


@pytest.mark.parametrize("wish", [None, "auto", "formal"])
def test_of_other_models_nothing_is_asked(wish) -> None:
    translator = ScriptedTranslator(SCRIPT)
    translator.language = "de"
    done = localize(TRACK, translator, NONE, Options(formality=wish))
    assert done.address is None
    assert lacks_forms(translator, wish) is (wish is not None)


def test_languages_whose_forms_are_not_known_are_told() -> None:
    translator = Trained()
    translator.language = "fi"
    with pytest.raises(UsageError, match="forms of address of de, es, fr, it, not of fi"):
        check_formality(translator, "formal")
    check_formality(translator, None)


@pytest.mark.parametrize(
    ("source", "language", "form"),
    [
        ("Are you all right, sir?", "en", "formal"),
        ("Are you all right, Anna?", "en", "informal"),
        ("Anna is here.", "en", None),
        ("Kommst du?", "de", "informal"),
        ("Kommen Sie?", "de", "formal"),
        ("Mamma, vieni!", "it", "informal"),
    ],
)
def test_what_sources_tell(source: str, language: str, form: str | None) -> None:
    assert source_form(source, language) == form
