"""From what is asked of a translator to what is asked of its search, in pieces."""

from __future__ import annotations

from functools import cached_property

from subfit.decoding.guide import Guides
from subfit.decoding.hypotheses import FREE, Request
from subfit.decoding.model_words import ModelWords
from subfit.decoding.search_types import TokenRequest
from subfit.decoding.source_tokens import SourceTokens
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.whole_words import WholeWords
from subfit.model.length_unit import LengthUnit
from subfit.model.tokenizer import AnyTokenizer


class TokenRequests:
    """Makes the requests of the search for one model. What most texts do not need is made late.

    Args:
        tokenizer: The model's.
        source_tokens: Makes what the encoder reads.
        words: What the model knows of words.
        usable: The pieces that translations may consist of; None for all.
        unit: What the model's lengths are counted in.
    """

    def __init__(
        self,
        tokenizer: AnyTokenizer,
        source_tokens: SourceTokens,
        words: ModelWords,
        usable: frozenset[int] | None,
        unit: LengthUnit,
    ) -> None:
        self._tokenizer, self._source_tokens = tokenizer, source_tokens
        self._words, self._usable, self._unit = words, usable, unit

    def of(self, request: Request) -> TokenRequest:
        """Return the request of the search for a request."""
        constraints = map(self._spellings.constraint, request.terms)
        return TokenRequest(
            self._source_tokens.of(request),
            self._asked(request),
            request.ceiling,
            tuple(constraint for constraint in constraints if constraint.spellings),
            None if request.recall is None else self.guides.of(request.recall),
            request.dense,
            self._barred_words.pieces_of(request.barred),
        )

    @cached_property
    def guides(self) -> Guides:
        """Makes what translation memories reward."""
        return Guides(self._tokenizer, self._usable, self._words.scores)

    @cached_property
    def _spellings(self) -> TermSpeller:
        return TermSpeller(self._tokenizer, self._usable, self._words.table)

    @cached_property
    def _barred_words(self) -> WholeWords:
        return WholeWords(self._tokenizer.piece_texts)

    def _asked(self, request: Request) -> int:
        """The length that a request asks for, in the model's unit."""
        if self._unit.name == "characters":
            return request.asked
        if request.asked_tokens != FREE or request.asked == FREE:
            return request.asked_tokens
        return self._unit.of_characters(request.asked)
