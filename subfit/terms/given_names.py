"""Given names that are English words as well: "Has anybody seen Will?"

English writes such a word with a capital within a sentence only where it is a name. Behind an
article or a possessive it may be a title ("the Rose"), and where most words have capitals all is.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

_GIVEN = """
    Amber Archer Art Ash Autumn Bill Bob Brooke Buck Candy Carter Cash Chase Chip Clay Cliff Clove
    Colt Cooper Coral Crystal Daisy Dale Dash Dawn Dean Dixie Drew Dusty Ebony Faith Fern Flint
    Forrest Frank Gale Gene Ginger Glen Grace Grant Hank Harmony Hazel Heath Heather Holly Hope
    Hunter Iris Ivory Ivy Jack Jade Jasmine Jewel Joy Lance Laurel Lily Mark Mason Max Melody Mercy
    Miles Misty Nick Norm Olive Opal Parker Pat Patience Peg Penny Pepper Pierce Piper Poppy Porter
    Ray Reed Rich Rob Robin Rocky Rose Rowan Ruby Rusty Sage Sandy Scarlett Skip Skye Sonny Sterling
    Sue Summer Tanner Taylor Turner Victor Violet Wade Walker Ward Warren Will Willow Woody Wren
"""
"""Not months and days (April, June, May), kin (Guy, Buddy), nor what is mostly something else."""
_NAMES = frozenset(_GIVEN.split())
_SAID = """
    Autumn Cash Dawn Faith Harmony Hope Joy Melody Mercy Patience Rich Skip Summer
"""
_NOT_CALLED = frozenset(_SAID.split())
"""Of these, what a sentence opens with before a comma or cries out as often for the word."""
_DETERMINERS = (
    r"(?:a|an|the|this|that|these|those|my|your|his|her|its|our|their|no|any|some|every|each"
    r"|new|old|great|big|little|\p{L}+['’]s)"
)
_WITHIN = regex.compile(
    rf"(?<=\p{{Ll}},? )(?<!\b(?i:{_DETERMINERS}) )"
    r"(?P<name>\p{Lu}\p{Ll}+)(?![\p{L}-]| \p{Lu})",
    regex.V1,
)
_CALLED = regex.compile(r"(?:^|[.!?…] )(?P<name>\p{Lu}\p{Ll}+)(?=[,!] )")
_WORD = regex.compile(r"\p{L}[\p{L}’'-]*")


def given_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the given names of a file's people that are words like others.

    Args:
        texts: All that is said in the file, in English.

    Returns:
        In the order in which the file has them.
    """
    found: dict[str, None] = {}
    for text in texts:
        if _is_title(text):
            continue
        for pattern, names in ((_WITHIN, _NAMES), (_CALLED, _NAMES - _NOT_CALLED)):
            capitals = (match["name"] for match in pattern.finditer(text))
            found |= dict.fromkeys(name for name in capitals if name in names)
    return tuple(found)


def _is_title(text: str) -> bool:
    """Whether most words behind the first have capitals."""
    words = _WORD.findall(text)[1:]
    capitals = sum(word[0].isupper() and word != "I" for word in words)
    return len(words) > 3 and 2 * capitals > len(words)
