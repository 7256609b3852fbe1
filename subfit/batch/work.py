"""The way of one group, which every engine runs: parsed, translated together, rendered."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from subfit.batch.failures import failure_of
from subfit.batch.items import Group, OnGroup, Source, Translated, Translations
from subfit.batch.prepare import Prepared, prepare
from subfit.batch.setup import Setup
from subfit.condensing.words import words_of
from subfit.decoding.any_translator import AnyTranslator, shortcomings
from subfit.decoding.loading import LoadedModel, Wanted, load_model
from subfit.fitting.address import check_formality
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, OnProgress, localize_all
from subfit.memory.entry import Entry
from subfit.reporting.files.written import written_file
from subfit.subtitles.bilingual import bilingual_track
from subfit.text.counting import Counting


class Models:
    """The models of a run, each loaded when it is first needed, and the translators over them."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._loaded: dict[str, LoadedModel] = {}
        self._translators: dict[tuple[str, Counting], AnyTranslator] = {}
        os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # where a model needs it at all

    def translator(self, language: str, counting: Counting) -> AnyTranslator:
        """Return a translator into a language that counts characters in this way.

        Raises:
            ModelError: One of its models cannot be loaded.
            UsageError: They are for other languages, or do not belong together.
        """
        key = language, counting
        if key not in self._translators:
            first, *beside = map(self._model, self._setup.models[language])
            job = self._setup.job
            wanted = Wanted(job.source_language, language, counting, job.search())
            self._translators[key] = first.translator(wanted, beside)
        return self._translators[key]

    def _model(self, place: str) -> LoadedModel:
        job = self._setup.job
        if place not in self._loaded:
            self._loaded[place] = load_model(place, job.computing, job.talk)
        return self._loaded[place]


class LocalEngine:
    """Translates in this process, one group after the other; an `Engine`."""

    def __init__(self, setup: Setup) -> None:
        self._setup, self._models = setup, Models(setup)

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Translate groups."""
        for group in groups:
            advance = partial(on_progress, group) if on_progress else None
            yield translate_group(group, self._setup, self._models, advance)


def translate_group(
    group: Group, setup: Setup, models: Models, on_progress: OnProgress | None = None
) -> list[Translated]:
    """Translate the files of a group together.

    Returns:
        One result for each source, in order; one that fails does not stop the others.

    Raises:
        SubfitError: The model is no good: then no file can be translated.
    """
    results: dict[int, Translated] = {}
    ready: dict[Guideline, list[Prepared]] = {}
    for source in group.sources:
        try:
            file = prepare(source, setup)
        except Exception as error:
            results[source.index] = _failed(source, error)
        else:
            ready.setdefault(file.guideline, []).append(file)
    for guideline, prepared in ready.items():
        translator = models.translator(group.language, guideline.counting)
        check_formality(translator, setup.job.options.formality)
        for done in _translate(prepared, setup, translator, on_progress):
            results[done.source.index] = done
    return [results[source.index] for source in group.sources]


def _translate(
    prepared: Sequence[Prepared],
    setup: Setup,
    translator: AnyTranslator,
    on_progress: OnProgress | None,
) -> list[Translated]:
    """Translate files of one guideline; if that fails, each by itself, to know which it is."""
    options, guideline = setup.job.options, prepared[0].guideline
    tracks = [ready.track for ready in prepared]
    try:
        done = localize_all(tracks, translator, guideline, options, on_progress)
        return [_finish(*pair, setup, translator) for pair in zip(prepared, done, strict=True)]
    except Exception as error:
        if len(prepared) == 1:
            return [_failed(prepared[0].source, error)]
        return [
            result
            for ready in prepared
            for result in _translate([ready], setup, translator, on_progress)
        ]


def _finish(
    ready: Prepared, done: Localization, setup: Setup, translator: AnyTranslator
) -> Translated:
    """A file's translation as bytes."""
    settings = setup.describe(ready.source.item.language)
    if setup.job.options.timing == "extend":
        settings["shot_changes"] = len(ready.track.shot_changes)
    settings["precision"] = translator.precision  # what was asked for may be "auto"
    if lacking := (*shortcomings(translator), *_unknown_of_source(setup)):
        settings["model_cannot"] = list(lacking)
    track, order = done.track, setup.job.writing.bilingual
    if order is not None:
        track = bilingual_track(done.source, track, order)
    data = ready.render(track, setup.job.writing.output_encoding)
    written = written_file(track, ready.output_format, done.track)
    report, made = replace(done.report, settings=settings), _made(ready, done, setup)
    return Translated(ready.source, data, report, written=written, made=made)


def _unknown_of_source(setup: Setup) -> tuple[str, ...]:
    """What cannot be had since the source is in another language than English."""
    options = setup.job.options
    if words_of(options.source_language) is not None:
        return ()
    shortened = "is given no shortened sources, as what can be spared is known of English alone"
    risks = "has risks told as they were measured on English sources"
    return (shortened, risks) if options.condense else (risks,)


def _made(ready: Prepared, done: Localization, setup: Setup) -> tuple[Entry, ...]:
    """The sentences of a file with their translations, where these are asked for."""
    if setup.job.writing.memory_out is None:
        return ()
    origin = Path(ready.source.item.target).name
    return tuple(replace(entry, origin=origin) for entry in done.made)


def _failed(source: Source, error: Exception) -> Translated:
    return Translated(source, failure=failure_of(error))
