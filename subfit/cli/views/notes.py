"""Notes on limits that do not count, and on figures that are guesses."""

from __future__ import annotations

from collections.abc import Iterable

from subfit.speech.script_syllables import guessed_scripts

UNTIMED = "plain text is on no screen: only --length-ratio limits it"
UNSEEN = "a dubbing script is on no screen: guideline, --cps, --cpl and --lines do not limit it"


def guess_note(texts: Iterable[str]) -> str | None:
    """Return what to tell of texts whose speaking time is but a guess; None if all have a rule."""
    scripts = " and ".join(guessed_scripts(texts))
    if not scripts:
        return None
    return f"there is no rule for the syllables of {scripts}: how long it takes to say is a guess"
