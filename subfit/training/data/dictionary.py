"""Entries of dictionaries shown inside a sentence, so that the sentences profit of their words.

An entry such as "to haunt | heimsuchen" teaches little about "She will haunt them": by itself it
has a "to" that the other side lacks. Shown as "They will haunt again. | Sie werden wieder
heimsuchen." or without the "to", the word stands where it is met. Only verbs are framed: which
article a noun has, or whether it is one, an entry does not say.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import MappingProxyType

import regex

from subfit.evaluation.corpus import Pair
from subfit.training.data.variations import Sides

Frames = tuple[tuple[str, str], ...]
"""Sentences with ``{}`` for the verb, in English and in another language."""

_ENTRY = regex.compile(r"to (\p{Ll}[\p{Ll}'’-]*(?: (?!to\b)\p{Ll}[\p{Ll}'’-]*){0,2})")

_INFINITIVES: Mapping[str, regex.Pattern[str]] = MappingProxyType(
    {
        "de": regex.compile(r"\p{Ll}{2,}(?:en|eln|ern)|sein|tun"),
        "es": regex.compile(r"\p{Ll}+[aeií]r"),
        "fr": regex.compile(r"\p{Ll}+(?:er|ir|re)"),
        "it": regex.compile(r"\p{Ll}+(?:are|ere|ire)"),
    }
)
"""One word each; reflexive verbs would want another pronoun in most frames."""

FRAMES: Mapping[str, Frames] = MappingProxyType(
    {
        "de": (
            ("I want to {}.", "Ich will {}."),
            ("We have to {}.", "Wir müssen {}."),
            ("Can you {}?", "Kannst du {}?"),
            ("They will {} again.", "Sie werden wieder {}."),
            ("She could {} if she wanted to.", "Sie könnte {}, wenn sie wollte."),
        ),
        "es": (
            ("I want to {}.", "Quiero {}."),
            ("We have to {}.", "Tenemos que {}."),
            ("Can you {}?", "¿Puedes {}?"),
            ("They're going to {} again.", "Van a {} otra vez."),
            ("She could {} if she wanted to.", "Ella podría {} si quisiera."),
        ),
        "fr": (
            ("I want to {}.", "Je veux {}."),
            ("We have to {}.", "Nous devons {}."),
            ("Can you {}?", "Tu peux {} ?"),
            ("They're going to {} again.", "Ils vont encore {}."),
            ("She could {} if she wanted to.", "Elle pourrait {} si elle voulait."),
        ),
        "it": (
            ("I want to {}.", "Voglio {}."),
            ("We have to {}.", "Dobbiamo {}."),
            ("Can you {}?", "Puoi {}?"),
            ("He couldn't {}.", "Non poteva {}."),
            ("She could {} if she wanted to.", "Lei potrebbe {} se volesse."),
        ),
    }
)
"""The frames by language."""

BARE = 0.3
"""Share of the framed entries that only lose their "to"."""


def in_sentence(
    pair: Pair, language: str, chooser: random.Random, *, turned: bool = False
) -> Sides | None:
    """Show a verb of a dictionary in a sentence, or without its "to".

    Args:
        pair: An entry, normalised.
        language: Of the side that is not English.
        chooser: Determines everything.
        turned: Whether English is the target.

    Returns:
        Both sides; None where the entry is no verb in the infinitive, or a language without frames.
    """
    if turned:
        sides = in_sentence(pair.turned, language, chooser)
        return sides and sides[::-1]
    entry = _ENTRY.fullmatch(pair.source)
    infinitive = _INFINITIVES.get(language)
    if entry is None or infinitive is None or infinitive.fullmatch(pair.target) is None:
        return None
    if chooser.random() < BARE:
        return entry[1], pair.target
    source, target = chooser.choice(FRAMES[language])
    return source.format(entry[1]), target.format(pair.target)
