"""Notes on speaking times that are but guesses."""

from __future__ import annotations

import pytest

from subfit.cli.views.notes import guess_note


@pytest.mark.parametrize(
    ("texts", "scripts"),
    [
        (["Where is the lighthouse?", "Wo ist er?"], None),
        (["Где маяк?", "灯台はどこ", "ไปไหน"], None),
        (["Where?", "ꦱꦱ"], "Javanese"),
        ([], None),
    ],
)
def test_scripts_without_a_rule_for_syllables_are_told(texts, scripts) -> None:
    note = guess_note(texts)
    assert (note is None) == (scripts is None)
    assert scripts is None or f"syllables of {scripts}" in str(note)
