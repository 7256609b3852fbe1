"""How a text ends and how another one starts: whether a sentence may run from one to the other.

The rules are those of segmenters for running text (closing marks, abbreviations, initials), but a
cue is no running text: its end may be open, trail off in dots, or stop at a comma, and these tell
more than what a segmenter asks, where a sentence ends within a line.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Literal

import regex

from subfit.text.languages import language_of
from subfit.text.linebreak_lists import packaged, word_lists
from subfit.text.non_speech import BIDI

End = Literal["closed", "clause", "trails", "dash", "open"]
"""``closed``: by a mark after which nothing need follow. ``clause``: a comma. ``trails``: dots.
``dash``: broken off. ``open``: no mark."""
Start = Literal["label", "continues", "small", "number", "pronoun", "capital", "other"]
"""``label``: names a speaker. ``continues``: dots that go on from earlier ones. ``pronoun``: the
English I, which has a capital anywhere. ``other``: no letter, or one of a script without case."""

_CLOSERS = rf"[\s\"'“‘”’»«›)\]}}*_{BIDI}]*"
_LABEL_AT_END = regex.compile(r"\s*[\[(][^\[\]()]*[\])]\s*$")
_CLOSED = regex.compile(rf"[.!?。！？｡؟।:;：；♪]{_CLOSERS}$")
_TRAILS = regex.compile(rf"(?:\.{{2,}}|…|\. \. \.|⋯){_CLOSERS}$")
_CLAUSE = regex.compile(rf"[,、，،]{_CLOSERS}$")
_DASH = regex.compile(rf"[-–—―]{_CLOSERS}$")
_STOP = regex.compile(rf"(?<!\.)\.{_CLOSERS}$")
_LAST_WORD = regex.compile(r"(\S+?)\.\W*$")
_STRONG = regex.compile(rf"[.!?…。！？｡؟।]{_CLOSERS}$")
_GAP = regex.compile(r"\s+|(?<=[。！？｡])(?![。！？｡\s\"'”’»›)\]}」』])")
_CLOSING = regex.compile(r"»(?=$|[\s,.;:!?…)])")
"""« Va-t'en ! »: French parts its quotes from what they close."""
_SAID = regex.compile(r"[\p{L}\p{N}]")
_LAST_SAID = regex.compile(r"(?r)[\p{L}\p{N}]")
_LOOK_BACK = 200
"""Characters of what stands before that tell it: of a text of a megabyte, not all each time."""
_LOOK_AHEAD = 80
"""Characters of what follows that tell whether a sentence has ended."""
_INITIAL = regex.compile(r"(?:^|\p{Lu}\S*\s+)(?:[\p{Lu}--I]\.[ -]?)+$", regex.VERSION1)
_FIRST_WORD = regex.compile(r"\W*(\w+)")
_HALF = regex.compile(r"(?:^|\s)(?:\p{Ll}|EE)\.$")
_OTHER_HALF = regex.compile(r"\p{L}{1,3}\.")
_SPACED = regex.compile(r"(?<=(?:^|\s)(?:\p{Ll}|EE)\.)\s(?=\p{L}{1,3}\.$)")
"""The space within an abbreviation of two parts at the end of a text."""
_ORDINAL = regex.compile(r"(?:^|\s)\d{1,2}\.$")

_SPEAKER = regex.compile(
    r"(?:>>+|[\[(（【][^\[\]()]*[\])）】]|\p{Lu}[\p{Lu}\d .'’#-]*[\p{Lu}\d]\s?:"
    r"|\p{Lu}[\w'’.-]*(?:\s[\p{Lu}\d][\w'’.-]*)?\s?:(?=\s))"
)
_OPENERS = regex.compile(r"[\s\"'“‘„«»‹›(\[¿¡*_]+")
_CONTINUES = regex.compile(r"(?:\.{2,}|…|⋯|-{2,}|\. \. \.)\s*[\p{L}\p{N}\"'“‘„«]")
_PRONOUN = regex.compile(r"I(?:['’]\w+)?(?!\w)")
_DOTS_AT_END = regex.compile(r"\s*(?:\.{2,}|…|⋯)$")
_DOTS_AT_START = regex.compile(r"^(?:\.{2,}|…|⋯)\s*")


def end_of(text: str, following: str, language: str) -> End:
    """Say how a text ends, as far as what follows can tell.

    Args:
        text: Plain text, not empty.
        following: The text after it.
        language: The language of both.
    """
    text = _LABEL_AT_END.sub("", text) or text
    if _TRAILS.search(text):
        return "trails"
    if _CLOSED.search(text):
        return "open" if _is_abbreviated(text, following, language) else "closed"
    if _CLAUSE.search(text):
        return "clause"
    return "dash" if _DASH.search(text) else "open"


def start_of(text: str, language: str) -> Start:
    """Say how a text starts."""
    if _SPEAKER.match(text):
        return "label"
    if _CONTINUES.match(text):
        return "continues"
    bare = _OPENERS.sub("", text, count=1) if _OPENERS.match(text) else text
    if not bare:
        return "other"
    if bare[0].isdecimal():
        return "number"
    if bare[0].islower() and bare[0].title() != bare[0]:  # Georgian begins nothing with a capital
        return "small"
    if not bare[0].isupper():
        return "other"
    return "pronoun" if language_of(language) == "en" and _PRONOUN.match(bare) else "capital"


def sentences_in(text: str, language: str) -> tuple[str, ...]:
    """Part running text at the ends of its sentences.

    Args:
        text: Plain text.
        language: Its language.

    Returns:
        The sentences; what has neither letter nor digit stays beside one of them. Joined by
        spaces they are the text, but for white space and scripts that have none between sentences.
    """
    return tuple(text[start:end] for start, end in sentence_places(text, language))


def sentence_places(text: str, language: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text, as `sentences_in` parts them, begin and end."""
    places: list[tuple[int, int]] = []
    start = len(text) - len(text.lstrip()) if text.strip() else 0
    said, last = _SAID.search(text), _LAST_SAID.search(text)
    for gap in _GAP.finditer(text):
        if said is None or last is None or last.start() < gap.end():
            break
        if said.start() < gap.start() and _ends(text, start, gap.span(), language):
            places.append((start, gap.start()))
            start, said = gap.end(), _SAID.search(text, gap.end())
    return [*places, (start, max(start, len(text.rstrip())))]


def _ends(text: str, start: int, gap: tuple[int, int], language: str) -> bool:
    """Whether a sentence that has begun ends at a gap."""
    before = text[max(start, gap[0] - _LOOK_BACK) : gap[0]].strip()
    following = text[gap[1] : gap[1] + _LOOK_AHEAD]
    if not _STRONG.search(before) or _CLOSING.match(following):
        return False
    return end_of(before, following, language) in ("closed", "trails") and (
        start_of(following, language) not in ("small", "continues")
    )


def without_dots(text: str, *, at_end: bool) -> tuple[str, str]:
    """Take the dots that show a sentence running on off an end of a text.

    Args:
        text: Plain text.
        at_end: Whether from its end rather than its start.

    Returns:
        The text, and the dots with the space between; no dots if there is nothing beside them.
    """
    match = (_DOTS_AT_END if at_end else _DOTS_AT_START).search(text)
    if match is None or match[0].strip() == text.strip():
        return text, ""
    rest = text[: match.start()] if at_end else text[match.end() :]
    return rest, match[0]


def _is_abbreviated(text: str, following: str, language: str) -> bool:
    """Whether the full stop at the end of a text belongs to an abbreviation that goes on."""
    if not _STOP.search(text):
        return False
    known = defaultdict(
        list, packaged("subfit.text", "abbreviations.yaml").get(language_of(language), {})
    )
    start = start_of(following, language)
    bare = _SPACED.sub("", text.rstrip("\"'“‘”’»«)] "))
    if _HALF.search(bare) and _OTHER_HALF.match(following):  # z. B., p. ex., EE. UU.
        return True
    match = _LAST_WORD.search(bare)
    word = _OPENERS.sub("", match[1]).lower() if match else ""
    before = bare[: match.start()].strip() if match else ""
    if word in known["names"] and start in ("capital", "pronoun", "other"):
        return True
    if word in known["numbers"] and start == "number":
        return bool(before) and not _CLOSED.search(before)
    if word in known["inside"]:
        return start == "small"
    if _INITIAL.search(bare):
        return start == "capital"
    ordinals = language_of(language) in ("de", "da", "nb", "no", "cs", "fi", "hu", "pl")
    if not (ordinals and _ORDINAL.search(bare) and before):
        return False
    first = _FIRST_WORD.match(following)  # "Er ist 17. Sie auch.", but "am 3. Mai"
    return start != "capital" or first is None or first[1].lower() not in _openers_of(language)


@cache
def _openers_of(language: str) -> frozenset[str]:
    """Words that are no noun behind an ordinal number: with a capital they begin a sentence."""
    lists = word_lists(language)
    words = lists.pronouns | lists.articles | lists.conjunctions | lists.auxiliaries
    return words | lists.prepositions | lists.negations
