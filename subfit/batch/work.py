"""The models of a run, and the groups that are translated with them, here or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

from subfit.batch.items import Group, OnGroup, Translated, Translations
from subfit.batch.pivot import THROUGH, first_guideline, localize_through
from subfit.batch.prepare import prepare
from subfit.batch.setup import RunSetup
from subfit.batch.steps import Files, by_guideline, finished, together
from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.loading import LoadedModel, Wanted, load_model, share_cores
from subfit.fitting.address import check_formality
from subfit.fitting.shares import MOST
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress, localize_all
from subfit.text.counting import Counting


class Models:
    """The models of a run, each loaded when it is first needed, and the translators over them.

    Args:
        setup: What the run is told.
        alone: Whether nothing else runs in this process, so that it may be forked.
    """

    def __init__(self, setup: RunSetup, *, alone: bool = True) -> None:
        self._setup = setup
        self._most = MOST if alone else 1
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
            source = job.source_language if self._setup.pivot is None else THROUGH
            wanted = Wanted(source, language, counting, job.search())
            self._translators[key] = first.translator(wanted, beside, self._channel(language))
        return self._translators[key]

    def into_english(self) -> AnyTranslator | None:
        """Return the translator of the first of two legs, if there are two; raises as the other."""
        if self._setup.pivot is None:
            return None
        key, job = (THROUGH, first_guideline().counting), self._setup.job
        if key not in self._translators:
            wanted = Wanted(job.source_language, *key, job.search())
            first, channel = self._model(self._setup.pivot), self._channel(THROUGH)
            self._translators[key] = first.translator(wanted, channel=channel)
        return self._translators[key]

    def _channel(self, language: str) -> LoadedModel | None:
        """The channel model of a translator into a language, if it has one."""
        channel = self._setup.channels.get(language)
        return None if channel is None else self._model(channel)

    def _model(self, place: str) -> LoadedModel:
        job = self._setup.job
        if place not in self._loaded:
            model = self._loaded[place] = load_model(place, job.computing, job.talk)
            self._most = min(self._most, share_cores(model, job.computing.threads))
        return self._loaded[place]

    @property
    def processes(self) -> int:
        """How many processes may share the sentences out that these models translate."""
        return self._most


class LocalEngine:
    """Translates in this process, one group after the other; an `Engine`."""

    def __init__(self, setup: RunSetup) -> None:
        self._setup, self._models = setup, Models(setup)

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Translate groups."""
        for group in groups:
            advance = partial(on_progress, group) if on_progress else None
            yield translate_group(group, self._setup, self._models, advance)


def translate_group(
    group: Group, setup: RunSetup, models: Models, on_progress: OnProgress | None = None
) -> list[Translated]:
    """Translate the files of a group together.

    Returns:
        One result for each source, in order; one that fails does not stop the others.

    Raises:
        SubfitError: The model is no good: then no file can be translated.
    """
    options = setup.job.options

    def translate(guideline: Guideline, files: Files) -> list[Translated]:
        translator = models.translator(group.language, guideline.counting)
        check_formality(translator, options.formality)
        first = models.into_english()

        def localize(files: Files) -> list[Translated]:
            tracks = [file.track for file in files]
            if first is None:
                done = localize_all(
                    tracks, translator, guideline, options, on_progress, processes=models.processes
                )
            else:
                legs = first, translator
                done = localize_through(
                    tracks, legs, guideline, options, on_progress, processes=models.processes
                )
            pairs = zip(files, done, strict=True)
            return [finished(*pair, setup, translator) for pair in pairs]

        return together(files, localize)

    return by_guideline(group, lambda source: prepare(source, setup), translate)
