"""What translates: models, each loaded once, and groups of files one after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from subfit.batch.items import Result, Source
from subfit.batch.setup import THROUGH, Prepared, RunSetup, first_guideline, prepare
from subfit.decoding.any_translator import AnyTranslator, shortcomings
from subfit.decoding.loading import LoadedModel, Wanted, load_model, share_cores
from subfit.decoding.prompts import PromptedTranslator
from subfit.fitting.options import Options
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.scenes import check_formality, lacks_forms
from subfit.fitting.shares import MOST
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, OnProgress, localize_all
from subfit.reporting.page import written_file
from subfit.reporting.report import report_on
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.markup.payload import plain_text, seen_lines
from subfit.subtitles.pairing import bilingual_track
from subfit.text.counting import Counting
from subfit.text.languages import same_language


class Models:
    """The models of a run, each loaded when it is first needed, and the translators over them.

    Args:
        setup: What the run is told.
        alone: Whether nothing else runs in this process, so that it may be forked.
        loaded: Models by their places, those of other runs too; more are put into it.
    """

    def __init__(
        self, setup: RunSetup, *, alone: bool = True, loaded: dict[str, LoadedModel] | None = None
    ) -> None:
        self._setup = setup
        self._most = MOST if alone else 1
        self._loaded: dict[str, LoadedModel] = {} if loaded is None else loaded
        self._translators: dict[tuple[str, Counting], AnyTranslator] = {}
        os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")  # where a model needs it at all

    def translator(self, language: str, counting: Counting) -> AnyTranslator:
        """Return a translator into a language that counts characters in this way.

        Raises:
            ModelError: One of its models cannot be loaded.
            UsageError: They are for other languages, or do not belong together.
        """
        source = self._setup.job.source_language if self._setup.pivot is None else THROUGH
        return self._translator(self._setup.models[language], source, language, counting)

    def into_english(self) -> AnyTranslator | None:
        """Return the translator of the first of two legs, if there are two; raises as the other."""
        if self._setup.pivot is None:
            return None
        source, counting = self._setup.job.source_language, first_guideline().counting
        return self._translator((self._setup.pivot,), source, THROUGH, counting)

    def _translator(
        self, places: Sequence[str], source: str, language: str, counting: Counting
    ) -> AnyTranslator:
        key = language, counting
        if key not in self._translators:
            first, *beside = map(self._model, places)
            wanted = Wanted(source, language, counting, self._setup.job.search())
            self._translators[key] = first.translator(wanted, beside)
        return self._translators[key]

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


def translate_group(
    sources: Sequence[Source],
    setup: RunSetup,
    models: Models,
    on_progress: OnProgress | None = None,
) -> list[Result]:
    """Translate files of one language together.

    Returns:
        One result for each source, in order; one that fails does not stop the others.

    Raises:
        SubfitError: The model is no good: then no file can be translated.
    """
    results: dict[int, Result] = {}
    ready: dict[Guideline, list[Prepared]] = {}
    for source in sources:
        try:
            file = prepare(source, setup)
        except Exception as error:
            results[source.index] = Result.failed(source.item, error, source)
        else:
            ready.setdefault(file.guideline, []).append(file)
    for guideline, files in ready.items():
        work_on = _work(sources[0].item.language, guideline, setup, models, on_progress)
        made = _together(files, work_on)
        results |= {file.source.index: one for file, one in zip(files, made, strict=True)}
    return [results[source.index] for source in sources]


def _work(
    language: str,
    guideline: Guideline,
    setup: RunSetup,
    models: Models,
    on_progress: OnProgress | None,
) -> Callable[[Sequence[Prepared]], list[Result]]:
    """What translates files of one language and guideline; the models are loaded before."""
    translator, first = models.translator(language, guideline.counting), models.into_english()
    options = setup.job.options
    check_formality(translator, options.formality)
    localize = localize_all if first is None else partial(localize_through, first)

    def work_on(files: Sequence[Prepared]) -> list[Result]:
        tracks = [file.track for file in files]
        done = localize(
            tracks, translator, guideline, options, on_progress, processes=models.processes
        )
        pairs = zip(files, done, strict=True)
        return [_finished(*pair, setup, translator) for pair in pairs]

    return work_on


def localize_through(
    first: AnyTranslator,
    tracks: Sequence[Track],
    second: AnyTranslator,
    guideline: Guideline,
    options: Options,
    on_progress: OnProgress | None = None,
    *,
    processes: int = 1,
) -> list[Localization]:
    """Translate tracks into English and from there into their target language.

    The first leg has no limits. The second has all of them, by the times of the source, and reports
    on the source. The arguments are those of `localize_all`, but for ``first``, the translator into
    English, which counts as `first_guideline` does.
    """
    shared = partial(localize_all, processes=processes)
    plain = replace(options, alternatives=0, formality=None, timing="keep")
    onwards = replace(options, source_language=THROUGH)
    english = shared(tracks, first, first_guideline(), plain, _half(on_progress, 0))
    middle = [one.track for one in english]
    done = shared(middle, second, guideline, onwards, _half(on_progress, 1))
    return [_joined(*legs, guideline) for legs in zip(english, done, strict=True)]


def _half(on_progress: OnProgress | None, before: int) -> OnProgress | None:
    """The progress of one of two legs, as a part of the whole."""
    if on_progress is None:
        return None
    return lambda done, total: on_progress(done + total * before, 2 * total)


def _joined(first: Localization, second: Localization, guideline: Guideline) -> Localization:
    """What both legs made of a track, reported by its source."""
    pairs = zip(first.outcomes, second.outcomes, strict=True)
    outcomes = tuple(_whole(*pair, first.source.format) for pair in pairs)
    track = second.track.with_texts([outcome.payload for outcome in outcomes])
    labels, address = first.labels, second.address
    report = report_on(outcomes, first.source, guideline, address=address, labels=labels)
    return replace(
        second, track=track, outcomes=outcomes, report=report, source=first.source, labels=labels
    )


def _whole(first: CueOutcome, second: CueOutcome, format: FormatName) -> CueOutcome:
    """What became of a cue; what either leg does not translate stands as in the source."""
    failed = next((one for one in (first, second) if one.status == "untranslated"), None)
    if failed is not None:
        shown = seen_lines(plain_text(first.cue.text, format))
        whole = replace(failed, target=shown, payload=first.cue.text)
    else:
        whole = replace(second, risk_features=(*first.risk_features, *second.risk_features))
    return replace(whole, cue=first.cue, source=first.source)


def _together(
    files: Sequence[Prepared], work_on: Callable[[Sequence[Prepared]], list[Result]]
) -> list[Result]:
    """Work on files; if that fails, on each by itself, to know which it is."""
    try:
        return work_on(files)
    except Exception as error:
        if len(files) == 1:
            return [Result.failed(files[0].source.item, error, files[0].source)]
        return [result for file in files for result in _together([file], work_on)]


def _finished(
    file: Prepared, done: Localization, setup: RunSetup, translator: AnyTranslator
) -> Result:
    """What was made of a file as bytes, with its report."""
    job, item = setup.job, file.source.item
    settings = setup.describe(item.language)
    settings["precision"] = translator.precision  # what was asked for may be "auto"
    if job.options.timing == "extend":
        settings["shot_changes"] = len(file.track.shot_changes)
    if lacking := (*shortcomings(translator), *_more_shortcomings(setup, translator)):
        settings["model_cannot"] = list(lacking)
    track, order = done.track, job.writing.bilingual
    if order is not None:
        track = bilingual_track(done.source, track, order)
    return Result(
        item,
        report=replace(done.report, settings=settings),
        written=written_file(track, file.output_format, done.track),
        source=file.source,
        data=file.render(track, job.writing.output_encoding),
    )


def _more_shortcomings(setup: RunSetup, translator: AnyTranslator) -> tuple[str, ...]:
    """What cannot be had with this job."""
    lacking: tuple[str, ...] = ()
    if not same_language(setup.job.source_language, "en"):
        lacking = ("has risks told as they were measured on English sources",)
    if setup.job.talk.prompt is not None and not isinstance(translator, PromptedTranslator):
        lacking += ("reads no prompt, as only language models do",)
    if lacks_forms(translator, setup.job.options.formality):
        lacking += ("was not trained for forms of address, so that --formality changes nothing",)
    return lacking
