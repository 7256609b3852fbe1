"""The one character counter, used by budget, decoder, check and report alike.

One character is one grapheme cluster, as a viewer sees it. Tags must be gone already. Line breaks,
zero-width characters, bidi controls and variation selectors count nothing.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex


@dataclass(frozen=True, slots=True)
class Counting:
    """What counts as a character."""

    spaces: bool = True
    """Whether spaces and tabs count."""
    punctuation: bool = True
    """Whether punctuation counts (symbols such as ``♪`` and ``€`` always do)."""
    arabic_diacritics: bool = False
    """Whether U+064B to U+0653 count one each; otherwise they belong to their letter."""
    half_width: bool = False
    """Whether full-width characters and Hangul count 1 and all others 0.5 (CJK guidelines)."""

    @property
    def unit(self) -> float:
        """The smallest amount a text can grow by."""
        return 0.5 if self.half_width else 1.0


_CLUSTER = regex.compile(r"\X")

# A cluster without a base (a lone accent at the start of a SentencePiece piece, a zero-width
# space) counts nothing. That is what makes the count of a text never exceed that of its parts.
_BASE = regex.compile(
    r"[^\p{GCB=CR}\p{GCB=LF}\p{GCB=Control}\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}"
    r"\p{Default_Ignorable_Code_Point}]|\t"
)

# Characters that are clusters of their own whatever stands beside them: Latin, Greek, Cyrillic,
# general punctuation and symbols. Such text needs no segmentation.
_SIMPLE = regex.compile(
    r"[\t\n\r\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff"
    r"\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff]*"
)
_ARABIC_DIACRITICS = regex.compile("[\u064b-\u0653]")

EVERYTHING = Counting()
"""Spaces and punctuation count: the rule of most guidelines."""


def count_characters(text: str, counting: Counting = EVERYTHING) -> float:
    """Count the characters of a text that a viewer reads.

    For any way of cutting a text into pieces, the pieces' counts sum to at least the text's, and to
    exactly that as long as no piece begins within a cluster at a code point that could begin one
    itself (a conjoining Hangul vowel, the second half of a flag, an emoji after a zero-width
    joiner, a conjoined Indic consonant). Accents, vowel signs and joiners at the start of a piece
    are counted with the piece before, that is, not at all.

    Args:
        text: Plain text, tags removed; it may have several lines.
        counting: What counts, and how much.

    Returns:
        The number of characters: whole, or a multiple of 0.5 if half widths count half.
    """
    if counting.spaces and counting.punctuation and not counting.half_width:
        if text.isascii() and text.isprintable():
            return float(len(text))
        if _SIMPLE.fullmatch(text):
            return float(len(text) - text.count("\n") - text.count("\r"))
    return sum((_weigh(cluster, counting) for cluster in _CLUSTER.findall(text)), 0.0)


@lru_cache(maxsize=16384)
def _weigh(cluster: str, counting: Counting) -> float:
    """Return what one grapheme cluster counts; its first base character decides."""
    diacritics = len(_ARABIC_DIACRITICS.findall(cluster)) if counting.arabic_diacritics else 0.0
    if (base := _BASE.search(cluster)) is None:
        return diacritics
    kind, width = unicodedata.category(base[0])[0], unicodedata.east_asian_width(base[0])
    space = base[0].isspace()
    if (space and not counting.spaces) or (kind == "P" and not space and not counting.punctuation):
        return diacritics
    # Punctuation and symbols of ambiguous width (``…``, ``—``, ``♪``) take a full square in CJK
    # fonts; letters of ambiguous width (``é``, Greek, Cyrillic) are set half-width in subtitles.
    full = width in "WF" or (width == "A" and kind in "PS")
    return diacritics + (1.0 if full or not counting.half_width else 0.5)
