"""One form of address through a whole film: decided from its source and its translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import regex

from subfit.decoding.hypotheses import Request
from subfit.errors import UsageError
from subfit.fitting.task import Task
from subfit.text.formality import (
    FORMALITIES,
    LANGUAGES,
    Address,
    Formality,
    formality_of,
    has_forms,
    imperative_of,
    speaks_to_several,
)
from subfit.text.formality_words import SECOND_PERSON
from subfit.text.languages import same_language
from subfit.text.vocatives import called

if TYPE_CHECKING:
    from subfit.decoding.any_translator import AnyTranslator

ASKED_FOR_EVIDENCE = 60
"""Most sentences of a film that are translated to see how the model would address people."""
UNASKED_EVIDENCE = 10
"""Likewise where nobody asked for one form: so many cost little."""
CUE_WEIGHT = 2
"""How many translations one word of the source such as "sir" outweighs."""

_FORMAL_WORDS = regex.compile(
    r"(?i:\b(?:sir|ma[’']am|madam|your (?:honou?r|majesty|highness|excellency|grace|lordship))\b)"
    r"|\b(?:Mr|Mrs|Ms|Dr)\.? \p{Lu}|\b(?:Miss|Professor|Inspector|Officer|Doctor) \p{Lu}"
)
_INFORMAL_WORDS = regex.compile(
    r"\b(?:mom|mum|mommy|mummy|dad|daddy|honey|darling|sweetheart|sweetie|dude|bro|buddy|pal|mate|"
    r"grandma|grandpa|sis|kiddo|idiot|baby)\b",
    regex.IGNORECASE,
)
_FIRST_NAME = regex.compile(
    r"(?:^|[,!.?] )(?:\p{Lu}\p{Ll}+)[!?.]*$|^(?:Hey|Hi|Hello),? \p{Lu}\p{Ll}+\b"
)
"""A name that somebody is called by: ", Anna!", "Hi Tom". Words behind a comma are mostly names."""
_SPOKEN_TO = regex.compile(r"\b(?:sir|ma[’']am|madam|your (?:honou?r|majesty|highness))\b", regex.I)
"""Whoever is called so is addressed politely, however the rest of the film is."""


def check_formality(translator: AnyTranslator, wish: str | None) -> None:
    """Check that a translator can be asked for a form of address.

    Args:
        translator: The model, with its target language.
        wish: What is asked for; any model can do without (None, ``any``).

    Raises:
        UsageError: Neither the model nor its search can, or the language's forms are not known.
    """
    if wish in (None, "any"):
        return
    language = translator.language.partition("-")[0]
    if not _can_be_asked(translator):
        raise UsageError(
            f"{translator.name} cannot be asked for a form of address; leave out --formality or"
            " take another model"
        )
    if language not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise UsageError(f"--formality knows the forms of address of {known}, not of {language}")


def addressed(
    films: Sequence[Sequence[Task]], translator: AnyTranslator, wish: str | None
) -> list[tuple[list[Task], Address | None]]:
    """Give the sentences of films their forms of address, a form for each film.

    Args:
        films: The sentences of each film.
        translator: The model, which `check_formality` has passed.
        wish: ``formal``, ``informal`` or ``auto``; ``any`` for no form but where somebody is called
            "sir" or the like; None for ``auto`` where the search asks for the form and several
            sentences of a film address somebody, else for ``any``.

    Returns:
        Per film the tasks with what each is to be asked for, and what was decided; None where
        nothing was asked for.
    """
    wishes = [wish or _unasked(tasks, translator) for tasks in films]
    evidence = ASKED_FOR_EVIDENCE if wish == "auto" else UNASKED_EVIDENCE
    open_films = [tasks for tasks, own in zip(films, wishes, strict=True) if own == "auto"]
    spoken = [[task.sentence.spoken for task in tasks] for tasks in open_films]
    decisions = iter(decided(spoken, translator, map(_language_of, open_films), evidence))
    told: list[tuple[list[Task], Address | None]] = []
    for tasks, own in zip(films, wishes, strict=True):
        address = next(decisions) if own == "auto" else None
        if address is not None and (wish == "auto" or address.taken is not None):
            told.append(_in_one_form(tasks, address))
        else:
            told.append(_as_wished(tasks, translator, "any" if own == "auto" else own))
    return told


def _language_of(tasks: Sequence[Task]) -> str:
    return tasks[0].sentence.language if tasks else "en"


def _as_wished(
    tasks: Sequence[Task], translator: AnyTranslator, wish: str
) -> tuple[list[Task], Address | None]:
    """The sentences with the form that a user wants in all of them, or with none."""
    if wish == "any":
        return _politely(tasks, translator), None
    form: Formality = "formal" if wish == "formal" else "informal"
    return [replace(task, formality=form) for task in tasks], Address(wish, form)


def _in_one_form(tasks: Sequence[Task], address: Address) -> tuple[list[Task], Address]:
    """The sentences with the form that was decided on, or the one that they call for themselves."""
    if address.taken is None:
        return list(tasks), address
    language = _language_of(tasks)
    forms = [_own_form(task.sentence.spoken, language) or address.taken for task in tasks]
    exceptions = sum(form != address.taken for form in forms)
    told = [replace(task, formality=form) for task, form in zip(tasks, forms, strict=True)]
    return told, replace(address, exceptions=exceptions)


def _unasked(tasks: Sequence[Task], translator: AnyTranslator) -> str:
    """What to do where nothing is wished: one form if several sentences may be in either."""
    if not (translator.bars_words and has_forms(translator.language)):
        return "any"  # it would have to be told in words, or there is nothing to tell
    own = (task for task in tasks if _addresses(task.sentence.spoken, task.sentence.language))
    return "auto" if len(list(islice(own, 2))) > 1 else "any"


def _addresses(source: str, language: str) -> bool:
    if has_forms(language):
        return _told(source, language) is not None
    return same_language(language, "en") and SECOND_PERSON.search(source) is not None


def _politely(tasks: Sequence[Task], translator: AnyTranslator) -> list[Task]:
    """The sentences, the polite form asked for where English calls somebody politely."""
    if not _can_be_asked(translator) or not has_forms(translator.language):
        return list(tasks)
    return [
        replace(task, formality="formal")
        if same_language(task.sentence.language, "en") and _SPOKEN_TO.search(task.sentence.spoken)
        else task
        for task in tasks
    ]


def _can_be_asked(translator: AnyTranslator) -> bool:
    """Whether a model, or its search, can be asked for a form of address."""
    return bool(translator.formalities) or translator.bars_words


def _own_form(source: str, language: str) -> Formality | None:
    """The form that a sentence calls for, however the rest of its film is."""
    if has_forms(language):
        return _told(source, language)
    return "formal" if _SPOKEN_TO.search(source) else None


def _told(source: str, language: str) -> Formality | None:
    """What a source in a language with forms of address says of them."""
    form = formality_of(source, language) or imperative_of(source, language)
    formal, informal = called(source, language)
    if form is not None or formal == informal:
        return form
    if formal:  # also where it is "Eure Majestät", which looks like several
        return "formal"
    return None if speaks_to_several(source, language) else "informal"


def decided(
    films: Sequence[Sequence[str]],
    translator: AnyTranslator,
    languages: Iterable[str],
    evidence: int = ASKED_FOR_EVIDENCE,
) -> list[Address]:
    """Decide on one form of address for each film.

    What the sources say ("sir", "Mr. Hill"; "mom", first names) counts `CUE_WEIGHT` times as much
    as how the model would address somebody in the sentences that say "you"; of several of these,
    some spread over the film are looked at. Where both come to the same, the
    familiar form is taken, as most films are about people who know each other.

    Args:
        films: The sentences of each, as spoken.
        translator: The model.
        languages: Tags of the sources of each. If one has forms itself, these alone count.
        evidence: Most sentences of a film to be translated for this.

    Returns:
        The decisions, with what they rest on; none is taken where nobody is spoken to.
    """
    tags = list(languages)
    samples = [_sample(*film, translator, evidence) for film in zip(films, tags, strict=True)]
    requests = [Request(text) for sample in samples for text in sample]
    nbests = iter(translator.translate(requests) if requests else [])
    return [
        _decision(
            Counter(form for source in sources for form in source_forms(source, tag)),
            Counter(
                formality_of(nbest[0].text, translator.language, source, tag)
                for source, nbest in zip(sample, nbests, strict=False)
                if nbest
            ),
        )
        for sources, tag, sample in zip(films, tags, samples, strict=True)
    ]


def _sample(
    sources: Sequence[str], language: str, translator: AnyTranslator, most: int
) -> list[str]:
    """Sentences to see by how the model addresses people; none where the sources tell it."""
    spoken = [] if has_forms(language) else [one for one in sources if SECOND_PERSON.search(one)]
    spoken = [source for source in spoken if translator.accepts(source)]
    return spoken[:: len(spoken) // most + 1]


def _decision(words: Counter[Formality], natural: Counter[Formality | None]) -> Address:
    """The form that most speaks for, by the sources' words and by translations."""
    formal, informal = (natural[form] + CUE_WEIGHT * words[form] for form in FORMALITIES)
    taken: Formality | None = None
    if formal or informal:
        taken = "formal" if formal > informal else "informal"
    return Address(
        "auto",
        taken,
        natural_formal=natural["formal"],
        natural_informal=natural["informal"],
        source_formal=words["formal"],
        source_informal=words["informal"],
    )


def address_of_sources(sources: Sequence[str], language: str) -> Address | None:
    """Tell how people address each other in a film, by its sources alone.

    Args:
        sources: Its cues.
        language: Their tag, of a language that has forms of address.

    Returns:
        None where they say nothing of it.
    """
    words = Counter(form for source in sources for form in source_forms(source, language))
    formal, informal = words["formal"], words["informal"]
    if not words:
        return None
    taken: Formality = "formal" if formal > informal else "informal"
    return Address("auto", taken, source_formal=formal, source_informal=informal)


def source_forms(source: str, language: str = "en") -> list[Formality]:
    """Return what a sentence says of how its speakers address each other.

    Args:
        source: As spoken; words such as "sir" are known in English.
        language: Its tag. German, Spanish, French and Italian say it by their pronouns and verbs,
            and by what people are called where these tell nothing.
    """
    if has_forms(language):
        form = _told(source, language)
        return [] if form is None else [form]
    if _FORMAL_WORDS.search(source):
        return ["formal"]
    familiar = _INFORMAL_WORDS.search(source) or _FIRST_NAME.search(source)
    return ["informal"] if familiar and SECOND_PERSON.search(source) else []
