"""The way of one group that is shortened in its own language; beside `subfit.batch.work`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from subfit.batch.failures import failure_of
from subfit.batch.items import Group, OnGroup, Translated, Translations
from subfit.batch.prepare import Prepared, prepare
from subfit.batch.setup import Setup
from subfit.condensation import condense_all
from subfit.decoding.any_translator import AnyTranslator, shortcomings
from subfit.errors import UsageError
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.reporting.files.written import written_file

if TYPE_CHECKING:
    from subfit.batch.work import Models


class CondensingEngine:
    """Shortens in this process, one group after the other; an `Engine`."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._loaded: Models | None = None

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Shorten the files of groups."""
        for group in groups:
            yield self._condense(group)
            if on_progress:
                on_progress(group, 1, 1)

    def _condense(self, group: Group) -> list[Translated]:
        """Shorten the files of a group; one that fails does not stop the others."""
        results: dict[int, Translated] = {}
        ready: dict[Guideline, list[Prepared]] = {}
        for source in group.sources:
            try:
                file = prepare(source, self._setup)
                if file.track.spoken:
                    raise UsageError(
                        f"{source.item.source}: is a dubbing script; subtitles are shortened, "
                        ".srt, .vtt or .txt"
                    )
            except Exception as error:
                results[source.index] = Translated(source, failure=failure_of(error))
            else:
                ready.setdefault(file.guideline, []).append(file)
        for guideline, prepared in ready.items():
            translator = self._translator(group.language, guideline)
            for done in self._shortened(prepared, guideline, translator):
                results[done.source.index] = done
        return [results[source.index] for source in group.sources]

    def _translator(self, language: str, guideline: Guideline) -> AnyTranslator | None:
        """The model, if one was named."""
        if not self._setup.models[language]:
            return None
        if self._loaded is None:
            from subfit.batch.work import Models  # which imports torch

            self._loaded = Models(self._setup)
        return self._loaded.translator(language, guideline.counting)

    def _shortened(
        self, prepared: Sequence[Prepared], guideline: Guideline, translator: AnyTranslator | None
    ) -> list[Translated]:
        """Shorten files of one guideline; if that fails, each by itself, to know which it is."""
        options = self._setup.job.options
        try:
            done = condense_all([ready.track for ready in prepared], guideline, options, translator)
            return [self._finished(*pair, translator) for pair in zip(prepared, done, strict=True)]
        except Exception as error:
            if len(prepared) == 1:
                return [Translated(prepared[0].source, failure=failure_of(error))]
            return [
                result
                for ready in prepared
                for result in self._shortened([ready], guideline, translator)
            ]

    def _finished(
        self, ready: Prepared, done: Localization, translator: AnyTranslator | None
    ) -> Translated:
        """A shortened file as bytes."""
        job = self._setup.job
        settings = self._setup.describe(ready.source.item.language)
        if job.options.timing == "extend":
            settings["shot_changes"] = len(ready.track.shot_changes)
        if translator is not None:
            settings["precision"] = translator.precision
            if lacking := shortcomings(translator):
                settings["model_cannot"] = list(lacking)
        encoding = job.writing.output_encoding or ready.track.encoding.name
        data = ready.render(done.track, encoding)
        written = written_file(done.track, ready.output_format, done.track)
        report = replace(done.report, settings=settings)
        return Translated(ready.source, data, report, written=written)
