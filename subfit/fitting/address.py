"""One form of address through a whole film: decided from its source and its translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import regex

from subfit.decoding.hypotheses import Request
from subfit.errors import UsageError
from subfit.fitting.task import Task
from subfit.text.formality import (
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
UNASKED_EVIDENCE = 20
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
    tasks: Sequence[Task], translator: AnyTranslator, wish: str | None
) -> tuple[list[Task], Address | None]:
    """Give the sentences of a film their form of address.

    Args:
        tasks: The sentences of one film.
        translator: The model, which `check_formality` has passed.
        wish: ``formal``, ``informal`` or ``auto``; ``any`` for no form but where somebody is called
            "sir" or the like; None for ``auto`` where the search asks for the form and several
            sentences address somebody, else for ``any``.

    Returns:
        The tasks with what each is to be asked for, and what was decided; None where nothing was
        asked for.
    """
    evidence = ASKED_FOR_EVIDENCE if wish == "auto" else UNASKED_EVIDENCE
    if wish is None:
        wish = "auto" if _wants_one_form(tasks, translator) else "any"
    if wish == "any":
        return _politely(tasks, translator), None
    if wish != "auto":
        form: Formality = "formal" if wish == "formal" else "informal"
        return [replace(task, formality=form) for task in tasks], Address(wish, form)
    language = tasks[0].sentence.language if tasks else "en"
    spoken = [task.sentence.spoken for task in tasks]
    address = decided(spoken, translator, language, evidence)
    if address.taken is None:
        return list(tasks), address
    forms = [_own_form(task.sentence.spoken, language) or address.taken for task in tasks]
    exceptions = sum(form != address.taken for form in forms)
    told = [replace(task, formality=form) for task, form in zip(tasks, forms, strict=True)]
    return told, replace(address, exceptions=exceptions)


def searches_forms(translator: AnyTranslator) -> bool:
    """Whether the search for translations can be asked for a form of address of their language."""
    return translator.bars_words and has_forms(translator.language)


def _wants_one_form(tasks: Sequence[Task], translator: AnyTranslator) -> bool:
    """Whether several sentences of a film may address somebody in one form or in another."""
    if not searches_forms(translator):
        return False
    own = (task for task in tasks if _addresses(task.sentence.spoken, task.sentence.language))
    return len(list(islice(own, 2))) > 1


def _addresses(source: str, language: str) -> bool:
    if has_forms(language):
        return _told(source, language) is not None
    return SECOND_PERSON.search(source) is not None


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
    sources: Sequence[str],
    translator: AnyTranslator,
    language: str = "en",
    evidence: int = ASKED_FOR_EVIDENCE,
) -> Address:
    """Decide on one form of address for a film.

    What the sources say ("sir", "Mr. Hill"; "mom", first names) counts `CUE_WEIGHT` times as much
    as how the model would address somebody in the sentences that say "you"; of several of these,
    some spread over the film are looked at. Where both come to the same, the
    familiar form is taken, as most films are about people who know each other.

    Args:
        sources: The sentences of the film, as spoken.
        translator: The model.
        language: Tag of the sources' language. If it has forms itself, these alone count.
        evidence: Most sentences to be translated for this.

    Returns:
        The decision, with what it rests on; none is taken where nobody is spoken to.
    """
    words = Counter(form for source in sources for form in source_forms(source, language))
    spoken = [] if has_forms(language) else [one for one in sources if SECOND_PERSON.search(one)]
    spoken = [source for source in spoken if translator.accepts(source)]
    sample = spoken[:: len(spoken) // evidence + 1]
    nbests = translator.translate([Request(source) for source in sample])
    natural = Counter(
        formality_of(nbest[0].text, translator.language, source, language)
        for source, nbest in zip(sample, nbests, strict=True)
        if nbest
    )
    formal, informal = (natural[form] + CUE_WEIGHT * words[form] for form in ("formal", "informal"))
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
