"""Where a word may begin and end: one rule for all who look for words in a text.

In scripts that part words by spaces a word ends where no letter, digit or underscore follows. What
is written without spaces does not show where words end, so that one may begin and end anywhere
between two characters as a reader sees them (grapheme clusters, UAX #29); and so it may where such
a script meets another one. Marks belong to their letter: a vowel sign of Hindi or a point of Hebrew
neither ends a word nor stands apart from the letter it is written on.
"""

from __future__ import annotations

from functools import lru_cache

import regex

_CLUSTER = regex.compile(r"\X")
UNSPACED_LETTER = (
    r"[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}\p{Balinese}\p{Javanese}]"
)
"""An expression for a letter of scripts without spaces: those of East Asia, and those that line
breaking calls South East Asian (UAX #14). Korean and Vietnamese have spaces, and Tibetan has a mark
between syllables."""
_UNSPACED = regex.compile(UNSPACED_LETTER)
# Thai and Lao write some vowels before the consonant they are said after; a stacker puts the next
# consonant below, and not all versions of UAX #29 count both as one.
_BEGINS_MORE = regex.compile(r"[\p{Logical_Order_Exception}\p{InSC=Invisible_Stacker}]$")
# Small kana that make one sound with the kana before: キャ, ファ.
_ENDS_MORE = regex.compile(r"[ゃゅょャュョァィゥェォヮ]")
_CONTINUES = regex.compile(r"[\p{M}\p{Join_Control}]")


def is_unspaced(char: str) -> bool:
    """Whether a character is of a script that is written without spaces between words."""
    return _UNSPACED.match(char) is not None


def is_of_word(char: str) -> bool:
    """Whether words consist of a character; a mark at the start of a text is of a word before."""
    return char.isalnum() or char == "_" or _CONTINUES.match(char) is not None


@lru_cache(maxsize=8192)
def word_bounds(text: str) -> frozenset[int]:
    """Return the places of a text where a word may begin or end.

    Args:
        text: Any text.

    Returns:
        Places between characters: 0 is before the first, ``len(text)`` behind the last.
    """
    bounds, before = {0, len(text)}, ""
    for cluster in _CLUSTER.finditer(text):
        if not _is_one_word(before, cluster[0]):
            bounds.add(cluster.start())
        before = cluster[0]
    return frozenset(bounds)


def goes_on(text: str) -> bool:
    """Whether a text that is written right behind a word goes on with it.

    What is written without spaces may, but need not; it counts as not going on.
    """
    first = text[:1]
    if not first or not is_of_word(first):
        return False
    return _CONTINUES.match(first) is not None or not is_unspaced(first)


def split_unspaced(word: str) -> list[str]:
    """Part a word of a script without spaces where a line might end; leave others whole."""
    breaks = [
        at
        for at in sorted(word_bounds(word))
        if 0 < at < len(word) and (is_unspaced(word[at - 1]) or is_unspaced(word[at]))
    ]
    return [word[a:b] for a, b in zip([0, *breaks], [*breaks, len(word)], strict=True)]


def _is_one_word(before: str, after: str) -> bool:
    """Whether two clusters that stand side by side cannot be of two words."""
    if not before or not is_of_word(before[0]) or not is_of_word(after[0]):
        return False
    if _BEGINS_MORE.search(before) or _ENDS_MORE.match(after):
        return True
    return not is_unspaced(before[0]) and not is_unspaced(after[0])
