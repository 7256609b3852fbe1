"""Break a text into lines of a given width where a reader would pause.

Of all ways to break a text, the one with the least demerits wins. They are

- of every break those of the words that it parts (`Piece.demerits`): good after a sentence or a
  comma, all but forbidden between an article and its noun;
- 50 · Σ ((length of a line − mean) / CPL)², for lines of like length;
- 50 · (what a line is longer than the next / CPL)², where longer lower lines are liked;
- 1000 for two lines more uneven than a guideline wants;
- 100 · (lines − 1)³: another line must be worth it. A second speaker is, and in three lines rather
  than two it is worth it to keep an article with its noun.

The choice is exact, by dynamic programming over pairs of neighbouring lines.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

import regex

from subfit.text.languages import UNSPACED, primary_language
from subfit.text.linebreak_lists import WordLists, word_lists

Count = Callable[[str], float]

_SLACK = 1e-9
_BALANCE, _PYRAMID, _UNBALANCED = 50.0, 50.0, 1000.0
_LINES = 100.0
_RISING = 5
"""From so many lines on, another one costs more than any break can be worth."""
# Beyond these numbers of pieces a text is no subtitle, and must only not take minutes.
_MANY, _TOO_MANY = 60, 300


def break_lines(
    text: str,
    cpl: float | None,
    max_lines: int | None,
    count: Count,
    language: str,
    *,
    min_balance: float | None = None,
    bottom_heavy: bool = True,
    overlong: bool = False,
) -> tuple[str, ...] | None:
    """Break a text into lines, with the least demerits.

    Args:
        text: Plain text; line breaks and runs of spaces in it are taken as one space.
        cpl: Most characters of a line; None for any width.
        max_lines: Most lines; None for any number.
        count: Counts the characters of a line; must not fall when a text grows.
        language: The text's language tag, for the words that belong together.
        min_balance: Wished length of the shorter of two lines as a share of the longer.
        bottom_heavy: Whether a longer lower line is liked better than a longer upper one.
        overlong: Whether to break it also where it cannot be broken so, with the fewest characters
            beyond the width, in as many lines as there may be, but one at least.

    Returns:
        The lines, none for a text without words; no word is cut, and nothing is left out. None if
        the text cannot be broken so.
    """
    paragraph = _Paragraph(split_pieces(text, language), cpl, count, min_balance, bottom_heavy)
    fewest = paragraph.fill(paragraph.cpl)
    if not paragraph.excess(fewest) and (max_lines is None or len(fewest) <= max_lines):
        return paragraph.lines(paragraph.best_of_any(len(fewest), max_lines).ends)
    if not overlong:
        return None
    number = len(fewest) if max_lines is None else min(len(fewest), max(max_lines, 1))
    long = len(paragraph.pieces) > _MANY
    widest = max(paragraph.cpl, paragraph.even(number)) if long else math.inf
    return paragraph.lines(paragraph.best(number, widest).ends)


class _Path(NamedTuple):
    """The cheapest way to break the text as far as a certain line."""

    excess: float
    demerits: float
    ends: tuple[int, ...]
    """After which piece each line ends."""


class _Paragraph:
    """A text cut into pieces that lines are made of."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        cpl: float | None,
        count: Count,
        min_balance: float | None,
        bottom_heavy: bool,
    ) -> None:
        self.pieces, self.count = pieces, count
        self.cpl = math.inf if cpl is None else cpl
        self.min_balance = min_balance or 0.0
        self.pyramid = _PYRAMID if bottom_heavy else 0.0
        self.widths: dict[tuple[int, int], float] = {}

    def text(self, start: int, end: int) -> str:
        """Return the line made of these pieces."""
        return joined(self.pieces[start:end])

    def width(self, start: int, end: int) -> float:
        """Return the characters of the line made of these pieces."""
        if (start, end) not in self.widths:
            self.widths[start, end] = self.count(self.text(start, end))
        return self.widths[start, end]

    def lines(self, ends: Sequence[int]) -> tuple[str, ...]:
        """Return the lines that end after these pieces."""
        return tuple(self.text(a, b) for a, b in zip((0, *ends), ends, strict=False))

    def excess(self, ends: Sequence[int]) -> float:
        """Return the characters beyond the width of their lines."""
        return sum(self._excess(a, b) for a, b in zip((0, *ends), ends, strict=False))

    def fill(self, width: float) -> list[int]:
        """Fill line after line, a piece at least: that gives the fewest lines there can be.

        No line has more than twice as many pieces as characters: a text of a million of them must
        not be measured whole for every line.
        """
        ends, last = [0], len(self.pieces)
        while (start := ends[-1]) < last:
            far = range(start + 2, int(min(last, start + 2 * width + 2)) + 1)
            fitting = bisect_right(far, width + _SLACK, key=partial(self.width, start))
            ends.append(start + 1 + fitting)
        return ends[1:]

    def even(self, number: int) -> float:
        """Return a width that `number` lines are sure to do with, however they are filled."""
        longest = max(self.width(i, i + 1) for i in range(len(self.pieces)))
        return self.width(0, len(self.pieces)) / number + longest + 2

    def best_of_any(self, fewest: int, most: int | None) -> _Path:
        """Find the cheapest way to break the text into lines of the wished width.

        Args:
            fewest: Lines that the text needs.
            most: Lines there may be; None for any number.
        """
        best = self.best(fewest, self.cpl)
        if not self.pieces or len(self.pieces) > _TOO_MANY:
            return best
        least = best.demerits + _for_lines(fewest)
        gains = sorted(min(piece.demerits, 0.0) for piece in self.pieces[:-1])
        most = len(self.pieces) if most is None else min(most, len(self.pieces))
        for number in range(fewest + 1, most + 1):
            at_least = _for_lines(number) + sum(gains[: number - 1])
            if at_least >= least and number >= _RISING:
                break
            if at_least < least:
                path = self.best(number, self.cpl)
                if path.demerits + _for_lines(number) < least - _SLACK:
                    best, least = path, path.demerits + _for_lines(number)
        return best

    def best(self, number: int, widest: float) -> _Path:
        """Find the cheapest way to break the text into a number of lines.

        Args:
            number: Lines; there must be a way to break the text into so many.
            widest: Most characters of a line; if more than the wished width, then the characters
                beyond that are the first thing to avoid.
        """
        if len(self.pieces) > _TOO_MANY:
            return _Path(0.0, 0.0, tuple(self.fill(widest)))
        # Keyed by the first piece and the end of the last line: the next line's demerits ask for
        # no more.
        paths = {(0, 0): _Path(0.0, 0.0, ())}
        mean = self.width(0, len(self.pieces)) / number if number else 0.0
        for left in reversed(range(number)):
            longer: dict[tuple[int, int], _Path] = {}
            for (start, middle), path in paths.items():
                for end in self._ends(middle, left, widest):
                    candidate = _Path(
                        path.excess + self._excess(middle, end),
                        path.demerits + self._demerits(start, middle, end, mean),
                        (*path.ends, end),
                    )
                    known = longer.get((middle, end))
                    if known is None or candidate < known:
                        longer[middle, end] = candidate
            paths = longer
        return min(paths.values())

    def _ends(self, start: int, left: int, widest: float) -> Iterator[int]:
        """Yield where a line from ``start`` may end if ``left`` more lines follow."""
        last = len(self.pieces)
        for end in range(last if left == 0 else start + 1, last - left + 1):
            if self.width(start, end) > widest + _SLACK:
                return
            yield end

    def _excess(self, start: int, end: int) -> float:
        excess = self.width(start, end) - self.cpl
        return excess if excess > _SLACK else 0.0

    def _demerits(self, start: int, middle: int, end: int, mean: float) -> float:
        """Judge a line from ``middle`` to ``end`` below one from ``start`` to ``middle``."""
        scale = (self.cpl if self.cpl < math.inf else mean) or 1.0
        width = self.width(middle, end)
        demerits = _BALANCE * ((width - mean) / scale) ** 2
        if middle == 0:
            return demerits
        above = self.width(start, middle)
        demerits += self.pieces[middle - 1].demerits
        if above > width:
            demerits += self.pyramid * ((above - width) / scale) ** 2
        if min(above, width) < self.min_balance * max(above, width):
            demerits += _UNBALANCED
        return demerits


def _for_lines(number: int) -> float:
    """Return the demerits of so many lines."""
    return _LINES * max(number - 1, 0) ** 3


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that is never cut: a word, or a character of a script without spaces."""

    text: str
    glue: str = ""
    """What stands between this piece and the next on the same line: a space or nothing."""
    demerits: float = 0.0
    """How bad it is to end a line after this piece; negative if it is good."""


_TURN, _SENTENCE, _CLAUSE = -1000.0, -10.0, -5.0
_BEFORE_CONJUNCTION, _BEFORE_PREPOSITION = -4.0, -2.0
_ANYWHERE, _BESIDE_PAUSE, _LEANING = 4.0, 6.0, 10.0
_FORBIDDEN, _NAME, _STRONG, _LINK, _WEAK, _SLIGHT = 1000.0, 200.0, 100.0, 80.0, 50.0, 25.0
_CJK_WORD, _CJK_PHRASE, _THAI, _THAI_PHRASE = 20.0, 5.0, 60.0, 40.0

# Not the no-break spaces U+00A0, U+2007 and U+202F, which French puts before ! ? : and ».
_SPACES = regex.compile(r"[\t-\r \x85\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_CLOSING = r"[\s\p{Pe}\p{Pf}\"'»«”’“‘]*"
_SENTENCE_END = regex.compile(rf"[.!?…。！？؟।]{_CLOSING}$")
_DAY, _YEAR = regex.compile(r"[0-9]{1,2},"), regex.compile(r"[0-9]{4}\b")
_CLAUSE_END = regex.compile(rf"[,;:、，；：،—]{_CLOSING}$")
_DASH = regex.compile(r"[-–—]")
# French has spaces within its quotes and before these marks; they part neither lines nor cues.
_OPENS_ALONE = regex.compile(r"[\p{Ps}\"'“‘]*[«¿¡]")
_CLOSES_ALONE = regex.compile(r"[?!:;»%]\p{P}*")
_FIRST, _LAST = regex.compile(r"[\p{L}\p{N}]"), regex.compile(r"(?r)[\p{L}\p{N}]")
_NUMBER = regex.compile(r"[\p{P}\p{Sc}]*\d[\d.,:]*")
_ORDINAL = regex.compile(r"\d{1,2}\.")
_INITIAL = regex.compile(r"\p{Lu}\.")
_INFLECTED = regex.compile(r"\p{Ll}{3,}e[mnrs]?")
_CODE = regex.compile(r"`[^`]*`|\w+\([^()]*\)|\{[^{}]*\}|<[^<>]*>")
_NAME_PARTICLES = {"van", "von", "de", "del", "della", "da", "di", "du", "le", "la", "zu", "der"}

_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3000-\u303f\uff01-\uff65ー]")
_THAI_LIKE = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KANA_END = regex.compile(r"\p{Hiragana}")
_PARSERS = {"ja": "japanese", "zh": "simplified_chinese", "th": "thai"}
_FOREIGN_WORD = 12
"""Characters of a word without spaces that stays whole among words with spaces."""
_CJK_STOP = regex.compile(r"[、，；：,;:。！？!?…]")
# Closing punctuation, small kana, length and repetition marks do not begin a line.
_NO_START = regex.compile(
    r"[\p{Pe}\p{Pf}、。，．・：；？！!?,.:;…‥〜～ー々〻ゝゞヽヾ%％°′″”’"
    r"ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ\u0e30\u0e32\u0e45\u0e46\u0e2f\u0eb0\u0eb2]"
)
# Opening punctuation, currency, and vowels written before their consonant do not end a line.
_NO_END = regex.compile(r"[\p{Ps}\p{Pi}“‘$¥￥£€#＃\u0e40-\u0e44\u0ec0-\u0ec4]$")


@lru_cache(maxsize=4096)
def split_pieces(text: str, language: str) -> tuple[Piece, ...]:
    """Cut a text into its uncuttable pieces, each with what a line break after it costs.

    Args:
        text: Plain text; line breaks and runs of spaces count as one space.
        language: Its language tag.
    """
    words = split_words(text)
    demerits = _Words(words, word_lists(language)).demerits()
    pieces: list[Piece] = []
    for index, word in enumerate(words):
        parts = list(_split_word(word, language))
        if index + 1 < len(words):
            parts[-1] = Piece(parts[-1].text, " ", demerits[index])
        pieces.extend(parts)
    return tuple(pieces)


def joined(pieces: Sequence[Piece]) -> str:
    """Return the text that pieces make on one line."""
    return "".join(piece.text + piece.glue for piece in pieces[:-1]) + pieces[-1].text


def split_words(text: str) -> list[str]:
    """Cut a text at its spaces, but not before a closing mark or behind an opening one.

    So ``« Quoi ? »`` is one word, whatever spaces it has.
    """
    words: list[list[str]] = []
    before = ""
    for word in filter(None, _SPACES.split(text)):
        if words and (_CLOSES_ALONE.fullmatch(word) or _OPENS_ALONE.fullmatch(before)):
            words[-1].append(word)
        else:
            words.append([word])
        before = word
    return list(map(" ".join, words))


def _split_word(word: str, language: str) -> Iterator[Piece]:
    """Cut what stands between two spaces where a script without spaces, or a dash, allows it."""
    foreign = len(word) <= _FOREIGN_WORD and primary_language(language) not in UNSPACED
    unspaced = not foreign and (_CJK.search(word) or _THAI_LIKE.search(word))
    if not (unspaced or "—" in word[1:-1]):
        yield Piece(word)
        return
    parser = _phrase_parser(language)
    ends = None if parser is None else {*accumulate(map(len, parser(word)))}
    piece, at = "", 0
    for cluster, following in pairwise([*regex.findall(r"\X", word), ""]):
        piece, at = piece + cluster, at + len(cluster)
        demerits = _within_word(cluster, following) if following else None
        if ends is not None and demerits in (_CJK_WORD, _CJK_PHRASE, _THAI):
            inner = _THAI_PHRASE if demerits == _THAI else _CJK_PHRASE
            demerits = inner if at in ends else _THAI
        if demerits is not None:
            yield Piece(piece, demerits=demerits)
            piece = ""
    yield Piece(piece)


@cache
def _phrase_parser(language: str) -> Callable[[str], list[str]] | None:
    """What finds the phrases of a language without spaces: BudouX, where it is installed."""
    tag = language.lower().replace("_", "-")
    traditional = tag.startswith(("zh-hant", "zh-tw", "zh-hk", "zh-mo"))
    name = "traditional_chinese" if traditional else _PARSERS.get(primary_language(tag) or "")
    try:
        budoux = import_module("budoux") if name else None
    except ImportError:
        return None
    parse = getattr(budoux, f"load_default_{name}_parser")().parse if budoux else None
    return cast("Callable[[str], list[str]] | None", parse)


def _within_word(before: str, after: str) -> float | None:
    """Return the demerits of a break between two characters, None if there must be none."""
    if _NO_START.match(after) or _NO_END.search(before):
        return None
    if before == "—" and after != "—":
        return _CLAUSE
    if _CJK.match(before) or _CJK.match(after):
        if _CJK_STOP.match(before):
            return _SENTENCE if _SENTENCE_END.search(before) else _CLAUSE
        phrase_ends = _KANA_END.match(before) and not _KANA_END.match(after)
        return _CJK_PHRASE if phrase_ends else _CJK_WORD
    if _THAI_LIKE.match(before) and _THAI_LIKE.match(after):
        return _THAI  # without a dictionary: only where no space is near
    return None


class _Words:
    """The words of a text, between which lines may end."""

    def __init__(self, words: Sequence[str], lists: WordLists) -> None:
        self.words, self.lists = words, lists
        self.bare = [_bare(word) for word in words]
        self.phrases: dict[int, int] = {}
        """Where phrases begin, and how many words they have."""
        code = [match.span() for match in _CODE.finditer(" ".join(words))]
        ends = accumulate(len(word) + 1 for word in words) if code else ()
        self.held = {at for at, end in enumerate(ends) if any(a < end <= b for a, b in code)}
        """Words within phrases and code, their last ones excepted."""
        for index in range(len(words)):
            if length := lists.phrase_at(self._unparted(index)):
                self.phrases[index] = length
                self.held.update(range(index, index + length - 1))

    def demerits(self) -> list[float]:
        """Return the demerits of a line break after each word but the last."""
        return [self._after(index) for index in range(len(self.words) - 1)]

    def _unparted(self, index: int) -> list[str]:
        """The bare words from one on, as far as no punctuation parts them."""
        words: list[str] = []
        for at in range(index, min(index + 4, len(self.words))):
            words.append(self.bare[at])
            if _SENTENCE_END.search(self.words[at]) or _CLAUSE_END.search(self.words[at]):
                break
        return words

    def _opens(self, index: int) -> bool:
        """Whether a sentence begins with a word."""
        return index == 0 or bool(_SENTENCE_END.search(self.words[index - 1]))

    def _after(self, index: int) -> float:
        """Return the demerits of a line break after a word.

        A dash that opens a speaker's turn stays with the turn. One between clauses ends its line:
        at the start of the next it would look like a new speaker.
        """
        before, after = self.words[index : index + 2]
        if _DASH.fullmatch(before):
            return _FORBIDDEN if self._opens(index) else _CLAUSE
        if _DASH.fullmatch(after) and not _SENTENCE_END.search(before):
            return _FORBIDDEN
        if index in self.held or self._leads_on(index):
            return _FORBIDDEN
        if _SENTENCE_END.search(before) and not self._is_abbreviated(index):
            if _INITIAL.fullmatch(before):
                return _NAME
            begins_turn = _DASH.match(after) and self.bare[index + 1 : index + 3] != [""]
            return _TURN if begins_turn else _SENTENCE
        if _DAY.fullmatch(before) and _YEAR.match(after):
            return _NAME  # March 3, 1998
        if _CLAUSE_END.search(before):
            goes_on = self.bare[index + 1] in self.lists.conjunctions
            return _CLAUSE + (_BEFORE_CONJUNCTION if goes_on else 0.0)
        parted = max(self._ending(index), self._name(index))
        if parted >= _WEAK and self._opens(index):
            parted += _NAME  # "And" alone on a line
        return parted or self._beginning(index + 1) + self._beside_pause(index)

    def _leads_on(self, index: int) -> bool:
        """Whether a word means nothing without the next: titles, ``Nr. 5``, ``5 km``."""
        before, after, lists = self.words[index], self.words[index + 1], self.lists
        bare, following = self.bare[index], self.bare[index + 1]
        if (
            bare in lists.titles
            and after[0].isupper()
            and not before.endswith((",", "!", "?", "…"))
        ):
            return True
        if bare in lists.holds and before.endswith("."):
            return len(bare) == 1 or after[0].isdigit() or after[0].islower()
        if _ORDINAL.fullmatch(before) and following in lists.months:
            return True
        return bool(_NUMBER.fullmatch(before)) and before[-1].isdigit() and following in lists.units

    def _is_abbreviated(self, index: int) -> bool:
        """Whether a word's full stop ends no sentence."""
        before, after = self.words[index], self.words[index + 1]
        short = self.bare[index] in self.lists.abbreviations or _ORDINAL.fullmatch(before)
        return bool(short) and before.endswith(".") and after[0].islower()

    def _ending(self, index: int) -> float:
        """Return how bad it is that a line ends with a word, within a clause."""
        bare, following, lists = self.bare[index], self.bare[index + 1], self.lists
        ways = {bare}
        elided, apostrophe, rest = bare.partition("'")
        if apostrophe and elided in lists.elided:
            ways = {rest}  # "qu'il" binds as "il" does, "d'un" as "un"
        if ways & lists.forbidding:
            return _FORBIDDEN
        if ways & lists.opening:
            if following not in lists.conjunctions:
                return _STRONG
            return 0.0 if ways & lists.pronouns else _WEAK
        if ways & lists.conjunctions:
            return _LINK
        if _NUMBER.fullmatch(self.words[index]):
            return _STRONG if following in lists.months else _WEAK
        if ways & lists.lean:
            if following in lists.conjunctions and following not in lists.determiners:
                return 0.0
            return _SLIGHT if following in lists.opening else _WEAK
        if lists.nouns_are_capitalised and _INFLECTED.fullmatch(self.words[index]):
            return _SLIGHT if self.words[index + 1][0].isupper() else 0.0
        return _SLIGHT if _NUMBER.match(self.words[index + 1]) else 0.0

    def _name(self, index: int) -> float:
        """Return how bad it is to part what may be the words of a name."""
        before, after = self.words[index : index + 2]
        if not before[:1].isupper() or self.bare[index] in self.lists.opening:
            return 0.0
        sure = self.bare[index] in self.lists.first_names or not self.lists.nouns_are_capitalised
        if self.bare[index + 1] in _NAME_PARTICLES and index + 2 < len(self.words):
            named = sure and not self._opens(index) and self.words[index + 2][0].isupper()
            return _WEAK if named else 0.0
        if not after[0].isupper() or (before.isupper() and after.isupper()):  # shouted
            return 0.0
        if self._opens(index) and self.bare[index] not in self.lists.first_names:
            return _SLIGHT if self.lists.nouns_are_capitalised else _WEAK
        return _NAME if sure else _WEAK

    def _beginning(self, index: int) -> float:
        """Return how good it is that a line begins with a word, within a clause."""
        bare, lists = self.bare[index], self.lists
        length = self.phrases.get(index, 1)
        ends_clause = index + length >= len(self.words) or self._is_parted(index + length - 1)
        if length == 1 and ends_clause and (bare in lists.particles or bare in lists.prepositions):
            return _SLIGHT  # "to find out.", "ruf mich an,"
        if bare in lists.conjunctions:
            return _BEFORE_CONJUNCTION
        if length == 1 and bare in lists.particles and not lists.nouns_are_capitalised:
            return _SLIGHT  # "pick up the pieces"
        opens_phrase = length > 1 and self.bare[index + length - 1] in lists.prepositions
        if bare in lists.prepositions or opens_phrase:
            return _BEFORE_PREPOSITION
        return _LEANING if bare in lists.leaning else _ANYWHERE

    def _beside_pause(self, index: int) -> float:
        """Return how bad it is to part a single word from its clause: ``sold / it, but``."""
        after = index + 2 < len(self.words) and self._is_parted(index + 1)
        return _BESIDE_PAUSE if after or (index and self._is_parted(index - 1)) else 0.0

    def _is_parted(self, index: int) -> bool:
        word = self.words[index]
        return bool(_SENTENCE_END.search(word) or _CLAUSE_END.search(word))


def _bare(word: str) -> str:
    """Return a word as the lists have it."""
    first, last = _FIRST.search(word), _LAST.search(word)
    bare: str = word[first.start() : last.end()] if first and last else ""
    return bare.lower().replace("’", "'")
