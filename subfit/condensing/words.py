"""The words of a language that tell what of a sentence can be spared."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import yaml

from subfit.text.english_forms import verb_forms
from subfit.text.languages import same_language


@dataclass(frozen=True)
class Words:
    """The lists of one language in ``words.yaml``, which says what each is; in lower case."""

    fillers: frozenset[str]
    tags: frozenset[str]
    answers: frozenset[str]
    hedges: frozenset[str]
    negations: frozenset[str]
    bound_clauses: frozenset[str]
    leading: frozenset[str]
    matters: frozenset[str]
    asides: frozenset[str]
    inverted: frozenset[str]
    approximate: frozenset[str]
    times: frozenset[str]
    which_times: frozenset[str]
    adverbs: frozenset[str]
    end_adverbs: frozenset[str]
    manner: str
    grading: frozenset[str]
    not_manner: frozenset[str]
    prepositions: frozenset[str]
    close_prepositions: frozenset[str]
    subordinators: frozenset[str]
    relatives: frozenset[str]
    coordinators: frozenset[str]
    adversative: frozenset[str]
    conditions: frozenset[str]
    determiners: frozenset[str]
    pronouns: frozenset[str]
    subjects: frozenset[str]
    be: frozenset[str]
    auxiliaries: frozenset[str]
    others: frozenset[str]
    numbers: frozenset[str]
    addresses: frozenset[str]
    verbs: frozenset[str]
    """Verbs, as ``bound_verbs``, with all their regular forms."""
    bound_verbs: frozenset[str]
    giving: frozenset[str]
    particles: frozenset[str]
    moving: frozenset[str]
    placing: frozenset[str]
    bound_phrases: frozenset[str]
    phrasal: frozenset[str]
    needs_of: frozenset[str]
    needs_phrase: frozenset[str]
    needs_as: frozenset[str]
    needs_adverb: frozenset[str]
    needs_end: frozenset[str]
    after_not: frozenset[str]
    adverb_for: frozenset[str]
    telling: frozenset[str]
    pairing: frozenset[str]
    verbs_to: frozenset[str]
    function: frozenset[str] = field(init=False)
    """Words of all closed classes."""

    def __post_init__(self) -> None:
        classes = (
            *(self.prepositions, self.subordinators, self.relatives, self.coordinators),
            *(self.adversative, self.conditions, self.determiners, self.pronouns, self.subjects),
            *(self.be, self.auxiliaries, self.others),
        )
        object.__setattr__(self, "function", frozenset().union(*classes))

    def is_verb(self, word: str) -> bool:
        """Tell whether a word is most often a verb, or one run together with its subject."""
        if word in self.verbs or word in self.be or word in self.auxiliaries:
            return True
        stem, apostrophe, ending = word.rpartition("'")
        if not apostrophe:
            return False
        if ending == "s":
            return stem in self.subjects or stem in self.others
        return ending in ("d", "ll", "m", "re", "t", "ve")

    def is_manner(self, word: str) -> bool:
        """Tell whether a word looks like an adverb of manner."""
        ending = len(word) > len(self.manner) + 2 and word.endswith(self.manner)
        return ending and word not in self.not_manner


@cache
def word_classes(language: str) -> Words | None:
    """Return the words of a language; None if there are none."""
    content = files("subfit.condensing").joinpath("words.yaml").read_text(encoding="utf-8")
    for tag, lists in yaml.safe_load(content).items():
        if same_language(tag, language):
            manner = lists.pop("manner")
            words = {name: _words(name, entry) for name, entry in lists.items()}
            return Words(manner=manner, **words)
    return None


def _words(name: str, entry: list[str] | list[list[str]]) -> frozenset[str]:
    words = [word for item in entry for word in ([item] if isinstance(item, str) else item)]
    if name in ("verbs", "bound_verbs", "moving", "giving"):
        return frozenset(form for word in words for form in verb_forms(word))
    return frozenset(words)
