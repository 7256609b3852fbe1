"""The regular forms of English nouns and verbs, to find the terms of a glossary by."""

from __future__ import annotations

import re

_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_CONSONANT_Y = re.compile(r"[^aeiou\W\d]y$", re.IGNORECASE)
_CONSONANT_O = re.compile(r"[^aeiou\W\d]o$", re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^aeiou]|(?<=q)u)*[aeiou][^aeiouwxy]$", re.IGNORECASE)
_STRESSED = re.compile(  # at their ends, where the last consonant is doubled
    r"(?:mit|[cd]ur|.fer|pel|quit|quip|gret|get|set|gin|rebel|rebut|abet|allot|control|patrol|kidnap"
    r"|deter|inter|occur|travel|cancel|label|model|signal)$",
    re.IGNORECASE,
)
_UNSTRESSED = re.compile(r"(?:vomit|limit|offer|suffer|differ|buffer|pilfer|target|budget|widget)$")


def noun_forms(term: str) -> tuple[str, ...]:
    """Return a noun as it is given and in the plural: ``ghost ship``, ``ghost ships``."""
    return term, _with_s(term)


def verb_forms(term: str) -> tuple[str, ...]:
    """Return a verb as it is given and in its regular forms, the first word being the verb.

    ``look after`` gives ``looks after``, ``looked after`` and ``looking after`` as well.
    """
    verb, space, rest = term.partition(" ")
    present = verb + "es" if _CONSONANT_O.search(verb) else _with_s(verb)
    if _CONSONANT_Y.search(verb):
        past, running = verb[:-1] + "ied", verb + "ing"
    elif verb.endswith("e"):
        past, running = verb + "d", re.sub("ie$", "y", re.sub("(?<![eoyi])e$", "", verb)) + "ing"
    else:
        past, running = _doubled(verb) + "ed", _doubled(verb) + "ing"
    return tuple(form + space + rest for form in (verb, present, past, running))


def _doubled(verb: str) -> str:
    """A verb with its last consonant doubled where that is done before an ending."""
    if verb.endswith("ic"):
        return verb + "k"
    stressed = _STRESSED.search(verb) and not _UNSTRESSED.search(verb)
    return verb + verb[-1:] if stressed or _SHORT.search(verb) else verb


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT.search(word) else "s")
