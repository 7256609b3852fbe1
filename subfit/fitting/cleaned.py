"""Between sentences as they are and as the model reads them.

What it reads is cleaned (`subfit.text.cleaning`), and has no phrases at its ends that a phrasebook
knows (`subfit.phrases`): these are said as the phrasebook has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import regex

from subfit.decoding.hypotheses import FREE, Hypothesis, Request, TermConstraint
from subfit.fitting.task import Task
from subfit.phrases.cut import Cut, capitalised, in_sentence
from subfit.text.cleaning.cleaning import Cleaned, clean
from subfit.text.cleaning.restoring import restore
from subfit.text.cleaning.stand_ins import StandIn
from subfit.text.counting import count_characters
from subfit.text.formality import Formality, formality_of

_COMMA = regex.compile(r",$")
_STOP = regex.compile(r"(?<!\.)\.$")
_SMALL = regex.compile(r"\p{Ll}|I\b")
"""How a sentence goes on behind a comma; with another capital it is a name."""
_WORD = regex.compile(r"\p{L}+")
_BRIEFLY = 1
"""Which way of saying a phrase is taken where characters are scarce."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A source as the model is to read it, and what there is to put back."""

    cleaned: Cleaned
    cut: Cut | None = None
    """The phrases that stand before and behind what is translated."""
    level: int = 0
    """Which way of saying them is taken."""
    form: Formality | None = None
    """How people are addressed in them, where that was asked for."""

    @property
    def text(self) -> str:
        """What the model reads."""
        return self.cleaned.text

    @property
    def changed(self) -> bool:
        """Whether the model reads anything else than the source."""
        return self.cut is not None or self.cleaned.changed

    @property
    def stand_ins(self) -> tuple[StandIn, ...]:
        """What the model reads for what it would garble."""
        return self.cleaned.stand_ins

    @property
    def growth(self) -> int:
        """By how many characters a translation is longer when everything is put back, about."""
        if self.cut is None:
            return self.cleaned.growth
        around = self.cut.opening(self.form, self.level), self.cut.closing(self.form, self.level)
        return self.cleaned.growth + sum(len(text) + 1 for text in around if text)

    def restored(self, translation: str, task: Task) -> str:
        """Return a translation with everything put back."""
        whole = restore(self.cleaned, translation, task.words)
        if self.cut is None or not whole:
            return whole
        spoken = self.cut.rest, task.sentence.language
        form = self.form or formality_of(whole, self.cut.language, *spoken)
        return _with_phrases(whole, self.cut, form, self.level)


def cleaned(text: str, task: Task, language: str, *, briefly: bool = False) -> Reading:
    """Return a source, or what is left of it, as the model is to read it.

    Args:
        text: The source.
        task: What it is the source of.
        language: Tag of the target language.
        briefly: Say phrases in fewer characters where the phrasebook knows how.
    """
    sentence = task.sentence
    kept = tuple(term.source for term in task.terms)
    cut = None if task.phrasebook is None else task.phrasebook.cut(text, kept)
    if cut is not None and cut.rest:
        text = capitalised(_COMMA.sub(".", cut.rest))
    else:
        cut = None  # nothing is left to translate: the phrasebook has all of it
    read = clean(
        text,
        sentence.language,
        language,
        asides=sentence.keeps_sounds,
    )
    return Reading(read, cut, _BRIEFLY if briefly else 0, task.formality)


def as_read(request: Request, text: Reading) -> Request:
    """Return a request with the text that the model reads.

    The ceiling, and the length that is asked for, are those of what it writes: putting everything
    back makes that longer or shorter.
    """
    if not text.changed:
        return request
    growth = text.growth
    asked = request.asked if request.asked == FREE else max(1, request.asked - growth)
    return replace(
        request,
        text=text.text,
        ceiling=_lowered(request.ceiling, growth),
        dense=_lowered(request.dense, growth),
        asked=asked,
        terms=tuple(_as_read(term, text.stand_ins) for term in request.terms),
    )


def _lowered(ceiling: float, growth: int) -> float:
    """A ceiling without what is put back; none stays none."""
    return ceiling if math.isinf(ceiling) else max(1.0, ceiling - growth)


def _as_read(term: TermConstraint, stand_ins: tuple[StandIn, ...]) -> TermConstraint:
    """A constraint on what the model makes of a stand-in in place of what is put back for it."""
    for stand_in in stand_ins:
        if stand_in.source == term.source:
            return TermConstraint(stand_in.text, (stand_in.form,), term.language)
    return term


def restored(hypothesis: Hypothesis, text: Reading, task: Task) -> Hypothesis:
    """Return a translation with everything put back that the model did not read."""
    whole = text.restored(hypothesis.text, task) if text.changed else hypothesis.text
    if whole == hypothesis.text:
        return hypothesis
    return replace(hypothesis, text=whole, characters=count_characters(whole, task.counting))


def _is_name(translation: str, source: str) -> bool:
    """Whether a translation begins with a word that its source has with a capital, too."""
    first = _WORD.match(translation)
    return first is not None and first[0] != "I" and first[0] in _WORD.findall(source)


def _with_phrases(rest: str, cut: Cut, form: Formality | None, level: int) -> str:
    """The translation of what is left, between the phrases that stand around it."""
    opening, closing = cut.opening(form, level), cut.closing(form, level)
    if opening.endswith(",") and _SMALL.match(cut.rest) and not _is_name(rest, cut.rest):
        rest = in_sentence(rest, cut.language)
    if closing and cut.rest.endswith(","):
        rest = _STOP.sub("", rest) + ","
    return " ".join(text for text in (opening, rest, closing) if text)
