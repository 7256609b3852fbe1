"""Where sentences stand in a film: their scenes, who speaks to whom, and in which form of address.

Models that have a token for each form (`formality_tokens` of their configuration), or are prompted,
take it as a condition of every request. ``auto`` takes what most speaks for: words of the source
("sir", "mom", a first name), and how the model addresses people by itself. It is the default of
models with tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import regex

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Request, Setting
from subfit.errors import UsageError
from subfit.fitting.options import Options
from subfit.fitting.task import Fitted, Task
from subfit.subtitles.cues import Cue
from subfit.subtitles.sentences import Sentence
from subfit.terms.persons import Person, find_person, told_of
from subfit.text.formality import (
    LANGUAGES,
    Address,
    Formality,
    formality_of,
    gives_away,
    has_forms,
    imperative_of,
)
from subfit.text.languages import language_of as plain_language

BEFORE = 3
"""Sentences before a scene, or before a sentence that is asked for by itself, that are shown."""
NEAR = 3
"""Within so many sentences before, or else behind, somebody else is whom one speaks to."""
_LABEL = re.compile(r"\s*[-–—]?\s*(.*\w.*?)\s*:\s*")


def in_scenes(
    tasks: Sequence[Task], cues: Sequence[Cue], options: Options, language: str
) -> list[Task]:
    """Give the sentences of a track their settings.

    A scene has at most `Options.scene` sentences, and ends at the longest pause in its second half.

    Args:
        tasks: The sentences.
        cues: The track's.
        options: The length of scenes, the synopsis, the persons.
        language: Tag of the target language.
    """
    spoken = [task.sentence.spoken for task in tasks]
    speakers = [_speaker(task, cues) for task in tasks]
    done: list[Task] = []
    for number, (start, end) in enumerate(_scenes(tasks, cues, max(options.scene, 1)), 1):
        words = " ".join([*spoken[start:end], *speakers[start:end]])
        told = told_of(options.people, words, language)
        notes = " ".join(filter(None, [options.synopsis, told]))
        for at in range(start, end):
            first = start if options.scene > 1 else at
            before = tuple(spoken[max(0, first - BEFORE) : first] if options.scene else ())
            scene = number if options.scene > 1 else 0
            done.append(replace(tasks[at], setting=Setting(scene, before, speakers[at], notes)))
    return done


def with_address(tasks: Sequence[Task], persons: Sequence[Person]) -> list[Task]:
    """Give sentences whose speaker is known, and whom they speak to, the form of address that the
    table of persons tells; the others keep theirs."""
    speaking = [find_person(persons, task.setting.speaker) for task in tasks]
    done: list[Task] = []
    for at, (task, speaker) in enumerate(zip(tasks, speaking, strict=True)):
        near = [*reversed(speaking[max(0, at - NEAR) : at]), *speaking[at + 1 : at + 1 + NEAR]]
        other = _called(task, persons) or next(
            (one for one in near if one not in (None, speaker)), None
        )
        form = speaker.addresses(other) if speaker is not None else None
        done.append(task if form is None else replace(task, formality=form))
    return done


def _called(task: Task, persons: Sequence[Person]) -> Person | None:
    """Who is called by name: "Anna, wait!", "I know, Anna."."""
    parts = [part.strip(" .!?…-–") for part in task.sentence.spoken.split(",")]
    return next((one for one in persons if any(map(one.is_called, parts))), None)


def _scenes(tasks: Sequence[Task], cues: Sequence[Cue], most: int) -> Iterator[tuple[int, int]]:
    """Where each scene begins and ends."""
    start = 0
    while len(tasks) - start > most:

        def pause(end: int) -> int:
            last, following = tasks[end - 1].sentence.parts[-1], tasks[end].sentence.parts[0]
            return cues[following.cue].start - cues[last.cue].end

        ends = range(start + most, start + most // 2, -1)
        end = max(ends, key=pause)
        yield start, end
        start = end
    if start < len(tasks):
        yield start, len(tasks)


def _speaker(task: Task, cues: Sequence[Cue]) -> str:
    """Who says a sentence, by a script's column or by a label; empty where neither tells."""
    part = task.sentence.parts[0]
    label = _LABEL.fullmatch(part.lead)
    return cues[part.cue].speaker or (label[1] if label else "")


EVIDENCE = 10
"""Most sentences of a film that are translated to see how the model addresses people."""
CUE_WEIGHT = 2
"""How many translations one word of the source such as "sir" outweighs."""

_FORMAL_WORDS = regex.compile(
    r"(?i:\b(?:sir|ma[’']am|madam|your (?:honou?r|majesty|highness|excellency|grace|lordship))\b)"
    r"|\b(?:Mr|Mrs|Ms|Dr)\.? \p{Lu}|\b(?:Miss|Professor|Inspector|Officer|Doctor) \p{Lu}"
)
_INFORMAL_WORDS = regex.compile(
    r"\b(?:mom|mum|mommy|mummy|dad|daddy|honey|darling|sweetheart|sweetie|dude|bro|buddy|pal|mate|"
    r"grandma|grandpa|sis|kiddo|idiot|baby)\b"
    r"|(?-i:(?:^|[,!.?] )(?:\p{Lu}\p{Ll}+)[!?.]*$|^(?:Hey|Hi|Hello),? \p{Lu}\p{Ll}+\b)",
    regex.IGNORECASE,
)
"""Also a name that somebody is called by: ", Anna!", "Hi Tom"."""
_STATEMENT = regex.compile(
    r"(?i:(?:(?:and|but|so|then|because) )?"
    r"(?:i|we|he|she|it|they|there|this|that|these|those|the|an?|my|our|his|its|their)\b"
    r"[^,;:.!?…–—]*(?:[,;:.!…–—]+\s*|$))+"
)
"""Clauses that begin with their subjects: neither orders nor questions."""


def check_formality(translator: AnyTranslator, wish: str | None) -> None:
    """Check that the forms of address of a translator's language are known, if one is asked for.

    Raises:
        UsageError: They are not.
    """
    language = translator.language.partition("-")[0]
    if wish in ("formal", "informal", "auto") and language not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        raise UsageError(f"--formality knows the forms of address of {known}, not of {language}")


def lacks_forms(translator: AnyTranslator, wish: str | None) -> bool:
    """Tell whether a form of address is asked for that a model cannot be asked for."""
    return wish in ("formal", "informal", "auto") and not translator.capabilities.formalities


def addressed(
    films: Sequence[Sequence[Task]], translator: AnyTranslator, wish: str | None
) -> list[tuple[list[Task], Address | None]]:
    """Give the sentences of films the form of address they are to be asked for, one for each film.

    Args:
        films: The sentences of each film.
        translator: The model, which `check_formality` has passed.
        wish: ``formal``, ``informal`` or ``auto``; ``any`` as it comes; None for ``auto`` of models
            with tokens and ``any`` of those that are prompted.

    Returns:
        Per film its tasks, and what was decided; None where nothing was asked for, or the model
        cannot be asked.
    """
    able, told = translator.capabilities, list[tuple[list[Task], Address | None]]()
    if wish in ("formal", "informal") and able.formalities:
        form: Formality = "formal" if wish == "formal" else "informal"
        return [
            ([_in_form(task, None, form) for task in own], Address(wish, form)) for own in films
        ]
    if wish is None and not able.prompted:
        wish = "auto"
    if wish != "auto" or not able.formalities or not has_forms(translator.language):
        return [(list(tasks), None) for tasks in films]
    samples = [_sample(tasks, translator) for tasks in films]
    nbests = iter(translator.translate([Request(text) for own in samples for text in own]))
    for tasks, sample in zip(films, samples, strict=True):
        by_itself = Counter(
            formality_of(nbest[0].text, translator.language, text)
            for text, nbest in zip(sample, nbests, strict=False)
            if nbest
        )
        forms = [source_form(task.sentence.spoken, task.sentence.language) for task in tasks]
        address = _voted(Counter(form for form in forms if form), by_itself)
        done = [_in_form(*own, address.taken) for own in zip(tasks, forms, strict=True)]
        others = sum(task.formality not in (None, address.taken) for task in done)
        told.append((done, replace(address, exceptions=others)))
    return told


def unmet_in(fitted: Sequence[Fitted], language: str) -> int:
    """Return how many sentences address somebody in another form than was asked for."""
    return sum(
        formality_of(one.translation.text, language, sentence.spoken, sentence.language)
        not in (None, one.task.formality)
        for one in fitted
        for sentence in [one.task.sentence]
        if one.task.formality is not None
    )


def _in_form(task: Task, own: Formality | None, taken: Formality | None) -> Task:
    """A sentence in the form of its film, or in the one that it calls for itself: by pronouns and
    verbs, or by a title beside a "you"; in none where it addresses nobody."""
    if taken is None or (own is None and _addresses_nobody(task.sentence)):
        return task
    sure = has_forms(task.sentence.language) or (
        own == "formal" and gives_away(task.sentence.spoken, "en", "you")
    )
    return replace(task, formality=(own if sure else None) or taken)


def _addresses_nobody(sentence: Sentence) -> bool:
    """Whether an English sentence only states something, and of no "you"."""
    if plain_language(sentence.language) != "en":
        return False
    spoken = sentence.spoken
    return bool(_STATEMENT.fullmatch(spoken)) and not gives_away(spoken, "en", "you")


def _sample(tasks: Sequence[Task], translator: AnyTranslator) -> list[str]:
    """Sentences to see by how the model addresses people; none where the sources tell it, or where
    but one addresses anybody, which cannot disagree with another."""
    if sum(not _addresses_nobody(task.sentence) for task in tasks) < 2:
        return []
    spoken = [
        task.sentence.spoken
        for task in tasks
        if not has_forms(task.sentence.language) and gives_away(task.sentence.spoken, "en", "you")
    ]
    spoken = [source for source in spoken if translator.accepts(source)]
    return spoken[:: len(spoken) // EVIDENCE + 1]


def _voted(words: Counter[Formality], natural: Counter[Formality | None]) -> Address:
    """The form that most speaks for; of two alike the familiar one, as in most films."""
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


def source_form(source: str, language: str = "en") -> Formality | None:
    """Return what a sentence says of how its speakers address each other; None if nothing.

    Args:
        source: As spoken; words such as "sir" are known in English.
        language: Its tag. German, Spanish, French and Italian say it by their pronouns and verbs.
    """
    if has_forms(language):
        return formality_of(source, language) or imperative_of(source, language)
    if _FORMAL_WORDS.search(source):
        return "formal"
    familiar = _INFORMAL_WORDS.search(source) and gives_away(source, "en", "you")
    return "informal" if familiar else None
