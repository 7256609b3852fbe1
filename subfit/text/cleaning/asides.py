"""Sound descriptions within what is said ("I know. [SIGHS] Go on."): taken out and put back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from subfit.text.cleaning.rendering import Rendering
from subfit.text.languages import closest_language
from subfit.text.non_speech import SOUND
from subfit.text.sound_labels import LANGUAGES, translated

_ASIDE = regex.compile(rf"{SOUND}:?(?:\s*{SOUND}:?)*\s*")
_ROUND = regex.compile(r"\(([^()]+)\)")
_OPENERS = "\"'“‘„«¿¡([ "
_SURE = 0.3


@dataclass(frozen=True, slots=True)
class Aside:
    """A sound description within a text."""

    start: int
    source: str
    """The description as the text has it, with the space behind it."""

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)

    @property
    def text(self) -> str:
        """The description alone."""
        return self.source.strip()

    def beside(self, text: str, place: int) -> str:
        """Return it with the spaces that it needs at a place of a text."""
        before = "" if not place or text[place - 1].isspace() else " "
        after = "" if place >= len(text) or text[place].isspace() else " "
        return f"{before}{self.text}{after}"


def find_asides(text: str, language: str = "en") -> Iterator[Aside]:
    """Yield the sound descriptions that have words before and behind them in a text.

    Args:
        text: Plain text.
        language: Its tag, which says what labels are usual.
    """
    known = closest_language(language, LANGUAGES) or LANGUAGES[0]
    for match in _ASIDE.finditer(text):
        around = text[: match.start()], text[match.end() :]
        ended = around[0].rstrip().endswith((".", "!", "?", "…", '"', ","))
        if any(_is_speech(inside, known, ended=ended) for inside in _ROUND.findall(match[0])):
            continue
        if all(any(map(str.isalnum, part)) for part in around):
            yield Aside(match.start(), match[0])


def _is_speech(inside: str, language: str, *, ended: bool) -> bool:
    """Whether round brackets hold speech: within a sentence all but usual labels in capitals do.

    Args:
        inside: What stands within them.
        language: Of the text.
        ended: Whether a sentence, or a part of one, ends before them.
    """
    known = translated(inside, language, language) is not None
    loud = inside.isupper()
    return not ((loud and known) or (ended and (loud or known)))


def place_before(at: int, rendering: Rendering) -> int:
    """Return where in a translation stands what stands at a place of its source.

    Between the same sentences if both have as many; else beside what the words around it become;
    else about as far along as it stands in the source.

    Args:
        at: Place in the source, before a word.
        rendering: The translation beside it.
    """
    translation, begun = rendering.text, enumerate(rendering.source_sentences)
    number = next((n for n, (start, _) in begun if abs(start - at) <= 1), None)
    if number is not None and rendering.paired:
        return rendering.sentences[number][0]
    place = _beside_words(at, rendering)
    if place is None:
        share = round(at / max(len(rendering.source), 1) * len(translation))
        starts = [0, *(word.start for word in rendering.words.target), len(translation)]
        place = min(starts, key=lambda start: abs(start - share))
    return _before_marks(translation, place)


def _beside_words(at: int, rendering: Rendering) -> int | None:
    """Behind what the word before a place becomes, or before what the next one does."""
    words = rendering.words
    following = next((n for n, word in enumerate(words.source) if word.end > at), None)
    if following is None or not words.target:
        return None
    sure = words.source_sure
    before = following - 1
    behind = before >= 0 and sure[before] >= sure[following]
    number = before if behind else following
    row = words.of_source[number]
    best = max(range(len(row)), key=row.__getitem__) + behind
    if sure[number] <= _SURE or best >= len(words.target):
        return None
    return words.target[best].start


def _before_marks(text: str, at: int) -> int:
    while at and text[at - 1] in _OPENERS and text[at - 1] != " ":
        at -= 1
    return at
