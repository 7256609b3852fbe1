"""From the forms of a term to the pieces that a search may write them with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from subfit.decoding.hypotheses import TermConstraint
from subfit.decoding.search_types import Spelling, TokenConstraint
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import SPACE_MARK, AnyTokenizer, normalize
from subfit.terms.glossary import OPEN_END
from subfit.text.casing import capitalised
from subfit.text.word_bounds import is_unspaced

LIKELY = 0.1
"""Probability from which a translation is one that the model would use."""
COMMON = 1 / 300
"""Share of a text from which a piece is an article or the like, whatever it stands beside."""
SHORTEST = 3
"""Letters of the shortest pieces whose translations count; shorter ones are mostly articles."""
_MARK = "("
"""A mark that a form may be written behind without a space."""
_BEFORE = frozenset("\"'’‘“”„«»‹›([{-‐‑–—/¿¡")
"""Marks that a word may stand right behind. No comma and no full stop: a space follows these."""
_ENDS_OF_SENTENCES = frozenset(".!?…:")
_NOTHING: frozenset[int] = frozenset()


class TermSpeller:
    """Spells terms with the pieces of a vocabulary.

    Args:
        tokenizer: The vocabulary.
        allowed: The pieces that translations may consist of; None for all.
        table: Tells what the model would say instead.
    """

    def __init__(
        self,
        tokenizer: AnyTokenizer,
        allowed: Iterable[int] | None = None,
        table: LexicalTable | None = None,
    ) -> None:
        self._table = table
        self._tokenizer, self._texts = tokenizer, tokenizer.piece_texts
        self._allowed = frozenset(range(len(self._texts)) if allowed is None else allowed)
        self._known: dict[tuple[tuple[str, ...], str], tuple[Spelling, ...]] = {}

    def constraint(self, term: TermConstraint) -> TokenConstraint:
        """Return a term as a search is asked for it."""
        return TokenConstraint(self.of(term.forms, term.language), self.rivals(term.source))

    def rivals(self, source: str) -> tuple[int, ...]:
        """Return the pieces that begin words which translate a text by the lexical table.

        Args:
            source: What a term stands for.
        """
        if self._table is None:
            return ()
        most = COMMON * float(self._table.counts.sum())
        pieces = self._tokenizer.encode(source)
        texts = self._source_texts
        long = [piece for piece in pieces if len(texts[piece]) >= SHORTEST]
        rivals = (
            target
            for piece in long or pieces
            for target, probability in self._table.translations(piece)
            if probability >= LIKELY and self._begins_word(target)
            if float(self._table.counts[target]) <= most
        )
        return tuple(dict.fromkeys(rivals))

    @cached_property
    def _source_texts(self) -> list[str]:
        return [piece.strip(SPACE_MARK) for piece in self._tokenizer.source.pieces]

    def _begins_word(self, piece: int) -> bool:
        text = self._texts[piece]
        begins = text.startswith(" ") and text[1:2].isalnum()
        return piece in self._allowed and (begins or is_unspaced(text[:1]))

    def of(self, forms: tuple[str, ...], language: str = "") -> tuple[Spelling, ...]:
        """Return all spellings of a term, none if it cannot be written with these pieces.

        Each form as it is and, where it begins with a small letter, with a capital, to stand where
        a sentence begins; behind a space and, right behind a mark, without one. In a script without
        spaces a form stands right behind anything, and behind a space only where a text begins.

        Args:
            forms: What may stand for the term, see `subfit.terms.glossary`.
            language: Tag of their language, as far as known.
        """
        if (forms, language) not in self._known:
            spellings = (spelling for form in forms for spelling in self._spellings(form, language))
            self._known[forms, language] = tuple(dict.fromkeys(spellings))
        return self._known[forms, language]

    def _spellings(self, form: str, language: str) -> Iterable[Spelling]:
        goes_on, form = form.endswith(OPEN_END), normalize(form.removesuffix(OPEN_END))
        capital, unspaced = capitalised(form, language), is_unspaced(form[:1])
        for text, behind in ((form, None), (capital, self._sentence_ends)):
            if spaced := self._pieces(text):
                yield Spelling(spaced, _NOTHING if unspaced else behind, goes_on=goes_on)
            if tight := self._tight_pieces(text):
                before = None if unspaced else self._marks
                yield Spelling(tight, before, opens=False, goes_on=goes_on)
            if capital == form:
                return

    def _pieces(self, form: str) -> tuple[int, ...]:
        """The pieces of a form behind a space."""
        (pieces,) = self._tokenizer.target.encode_all([form])
        return self._checked(pieces, form, " " + form)

    def _tight_pieces(self, form: str) -> tuple[int, ...]:
        """The pieces of a form right behind a mark."""
        (pieces,) = self._tokenizer.target.encode_all([_MARK + form])
        for size in range(1, len(pieces)):
            if self._tokenizer.decode(pieces[:size]).strip() == _MARK:
                return self._checked(pieces[size:], form, form)
        return self._respelt(form)

    def _checked(self, pieces: Sequence[int], form: str, spelling: str) -> tuple[int, ...]:
        """The pieces, or others where translations may not have these or they are another text."""
        text = self._tokenizer.decode(list(pieces)).strip()
        if text == form and self._allowed.issuperset(pieces):
            return tuple(pieces)
        return self._respelt(spelling)

    def _respelt(self, text: str) -> tuple[int, ...]:
        """The fewest allowed pieces that print a text; none if it cannot be printed."""
        best: list[tuple[int, ...] | None] = [()]
        for end in range(1, len(text) + 1):
            ways = (
                (*before, piece)
                for start in range(max(0, end - self._longest), end)
                if (before := best[start]) is not None
                and (piece := self._ids.get(text[start:end])) is not None
            )
            best.append(min(ways, key=len, default=None))
        return best[-1] or ()

    @cached_property
    def _ids(self) -> dict[str, int]:
        """The allowed pieces by what they print."""
        return {self._texts[piece]: piece for piece in sorted(self._allowed, reverse=True)}

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._ids))

    @cached_property
    def _marks(self) -> frozenset[int]:
        """Pieces that a word may stand right behind."""
        pairs = ((piece, text[-1:]) for piece, text in enumerate(self._texts))
        return frozenset(piece for piece, end in pairs if end in _BEFORE or is_unspaced(end))

    @cached_property
    def _sentence_ends(self) -> frozenset[int]:
        """Pieces that a sentence may begin behind, after a space."""
        pairs = ((piece, text.rstrip("\"'”’»“)")) for piece, text in enumerate(self._texts))
        return frozenset(piece for piece, text in pairs if text[-1:] in _ENDS_OF_SENTENCES)
