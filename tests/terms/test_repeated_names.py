"""Names that a file repeats, and that stay as they are."""

from __future__ import annotations

import pytest

from subfit.limits.guideline import Guideline
from subfit.localization import localize
from subfit.subtitles.cues import Cue, Track
from subfit.terms.file_names import FileNames
from subfit.terms.repeated_names import repeated_names
from tests.scripted import ScriptedTranslator


class Judge:
    """Knows the words that are none, as a model's training text shows them."""

    common = frozenset(
        ["have", "you", "seen", "where", "is", "she", "the", "door", "blacksmith", "rose"]
    )

    def is_name(self, word: str, *, opening: bool) -> bool:
        return word.lower() not in self.common or (word == "Rose" and not opening)


JUDGE = Judge()


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (["Have you seen Zelenka?", "Zelenka is here."], ["Zelenka"]),
        (["Have you seen Zelenka?", "Where is she?"], []),  # once
        (["Zelenka! Zelenka!"], []),  # in one text
        (["Zelenka's here.", "It is O'Dowd.", "O'Dowd, Zelenka!"], ["Zelenka", "O'Dowd"]),
        (["Where is Rose?", "Rose is here."], []),  # may be a flower
        (["The Blacksmith is here.", "A Blacksmith!"], []),  # a word like others
        (["See the Waypoints.", "Waypoints are here.", "Set waypoints."], []),
        (["ZELENKA IS HERE", "ZELENKA!"], []),  # capitals tell nothing
        (["Write to Zelenka@example.org.", "Zelenka.org is here."], []),
        (["You're right.", "You're late."], []),  # two words
        (["D’accord !", "D’accord, Zelenka."], []),
        (["Zoë and Žižka.", "Žižka saw Zoë."], ["Zoë", "Žižka"]),
    ],
)
def test_what_is_always_a_name_and_comes_again_is_kept(texts, names):
    assert list(repeated_names(texts, JUDGE)) == names


def test_it_is_kept_wherever_it_stands():
    names = FileNames(["Have you seen Zelenka?", "Zelenka is here."], "en", "de", JUDGE)
    for text in ("Zelenka is late.", "Where is Zelenka?", "Zelenka"):
        assert [found.source for found in names.find(text)] == ["Zelenka"]


@pytest.mark.parametrize("target", ["ja", "ru"])
def test_not_in_languages_that_write_names_otherwise(target):
    texts = ["Have you seen Zelenka?", "Zelenka is here."]
    assert not FileNames(texts, "en", target, JUDGE).find(texts[0])


def test_translations_that_have_it_are_searched_for():
    class Knowing(ScriptedTranslator):
        source_words = JUDGE

        def _answers(self, request):
            found = super()._answers(request)
            wanted = [form for term in request.terms for form in term.forms]
            return [one for one in found if all(form in one.text for form in wanted)]

    script = {
        "Have you seen Zelenka?": ["Hast du Selenka gesehen?", "Hast du Zelenka gesehen?"],
        "Zelenka is here.": ["Zelenka ist da."],
    }
    cues = tuple(Cue(9000 * n, 9000 * n + 4000, text) for n, text in enumerate(script))
    guideline = Guideline.load("netflix", "de")
    found = localize(Track(cues, "srt"), Knowing(script), guideline)
    texts = [cue.text.replace("\n", " ") for cue in found.track.cues]
    assert texts == ["Hast du Zelenka gesehen?", "Zelenka ist da."]
