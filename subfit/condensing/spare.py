"""What can be left out of a sentence that then is still a sentence, and says much the same.

A subtitler who has no room drops, roughly in this order, what was said only to say it (fillers,
names that people are called by), adverbs, what further describes a thing or an
event (phrases that open with a preposition, relative and adverbial clauses, what stands between
commas), one of two clauses, one of two sentences. What turns a statement into another one stays:
negations, conditions, "only", "maybe", and what a "but" leads up to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from subfit.condensing import adverbs, joined, phrases, set_off
from subfit.condensing.clauses import Clause, Segment
from subfit.condensing.reading import Reading, SparePart

RULES: dict[str, Callable[[Reading, Clause], Iterator[SparePart]]] = {
    "sentences": set_off.sentence,
    "segments": set_off.segments,
    "brackets": set_off.brackets,
    "clauses": joined.coordinated,
    "adverbs": adverbs.adverbs,
    "times": adverbs.times,
    "phrases": phrases.hanging,
}
"""What each is worth is in docs/condensing.md."""
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


def spare_parts(reading: Reading) -> list[SparePart]:
    """Return everything that can be left out by itself, the cheapest first, each once."""
    cheapest: dict[tuple[int, int], SparePart] = {}
    for clause in reading.clauses:
        for part in _parts(reading, clause):
            known = cheapest.get((part.start, part.end))
            if known is None or part.cost < known.cost:
                cheapest[part.start, part.end] = part
    return sorted(cheapest.values(), key=lambda part: (part.cost, part.start, part.end))


def _parts(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    for rule in RULES.values():
        yield from (part for part in rule(reading, clause) if is_allowed(reading, clause, part))


def is_allowed(reading: Reading, clause: Clause, part: SparePart) -> bool:
    """Whether quotes stay whole, and no condition goes but with its whole sentence."""
    texts = [token.text for token in reading.tokens[part.start : part.end]]
    torn = any(texts.count(opener) != texts.count(closer) for opener, closer in _BRACKETS)
    before, behind = (
        "" if place < 0 else reading.low(place) for place in (part.start - 1, part.end)
    )
    empties = any((before, behind) == pair for pair in _BRACKETS)
    if torn or empties or _tears_quotes(reading, part):
        return False
    if (part.start, part.end) == (clause.opened, clause.closed):
        return True
    return not _changes_meaning(reading, clause, part) and _leaves_verb(reading, clause, [part])


def _changes_meaning(reading: Reading, clause: Clause, part: SparePart) -> bool:
    """Whether a part has what makes a statement another one: a condition, a hedge, a "but"."""
    words, indices = reading.words, range(part.start, part.end)
    if any(reading.low(index) in words.conditions for index in indices):
        return True
    before = range(clause.start, part.start)
    paired = any(reading.low(index) in words.pairing for index in before)
    if paired and any(reading.low(index) in (*words.coordinators, "nor") for index in indices):
        return True
    if any(reading.low(index) in words.adversative for index in indices[1:]):
        return part.start > clause.start
    start, end = reading.next_word(part.start), part.end
    if set_off.ends_in_tag(reading, clause) and end == clause.end and len(clause.segments) > 1:
        return True  # the tag would ask about something else
    while end > start and not reading.tokens[end - 1].is_word:
        end -= 1
    span = Segment(start, end)
    if reading.is_filler(span):
        return False
    own = reading.low(start) in (*words.coordinators, "so") and reading.has_subject(start + 1, end)
    hedged = any(reading.low(index) in words.hedges for index in indices)
    negated = any(reading.low(index).endswith("n't") for index in indices)
    return (hedged or negated) and not own  # a clause of its own goes with its negation


def _tears_quotes(reading: Reading, part: SparePart) -> bool:
    """Whether a part has one of two straight quotes, or two that are not the same's."""
    quotes = [place for place in range(part.start, part.end) if reading.tokens[place].text == '"']
    if not quotes or len(quotes) % 2:
        return bool(quotes)
    opening, behind = reading.tokens[quotes[0]], reading.tokens[quotes[0] + 1]
    return opening.end != behind.start


def leaves_sentences(reading: Reading, parts: Sequence[SparePart]) -> bool:
    """Tell whether every sentence that has a verb still has one, or is gone."""
    return all(_leaves_verb(reading, clause, parts) for clause in reading.clauses)


def _leaves_verb(reading: Reading, clause: Clause, parts: Sequence[SparePart]) -> bool:
    own = [part for part in parts if clause.opened <= part.start < clause.closed]
    whole = any(part.start <= clause.start and clause.end <= part.end for part in own)
    if not own or whole:
        return True
    main = [segment for segment in clause.segments if not _is_aside(reading, segment)]
    if not reading.has_verb(clause.start, clause.end):
        return not any(
            part.start <= segment.start and segment.end <= part.end
            for segment in main
            for part in own
        )
    edges = [0, *(edge for part in own for edge in (part.start, part.end)), clause.end]
    left = list(zip(edges[::2], edges[1::2], strict=True))
    if not main:
        return not any(reading.has_verb(part.start, min(part.end, clause.end)) for part in own)
    return any(
        reading.has_verb(max(segment.start, start), min(segment.end, end))
        for segment in main
        for start, end in left
    )


def _is_aside(reading: Reading, segment: Segment) -> bool:
    """Whether a segment is no main clause."""
    words, start = reading.words, reading.next_word(segment.start)
    if reading.low(start) in (*words.adversative, *words.coordinators):
        start += 1
    opening, following = reading.low(start), reading.low(start + 1)
    classes = (words.subordinators, words.relatives, words.conditions, words.prepositions)
    participle = reading.is_gerund(start) or (
        opening.endswith("ed") and following in words.prepositions
    )
    led = opening in words.leading and any(following in members for members in classes)
    inverted = opening in words.inverted and following in words.subjects
    opens = any(opening in members for members in (*classes, words.asides)) or opening == "once"
    opens = opens or led or inverted or f"{opening} {following}" in words.matters
    return opens or participle or reading.is_filler(segment)
