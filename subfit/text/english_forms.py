"""The regular forms of English nouns and verbs, to find the terms of a glossary by.

Whether a last consonant is doubled depends on the stress (``admitted``, ``visited``): both are
given where spelling does not tell, as the wrong one stands in no text.
"""

from __future__ import annotations

import re

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_Y = re.compile(r"[^aeiou\W\d]y$", re.IGNORECASE)
_CONSONANT_O = re.compile(r"[^aeiou\W\d]o$", re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^aeiou]|(?<=q)u)*[aeiou][^aeiouwxy]$", re.IGNORECASE)
_MAYBE_STRESSED = re.compile(r"(?:[^aeiou]|qu)[aeiou][^aeiouwxy]$", re.IGNORECASE)


def noun_forms(term: str) -> tuple[str, ...]:
    """Return a noun as it is given and in the plural: ``ghost ship``, ``ghost ships``."""
    return term, _with_s(term)


def verb_forms(term: str) -> tuple[str, ...]:
    """Return a verb as it is given and in its regular forms, the first word being the verb.

    ``look after`` gives ``looks after``, ``looked after`` and ``looking after`` as well.
    """
    verb, space, rest = term.partition(" ")
    forms = [verb, verb + "es" if _CONSONANT_O.search(verb) else _with_s(verb)]
    if _CONSONANT_Y.search(verb):
        forms += (verb[:-1] + "ied", verb + "ing")
    elif verb.endswith("e"):
        forms += (verb + "d", re.sub("ie$", "y", re.sub("(?<![eoyi])e$", "", verb)) + "ing")
    else:
        forms += (stem + end for stem in _stems(verb) for end in ("ed", "ing"))
    return tuple(form + space + rest for form in forms)


def _stems(verb: str) -> tuple[str, ...]:
    """What the endings of a verb may stand behind."""
    if verb.endswith("ic"):
        return (verb + "k",)
    if _SHORT.search(verb):
        return (verb + verb[-1:],)
    return (verb, verb + verb[-1:]) if _MAYBE_STRESSED.search(verb) else (verb,)


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT.search(word) else "s")
