"""The engine that shortens files in their own language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from subfit.batch.items import Group, OnGroup, Source, Translated, Translations
from subfit.batch.prepare import Prepared, prepare
from subfit.batch.setup import RunSetup
from subfit.batch.steps import Files, by_guideline, finished, together
from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.limits.guideline import Guideline
from subfit.shortening.condensation import condense_all

if TYPE_CHECKING:
    from subfit.batch.work import Models


class CondensingEngine:
    """Shortens in this process, one group after the other; an `Engine`."""

    def __init__(self, setup: RunSetup) -> None:
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
        setup = self._setup

        def shorten(guideline: Guideline, files: Files) -> list[Translated]:
            translator = self._translator(group.language, guideline)

            def condense(files: Files) -> list[Translated]:
                tracks = [file.track for file in files]
                done = condense_all(tracks, guideline, setup.job.options, translator)
                pairs = zip(files, done, strict=True)
                return [finished(*pair, setup, translator) for pair in pairs]

            return together(files, condense)

        return by_guideline(group, self._read, shorten)

    def _read(self, source: Source) -> Prepared:
        file = prepare(source, self._setup)
        if file.track.spoken:
            raise UsageError(
                f"{source.item.source}: is a dubbing script; subtitles are shortened, "
                ".srt, .vtt or .txt"
            )
        return file

    def _translator(self, language: str, guideline: Guideline) -> AnyTranslator | None:
        """The model, if one was named."""
        if not self._setup.models[language]:
            return None
        if self._loaded is None:
            from subfit.batch.work import Models  # which imports torch

            self._loaded = Models(self._setup)
        return self._loaded.translator(language, guideline.counting)
