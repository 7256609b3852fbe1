"""The properties of a translation: one pure function for each, which returns a complaint or None.

`CHECKS` has them by the names that the files of cues use. `complaints` applies to a translation
those of its case, and those that every translation must have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.challenge.cases import Case, Value
from benchmarks.challenge.texts import (
    compiled,
    ending_of,
    function_words,
    labels_of,
    normalised,
    opening_of,
    repeats_of,
    speakers_of,
    tags_of,
    turns_of,
    without_tags,
    word_lists,
    words_of,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A translation to be judged."""

    case: Case
    language: str
    payloads: tuple[str, ...]
    """The text of each cue, with markup and line breaks."""
    fits: bool = True
    """Whether every cue keeps its budget and its lines."""

    @property
    def text(self) -> str:
        """The translation without markup, lines kept."""
        return without_tags("\n".join(self.payloads))

    @property
    def source(self) -> str:
        """The source without markup, lines kept."""
        return without_tags("\n".join(self.case.source))


@dataclass(frozen=True, slots=True)
class Complaint:
    """What a translation lacks."""

    property: str
    expected: str


Check = Callable[[Answer, Value], str | None]
"""Takes a translation and the property's value; returns what was expected if it is not so."""


def _patterns(value: Value) -> tuple[str, ...]:
    assert isinstance(value, tuple), value
    return value


def _found(patterns: Sequence[str], text: str) -> list[str]:
    return [pattern for pattern in patterns if compiled(pattern).search(normalised(text))]


def _stripped(text: str) -> str:
    return re.sub(r"^\W+|\W+$", "", normalised(text))


def keeps(answer: Answer, value: Value) -> str | None:
    """These words are there as they are or all in capitals, perhaps with an s for the genitive."""
    text = normalised(answer.text)
    missing = [
        word
        for word in _patterns(value)
        if not re.search(rf"(?<!\w)(?:{re.escape(word)}|{re.escape(word.upper())})s?(?!\w)", text)
    ]
    return f"kept: {', '.join(missing)}" if missing else None


def has(answer: Answer, value: Value) -> str | None:
    """Each of these patterns is found."""
    found = _found(_patterns(value), answer.text)
    missing = [pattern for pattern in _patterns(value) if pattern not in found]
    return f"one of: {'; '.join(missing)}" if missing else None


def lacks(answer: Answer, value: Value) -> str | None:
    """None of these patterns is found."""
    found = _found(_patterns(value), answer.text)
    return f"not: {'; '.join(found)}" if found else None


def says(answer: Answer, value: Value) -> str | None:
    """The whole translation, but for marks around it, is one of these."""
    text = re.sub(r"[,;.!?¡¿…]+", "", _stripped(answer.text))
    if any(compiled(pattern).fullmatch(text) for pattern in _patterns(value)):
        return None
    return f"one of: {'; '.join(_patterns(value))}"


def negated(answer: Answer, value: Value) -> str | None:
    """There is a negation."""
    negations = word_lists()["negations"][answer.language]
    return None if _found(negations, answer.text) else "a negation"


def asks(answer: Answer, value: Value) -> str | None:
    """There are as many question marks as in the source, in Spanish with their opening marks."""
    return _marked(answer, "?", "¿")


def exclaims(answer: Answer, value: Value) -> str | None:
    """There are as many exclamation marks as in the source, in Spanish with their openings."""
    return _marked(answer, "!", "¡")


def _marked(answer: Answer, mark: str, opening: str) -> str | None:
    # "Who's there?!" and "Run!!" have one.
    runs = re.compile(rf"[?!]*{re.escape(mark)}[?!]*")
    wanted, found = len(runs.findall(answer.source)), len(runs.findall(answer.text))
    if found < wanted or (mark == "?" and found > wanted):
        return f"{wanted} × {mark}"
    openings = len(re.findall(rf"[¿¡]*{opening}[¿¡]*", answer.text))
    if answer.language == "es" and openings != found:
        return f"{found} × {opening}"
    return None if answer.language == "es" or not openings else f"no {opening}"


_ENDINGS = {".": ".!", "–": "–…"}
"""Marks that may stand for another: imperatives end so or so; so do interruptions."""


def closes(answer: Answer, value: Value) -> str | None:
    """It ends with the source's kind of mark, or with none where that has none."""
    wanted, found = ending_of(answer.source), ending_of(answer.text)
    if found == wanted or (found and found in _ENDINGS.get(wanted, "")):
        return None
    return f"{wanted or 'no mark'} at the end"


def opens(answer: Answer, value: Value) -> str | None:
    """It begins with the source's ellipsis or dash, or with neither where that does not."""
    wanted, found = opening_of(answer.source), opening_of(answer.text)
    return None if found == wanted else f"{wanted or 'no mark'} at the start"


def dashes(answer: Answer, value: Value) -> str | None:
    """As many lines as in the source begin with a dialogue dash."""
    wanted, found = turns_of(answer.source), turns_of(answer.text)
    return None if found == wanted else f"{wanted} dialogue dashes"


def caps(answer: Answer, value: Value) -> str | None:
    """It is in capitals."""
    small = [each for each in answer.text if each.islower() and each != "ß"]
    return "capitals" if small else None


def tags(answer: Answer, value: Value) -> str | None:
    """It has the source's markup, with words in it."""
    payload, wanted = "\n".join(answer.payloads), tags_of("\n".join(answer.case.source))
    if sorted(tags_of(payload)) != sorted(wanted):
        return f"the tags {' '.join(wanted)}"
    return "words within the tags" if re.search(r"<(\w+)[^>]*>\W*</\1>", payload) else None


def labels(answer: Answer, value: Value) -> str | None:
    """It has as many labels in brackets, and begins with one if the source does."""
    wanted, found = labels_of(answer.source), labels_of(answer.text)
    if len(found) != len(wanted):
        return f"{len(wanted)} labels in brackets"
    leads = [text.strip().startswith(("[", "(")) for text in (answer.source, answer.text)]
    return None if leads[0] == leads[1] else "the label in its place"


def speakers(answer: Answer, value: Value) -> str | None:
    """As many lines as in the source begin with a speaker's name in capitals and a colon."""
    wanted, found = speakers_of(answer.source), speakers_of(answer.text)
    return None if len(found) == len(wanted) else f"{len(wanted)} names in capitals with a colon"


def kept(answer: Answer, value: Value) -> str | None:
    """It is the source itself: songs and sounds stay as they are."""
    return None if answer.payloads == answer.case.source else "the source as it is"


def address(answer: Answer, value: Value) -> str | None:
    """It has no word of the other address than ``formal`` or ``informal``."""
    lists = word_lists()
    if value == "formal":
        wrong = _found(lists["informal"][answer.language], answer.text)
    else:
        wrong = _found(lists["formal"][answer.language], answer.text)
        inside = re.findall(r"(?<=[^\W_] )[A-Z]\w*", normalised(answer.text))
        wrong += [word for word in inside if word in lists["formal_capitals"][answer.language]]
    return f"{value}, not: {'; '.join(wrong)}" if wrong else None


def filled(answer: Answer, value: Value) -> str | None:
    """Every cue has words in it."""
    return None if all(words_of(without_tags(each)) for each in answer.payloads) else "words"


def single(answer: Answer, value: Value) -> str | None:
    """No word or phrase follows itself at once unless one does in the source."""
    if repeats_of(answer.source):
        return None
    doubles = word_lists()["doubles"][answer.language]
    repeated = [each for each in repeats_of(answer.text) if each.lower() not in doubles]
    return f"once: {'; '.join(repeated)}" if repeated else None


def language(answer: Answer, value: Value) -> str | None:
    """It is not the source, and has hardly more function words of another language than of its own.

    The source itself is right where a good translation is the same. One word more is no sign:
    "Quelle journée" has one of Italian and none of French.
    """
    words = words_of(answer.text)
    good = words_of("\n".join(answer.case.good.get(answer.language, ())))
    if words == words_of(answer.source) != good:
        return "a translation"
    counts = {name: len(known.intersection(words)) for name, known in function_words().items()}
    likely = max(counts, key=counts.__getitem__)
    if counts[likely] < counts[answer.language] + 2:
        return None
    return f"{answer.language}, not {likely}"


def within(answer: Answer, value: Value) -> str | None:
    """Every cue keeps its budget."""
    return None if answer.fits else "a text within its budget"


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        *(keeps, has, lacks, says, negated, asks, exclaims, closes, opens, dashes, caps, tags),
        *(labels, speakers, kept, address),
    )
}
"""The properties that files of cues may name."""
ALWAYS: tuple[Check, ...] = (filled, single, language, within)
"""What every translation must be."""


def complaints(answer: Answer) -> tuple[Complaint, ...]:
    """Return what a translation lacks, nothing if it is as expected."""
    properties = answer.case.properties[answer.language]
    wanted = [(CHECKS[name], value) for name, value in properties.items() if value is not False]
    if "kept" not in properties:
        wanted += [(check, True) for check in ALWAYS]
    found = [(check.__name__, check(answer, value)) for check, value in wanted]
    return tuple(Complaint(name, expected) for name, expected in found if expected is not None)
