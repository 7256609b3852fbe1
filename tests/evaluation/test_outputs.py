"""Test sets translated: as users' texts are, by the rules of the source's language."""

from __future__ import annotations

import pytest

from subfit.evaluation.corpus import Pair
from subfit.evaluation.outputs import Outputs, translate_pairs
from subfit.evaluation.rows import Row
from tests.scripted import ScriptedTranslator


def outputs(script: dict[str, object], language: str = "en") -> tuple[Outputs, ScriptedTranslator]:
    """What becomes of the sources of a script, and the translator that was asked."""
    translator = ScriptedTranslator(script)  # type: ignore[arg-type]
    translator.source_language, translator.language = language, "fr"
    pairs = [Pair("toy", source, "…") for source in script]
    return translate_pairs(translator, pairs, Row("scripted")), translator


@pytest.mark.parametrize(
    ("language", "source", "read"),
    [
        ("en", "It costs €1,234.50.", "It costs 1,234.50 dollars."),
        ("und", "It costs €1,234.50.", "It costs 1,234.50 dollars."),
    ],
)
def test_sources_are_read_by_the_rules_of_their_own_language(language, source, read) -> None:
    made, translator = outputs({source: [], read: "Il coûte 1 234,50 dollars."}, language)
    assert translator.asked[0] == read
    assert made.texts[0] == "Il coûte 1 234,50 €."
