"""Words of several meanings, told by the words beside them."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, cast

import pytest

from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.formats import parse_track
from subfit.terms.senses import find_senses
from subfit.terms.word_lists import LANGUAGES
from tests.scripted import ScriptedTranslator


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("The elephant lifted its trunk.", "de", "Rüssel"),
        ("The keys are in the trunk of the car.", "de", "Kofferraum"),
        ("An old oak with a hollow trunk", "es", "tronco"),
        ("She hid in a cave full of bats.", "es", "murciélagos"),
        ("He swung the bat and broke the pitcher's nose.", "fr", "batte"),
        ("Their canoe lay on the river bank.", "fr", "rive"),
        ("The judge gave him a sentence of ten years in prison.", "it", "condanna"),
        ("Two moles in one agency?", "de", "Maulwürfe"),
        ("Each frame of the animation is drawn.", "es", "fotograma"),
        ("The picture hung in a golden frame.", "es", "marco"),
        ("Hide the layer with the skeleton.", "de", "Ebene"),
        ("The camera has a slow motion.", "fr", "mouvement"),
        ("The council rejected the motion.", "it", "mozione"),
        ("He keeps an axe in the garden shed.", "es", "cobertizo"),
        # Nothing beside it tells, or two things tell otherwise.
        ("I need a new trunk.", "de", None),
        ("The elephant sat on the trunk of the car.", "de", None),
        ("He went to the bank.", "de", None),
        # No noun, or a name.
        ("We spring into the water.", "de", None),
        ("The Bank by the river", "de", None),
        # Languages that the list does not have.
        ("The elephant lifted its trunk.", "pt", None),
    ],
)
def test_what_stands_beside_a_word_tells_its_meaning(text, language, said) -> None:
    assert [one.targets[0] for one in find_senses(text, "en", language)] == [said] * (
        said is not None
    )


def test_of_other_languages_nothing_is_known() -> None:
    assert not find_senses("The elephant lifted its trunk.", "nl", "de")


def test_a_meaning_may_be_said_within_a_longer_word() -> None:
    (bank,) = find_senses("Fish sleep by the river bank.", "en", "de")
    assert bank.is_in("Fische schlafen am Flussufer.") and bank.is_in("UFER")
    assert not bank.is_in("Fische schlafen auf der Bank.")
    (ball,) = find_senses("The prince invited us to a ball at the palace.", "en", "de")
    assert ball.is_in("zu seinem Ball") and not ball.is_in("zum Ballett")


def test_a_translation_with_another_meaning_is_searched_for_again() -> None:
    class Held(ScriptedTranslator):
        word_scores = cast(Any, object())

        def _answers(self, request):
            wanted = [form for term in request.terms for form in term.forms]
            found = super()._answers(request)
            return [one for one in found if not wanted or any(w in one.text for w in wanted)]

    source = "The elephant lifted its trunk."
    script = {source: ["Der Elefant hob seinen Koffer.", "Der Elefant hob seinen Rüssel."]}
    track = parse_track(f"1\n00:00:01,000 --> 00:00:05,000\n{source}\n".encode(), name="a.srt")
    (cue,) = localize(track, cast(Any, Held(script)), Guideline.load("netflix", "de")).track.cues
    assert cue.text == "Der Elefant hob seinen Rüssel."
    plain = ScriptedTranslator(script)  # of a model without a lexical table, which knows more
    (cue,) = localize(track, cast(Any, plain), Guideline.load("netflix", "de")).track.cues
    assert cue.text == "Der Elefant hob seinen Koffer."


def test_every_meaning_has_words_in_all_languages() -> None:
    rows = files("subfit.terms").joinpath("senses.tsv").read_text(encoding="utf-8").splitlines()
    header, *cells = (row.split("\t") for row in rows)
    assert header == ["word", "beside", *LANGUAGES]
    for row in cells:
        assert len(row) == len(header) and all(row), row
        assert all(len(cell.split(" ~ ")) <= len(row[0].split(" ~ ")) for cell in row[2:]), row
