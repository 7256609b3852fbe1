"""The whole way of a track, on one page; every step is a function of one room.

1. apart: labels for the deaf (`subtitles.sdh`), payloads to turns (`subtitles.markup`), cues to
   sentences (`subtitles.sentences`), each with its budget (`limits`) and its terms (`terms`);
2. conditions: scenes, the form of address of the film, what memories have (`fitting`, `memory`);
3. fitted: searched for (`decoding`), chosen and broken into lines (`fitting.pipeline`);
4. back: into cues and markup, out-times, lines to be spoken (`fitting.placement`), and judged
   (`reporting`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from subfit.decoding.any_translator import AnyTranslator
from subfit.decoding.hypotheses import Request
from subfit.errors import UsageError
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.pipeline import fit_all
from subfit.fitting.placement import outcomes_of, settle, with_source_labels
from subfit.fitting.scenes import addressed, check_formality, in_scenes, unmet_in, with_address
from subfit.fitting.shares import OnProgress
from subfit.fitting.spans import SpanPlacer
from subfit.fitting.task import Fitted, Task
from subfit.limits.budget import LengthRatio
from subfit.limits.cue_budgets import TrackBudgets, sentence_budgets, track_budgets
from subfit.limits.guideline import Guideline
from subfit.memory.recall import open_memories
from subfit.memory.store import Languages
from subfit.reporting.report import Report, remarks_on, report_on, with_speaking
from subfit.servers.usage import Usage
from subfit.subtitles.cues import Track
from subfit.subtitles.markup import CueText
from subfit.subtitles.sdh import LabelledTrack, Labels, with_labels
from subfit.subtitles.sentences import join_cues, parse_cues
from subfit.terms.glossary import Occurrence, TermFinder, disjoint
from subfit.terms.names import FileNames
from subfit.terms.protected import find_placeables
from subfit.text.formality import Address

if TYPE_CHECKING:  # it imports a client of servers, which other models do without
    from subfit.decoding.server_translator import ServerTranslator

__all__ = ["DEFAULT_OPTIONS", "Localization", "OnProgress", "Options", "localize", "localize_all"]


@dataclass(frozen=True, slots=True)
class Localization:
    """A translated track and what there is to say about it."""

    track: Track
    outcomes: tuple[CueOutcome, ...]
    """One for each cue, in order."""
    report: Report
    source: Track
    """What was translated: the source, without cues that were nothing but labels where these were
    taken out."""
    address: Address | None = None
    """The form of address, asked for or decided on; None as it comes."""
    labels: Labels | None = None
    """What became of labels for the deaf, where they were not to be kept."""


@dataclass(frozen=True, slots=True)
class _Apart:
    """A track between being read and being put back together."""

    labelled: LabelledTrack
    texts: tuple[CueText, ...]
    budgets: TrackBudgets
    tasks: tuple[Task, ...]
    ratio: LengthRatio | tuple[LengthRatio, ...] | None
    """The length ratio wished, or those of the cues that are left."""
    address: Address | None = None


def localize(
    track: Track,
    translator: AnyTranslator,
    guideline: Guideline,
    options: Options = DEFAULT_OPTIONS,
    on_progress: OnProgress | None = None,
) -> Localization:
    """Translate a track so that every cue keeps its budget; `localize_all` with one track."""
    (localization,) = localize_all([track], translator, guideline, options, on_progress)
    return localization


def localize_all(
    tracks: Sequence[Track],
    translator: AnyTranslator,
    guideline: Guideline,
    options: Options = DEFAULT_OPTIONS,
    on_progress: OnProgress | None = None,
    *,
    processes: int = 1,
) -> list[Localization]:
    """Translate tracks so that every cue keeps its budget, searching all their sentences together.

    Args:
        tracks: The source cues of each file. What becomes of one does not depend on the others.
        translator: A model; its counting must be the guideline's.
        guideline: The limits for the target language.
        options: See `Options`.
        on_progress: Called as sentences get done, with figures over all tracks.
        processes: How many processes may share out the sentences; more than this one are forked, so
            that the program should have no threads that hold locks.

    Returns:
        Per track the translated one, with as many cues as the source (but for those that are taken
        out with `Options.sdh`), the same in-times and, unless they are extended, the same
        out-times, and a report.

    Raises:
        UsageError: The translator counts characters otherwise than the guideline, or the forms of
            address of its language are not known.
    """
    if translator.counting != guideline.counting:
        raise UsageError(f"the translator does not count characters as {guideline.name} does")
    check_formality(translator, options.formality)
    before = translator.usage
    if before is not None and len(tracks) > 1:  # each is told what asking for it came to
        return [localize(track, translator, guideline, options, on_progress) for track in tracks]
    # 1. apart: sentences with their budgets and terms
    apart = [_take_apart(track, guideline, options) for track in tracks]
    # 2. conditions: the form of address, what memories have
    forms = addressed([one.tasks for one in apart], translator, options.formality)
    ready = [
        _with_conditions(one, *form, translator, guideline, options)
        for one, form in zip(apart, forms, strict=True)
    ]
    # 3. fitted: searched for, chosen and broken into lines, all tracks together
    fitted = fit_all(
        [one.tasks for one in ready],
        translator,
        guideline,
        on_progress,
        alternatives=options.alternatives,
        strict=options.strict_budget,
        processes=processes,
    )
    # 4. back: into cues and markup, and judged
    now = translator.usage
    usage = None if now is None or before is None else now - before
    pairs = zip(ready, fitted, strict=True)
    return [_put_back(*pair, translator, guideline, options, usage) for pair in pairs]


def expected_usage(
    track: Track, translator: ServerTranslator, guideline: Guideline, options: Options
) -> Usage:
    """Return about what it takes to ask a server for a track; nothing is sent.

    Args:
        track: The source cues.
        translator: The server's model.
        guideline: The limits for the target language.
        options: See `Options`.
    """
    tasks = _take_apart(track, guideline, options).tasks
    requests = [Request(task.sentence.spoken, setting=task.setting) for task in tasks]
    return translator.expected_usage(requests)


def _take_apart(track: Track, guideline: Guideline, options: Options) -> _Apart:
    """The sentences of a track, each with its budget and its terms."""
    language, source = guideline.language, options.source_language
    labelled = with_labels(track, options.sdh, language, source)
    track, ratio = labelled.track, options.length_ratio
    if isinstance(ratio, tuple) and labelled.labels is not None:
        gone = {cue.number for cue in labelled.labels.dropped}
        ratio = tuple(one for number, one in enumerate(ratio, 1) if number not in gone)
    texts = parse_cues(track.cues, track.format)
    extend = options.timing == "extend"
    budgets = track_budgets(track, guideline, ratio, options.dubbing, extend=extend)
    joined = join_cues(track.cues, texts, across_cues=options.join and track.timed, language=source)
    sentences = [sentence.led_in(language) for sentence in joined]
    in_time = sentence_budgets(sentences, texts, budgets.own, guideline)
    at_most = sentence_budgets(sentences, texts, budgets.most, guideline)
    finder = TermFinder(options.terms, language, source)
    names = FileNames([sentence.text for sentence in sentences], source, language)

    def terms_of(text: str) -> tuple[Occurrence, ...]:
        kept = find_placeables(text, source, language)
        return tuple(disjoint([*finder.find(text), *kept, *names.find(text)]))

    tasks = tuple(
        Task(
            sentence,
            own,
            terms_of(sentence.text),
            more if more != own else None,
            guideline.counting,
        )
        for sentence, own, more in zip(sentences, in_time, at_most, strict=True)
    )
    tasks = tuple(in_scenes(tasks, track.cues, options, language))
    return _Apart(labelled, tuple(texts), budgets, tasks, ratio)


def _with_conditions(
    apart: _Apart,
    tasks: Sequence[Task],
    address: Address | None,
    translator: AnyTranslator,
    guideline: Guideline,
    options: Options,
) -> _Apart:
    """A track whose sentences have their form of address, and what memories have for them."""
    if options.people and translator.capabilities.formalities:
        tasks = with_address(tasks, options.people)
    if options.memory:
        languages = Languages(options.source_language, guideline.language)
        recall = open_memories(options.memory, languages).recall
        tasks = [replace(task, recall=recall(task.sentence.text)) for task in tasks]
    return replace(apart, tasks=tuple(tasks), address=address)


def _put_back(
    apart: _Apart,
    fitted: Sequence[Fitted],
    translator: AnyTranslator,
    guideline: Guideline,
    options: Options,
    usage: Usage | None,
) -> Localization:
    """A track with what was made of its sentences, and what there is to say about that."""
    labelled, track, texts = apart.labelled, apart.labelled.track, apart.texts
    words = translator.word_scores
    placer = SpanPlacer(translator.source_language, guideline.language, words)
    sentences = [task.sentence for task in apart.tasks]
    outcomes = outcomes_of(
        track, texts, apart.budgets.most, sentences, fitted, guideline, placer.place, words
    )
    translated = track.with_texts([outcome.payload for outcome in outcomes])
    translated = replace(translated, language=guideline.language)
    if (ends := apart.budgets.ends) is not None:
        outcomes = settle(outcomes, ends, guideline, apart.ratio)
        translated = translated.with_ends([outcome.written_end for outcome in outcomes])
    assert options.timing == "extend" or _times(translated) == _times(track), "times are not kept"
    if track.spoken:
        dubbing, language = options.dubbing, guideline.language
        outcomes = tuple(with_speaking(outcome, dubbing, language) for outcome in outcomes)
    outcomes = with_source_labels(outcomes, labelled)
    labels, address = labelled.labels, apart.address
    if address is not None:
        address = replace(address, unmet=unmet_in(fitted, guideline.language))
    report = report_on(outcomes, track, guideline, address=address, usage=usage, labels=labels)
    if track.spoken:
        remarks = tuple(map(remarks_on, report.cues))
        translated = replace(translated, remarks=remarks)
    return Localization(translated, outcomes, report, labelled.shown, address, labels)


def _times(track: Track) -> list[tuple[int, int]]:
    return [(cue.start, cue.end) for cue in track.cues]
