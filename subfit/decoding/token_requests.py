"""From what is asked of a translator to what is asked of its search, in pieces."""

from __future__ import annotations

from functools import cached_property

from subfit.decoding.guide import Guides
from subfit.decoding.hypotheses import FREE, Request
from subfit.decoding.model_words import ModelWords
from subfit.decoding.rare_words import RareWords
from subfit.decoding.search_types import RareWord, TokenRequest
from subfit.decoding.source_tokens import SourceTokens
from subfit.decoding.spelling import PieceLetters, WordSpeller
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.whole_words import WholeWords
from subfit.model.length_unit import LengthUnit
from subfit.model.tokenizer import AnyTokenizer
from subfit.text.known_words import given_words


class TokenRequests:
    """Makes the requests of the search for one model. What most texts do not need is made late.

    Args:
        tokenizer: The model's.
        source_tokens: Makes what the encoder reads.
        words: What the model knows of words.
        usable: The pieces that translations may consist of; None for all.
        unit: What the model's lengths are counted in.
        languages: Tags of the languages that are translated from and into.
    """

    def __init__(
        self,
        tokenizer: AnyTokenizer,
        source_tokens: SourceTokens,
        words: ModelWords,
        usable: frozenset[int] | None,
        unit: LengthUnit,
        languages: tuple[str, str],
    ) -> None:
        self._tokenizer, self._source_tokens = tokenizer, source_tokens
        self._words, self._usable, self._unit = words, usable, unit
        self._languages = languages

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
            self._speller(request),
            self._rare_words(request),
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

    @cached_property
    def _rare(self) -> RareWords | None:
        dictionary = self._words.dictionary
        if dictionary is None:
            return None
        return RareWords(dictionary, self._tokenizer, self._usable, self._languages)

    @cached_property
    def _letters(self) -> PieceLetters:
        return PieceLetters(self._tokenizer.piece_texts)

    def _speller(self, request: Request) -> WordSpeller | None:
        """What knows the words that a translation may have, where that is asked for."""
        if not request.known_words or self._words.known is None:
            return None
        terms = [target for term in request.terms for target in term.forms]
        return WordSpeller(self._letters, self._words.known, given_words(request.text, terms))

    def _rare_words(self, request: Request) -> tuple[RareWord, ...]:
        """The rare words and names of a text; see `Request.said`."""
        if self._rare is None:
            return ()
        words = self._rare.of(request.text, (term.source for term in request.terms))
        said = request.said
        return words if said is None else tuple(word for word in words if word.is_in(said))

    def _asked(self, request: Request) -> int:
        """The length that a request asks for, in the model's unit."""
        if self._unit.name == "characters":
            return request.asked
        if request.asked_tokens != FREE or request.asked == FREE:
            return request.asked_tokens
        return self._unit.of_characters(request.asked)
