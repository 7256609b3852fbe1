"""The regular forms of English nouns and verbs, to find the terms of a glossary by."""

from __future__ import annotations

import re

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_Y = re.compile(r"[^aeiou\W\d]y$", re.IGNORECASE)
_SHORT = re.compile(r"^[^aeiou]*[aeiou][^aeiouwxy]$", re.IGNORECASE)


def noun_forms(term: str) -> tuple[str, ...]:
    """Return a noun as it is given and in the plural: ``ghost ship``, ``ghost ships``."""
    return term, _with_s(term)


def verb_forms(term: str) -> tuple[str, ...]:
    """Return a verb as it is given and in its regular forms, the first word being the verb.

    ``look after`` gives ``looks after``, ``looked after`` and ``looking after`` as well.
    """
    verb, space, rest = term.partition(" ")
    stem = verb + verb[-1:] if _SHORT.search(verb) else verb
    if _CONSONANT_Y.search(verb):
        past, running = verb[:-1] + "ied", verb + "ing"
    elif verb.endswith("e"):
        past, running = verb + "d", verb[:-1] + "ing"
    else:
        past, running = stem + "ed", stem + "ing"
    return tuple(each + space + rest for each in (verb, _with_s(verb), past, running))


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT.search(word) else "s")
