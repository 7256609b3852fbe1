"""A text as words and marks, and where its sentences and the segments between commas are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from subfit.text.sentence_ends import end_of

_TOKEN = re.compile(
    r"(?:Capt|Cmdr|Co|Col|Corp|Dr|Gen|Gov|Hon|Inc|Jr|Lt|Ltd|Maj|Mr|Mrs|Ms|Prof|Rev|Sen|Sgt|Sr|St)"
    r"\.(?!$)"
    r"|[^\W_](?:\.[^\W_])+\.?"  # a.m., U.S.
    r"|(?<=\s)[A-Z]\.(?=\s?[A-Z])"
    r"|[^\W_]+(?:,[0-9]+|['’‑.:/@_-][^\W_]+)*['’]?(?<=[\w’'])"
    r"|\.{2,}|[-–—]{2,}|\S"
)
_END = re.compile(r"[.!?…]+$")
_CLOSERS = ('"', "'", "”", "’", "»", ")", "]")
COMMAS = frozenset((",", ";", "–", "—", "--"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark of a text."""

    text: str
    start: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it has a letter or digit."""
        return any(map(str.isalnum, self.text))

    @property
    def lower(self) -> str:
        """As the lists of words have it."""
        return self.text.lower().replace("’", "'").rstrip(".")

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[0].isupper()


def tokens_of(text: str) -> list[Token]:
    """Return the words and marks of a text in their order."""
    return [Token(match[0], *match.span()) for match in _TOKEN.finditer(text)]


@dataclass(frozen=True, slots=True)
class Segment:
    """Some words of a sentence that marks set off from the others; indices of tokens."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence within a text; indices of tokens."""

    start: int
    """Its first word."""
    end: int
    """Behind its last word."""
    closed: int
    """Behind its closing marks."""
    opened: int
    """Its first mark, if any stands before its words."""
    segments: tuple[Segment, ...]
    """Its words between commas, in their order."""


def clauses_of(text: str, tokens: Sequence[Token], language: str) -> list[Clause]:
    """Return the sentences of a text that have words."""
    clauses = [_clause(tokens, start, end) for start, end in _sentences(text, tokens, language)]
    return [clause for clause in clauses if clause.segments]


def _sentences(text: str, tokens: Sequence[Token], language: str) -> Iterator[tuple[int, int]]:
    start = 0
    for index, token in enumerate(tokens):
        before = tokens[index - 1].text if index > start and token.text in _CLOSERS else token.text
        if not _END.match(before):
            continue
        following = text[token.end :].lstrip()
        goes_on = following[:1].islower() or following[:1] in _CLOSERS or _END.match(following[:1])
        so_far = text[tokens[start].start : token.end]
        if following and (goes_on or end_of(so_far, following, language) == "open"):
            continue
        yield start, index + 1
        start = index + 1
    if any(token.is_word for token in tokens[start:]):
        yield start, len(tokens)


def _clause(tokens: Sequence[Token], opened: int, closed: int) -> Clause:
    words = [index for index in range(opened, closed) if tokens[index].is_word]
    start, end = (words[0], words[-1] + 1) if words else (opened, opened)
    parting = [index for index in range(start, end) if _parts(tokens, index)]
    edges = [start - 1, *parting, end]
    segments = tuple(
        Segment(before + 1, after) for before, after in pairwise(edges) if after > before + 1
    )
    return Clause(start, end, closed, opened, segments)


def _parts(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token sets words off: a comma, or a dash, but none that a word begins with."""
    token = tokens[index]
    return token.text in COMMAS and (token.text in ",;" or tokens[index + 1].start > token.end)
