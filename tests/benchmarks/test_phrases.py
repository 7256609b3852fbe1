"""What counts as a broken phrase, and as a false stop."""

from __future__ import annotations

import math

import pytest

from benchmarks.phrases import PhraseBreaks, cue_breaks, is_broken, phrase_breaks
from subfit.subtitles.cues import Cue
from subfit.subtitles.joining import join_cues
from subfit.subtitles.sentences import parse_cues


@pytest.mark.parametrize(
    ("language", "above", "below", "broken"),
    [
        ("de", "Wir sehen den", "Leuchtturm nicht.", True),
        ("de", "Wir gehen heute in", "den Hafen.", True),
        ("de", "Wir sehen den Leuchtturm,", "aber nicht das Meer.", False),
        ("fr", "Nous voyons la", "maison.", True),
        ("fr", "Je ne sais pas", "où elle est.", False),
        ("es", "Vamos a la playa", "con tus amigos.", False),
        ("es", "Esta es mi", "casa.", True),
        ("it", "Andiamo verso", "il porto.", True),
        ("it", "Non lo so...", "...ma ci penso.", False),
        ("de", "Das ist das...", "...Ende.", True),
        ("de", "Das sagt", "Walter.", False),
    ],
)
def test_what_is_broken(language: str, above: str, below: str, broken: bool) -> None:
    assert is_broken(above, below, language) == broken


def test_lines_and_cues_are_counted_apart() -> None:
    found = phrase_breaks(
        ["Wir sehen den\nLeuchtturm und", "das Meer.", "- Wo ist\n- Was?", ""], {0, 2}, "de"
    )
    assert found == PhraseBreaks(lines=1, broken_lines=1, cues=1, broken_cues=1, false_stops=0)
    assert found.share == 1.0
    assert (found + found).lines == 2
    assert math.isnan(phrase_breaks([], (), "de").share)


@pytest.mark.parametrize(
    ("text", "stops"), [("Wir gehen.", 1), ("Wir gehen", 0), ("Wir gehen...", 0), ("Gehen?", 1)]
)
def test_a_stop_where_the_source_runs_on_is_false(text: str, stops: int) -> None:
    assert phrase_breaks([text, "nach Hause."], {0}, "de").false_stops == stops
    assert phrase_breaks([text, "nach Hause."], (), "de").false_stops == 0


def test_breaks_between_cues_are_those_of_the_sources_sentences() -> None:
    texts = ("We are going", "back home.", "Now.")
    cues = [Cue(2000 * n, 2000 * n + 1900, text) for n, text in enumerate(texts)]
    assert cue_breaks(join_cues(cues, parse_cues(cues, "srt"))) == {0}
