"""Searching with shorter and shorter lengths until every sentence fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from subfit.fit import (
    Candidate,
    Fitted,
    Task,
    choose,
    fitting_requests,
    least_bad,
    natural_request,
    place,
    predicted_request,
)
from subfit.guideline import Guideline, count_characters
from subfit.hypotheses import FREE, Hypothesis, Request
from subfit.translate import Translator
from subfit.typography import Style, complete, style_of, typeset


@dataclass(slots=True)
class Work:
    """A task on its way through the searches."""

    task: Task
    style: Style
    """The source's, over all tasks."""
    candidates: list[Candidate] = field(default_factory=list)
    """What has been found, the best natural translation first."""
    fitted: Fitted | None = None


def fit_all(
    tasks: Sequence[Task],
    translator: Translator,
    guideline: Guideline,
    on_progress: Callable[[int, int], None] | None = None,
) -> list[Fitted]:
    """Translate and fit sentences; the policy is that of `subfit.fit`.

    A sentence over several cues that no search could fit is given up as one sentence: its cues
    are translated each by itself, which is kept if they fit then.

    Args:
        tasks: Sentences with their budgets.
        translator: The model.
        guideline: Says what a character is and names the target language.
        on_progress: Called with the sentences done and the sentences to do.

    Returns:
        Everything that was translated, joined sentences or their separate cues. Texts the model
        cannot take, or finds no translation for, are absent.
    """
    style = style_of(task.sentence.text for task in tasks)
    works = [Work(task, style) for task in tasks if translator.accepts(task.sentence.text)]
    _fit(works, translator, guideline, on_progress)
    failed = [work for work in works if work.fitted is None and len(work.task.budgets) > 1]
    apart = {id(work): [Work(each, style) for each in _separated(work.task)] for work in failed}
    _fit([each for works in apart.values() for each in works], translator, guideline, None)
    fitted: list[Fitted] = []
    for work in works:
        alone = apart.get(id(work), [])
        use_alone = alone and all(each.fitted for each in alone)
        fitted += _settled(alone if use_alone else [work], guideline)
    return fitted


def _fit(
    works: list[Work],
    translator: Translator,
    guideline: Guideline,
    on_progress: Callable[[int, int], None] | None,
) -> None:
    """Search at the natural length, then at less and less where that does not fit."""
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if on_progress:
            on_progress(done, len(works))

    tasks = [work.task for work in works]
    _collect(works, _natural_requests(tasks, translator), translator, guideline, advance)
    for work in works:
        _choose_if_best_is_natural(work, guideline)
    asks = translator.checkpoint.length_aware
    plans = {
        id(work): fitting_requests(work.task, _natural(work), asks=asks)
        for work in works
        if work.fitted is None
    }
    for round_ in range(max((len(plan) for plan in plans.values()), default=0)):
        open_works = [
            work for work in works if work.fitted is None and round_ < len(plans[id(work)])
        ]
        pairs = [(work, request) for work in open_works for request in plans[id(work)][round_]]
        _collect([work for work, _ in pairs], [each for _, each in pairs], translator, guideline)
        for work in open_works:
            work.fitted = _chosen(work, guideline)


def _natural_requests(tasks: Sequence[Task], translator: Translator) -> list[Request]:
    """Ask for no length, or where the model must be asked for one, for about the natural one."""
    if translator.can_translate_freely:
        return [natural_request(task, None) for task in tasks]
    if not translator.can_predict_lengths:
        return [natural_request(task, translator.mean_length_ratio) for task in tasks]
    lengths = translator.predict_lengths([task.sentence.spoken for task in tasks])
    return [predicted_request(*each) for each in zip(tasks, lengths, strict=True)]


def _collect(
    works: Sequence[Work],
    requests: Sequence[Request],
    translator: Translator,
    guideline: Guideline,
    on_done: Callable[[int], None] | None = None,
) -> None:
    """Search for every work and add what is found to its candidates, all scored alike."""
    found = translator.translate(requests, on_done)
    asked = [index for index, request in enumerate(requests) if request.asked != FREE]
    texts = [requests[index].text for index in asked]
    rated = translator.rate(texts, [found[index] for index in asked])
    for index, hypotheses in zip(asked, rated, strict=True):
        found[index] = hypotheses
    for work, request, hypotheses in zip(works, requests, found, strict=True):
        set_ = (_typeset(each, work, guideline) for each in hypotheses)
        work.candidates += [Candidate(each, request.asked) for each in set_]


def _typeset(hypothesis: Hypothesis, work: Work, guideline: Guideline) -> Hypothesis:
    """Set a translation as its language and its source ask for.

    It is in capitals if its source is; ß becomes SS and counts twice. What it lacks is added if it
    fits with that.
    """
    text = typeset(hypothesis.text, guideline.language, work.style)
    whole = complete(text, guideline.language, work.style)
    if work.task.sentence.shouted:
        text, whole = text.upper(), whole.upper()
    if whole != text and place(whole, work.task, guideline, guideline.language) is not None:
        text = whole
    if text == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=text, characters=count_characters(text, guideline.counting))


def _natural(work: Work) -> Hypothesis | None:
    return work.candidates[0].hypothesis if work.candidates else None


def _choose_if_best_is_natural(work: Work, guideline: Guideline) -> None:
    """Settle the sentences whose natural translation fits as it is."""
    natural = _natural(work)
    if natural is not None and natural.characters >= work.task.floor:
        work.fitted = choose(work.task, work.candidates[:1], guideline, guideline.language)
        if work.fitted is not None:  # the others that fit become its alternatives
            work.fitted = choose(work.task, work.candidates, guideline, guideline.language)


def _chosen(work: Work, guideline: Guideline) -> Fitted | None:
    if not work.candidates:
        return None
    return choose(work.task, work.candidates, guideline, guideline.language)


def _separated(task: Task) -> list[Task]:
    parts = zip(task.sentence.separated(), task.budgets, strict=True)
    return [Task(sentence, (budget,)) for sentence, budget in parts]


def _settled(works: Sequence[Work], guideline: Guideline) -> list[Fitted]:
    """Return what was found, the least bad where nothing fits."""
    found = (
        work.fitted or least_bad(work.task, work.candidates, guideline, guideline.language)
        for work in works
    )
    return [each for each in found if each is not None]
