"""The whole way of a cue: parsed, budgeted, translated, fitted, put back, reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from subfit.decoding.any_translator import AnyTranslator
from subfit.errors import UsageError
from subfit.fitting.address import addressed, check_formality
from subfit.fitting.extension import BudgetAt, settle
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.pipeline import fit_all
from subfit.fitting.placement import outcomes_of, with_source_labels
from subfit.fitting.span_placement import SpanPlacer
from subfit.fitting.state import Fitted
from subfit.fitting.steering import unmet_in
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio, ratio_of
from subfit.limits.cue_budgets import TrackBudgets, cue_budget, sentence_budgets, track_budgets
from subfit.limits.guideline import Guideline
from subfit.memory.entry import Entry
from subfit.memory.recall import Memories, open_memories
from subfit.memory.store import Languages
from subfit.reporting.dubbing_figures import remarks_on, with_speaking
from subfit.reporting.report import Report, report_on
from subfit.servers.usage import Usage
from subfit.subtitles.cues import Track
from subfit.subtitles.joining import join_cues
from subfit.subtitles.markup.cuetext import CueText
from subfit.subtitles.sdh import LabelledTrack, Labels, with_labels
from subfit.subtitles.sentences import parse_cues
from subfit.terms.glossary import TermFinder
from subfit.terms.names import FileNames
from subfit.terms.protected import find_placeables, with_placeables
from subfit.text.alignment import WordScores
from subfit.text.formality import Address

__all__ = ["DEFAULT_OPTIONS", "Localization", "OnProgress", "Options", "localize", "localize_all"]

Amend = Callable[["TakenApart", tuple[CueOutcome, ...]], tuple[CueOutcome, ...]]
LengthRatios = LengthRatio | tuple[LengthRatio, ...] | None
OnProgress = Callable[[int, int], None]
"""Called with the sentences that are done and all that there are."""


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
    made: tuple[Entry, ...] = ()
    """The sentences that were translated, whole, with their translations."""
    address: Address | None = None
    """The form of address, asked for or decided on; None as it comes."""
    labels: Labels | None = None
    """What became of labels for the deaf, where they were not to be kept."""


@dataclass(frozen=True, slots=True)
class TakenApart:
    """A track between being read and being put back together."""

    labelled: LabelledTrack
    texts: tuple[CueText, ...]
    budgets: TrackBudgets
    tasks: tuple[Task, ...]
    address: Address | None = None
    """The form of address that was decided on."""

    @property
    def track(self) -> Track:
        """The track as it is translated."""
        return self.labelled.track


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
        UsageError: The translator counts characters otherwise than the guideline.
    """
    if translator.counting != guideline.counting:
        raise UsageError(f"the translator does not count characters as {guideline.name} does")
    before = translator.usage
    if before is not None and len(tracks) > 1:  # each is told what asking for it came to
        return [localize(track, translator, guideline, options, on_progress) for track in tracks]
    finder = TermFinder(options.terms, guideline.language, options.source_language)
    words = translator.word_scores
    check_formality(translator, options.formality)
    apart = [take_apart(track, guideline, options, finder, words) for track in tracks]
    apart = _addressed(apart, translator, options)
    if options.memory:
        languages = Languages(options.source_language, guideline.language)
        memories = open_memories(options.memory, languages)
        apart = [_recalled(part, memories, options) for part in apart]
    tasks = [part.tasks for part in apart]
    fitted = fit_all(
        tasks,
        translator,
        guideline,
        on_progress,
        settings=options.fitting if options.condense else replace(options.fitting, condensations=0),
        alternatives=options.alternatives,
        strict=options.strict_budget,
        processes=processes,
    )
    placer = SpanPlacer(translator.source_language, guideline.language, words)
    pairs = zip(apart, fitted, strict=True)
    now = translator.usage
    usage = None if now is None or before is None else now - before
    return [
        put_back(part, sentences, guideline, options, placer, usage) for part, sentences in pairs
    ]


def take_apart(
    track: Track,
    guideline: Guideline,
    options: Options,
    finder: TermFinder,
    words: WordScores | None,
) -> TakenApart:
    """Return the sentences of a track, each with its budget and its terms.

    Args:
        track: What was read.
        guideline: The limits for the target language.
        options: See `Options`.
        finder: Finds terms.
        words: How probable words are as translations of each other, where that is known.
    """
    labelled = with_labels(track, options.sdh, guideline.language, options.source_language)
    track, ratio = labelled.track, _ratio_without(labelled, options.length_ratio)
    texts = parse_cues(track.cues, track.format)
    extend = options.timing == "extend"
    budgets = track_budgets(track, guideline, ratio, options.dubbing, extend=extend)
    joined = join_cues(
        track.cues,
        texts,
        translate_sounds=options.translate_sounds,
        across_cues=options.join and track.timed,
        language=options.source_language,
    )
    sentences = [sentence.led_in(guideline.language) for sentence in joined]
    in_time = sentence_budgets(sentences, texts, budgets.own, guideline)
    at_most = sentence_budgets(sentences, texts, budgets.most, guideline)
    languages = options.source_language, guideline.language
    names = FileNames([sentence.text for sentence in sentences], *languages)
    tasks: list[Task] = []
    for sentence, own, more in zip(sentences, in_time, at_most, strict=True):
        extended = more if more != own else None
        kept = with_placeables(
            find_placeables(sentence.text, *languages), names.find(sentence.text)
        )
        terms = with_placeables(finder.find(sentence.text), kept)
        tasks.append(Task(sentence, own, terms, extended, words, guideline.counting))
    tasks = _with_context(tasks, options.context)
    return TakenApart(labelled, tuple(texts), budgets, tuple(tasks))


def _ratio_without(labelled: LabelledTrack, ratio: LengthRatios) -> LengthRatios:
    """The length ratio, or those of the cues that are left."""
    if not isinstance(ratio, tuple) or labelled.labels is None:
        return ratio
    gone = {cue.number for cue in labelled.labels.dropped}
    return tuple(one for number, one in enumerate(ratio, 1) if number not in gone)


def _with_context(tasks: Sequence[Task], most: int) -> list[Task]:
    """The sentences of a track, each with those before it."""
    spoken = [task.sentence.spoken for task in tasks]
    return [
        replace(task, context=tuple(spoken[max(0, number - most) : number]))
        for number, task in enumerate(tasks)
    ]


def _addressed(
    tracks: Sequence[TakenApart], translator: AnyTranslator, options: Options
) -> list[TakenApart]:
    """The tracks with the forms of address that their sentences are to be asked for."""
    found = addressed([apart.tasks for apart in tracks], translator, options.formality)
    return [
        replace(apart, tasks=tuple(tasks), address=address)
        for apart, (tasks, address) in zip(tracks, found, strict=True)
    ]


def _recalled(apart: TakenApart, memories: Memories, options: Options) -> TakenApart:
    """The track with what memories have for its sentences."""
    tasks = (
        replace(task, recall=memories.recall(task.sentence.text, options.guiding))
        for task in apart.tasks
    )
    return replace(apart, tasks=tuple(tasks))


def put_back(
    apart: TakenApart,
    fitted: Sequence[Fitted],
    guideline: Guideline,
    options: Options,
    placer: SpanPlacer,
    usage: Usage | None = None,
    amend: Amend | None = None,
) -> Localization:
    """Return a track with what was made of its sentences, and what there is to say about that.

    Args:
        apart: The track, from `take_apart`.
        fitted: Its sentences.
        guideline: The limits for the target language.
        options: See `Options`.
        placer: Says where inner markup goes.
        usage: What asking a server came to, if one was.
        amend: Changes what became of single cues before out-times and report follow from it.
    """
    track, sentences = apart.track, [task.sentence for task in apart.tasks]
    texts, budgets, place = apart.texts, apart.budgets.most, placer.place
    outcomes = outcomes_of(track, texts, budgets, sentences, fitted, guideline, place)
    if amend is not None:
        outcomes = amend(apart, outcomes)
    translated = track.with_texts([outcome.payload for outcome in outcomes])
    if apart.budgets.ends is not None:
        ends = apart.budgets.ends
        outcomes = settle(outcomes, ends, _budget_at(apart, guideline, options), guideline)
        translated = translated.with_ends([outcome.written_end for outcome in outcomes])
    assert options.timing == "extend" or _times(translated) == _times(track), "times are not kept"
    if track.spoken:
        outcomes = with_speaking(outcomes, options.dubbing, guideline.language)
    outcomes = with_source_labels(outcomes, apart.labelled)
    labels, address = apart.labelled.labels, apart.address
    if address is not None:
        address = replace(address, unmet=unmet_in(fitted, guideline.language))
    report = report_on(outcomes, track, guideline, address=address, usage=usage, labels=labels)
    if track.spoken:
        translated = replace(translated, remarks=remarks_on(report.cues, options.dubbing.voice))
    made = (Entry(one.task.sentence.text, one.candidate.hypothesis.text) for one in fitted)
    shown = apart.labelled.shown
    return Localization(translated, outcomes, report, shown, tuple(made), address, labels)


def _budget_at(apart: TakenApart, guideline: Guideline, options: Options) -> BudgetAt:
    """What works out the budget of a cue of the track if it ended at another time."""

    def budget_at(index: int, end: int) -> LengthBudget:
        duration = end - apart.track.cues[index].start
        ratio = ratio_of(_ratio_without(apart.labelled, options.length_ratio), index)
        return cue_budget(apart.texts[index], duration, guideline, ratio)

    return budget_at


def _times(track: Track) -> list[tuple[int, int]]:
    return [(cue.start, cue.end) for cue in track.cues]
