"""A translation beside what it was made of: which words and sentences stand for which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from subfit.text.alignment import Alignment, WordScores, align
from subfit.text.sentence_ends import sentence_places

_SURE = 0.4
"""Evidence that a word of a translation stands for one of its source; less is but its place."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """A translation of a text."""

    source: str
    """The text that was translated."""
    text: str
    words: Alignment
    source_sentences: tuple[tuple[int, int], ...]
    """Where the sentences of the source begin and end."""
    sentences: tuple[tuple[int, int], ...]
    """Where those of the translation do."""

    @classmethod
    def of(
        cls,
        source: str,
        text: str,
        *,
        source_language: str,
        language: str,
        known: WordScores | None = None,
    ) -> Rendering:
        """Lay a translation beside its source.

        Args:
            source: The text that was translated.
            text: Its translation.
            source_language: Tag of the source's language.
            language: Tag of the translation's.
            known: What is known of the words of both languages.
        """
        return cls(
            source,
            text,
            align(source, text, known),
            tuple(sentence_places(source, source_language)),
            tuple(sentence_places(text, language)),
        )

    @property
    def paired(self) -> bool:
        """Whether both have as many sentences, so that each stands for the one in its place."""
        return len(self.source_sentences) == len(self.sentences)

    def word_at(self, at: int) -> int | None:
        """Return which word of the source stands at a place of it."""
        words = enumerate(self.words.source)
        return next((number for number, word in words if word.start <= at < word.end), None)

    def target_of(self, at: int, *, first: bool) -> int | None:
        """Return which word of the translation stands for the one at a place of the source.

        Args:
            at: The place.
            first: Whether the first word of a sentence stands for the first one, whatever it means.
        """
        source = self.word_at(at)
        if source is None or not self.words.target:
            return None
        opening = self._opening_word(at)
        if first and opening is not None:
            return opening
        inside = self._words_of_sentence(at)
        own = self.standing_for(source, inside)
        if own:  # of "por favor" the last one
            return own[-1]
        row = self.words.of_source[source]
        best = _best(row)
        sure = self.words.source_sure[source] > _SURE and best in inside
        return best if sure and row[best] > _SURE else opening

    def standing_for(self, source: int, inside: Sequence[int] | None = None) -> list[int]:
        """Return which words of the translation are sure to stand for a word of the source.

        Args:
            source: The word.
            inside: Those of the translation that are asked about; None for all.
        """
        shares, sure = self.words.of_target, self.words.target_sure
        return [
            number
            for number in (range(len(shares)) if inside is None else inside)
            if sure[number] > _SURE
            and shares[number][source] > _SURE
            and _best(shares[number]) == source
        ]

    def _sentence_at(self, at: int) -> int | None:
        places = enumerate(self.source_sentences)
        return next((number for number, (start, end) in places if start <= at < end), None)

    def _words_of_sentence(self, at: int) -> list[int]:
        """The words of the sentence that stands for the one at a place; all if it is not known."""
        number = self._sentence_at(at)
        words = self.words.target
        if number is None or not self.paired:
            return list(range(len(words)))
        start, end = self.sentences[number]
        return [n for n, word in enumerate(words) if start <= word.start < end]

    def _opening_word(self, at: int) -> int | None:
        """The first word of the sentence that stands for the one which begins at a place."""
        number = self._sentence_at(at)
        if number is None or (number and not self.paired):
            return None
        if any(map(str.isalnum, self.source[self.source_sentences[number][0] : at])):
            return None
        start, end = self.sentences[number]
        words = enumerate(self.words.target)
        return next((n for n, word in words if start <= word.start < end), None)


def _best(row: Sequence[float]) -> int:
    return max(range(len(row)), key=row.__getitem__)
