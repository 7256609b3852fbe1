"""What a released model is asked for on test sets, and the options that ask for it."""

from __future__ import annotations

from collections.abc import Mapping

from subfit.evaluation.asking import NATURAL, Wish
from subfit.limits.budget import LengthRatio

ISOMETRIC = LengthRatio(0.9, 1.1)

WISHES: Mapping[str, Wish] = {
    "natural": Wish(NATURAL),
    "isometric": Wish(NATURAL, length_ratio=ISOMETRIC),
    "−15 %": Wish(NATURAL, natural_ratio=0.85),
    "−30 %": Wish(NATURAL, natural_ratio=0.7),
    "−30 %, whole": Wish(NATURAL, natural_ratio=0.7, whole_sentences=True),
}
"""By their names in the card.

The two shorter ones have a ceiling that is a share of the model's own natural translation, not of
the source: this is how much has to go when a subtitler finds a cue too long, and it is as hard in
every language, while 0.85 times the source is more than a quarter less in German and hardly less
than natural in a terse language. The last one goes over its ceiling rather than end a sentence too
early, which tells what such endings are worth.
"""


def options_for(wish: Wish) -> list[str]:
    """Return the options of ``subfit evaluate`` that ask for one of `WISHES`."""
    if wish.length_ratio is not None:
        ratio = wish.length_ratio
        return ["--length-ratio", f"{ratio.minimum:g}:{ratio.maximum:g}"]
    whole = ["--whole-sentences"] if wish.whole_sentences else []
    if wish.natural_ratio is not None:
        return ["--natural-ratio", f"{wish.natural_ratio:g}", *whole]
    return whole
