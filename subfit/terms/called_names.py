"""Names that people are called by, though they are words like others: "Good night, Scales."

English, Spanish, French and Italian write only names and titles with a capital behind a comma, and
nobody is told of a place or a day by its name alone. So what stands behind a comma at the end of a
sentence and also as a sentence of its own ("Scales?") is somebody's name.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from subfit.terms.repeated_names import NAME, SMALL

_ENDS = r"(?=\s?[.!?…]|$)"  # French has a space before marks
_CALLED = regex.compile(rf",\s(?P<name>{NAME}){_ENDS}")
_ALONE = regex.compile(rf"(?:^|[.!?…]\s)(?P<name>{NAME}){_ENDS}")
_KIN = """
    Sir Madam Miss Mum Mummy Mom Mommy Mama Ma Dad Daddy Papa Pa Pop Grandma Granny Grandpa Mother
    Brother Sister Son Auntie Uncle Aunt Honey Darling Dear Sweetheart Love Baby Boss Chief Captain
    Doc Doctor Professor Officer Sergeant Lieutenant General Colonel Major Inspector Detective
    Sheriff Master Mistress Lord Lady Majesty Highness Honor Honour King Queen Prince Princess
    Gentlemen Ladies Guys Boys Girls Kids Children Friends Everyone Everybody God Jesus Christ
    Nurse Reverend Father Coach Judge President Senator Governor Mayor Commander Admiral
    Señor Señora Señorita Mamá Papá Capitán Doctora Dios Monsieur Madame Mademoiselle Maman
    Docteur Capitaine Dieu Signore Signora Signorina Mamma Papà Babbo Dottore Capitano Dio
"""
_NO_NAMES = frozenset(_KIN.split())
"""What people are called that has a translation."""


def called_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the names that people of a file are called by.

    Args:
        texts: All that is said in the file, in a language that writes nouns small.

    Returns:
        In the order in which the file calls them.
    """
    called: dict[str, None] = {}
    alone: set[str] = set()
    small: set[str] = set()
    for text in texts:
        small.update(SMALL.findall(text))
        alone.update(_ALONE.findall(text))
        called |= dict.fromkeys(_CALLED.findall(text))
    return tuple(
        name
        for name in called
        if name in alone and name not in _NO_NAMES and name.lower() not in small
    )
