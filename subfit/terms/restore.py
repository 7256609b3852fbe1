"""A text as a small model reads it best, and its translation with everything put back.

`clean` spells the text as models know it (`subfit.text.spellings`), puts stand-ins for what they
garble and takes out what they cannot spell (`subfit.terms.protected`), takes stutters, drawn-out
letters and shouting off words and makes one mark of several (`subfit.text.spoken`), and takes off
marks whose pair stands around all of it. `restore` undoes all this in what the model has made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise

import regex

from subfit.terms.glossary import disjoint
from subfit.terms.protected import Span, find_spans
from subfit.text.alignment import Alignment, WordScores, align
from subfit.text.casing import capitals
from subfit.text.languages import same_language
from subfit.text.sentence_ends import sentence_places
from subfit.text.spellings import spelt_out
from subfit.text.spoken import Spoken, doubled_marks, mark_places, spoken_words, with_look

_FRAMES = (
    regex.compile(r"(?P<open>[*~_])(?=[^\s*~_])[^*~_]*[^\s*~_](?P<close>(?P=open))"),
    regex.compile(r"(?P<open><<\s?)(?:(?!<<|>>).)+(?P<close>\s?>>)"),
    regex.compile(r"(?P<open>-=\s?[\[(]?\s?)[^=]+?(?P<close>\s?[\])]?\s?=-)"),
)
_SURE = 0.4
"""Evidence that a word of a translation stands for one of its source; less is but its place."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is to stand in place of a part of a text, or at a place of it."""

    start: int
    end: int
    new: str
    what: Span | Spoken | str | None = None
    """What is taken out or put back. A span stays as it is where the text around it is changed."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text for a model to read, and what there is to put back."""

    source: str
    text: str
    """What the model reads."""
    source_language: str
    language: str
    """Tag of the target language."""
    spelt: str = ""
    """The text within the frame, spelt as models know it, in which the spans were found."""
    spans: tuple[tuple[int, Span], ...] = ()
    """What the model does not read as it is, with the places in `text`."""
    words: tuple[tuple[int, Spoken], ...] = ()
    """Words that have lost their look, with their places in `text`."""
    marks: tuple[tuple[int, str], ...] = ()
    """Marks that were doubled, as they are written, with their places in `text`."""
    frame: tuple[str, str] = ("", "")
    """What stands before and behind all of it, which the model does not read: ``*``."""

    @property
    def changed(self) -> bool:
        """Whether the model reads anything else than the source, or garbles what it reads."""
        return self.text != self.source or bool(self.spans)

    @property
    def growth(self) -> int:
        """By how many characters a translation is longer when everything is put back, about."""
        return (
            sum(len(span.written) - len(span.usual) + (not span.read) for _, span in self.spans)
            + sum(2 * word.stutter + max(word.drawn - 1, 0) for _, word in self.words)
            + sum(len(mark) - 1 for _, mark in self.marks)
            + len("".join(self.frame))
        )


@lru_cache(maxsize=4096)
def clean(text: str, source_language: str, language: str) -> Cleaned:
    """Return a text as a small model reads it best.

    Args:
        text: Plain text in one line.
        source_language: Its tag.
        language: Tag of the target language.
    """
    framed = next((match for frame in _FRAMES if (match := frame.fullmatch(text))), None)
    if framed is not None:
        frame = framed["open"], framed["close"]
        inside = text[len(frame[0]) : len(text) - len(frame[1])]
        return replace(clean(inside, source_language, language), source=text, frame=frame)
    if (spelt := spelt_out(text, source_language)) != text:
        return replace(clean(spelt, source_language, language), source=text)
    said = regex.sub(r"[^\w.]+|[.](?![0-9])", " ", f" {text} ")  # beside 5 dollars €5 stays so
    edits = [
        Edit(span.start, span.end, span.read, span)
        for span in find_spans(text, source_language, language)
        if span.read is not None
        and not (span.kind in ("measure", "amount") and f" {span.read} " in said)
    ]
    if same_language(source_language, "es"):
        openers = regex.finditer(r"[¿¡]{2,}", text)
        edits += (Edit(one.start(), one.end(), "¿" if "¿" in one[0] else "¡") for one in openers)
    if same_language(source_language, "es") or not regex.search("[¿¡]", text):
        edits += (Edit(*mark) for mark in doubled_marks(text))
    words = (word for word in spoken_words(text, source_language) if word.plain != word.source)
    edits += (Edit(word.start, word.end, word.plain, word) for word in words)
    made, at = "", 0
    placed: list[tuple[int, Span | Spoken | str | None]] = []
    for edit in disjoint(edits):
        made, end = made + text[at : edit.start], edit.end
        if not edit.new and text[end : end + 1] == " " and (not made or made[-1] == " "):
            end += 1  # one of the spaces around what is taken out
        placed.append((len(made), edit.what))
        made, at = made + edit.new, end
    read = made + text[at:]
    return Cleaned(
        text,
        read.rstrip() if placed and not text[-1:].isspace() else read,
        source_language,
        language,
        text,
        tuple((place, what) for place, what in placed if isinstance(what, Span)),
        tuple((place, what) for place, what in placed if isinstance(what, Spoken)),
        tuple((place, what) for place, what in placed if isinstance(what, str)),
    )


def restore(cleaned: Cleaned, translation: str, known: WordScores | None = None) -> str:
    """Return a translation of a cleaned text with everything put back.

    Stand-ins that stand nowhere in the translation cannot be: what is missing then, tell
    `subfit.terms.protected.find_placeables`.

    Args:
        cleaned: The text as the model read it.
        translation: What it made of it, in one line.
        known: What is known of the words of both languages.
    """
    if not cleaned.changed or not translation:
        return translation
    edits = _span_edits(cleaned, translation)
    found = {one.what for one in edits}
    loose = [
        (at, span)
        for at, span in cleaned.spans
        if span not in found and (span.kind in ("label", "sign") or not span.read)
    ]
    shouted: list[tuple[int, int]] = []
    if cleaned.words or loose:
        beside = _Beside(cleaned, translation, known)
        edits += beside.words()
        shouted += beside.shouted()
        edits += (
            _put_in(span, cleaned.spelt, translation, beside.place_of(at)) for at, span in loose
        )
    places = mark_places(cleaned.text, [at for at, _ in cleaned.marks], translation)
    edits += (
        Edit(*place, mark) for (_, mark), place in zip(cleaned.marks, places, strict=True) if place
    )
    text = _edited(translation, edits, shouted, partial(capitals, language=cleaned.language))
    return cleaned.frame[0] + text + cleaned.frame[1]


def _span_edits(cleaned: Cleaned, translation: str) -> list[Edit]:
    """What the model made of stand-ins, as it is to be written; the last of some takes the rest."""
    edits: list[Edit] = []
    for number, (_, span) in enumerate(cleaned.spans):
        again = any(other.made == span.made for _, other in cleaned.spans[number + 1 :])
        for start, end in span.places_in(translation) if span.read else ():
            if all(end <= one.start or one.end <= start for one in edits):
                edits.append(Edit(start, end, span.as_written(translation[start:end]), span))
                if again or span.kind in ("sign", "time"):
                    break
    return edits


def _put_in(span: Span, source: str, text: str, place: int) -> Edit:
    """What was taken out, put in at a place of a text with the spaces that it needs there."""
    sign, following = span.kind == "sign", source[span.end : span.end + 1].strip()
    tight_before = sign and source[span.start - 1 : span.start].strip()
    if tight_before and not following:
        place = len(text[:place].rstrip())
    before = place and not text[place - 1].isspace() and not tight_before
    behind = text[place : place + 1].strip()
    # Of "🎉, you" the comma is gone.
    tight_behind = sign and following and (following.isalnum() or not behind.isalnum())
    ends = behind and behind in ".,!?…" and not source[span.end :].strip()
    spaced = behind and not tight_behind and not ends
    return Edit(place, place, f"{' ' * bool(before)}{span.written}{' ' * bool(spaced)}")


def _edited(
    text: str,
    edits: Sequence[Edit],
    ranges: Sequence[tuple[int, int]],
    change: Callable[[str], str],
) -> str:
    """A text with edits, of which the first counts where some overlap, and changed ranges."""
    made, at = "", 0
    for edit in [*disjoint(edits), Edit(len(text), len(text), "")]:
        bounds = {at, edit.start, *(min(max(a, at), edit.start) for pair in ranges for a in pair)}
        for start, end in pairwise(sorted(bounds)):
            inside = any(a <= start and end <= b for a, b in ranges)
            made += change(text[start:end]) if inside else text[start:end]
        inside = any(a <= edit.start < edit.end <= b for a, b in ranges)
        inside &= edit.what is None
        made, at = made + (change(edit.new) if inside else edit.new), edit.end
    return made


class _Beside:
    """A translation beside what it was made of: which words and sentences stand for which."""

    def __init__(self, cleaned: Cleaned, text: str, known: WordScores | None) -> None:
        self._cleaned, self._text = cleaned, text
        self._aligned: Alignment = align(cleaned.text, text, known)
        self._ours = sentence_places(cleaned.text, cleaned.source_language)
        self._theirs = sentence_places(text, cleaned.language)

    @property
    def _paired(self) -> bool:
        """Whether both have as many sentences, so that each stands for the one in its place."""
        return len(self._ours) == len(self._theirs)

    def words(self) -> Iterator[Edit]:
        """Yield words with stutters and drawn-out letters, where they stand for such words."""
        done: set[int] = set()
        for at, word in self._cleaned.words:
            target = self._target_of(at, first=bool(word.stutter))
            if (word.stutter or word.drawn) and target is not None and target not in done:
                done.add(target)
                place = self._aligned.target[target]
                new = with_look(place.text, word, self._cleaned.language)
                yield Edit(place.start, place.end, new)

    def shouted(self) -> Iterator[tuple[int, int]]:
        """Yield what is to be in capitals: whole sentences, or words that are sure."""
        cleaned, words = self._cleaned, self._aligned
        ranges = [(at, at + len(word.plain)) for at, word in cleaned.words if word.shouted]
        loud = {
            number
            for number, word in enumerate(words.source)
            if any(start <= word.start < end for start, end in ranges)
        }
        for number, (start, end) in enumerate(self._ours if loud else ()):
            inside = [n for n, word in enumerate(words.source) if start <= word.start < end]
            whole = all(n in loud or words.source[n].text.isupper() for n in inside)
            if inside and whole and self._paired:
                yield self._theirs[number]
                loud -= {*inside}
        for source in loud:
            own = self._standing_for(source, range(len(words.target)))
            for target in own if len(loud) > 1 else own[-1:]:
                yield words.target[target].start, words.target[target].end

    def place_of(self, at: int) -> int:
        """Return where in the translation stands what stands at a place of its source.

        Between the same sentences if both have as many; else beside what the words around it
        become; else about as far along as it stands in the source. Never within a word.
        """
        if at >= len(self._cleaned.text.rstrip(" .,!?…\"'”’»")):
            ended = at >= len(self._cleaned.text)
            return len(self._text if ended else self._text.rstrip(".!?…"))
        number = next((n for n, (start, _) in enumerate(self._ours) if abs(start - at) <= 1), None)
        if number is not None and (self._paired or number == 0):
            return self._theirs[number][0] if self._theirs else 0
        place = self._beside_words(at)
        before = self._cleaned.text[:at].rstrip()
        if mark := regex.search(r"(?:,|\.{3}|…)$", before):
            same = [one.end() for one in regex.finditer(rf"{regex.escape(mark[0])}\s", self._text)]
            place = dict(enumerate(same, 1)).get(before.count(mark[0]), place)
        starts = [0, *(one.end() for one in regex.finditer(r"\s+", self._text)), len(self._text)]
        if place is None:
            place = round(at / max(len(self._cleaned.text), 1) * len(self._text))
        return int(min(starts, key=lambda start: abs(start - place)))

    def _beside_words(self, at: int) -> int | None:
        """Behind what the word before a place becomes, or before what the next one does."""
        words, sure = self._aligned, self._aligned.source_sure
        following = next((n for n, word in enumerate(words.source) if word.end > at), None)
        if following is None or not words.target:
            return None
        behind = following > 0 and sure[following - 1] >= sure[following]
        row = words.of_source[following - behind]
        best = max(range(len(row)), key=row.__getitem__)
        if sure[following - behind] <= _SURE:
            return None
        if behind:
            end = words.target[best].end
            return end + len(regex.match(r"\S*\s*", self._text[end:])[0])
        return words.target[best].start

    def _target_of(self, at: int, *, first: bool) -> int | None:
        """Which word of the translation stands for the one at a place of the source.

        Where ``first``, the first word of a sentence stands for the first one, whatever it means.
        """
        words = self._aligned
        source = next(
            (n for n, word in enumerate(words.source) if word.start <= at < word.end), None
        )
        if source is None or not words.target:
            return None
        inside, opening = self._sentence_at(at)
        if first and opening is not None:
            return opening
        own = self._standing_for(source, inside)
        if own:  # of "por favor" the last one
            return own[-1]
        row = words.of_source[source]
        best = max(range(len(row)), key=row.__getitem__)
        sure = words.source_sure[source] > _SURE and best in inside
        return best if sure and row[best] > _SURE else opening

    def _standing_for(self, source: int, inside: Sequence[int]) -> list[int]:
        """Which words of the translation are sure to stand for a word of the source."""
        shares, sure = self._aligned.of_target, self._aligned.target_sure
        return [
            number
            for number in inside
            if sure[number] > _SURE and shares[number][source] == max(shares[number]) > _SURE
        ]

    def _sentence_at(self, at: int) -> tuple[Sequence[int], int | None]:
        """The words of the sentence that stands for the one at a place, and if that begins there,
        the first of them; all words if it is not known which."""
        number = next((n for n, (start, end) in enumerate(self._ours) if start <= at < end), None)
        inside: Sequence[int] = range(len(self._aligned.target))
        if number is None:
            return inside, None
        if self._paired:
            start, end = self._theirs[number]
            inside = [n for n in inside if start <= self._aligned.target[n].start < end]
        begins = (number == 0 or self._paired) and not any(
            map(str.isalnum, self._cleaned.text[self._ours[number][0] : at])
        )
        return inside, next(iter(inside), None) if begins else None
