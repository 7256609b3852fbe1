"""Between sentences as they are and as the model reads them (`subfit.terms.restore`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import FREE, Hypothesis, Request, TermConstraint
from subfit.fitting.task import Task
from subfit.terms.checked import mended
from subfit.terms.protected import Span
from subfit.terms.restore import Cleaned, clean, restore
from subfit.text.counting import count_characters


def cleaned(text: str, task: Task, language: str) -> Cleaned:
    """Return a source, or what is left of it, as the model is to read it.

    Args:
        text: The source.
        task: What it is the source of.
        language: Tag of the target language.
    """
    sentence = task.sentence
    return clean(text, sentence.language, language, asides=sentence.keeps_sounds)


def as_read(request: Request, text: Cleaned) -> Request:
    """Return a request with the text that the model reads.

    The ceiling, and the length that is asked for, are those of what it writes: putting everything
    back makes that longer or shorter.
    """
    if not text.changed:
        return request
    growth, spans = text.growth, [span for _, span in text.spans]
    asked = request.asked if request.asked == FREE else max(1, request.asked - growth)
    return replace(
        request,
        text=text.text,
        ceiling=_lowered(request.ceiling, growth),
        dense=_lowered(request.dense, growth),
        asked=asked,
        terms=tuple(_as_read(term, spans) for term in request.terms),
    )


def _lowered(ceiling: float, growth: int) -> float:
    """A ceiling without what is put back; none stays none."""
    return ceiling if math.isinf(ceiling) else max(1.0, ceiling - growth)


def _as_read(term: TermConstraint, spans: Sequence[Span]) -> TermConstraint:
    """A constraint on what the model makes of a stand-in in place of what is put back for it."""
    for span in spans:
        if span.read and span.source == term.source:
            return TermConstraint(span.read, (span.usual,), term.language)
    return term


def restored(hypothesis: Hypothesis, text: Cleaned, task: Task) -> Hypothesis:
    """Return a translation with everything put back that the model did not read, slips mended."""
    sentence, whole = task.sentence, hypothesis.text
    if text.changed:
        whole = restore(text, whole, task.words)
    whole = mended(whole, sentence.text, text.language, sentence.language)
    if whole == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=whole, characters=count_characters(whole, task.counting))
