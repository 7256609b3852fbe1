"""What can be left out of a sentence that then is still a sentence, and says much the same.

A subtitler who has no room drops, roughly in this order, what was said only to say it (fillers,
names that people are called by, tags, "I think"), adverbs, what further describes a thing or an
event (phrases that open with a preposition, relative and adverbial clauses, what stands between
commas), one of two clauses, one of two sentences. What turns a statement into another one stays:
negations, conditions, "only", "maybe", and what a "but" leads up to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from subfit.condensing import phrases, set_off
from subfit.condensing.clauses import Clause, Segment
from subfit.condensing.reading import Reading, SparePart

_RULES = (
    *(set_off.sentence, set_off.segments, set_off.tag, set_off.brackets, set_off.frame),
    *(phrases.coordinated, phrases.adverbs, phrases.times, phrases.hanging, phrases.modifiers),
)
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))


def spare_parts(reading: Reading) -> list[SparePart]:
    """Return everything that can be left out by itself, the cheapest first, each once."""
    found: dict[tuple[int, int], SparePart] = {}
    for clause in reading.clauses:
        for part in _parts(reading, clause):
            known = found.get((part.start, part.end))
            if known is None or part.cost < known.cost:
                found[part.start, part.end] = part
    return sorted(found.values(), key=lambda part: (part.cost, part.start, part.end))


def _parts(reading: Reading, clause: Clause) -> Iterator[SparePart]:
    for rule in _RULES:
        yield from (part for part in rule(reading, clause) if _is_allowed(reading, clause, part))


def _is_allowed(reading: Reading, clause: Clause, part: SparePart) -> bool:
    """Whether quotes stay whole, and no condition goes but with its whole sentence."""
    texts = [each.text for each in reading.tokens[part.start : part.end]]
    torn = any(texts.count(opener) != texts.count(closer) for opener, closer in _BRACKETS)
    if torn or _tears_quotes(reading, part) or _tears_phrase(reading, part):
        return False
    if (part.start, part.end) == (clause.opened, clause.closed):
        return True
    return not _changes_meaning(reading, clause, part) and _leaves_verb(reading, clause, [part])


def _changes_meaning(reading: Reading, clause: Clause, part: SparePart) -> bool:
    """Whether a part has what makes a statement another one: a condition, a hedge, a "but"."""
    words, indices = reading.words, range(part.start, part.end)
    if any(reading.low(index) in words.conditions for index in indices):
        return True
    if any(reading.low(index) in words.adversative for index in indices[1:]):
        return part.start > clause.start
    start, end = reading.next_word(part.start), part.end
    if set_off.ends_in_tag(reading, clause) and end == clause.end and len(clause.segments) > 1:
        return True  # the tag would ask about something else
    while end > start and not reading.tokens[end - 1].is_word:
        end -= 1
    span = Segment(start, end)
    if reading.is_filler(span) or reading.phrase(start, end) in words.tags:
        return False
    own = reading.low(start) in (*words.coordinators, "so") and reading.has_subject(start + 1, end)
    hedged = any(reading.low(index) in words.hedges for index in indices)
    negated = any(reading.low(index).endswith("n't") for index in indices)
    return (hedged or negated) and not own  # a clause of its own goes with its negation


def _tears_quotes(reading: Reading, part: SparePart) -> bool:
    """Whether a part has one of two straight quotes, or two that are not the same's."""
    quotes = [each for each in range(part.start, part.end) if reading.tokens[each].text == '"']
    if not quotes or len(quotes) % 2:
        return bool(quotes)
    opening, behind = reading.tokens[quotes[0]], reading.tokens[quotes[0] + 1]
    return opening.end != behind.start


def leaves_sentences(reading: Reading, parts: Sequence[SparePart]) -> bool:
    """Tell whether every sentence that has a verb still has one, or is gone.

    Args:
        reading: The text.
        parts: What is left out together, in its order.
    """
    return all(_leaves_verb(reading, clause, parts) for clause in reading.clauses)


def _tears_phrase(reading: Reading, part: SparePart) -> bool:
    """Whether a part has some words of a phrase that only means something as a whole."""
    for phrase in reading.words.whole_phrases:
        length = len(phrase.split())
        for start in range(max(0, part.start - length + 1), part.end):
            inside = part.start <= start and start + length <= part.end
            if not inside and reading.phrase(start, start + length) == phrase:
                return True
    return False


def _leaves_verb(reading: Reading, clause: Clause, parts: Sequence[SparePart]) -> bool:
    own = [each for each in parts if clause.opened <= each.start < clause.closed]
    whole = any(each.start <= clause.start and clause.end <= each.end for each in own)
    if not own or whole or not reading.has_verb(clause.start, clause.end):
        return True
    main = [each for each in clause.segments if not _is_aside(reading, each)]
    edges = [0, *(edge for each in own for edge in (each.start, each.end)), clause.end]
    left = list(zip(edges[::2], edges[1::2], strict=True))
    if not main:
        return not any(reading.has_verb(each.start, min(each.end, clause.end)) for each in own)
    return any(
        reading.has_verb(max(each.start, start), min(each.end, end))
        for each in main
        for start, end in left
    )


def _is_aside(reading: Reading, segment: Segment) -> bool:
    """Whether a segment is no main clause."""
    words, opening = reading.words, reading.low(segment.start)
    classes = (words.subordinators, words.relatives, words.conditions, words.prepositions)
    participle = opening.endswith("ing") or (
        opening.endswith("ed") and reading.low(segment.start + 1) in words.prepositions
    )
    following = reading.low(segment.start + 1)
    led = opening in words.leading and any(following in each for each in classes)
    inverted = opening in words.inverted and following in words.subjects
    phrase = f"{opening} {following}"
    compared = opening == "the" and following in ("more", "less")
    opens = any(opening in each for each in classes) or opening == "once" or led or inverted
    opens = opens or phrase in words.matters or compared
    return opens or participle or reading.is_filler(segment)
