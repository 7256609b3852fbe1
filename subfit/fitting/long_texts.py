"""Texts that are too long for the model, translated sentence by sentence under one budget.

A text is that of one cue, or of a chain of cues none of which ends where a sentence does: then it
is spread over its cues when its sentences have been translated.

Their sentences are translated at their natural lengths first. Where these do not fit together, each
gets a share of the budget in proportion to its natural length, and is shortened as any other; of
less and less of the budget (`SHARES`), if what fits together cannot be spread over the cues. With
less room than `LEAST_SHARE` of all that, hardly a sentence could be said: then nothing is
shortened, and the text is over its budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from subfit.decoding.hypotheses import Hypothesis
from subfit.fitting.cue_lines import place, place_overlong
from subfit.fitting.risk import RiskFeatures
from subfit.fitting.risk_features import shares_of
from subfit.fitting.state import Candidate, Fitted
from subfit.fitting.task import Ranges, Task, in_parts
from subfit.fitting.term_use import term_uses
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.subtitles.sentences import Sentence
from subfit.terms.glossary import plain_characters
from subfit.text.counting import count_characters
from subfit.text.sentence_ends import sentences_in

LEAST_SHARE = 0.4
"""Share of the natural length; where a text has less room, its sentences stay as they are."""

SHARES = (1.0, 0.94, 0.88)
"""Of the budget, what the sentences are shortened to in turn, until a text is within it."""

_MARGIN = 0.02
"""Share of a text: what a cue has less of a sentence than this is none of it."""

FitSentences = Callable[[Sequence[Task]], Sequence[Fitted | None]]
"""Translates sentences within their budgets; None for those that no translation is found for."""


@dataclass(frozen=True, slots=True)
class LongText:
    """A text of one cue, or of a chain of them, that is too long to be translated whole."""

    task: Task
    pieces: tuple[Task, ...]
    """Its sentences, without budgets."""

    @classmethod
    def of(cls, task: Task) -> LongText:
        """Part a text into its sentences, wherever cues end."""
        whole = task.sentence
        text = plain_characters(whole.text)
        pieces: list[Task] = []
        at = 0
        for own in sentences_in(whole.text, whole.language):
            words = plain_characters(own)
            start = text.index(words, at)
            at = start + len(words)
            terms = (
                replace(term, start=term.start - start)
                for term in task.terms
                if start <= term.start < at
            )
            part = replace(whole.parts[0], text=own, lead="", opening="", closing="", tail="")
            sentence = replace(whole, parts=(part,))
            piece = Task(sentence, (LengthBudget(),), tuple(terms))
            piece = replace(piece, words=task.words, counting=task.counting)
            pieces.append(replace(piece, formality=task.formality, context=task.context))
        return cls(task, tuple(pieces))

    def with_shares(self, natural: Sequence[Fitted], part: float) -> tuple[Task, ...]:
        """Return the sentences with their shares of the budget.

        Args:
            natural: The sentences at their natural lengths.
            part: How much of the budget they share.

        Returns:
            Nothing if there is too little room.
        """
        task = self.task.with_more_time()
        lengths = [piece.candidate.hypothesis.characters for piece in natural]
        spaces = (len(lengths) - 1) * count_characters(" ", task.counting)
        ceiling = part * task.ceiling - spaces
        total, unit = sum(lengths), task.budgets[0].unit
        if not total or ceiling < LEAST_SHARE * total:
            return ()
        shares = [length / total for length in lengths]
        budgets = [
            LengthBudget(share * ceiling, floor=share * task.floor, unit=unit) for share in shares
        ]
        pairs = zip(self.pieces, budgets, strict=True)
        return tuple(replace(piece, budgets=(budget,)) for piece, budget in pairs)


def fit_long_texts(
    tasks: Sequence[Task], accepts: Callable[[str], bool], fit: FitSentences, guideline: Guideline
) -> list[Fitted]:
    """Translate texts that the model cannot take.

    Args:
        tasks: Texts of one cue each, or of chains of cues.
        accepts: Tells whether the model can take a text.
        fit: Translates sentences.
        guideline: Says what a character is, and names the target language.

    Returns:
        The texts all of whose sentences have a translation.
    """
    texts = [LongText.of(task) for task in tasks]
    texts = [text for text in texts if all(accepts(piece.sentence.text) for piece in text.pieces)]
    natural = _fit_each([text.pieces for text in texts], fit)
    found = [(text, own) for text, own in zip(texts, natural, strict=True) if own]
    fitted = [_together(text, own, own, guideline) for text, own in found]
    for part in SHARES:
        shares = [
            text.with_shares(own, part) if _wants_less(one, first=part == SHARES[0]) else ()
            for (text, own), one in zip(found, fitted, strict=True)
        ]
        shorter = _fit_each(shares, fit)
        fitted = [
            _better(one, _together(text, less, own, guideline)) if less else one
            for (text, own), less, one in zip(found, shorter, fitted, strict=True)
        ]
    return fitted


def _fit_each(texts: Sequence[Sequence[Task]], fit: FitSentences) -> list[list[Fitted]]:
    """Translate the sentences of all texts at once; nothing for a text that lacks one."""
    results = iter(fit([piece for pieces in texts for piece in pieces]))
    fitted = [[next(results) for _ in pieces] for pieces in texts]
    return [
        [] if None in pieces else [piece for piece in pieces if piece is not None]
        for pieces in fitted
    ]


def _is_good(fitted: Fitted) -> bool:
    return fitted.fits and fitted.task.reaches(fitted.candidate.hypothesis)


def _wants_less(fitted: Fitted, *, first: bool) -> bool:
    """Whether a text is to be shortened: what is within its budget again, if that is no fit."""
    if first:
        return not _is_good(fitted)
    return not fitted.fits and fitted.candidate.hypothesis.characters <= fitted.task.ceiling


def _better(natural: Fitted, other: Fitted) -> Fitted:
    """What fits and is as long as is wished, or else fits; of what does not, the shorter one."""
    return max(
        (natural, other),
        key=lambda one: (_is_good(one), one.fits, -one.candidate.hypothesis.characters),
    )


def _together(
    text: LongText, pieces: Sequence[Fitted], natural: Sequence[Fitted], guideline: Guideline
) -> Fitted:
    """The sentences of a text put together, in its own time or else in the most it may take."""
    task, joined = text.task, _joined(pieces, guideline)
    words = joined.hypothesis.text
    placed = place(words, task, guideline)
    if placed is None:
        task = task.with_more_time()
        placed = place(words, task, guideline)
    fitted = Fitted(
        task=task,
        lines=placed.lines if placed else place_overlong(words, task, guideline),
        candidate=replace(joined, omitted=_omitted(task.sentence, pieces)),
        natural=_joined(natural, guideline),
        fits=placed is not None,
        losses=_of_any(piece.losses for piece in pieces),
        withheld=_of_any(piece.withheld for piece in pieces),
    )
    risks = _risk_features(fitted, pieces)
    return replace(fitted, terms=term_uses(fitted, (), guideline), risk_features=risks)


def _risk_features(
    fitted: Fitted, pieces: Sequence[Fitted]
) -> tuple[tuple[RiskFeatures, ...], ...]:
    """For each cue of a text what the risks of the sentences in it are worked out of."""
    cues = shares_of([" ".join(lines) for lines in fitted.lines])
    sentences = shares_of([piece.candidate.hypothesis.text for piece in pieces])
    features = [[one for part in piece.risk_features for one in part] for piece in pieces]
    return tuple(
        tuple(
            one
            for own, (first, last) in zip(features, sentences, strict=True)
            if first < end - _MARGIN and last > start + _MARGIN
            for one in own
        )
        for start, end in cues
    )


def _of_any(losses: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({loss for one in losses for loss in one}))


def _omitted(sentence: Sentence, pieces: Sequence[Fitted]) -> tuple[Ranges, ...]:
    """Where in each part of a text something is left out of its sentences."""
    text, omitted = sentence.text, list[tuple[int, int]]()
    at = 0
    for piece in pieces:
        (part,) = piece.task.sentence.parts
        at = text.index(part.text, at)
        omitted += (
            (at + start, at + end) for ranges in piece.candidate.omitted for start, end in ranges
        )
        at += len(part.text)
    return in_parts(sentence, omitted)


def _joined(pieces: Sequence[Fitted], guideline: Guideline) -> Candidate:
    """Translations of sentences as one of them all."""
    hypotheses = [piece.candidate.hypothesis for piece in pieces]
    text = " ".join(one.text for one in hypotheses)
    joined = Hypothesis(
        text,
        count_characters(text, guideline.counting),
        fmean(one.score for one in hypotheses),
        sum(one.log_probability for one in hypotheses),
        tuple(token for one in hypotheses for token in one.token_ids),
        closing=min(one.closing for one in hypotheses),
    )
    return Candidate(joined, asked=sum(piece.candidate.asked for piece in pieces))
