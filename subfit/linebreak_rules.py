"""Where a line may end and how good that is: the pieces of a text that are never cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

import regex
import yaml


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text that is never cut: a word, or a character of a script without spaces."""

    text: str
    glue: str = ""
    """What stands between this piece and the next on the same line: a space or nothing."""
    demerits: float = 0.0
    """How bad it is to end a line after this piece; negative if it is good."""


_FORBIDDEN, _STRONG, _WEAK = 1000.0, 100.0, 50.0
_TURN, _SENTENCE, _CLAUSE, _PHRASE = -1000.0, -10.0, -5.0, -3.0
_CJK_WORD, _CJK_PHRASE, _THAI = 20.0, 5.0, 60.0

# Not the no-break spaces U+00A0, U+2007 and U+202F, which French puts before ! ? : and ».
_SPACES = regex.compile(r"[\t-\r \x85\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_CLOSING = r"[\s\p{Pe}\p{Pf}\"'»«”’]*"
_SENTENCE_END = regex.compile(rf"[.!?…。！？؟।]{_CLOSING}$")
_CLAUSE_END = regex.compile(rf"[,;:、，；：،—]{_CLOSING}$")
_DASH = regex.compile(r"[-–—]")
# French has spaces within its quotes and before these marks; they part neither lines nor cues.
_OPENS_ALONE = regex.compile(r"[\p{Ps}\"'“‘]*[«¿¡]")
_CLOSES_ALONE = regex.compile(r"[?!:;»%]\p{P}*")
_EDGES = regex.compile(r"^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$")
_NUMBER = regex.compile(r"[\p{P}\p{Sc}]*\d[\d.,:]*")
_ELIDED = regex.compile(r"^(?:[cdjlmnst]|\p{L}*qu)'")
_INITIAL = regex.compile(r"\p{Lu}\.")

_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\u3000-\u303f\uff01-\uff65ー]")
_THAI_LIKE = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_KANA_END = regex.compile(r"\p{Hiragana}")
_CJK_STOP = regex.compile(r"[、，；：,;:。！？!?…]")
# Closing punctuation, small kana, length and repetition marks do not begin a line.
_NO_START = regex.compile(
    r"[\p{Pe}\p{Pf}、。，．・：；？！!?,.:;…‥〜～ー々〻ゝゞヽヾ%％°′″”’"
    r"ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ\u0e30\u0e32\u0e45\u0e46\u0e2f\u0eb0\u0eb2]"
)
# Opening punctuation, currency, and vowels written before their consonant do not end a line.
_NO_END = regex.compile(r"[\p{Ps}\p{Pi}“‘$¥￥£€#＃\u0e40-\u0e44\u0ec0-\u0ec4]$")


def split_pieces(text: str, language: str) -> tuple[Piece, ...]:
    """Cut a text into its uncuttable pieces, each with what a line break after it costs.

    Args:
        text: Plain text; line breaks and runs of spaces count as one space.
        language: Its language tag.
    """
    words = split_words(text)
    lists = _word_lists(language)
    pieces: list[Piece] = []
    for index, word in enumerate(words):
        parts = list(_split_word(word))
        if index + 1 < len(words):
            opens = index == 0 or bool(_SENTENCE_END.search(words[index - 1]))
            demerits = _between_words(word, words[index + 1], lists, opens=opens)
            parts[-1] = replace(parts[-1], glue=" ", demerits=demerits)
        pieces.extend(parts)
    return tuple(pieces)


def joined(pieces: Sequence[Piece]) -> str:
    """Return the text that pieces make on one line."""
    return "".join(piece.text + piece.glue for piece in pieces[:-1]) + pieces[-1].text


def split_words(text: str) -> list[str]:
    """Cut a text at its spaces, but not before a closing mark or behind an opening one.

    So ``« Quoi ? »`` is one word, whatever spaces it has.
    """
    words: list[str] = []
    before = ""
    for word in filter(None, _SPACES.split(text)):
        if words and (_CLOSES_ALONE.fullmatch(word) or _OPENS_ALONE.fullmatch(before)):
            words[-1] += f" {word}"
        else:
            words.append(word)
        before = word
    return words


def _split_word(word: str) -> Iterator[Piece]:
    """Cut what stands between two spaces where a script without spaces, or a dash, allows it."""
    if not (_CJK.search(word) or _THAI_LIKE.search(word) or "—" in word[1:-1]):
        yield Piece(word)
        return
    piece = ""
    for cluster, following in pairwise([*regex.findall(r"\X", word), ""]):
        piece += cluster
        demerits = _within_word(cluster, following) if following else None
        if demerits is not None:
            yield Piece(piece, demerits=demerits)
            piece = ""
    yield Piece(piece)


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


@dataclass(frozen=True, slots=True)
class _WordLists:
    """A language's words that belong with what follows."""

    articles: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    nouns_are_capitalised: bool = False


def _between_words(before: str, after: str, lists: _WordLists, *, opens: bool) -> float:
    """Return the demerits of a line break between two words; ``opens``: a sentence starts there.

    A dash that opens a speaker's turn stays with the turn. One between clauses ends its line: at
    the start of the next it would look like a new speaker.
    """
    if _DASH.fullmatch(before):
        return _FORBIDDEN if opens else _CLAUSE
    if _DASH.fullmatch(after) and not _SENTENCE_END.search(before):
        return _FORBIDDEN
    bare = _bare(before)
    if bare in lists.titles and not before.endswith((",", "!", "?", "…")) and after[0].isupper():
        return _FORBIDDEN
    if _SENTENCE_END.search(before):
        if _INITIAL.fullmatch(before):
            return _STRONG
        return _TURN if _DASH.match(after) and not _DASH.fullmatch(after) else _SENTENCE
    if _CLAUSE_END.search(before):
        return _CLAUSE + (_PHRASE if _bare(after) in lists.conjunctions else 0.0)
    return _within_clause(before, bare, after, lists)


def _within_clause(before: str, bare: str, after: str, lists: _WordLists) -> float:
    ways = {bare, _ELIDED.sub("", bare)}  # "qu'il" binds as "il" does, "d'un" as "un"
    if ways & lists.articles:
        return _FORBIDDEN
    if ways & lists.prepositions:
        return _STRONG
    if ways & lists.bound or ways & lists.conjunctions or _NUMBER.fullmatch(before):
        return _WEAK
    if before[0].isupper() and after[0].isupper() and not lists.nouns_are_capitalised:
        return _WEAK if not (before.isupper() and after.isupper()) else 0.0  # a name, no shouting
    opening = _bare(after)
    return _PHRASE if opening in lists.conjunctions or opening in lists.prepositions else 0.0


def _bare(word: str) -> str:
    """Return a word as the lists have it."""
    bare: str = _EDGES.sub("", word)
    return bare.lower().replace("’", "'")


@cache
def _word_lists(language: str) -> _WordLists:
    """Load the word lists of a language; those of unknown languages are empty."""
    primary = language.lower().replace("_", "-").split("-")[0]
    lists = _all_word_lists().get(primary, {})
    words = {name: frozenset(entries) for name, entries in lists.items()}
    return _WordLists(**words, nouns_are_capitalised=primary in ("de", "lb"))


@cache
def _all_word_lists() -> dict[str, dict[str, list[str]]]:
    content = files("subfit").joinpath("linebreak_words.yaml").read_text(encoding="utf-8")
    lists: dict[str, dict[str, list[str]]] = yaml.safe_load(content)
    return lists
