"""The way of one group, whatever is done to it: files read, worked on together, rendered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from subfit.batch.failures import failure_of
from subfit.batch.items import Group, Source, Translated
from subfit.batch.prepare import Prepared
from subfit.batch.setup import RunSetup
from subfit.condensing.set_off_words import knows_set_off
from subfit.condensing.words import word_classes
from subfit.decoding.any_translator import AnyTranslator, shortcomings
from subfit.decoding.prompted import PromptedTranslator
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.memory.entry import Entry
from subfit.reporting.files.written import written_file
from subfit.subtitles.bilingual import bilingual_track

Files = list[Prepared]
"""Files of one language and guideline."""


def by_guideline(
    group: Group,
    read: Callable[[Source], Prepared],
    work_on: Callable[[Guideline, Files], list[Translated]],
) -> list[Translated]:
    """Read the files of a group, and work on those of each guideline together.

    Returns:
        One result for each source, in order; one that fails does not stop the others.
    """
    results: dict[int, Translated] = {}
    ready: dict[Guideline, Files] = {}
    for source in group.sources:
        try:
            file = read(source)
        except Exception as error:
            results[source.index] = Translated(source, failure=failure_of(error))
        else:
            ready.setdefault(file.guideline, []).append(file)
    for guideline, files in ready.items():
        for done in work_on(guideline, files):
            results[done.source.index] = done
    return [results[source.index] for source in group.sources]


def together(files: Files, work_on: Callable[[Files], list[Translated]]) -> list[Translated]:
    """Work on files; if that fails, on each by itself, to know which it is."""
    try:
        return work_on(files)
    except Exception as error:
        if len(files) == 1:
            return [Translated(files[0].source, failure=failure_of(error))]
        return [result for file in files for result in together([file], work_on)]


def finished(
    file: Prepared, done: Localization, setup: RunSetup, translator: AnyTranslator | None
) -> Translated:
    """Return what was made of a file as bytes, with its report."""
    job = setup.job
    settings = setup.describe(file.source.item.language)
    if job.options.timing == "extend":
        settings["shot_changes"] = len(file.track.shot_changes)
    if translator is not None:
        settings["precision"] = translator.precision  # what was asked for may be "auto"
        more = _unknown_of_source(setup)
        if lacking := (*shortcomings(translator), *more, *_unread(setup, translator)):
            settings["model_cannot"] = list(lacking)
    track, order = done.track, job.writing.bilingual
    if order is not None:
        track = bilingual_track(done.source, track, order)
    data = file.render(track, job.writing.output_encoding)
    written = written_file(track, file.output_format, done.track)
    report, made = replace(done.report, settings=settings), _made(file, done, setup)
    return Translated(file.source, data, report, written=written, made=made)


def _unknown_of_source(setup: RunSetup) -> tuple[str, ...]:
    """What cannot be had since the source is in another language than English."""
    options = setup.job.options
    if word_classes(options.source_language) is not None:
        return ()
    if setup.pivot is not None:  # what is shortened is English
        return ("has risks told of both ways by what was measured on English sources",)
    known = "is known of English alone"
    shortened = f"is given no shortened sources, as what can be spared {known}"
    if knows_set_off(options.source_language):
        shortened = (
            "is given sources shortened by fillers and names people are called by, as what else"
            f" can be spared {known}"
        )
    risks = "has risks told as they were measured on English sources"
    return (shortened, risks) if options.condense else (risks,)


def _unread(setup: RunSetup, translator: AnyTranslator) -> tuple[str, ...]:
    """What was asked for that only models make use of which are told in words what to do."""
    if setup.job.talk.prompt is None or isinstance(translator, PromptedTranslator):
        return ()
    return ("reads no prompt, as only language models do",)


def _made(file: Prepared, done: Localization, setup: RunSetup) -> tuple[Entry, ...]:
    """The sentences of a file with their translations, where these are asked for."""
    if setup.job.writing.memory_out is None:
        return ()
    origin = Path(file.source.item.target).name
    return tuple(replace(entry, origin=origin) for entry in done.made)
