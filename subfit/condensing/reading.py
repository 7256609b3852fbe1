"""A text as the rules of condensation read it, with the lists of its language at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from subfit.condensing.clauses import Clause, Segment, Token
from subfit.condensing.words import Words

CONTENT, FUNCTION, NAME = 1.0, 0.3, 1.3
"""What losing a word costs that has a meaning of its own, one that has not, a name or number."""
_CONTRACTED = ("'s", "'m", "'re")


@dataclass(frozen=True, slots=True)
class SparePart:
    """Tokens that can be left out together; indices, the end behind the last."""

    start: int
    end: int
    cost: float
    """What is lost with them: about the number of their words that have a meaning of their own."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and the words of its language; all indices are of tokens."""

    tokens: Sequence[Token]
    clauses: Sequence[Clause]
    words: Words

    def low(self, index: int) -> str:
        """Return a token as the lists have it; empty before and behind the text."""
        return self.tokens[index].lower if 0 <= index < len(self.tokens) else ""

    def phrase(self, start: int, end: int) -> str:
        """Return some tokens as the lists have them."""
        return " ".join(self.low(index) for index in range(start, end))

    def clause_at(self, index: int) -> Clause | None:
        """Return the sentence that a word stands in; None of what is in none."""
        return next((clause for clause in self.clauses if clause.start <= index < clause.end), None)

    def next_word(self, index: int) -> int:
        """Return where the next word is, from a token on."""
        while index < len(self.tokens) and not self.tokens[index].is_word:
            index += 1
        return index

    def is_filler(self, span: Segment | Clause) -> bool:
        """Tell whether words say nothing that a viewer would miss."""
        return self.phrase(span.start, span.end) in self.words.fillers

    def is_name(self, index: int) -> bool:
        """Tell whether a word is a name, as far as a capital within a sentence tells."""
        if index >= len(self.tokens):
            return False
        token = self.tokens[index]
        return token.is_capital and token.lower.partition("'")[0] not in self.words.function

    def is_number(self, index: int) -> bool:
        """Tell whether a word is a number."""
        return self.tokens[index].text[0].isdigit() or self.low(index) in self.words.numbers

    def is_be(self, index: int) -> bool:
        """Tell whether a word is a form of "be" or the like, or ends in one."""
        return self.low(index) in self.words.be or self.is_contracted(index)

    def is_contracted(self, index: int) -> bool:
        """Tell whether a word ends in a form of "be", or is a genitive."""
        return self.low(index).endswith(_CONTRACTED)

    def has_verb(self, start: int, end: int) -> bool:
        """Tell whether words can be a clause: some verb, or a pronoun with something it does."""
        words = self.words
        for index in range(start, end):
            low = self.low(index)
            after_article = index > start and self.low(index - 1) in words.determiners
            if words.is_verb(low) and (low in words.be or not after_article):
                return True
            does = index + 1 < end and self.tokens[index + 1].is_word
            if low in words.subjects and does and self.low(index + 1) not in words.function:
                return True
        return False

    def has_subject(self, start: int, end: int) -> bool:
        """Tell whether words begin as a clause of their own."""
        words, low = self.words, self.low(start)
        if low.partition("'")[0] in words.subjects or self.is_contracted(start):
            return self.has_verb(start, end)
        openers = (*words.relatives, *words.subordinators, "that")
        inner = (at for at in range(start + 1, end) if self.low(at) in openers)
        return low in words.determiners and self.has_verb(start, next(inner, end))

    def is_order(self, start: int) -> bool:
        """Tell whether words begin with a verb, as an order does."""
        return self.low(start) in self.words.verbs or self.low(start) in ("be", "do", "don't")

    def is_gerund(self, index: int) -> bool:
        """Tell whether a word looks like a verb in -ing: "going", not "sing" or "king"."""
        low = self.low(index)
        return low.endswith("ing") and any(letter in "aeiouy" for letter in low[:-3])

    def is_plain(self, index: int) -> bool:
        """Tell whether a word has a meaning of its own and is neither number nor name."""
        token, words = self.tokens[index], self.words
        closed = (words.function, words.numbers, words.telling)
        is_closed = any(token.lower in words for words in closed)
        return token.text.isalpha() and not token.is_capital and not is_closed

    def places(self, start: int, end: int) -> bool:
        """Tell whether words put something somewhere: where must be said behind them."""
        return any(self.low(at) in self.words.placing for at in range(start, end))

    def is_negated(self, index: int) -> bool:
        """Tell whether a word is a negation."""
        return self.low(index) in self.words.negations or self.low(index).endswith("n't")

    def cost(self, start: int, end: int) -> float:
        """Return about how many words with a meaning of their own there are."""
        return sum(self._weight(at) for at in range(start, end) if self.tokens[at].is_word)

    def _weight(self, index: int) -> float:
        token, low, words = self.tokens[index], self.low(index), self.words
        within = index > 0 and self.tokens[index - 1].is_word
        if any(map(str.isdigit, token.text)) or (within and self.is_name(index)):
            return NAME
        light = low in words.function or low in words.adverbs or low in words.fillers
        return FUNCTION if light else CONTENT
