"""Saying terms in translations that lack them, in the place of the words they stand for.

A search that has to place a term which the model would never choose may put it beside the word it
is meant to replace, or behind the sentence. Where the translation found without terms is good but
for that word, exchanging the word is better: the terms' forms are put where those words stand that
translate the term's source, as word alignment tells, and the model scores the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise, product

from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.term_beams import GOING_ON, STANDING_IN
from subfit.decoding.translator import Translator
from subfit.fitting.task import Task
from subfit.terms.glossary import OPEN_END, Occurrence, missing_from, plain_characters
from subfit.text.alignment import Alignment, align
from subfit.text.casing import capitalised
from subfit.text.counting import count_characters

LESS = 0.05
"""What a term that was put in costs a translation's score, in nats per token, beside one that was
searched for: the rest of the sentence had no chance to agree with it."""
_MOST_FORMS = 4
_MOST_TEXTS = 8
"""Of one translation."""
_LEAST_SHARE = 0.3
"""Of a source word, in a word of the translation that stands for it."""
_LEAST_SURE = 0.5
_LONGEST = 4
"""Words that a term can stand for."""
_ENDS = ".!?…:"
_OPENING = " \xa0\u202f\"'„“‚‘«»‹›([¿¡-–—"
_BATCH = 64
"""Texts that are scored at once."""


@dataclass(frozen=True, slots=True)
class Swap:
    """A form of a term in a translation."""

    start: int
    """Where it stands in the text, in characters."""
    end: int
    was: int
    """Where in the original translation the words began that it stands for."""


@dataclass(frozen=True, slots=True)
class Rewording:
    """A translation with forms of terms for some of its words."""

    text: str
    swaps: tuple[Swap, ...]


def rewordings(task: Task, text: str) -> list[Rewording]:
    """Return what a translation is with the terms that it lacks.

    Args:
        task: The sentence with its terms.
        text: A translation of it.

    Returns:
        The preferred forms first; none where it lacks no term, or no word stands for one.
    """
    found = align(plain_characters(task.sentence.spoken), text, task.words)
    lacking = [each for each in missing_from(text, task.terms) if each.held]
    places = [(term, place) for term in lacking if (place := _place(found, term))]
    places.sort(key=lambda each: each[1])
    if not places or any(a[1] > b[0] for (_, a), (_, b) in pairwise(places)):
        return []  # two terms for one word
    spans = [place for _, place in places]
    forms = [_forms(term, text, place[0]) for term, place in places]
    return [_reworded(text, spans, each) for each in islice(product(*forms), _MOST_TEXTS)]


def _place(found: Alignment, term: Occurrence) -> tuple[int, int] | None:
    """Where words stand together that translate a term's source; None if it cannot be told."""
    end = term.start + len(term.source)
    ours = [n for n, word in enumerate(found.source) if word.start < end and word.end > term.start]
    ours.sort(key=lambda n: (len(found.source[n].text), n), reverse=True)
    for last in range(len(ours), 0, -1):  # an article may well have gone to another noun
        chosen = {best for row in ours[:last] if (best := _likeliest(found, row)) is not None}
        if chosen and max(chosen) - min(chosen) < min(_LONGEST, len(chosen) + 1):
            return found.target[min(chosen)].start, found.target[max(chosen)].end
    return None


def _likeliest(found: Alignment, row: int) -> int | None:
    """The word that most of a source word has gone into, if that is clear."""
    shares = found.of_source[row]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    if best is None or shares[best] < _LEAST_SHARE or found.target_sure[best] < _LEAST_SURE:
        return None
    return best


def _forms(term: Occurrence, text: str, start: int) -> list[str]:
    """The forms of a term as they are written at a place."""
    before = text[:start].rstrip(_OPENING)
    begins = not before or before[-1] in _ENDS
    if (term.placeable and not term.spelt) or term.source in term.targets:
        begins = False  # eBay stays eBay
    forms = (
        each.removesuffix(OPEN_END) for each in term.targets[: 1 if term.spelt else _MOST_FORMS]
    )
    return [capitalised(each, term.language) if begins else each for each in forms]


def _reworded(text: str, spans: Sequence[tuple[int, int]], forms: Sequence[str]) -> Rewording:
    pieces: list[str] = []
    swaps: list[Swap] = []
    at = length = 0
    for (start, end), form in zip(spans, forms, strict=True):
        pieces += (text[at:start], form)
        length += start - at
        swaps.append(Swap(length, length + len(form), start))
        length, at = length + len(form), end
    return Rewording("".join([*pieces, text[at:]]), tuple(swaps))


def reworded(task: Task, nbest: Sequence[Hypothesis], translator: Translator) -> list[Hypothesis]:
    """Return translations of a sentence with the terms they lacked, scored by the model.

    As in a search (`subfit.decoding.term_beams`) a term is given credit: its first piece counts as
    the first one of the words that it stands for, less a nat, and its others at least -0.5.
    `LESS` is taken off for every token.

    Args:
        task: The sentence with its terms.
        nbest: Its translations.
        translator: The model, which must be one that may be asked for no length.

    Returns:
        In no order; their ``credit`` is part of their score, in nats per token, and not of their
        log-probability. None where no term can be put in.
    """
    tokenizer = translator.checkpoint.tokenizer
    made = [
        (old, new, pieces)
        for old in nbest
        for new in rewordings(task, tokenizer.decode(list(old.token_ids)).strip())
        if (pieces := translator.pieces_of(new.text))
    ]
    if not made:
        return []
    source, lists = task.sentence.spoken, [pieces for *_, pieces in made]
    known = list({old.token_ids: None for old, *_ in made})
    before = dict(zip(known, _scores(translator, source, known), strict=True))
    rated = _scores(translator, source, lists)
    texts = tokenizer.piece_texts
    hypotheses: list[Hypothesis] = []
    for (old, new, pieces), own in zip(made, rated, strict=True):
        places = _starts(texts, old.token_ids), _starts(texts, pieces)
        credit = _credit(new.swaps, before[old.token_ids], own, *places) - LESS * len(own)
        hypothesis = Hypothesis(
            new.text,
            count_characters(new.text, task.counting),
            (sum(own) + credit) / len(own) ** translator.settings.length_penalty,
            sum(own),
            pieces,
            credit=credit,
        )
        hypotheses.append(hypothesis)
    return hypotheses


def _scores(
    translator: Translator, source: str, lists: Sequence[tuple[int, ...]]
) -> list[list[float]]:
    """The log-probability of each piece of translations of one text."""
    parts = (lists[start : start + _BATCH] for start in range(0, len(lists), _BATCH))
    return [
        scores
        for part in parts
        for scores in translator.log_probabilities([source] * len(part), part)
    ]


def _credit(
    swaps: Sequence[Swap],
    before: Sequence[float],
    own: Sequence[float],
    olds: Sequence[int],
    news: Sequence[int],
) -> float:
    """What the terms of a text are given beyond the probability of their pieces, in nats.

    Args:
        swaps: The terms.
        before: The log-probability of each piece of the translation that they were put into.
        own: Of each piece of the text.
        olds: Where the former begin in their text.
        news: Where the latter do.
    """
    credit = 0.0
    for swap in swaps:
        floor = before[_piece_at(olds, swap.was)] - STANDING_IN
        first, last = _piece_at(news, swap.start), _piece_at(news, swap.end - 1)
        for piece in range(first, last + 1):
            credit += max(0.0, (floor if piece == first else GOING_ON) - own[piece])
    return credit


def _starts(texts: Sequence[str], pieces: Sequence[int]) -> list[int]:
    """Where each piece begins in the text they print, which begins without a space."""
    printed = [texts[each] for each in pieces]
    whole = "".join(printed)
    lead = len(whole) - len(whole.lstrip())
    return [start - lead for start in accumulate(map(len, printed[:-1]), initial=0)]


def _piece_at(starts: Sequence[int], place: int) -> int:
    """The piece that a character is of."""
    return max(n for n, start in enumerate(starts) if start <= place)
