"""What is found, and the rules by name."""

from __future__ import annotations

from dataclasses import dataclass

RULES = {
    "spaces": "double spaces, spaces at the ends of lines or before a comma or full stop",
    "glyphs": "characters that players cannot show, or that only look like others",
    "ellipsis": "ellipses",
    "dashes": "dashes of speakers",
    "quotes": "quotation marks",
    "brackets": "brackets",
    "italics": "italics and other markup",
    "numbers": "numbers to be written as words",
    "line_breaks": "line breaks",
    "capitals": "text on screen",
    "names": "names spelt in two ways",
    "profanity": "words of a list that must not be said",
    "loose_gap": "gaps that are to be closed",
    "shot_change": "times near shot changes",
}
"""Names of rules beside those of limits (`subfit.reporting.check.KIND_NAMES`), and their titles."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a cue breaks."""

    rule: str
    """Of `RULES`, or a limit's."""
    cue: int
    """The cue's place in the file, from 0."""
    message: str
    """What is wrong, and what was to be there."""
    mendable: bool = False
    """Whether it can be mended without judgement."""
