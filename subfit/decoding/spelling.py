"""Words that there are: hypotheses pay for ending a word that nobody knows.

A model that spells words piece by piece makes some up on the way: "Farerebbe", "Zeitsension". Which
words it has seen in its language is known (`subfit.text.known_words`). A hypothesis whose last word
is none of these, nor in the source, pays for every piece that ends the word, so that others of
nearly the same probability, which go on to a word that there is, stay in the beam.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import regex
import torch
from torch import Tensor

from subfit.decoding.pieces import Choices
from subfit.decoding.search_types import Speller
from subfit.text.known_words import KnownWords
from subfit.text.word_bounds import goes_on, is_unspaced

PENALTY = 2.0
"""What a word out of the vocabulary costs, in nats."""
_LETTERS_AT_END = regex.compile(r"[\p{L}\p{M}]*$")


class PieceLetters:
    """The letters of every piece.

    Args:
        texts: Of each piece, spaces as spaces.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        matches = (_LETTERS_AT_END.search(text) for text in texts)
        letters = (match[0] if match else "" for match in matches)
        self.at_end = ["" if any(map(is_unspaced, own)) else own for own in letters]
        """The letters at the end of each piece; none of scripts without spaces."""
        self.goes_on = [
            letters == text and goes_on(text)
            for letters, text in zip(self.at_end, texts, strict=True)
        ]
        """Whether it is more letters of a word that has begun."""


class WordSpeller:
    """Tells the words that one translation may have from those that are made up.

    Args:
        letters: Of the vocabulary's pieces.
        known: The words that the model has seen.
        given: Words of the source and of its terms, which may stay as they are.
    """

    def __init__(self, letters: PieceLetters, known: KnownWords, given: Collection[str]) -> None:
        self._letters, self._known, self._given = letters, known, given
        self._judged: dict[str, bool] = {}

    @property
    def goes_on(self) -> Sequence[bool]:
        """Of each piece whether it is more letters of a word that has begun."""
        return self._letters.goes_on

    def letters_of(self, piece: int) -> str:
        """Return the letters at the end of a piece."""
        return self._letters.at_end[piece] if piece < len(self._letters.at_end) else ""

    def knows(self, word: str) -> bool:
        """Whether a word may stand."""
        if word not in self._judged:
            self._judged[word] = self._known.knows(word, self._given)
        return self._judged[word]


@dataclass(frozen=True, slots=True)
class _Spelt:
    """What a hypothesis has spelt."""

    word: str = ""
    """The letters of its last word; none behind anything else."""
    unknown: bool = False
    """Whether that is out of the vocabulary, if it ends here."""
    paid: float = 0.0
    """What words that have ended cost, in nats."""

    @property
    def due(self) -> float:
        """What it costs to end the word."""
        return PENALTY if self.unknown else 0.0


class Spelling:
    """What the hypotheses of a running search spell.

    Args:
        choices: The pieces to choose among.
        rows: Sentences at once.
        beams: Hypotheses of each.
    """

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        self._choices, self._beams = choices, beams
        self._ends_word: Tensor | None = None
        """(pieces,) 1 for what ends a word that has begun; None until there is a speller."""
        self._spellers: list[Speller | None] = [None] * rows
        self._spelt: list[list[_Spelt]] = [[] for _ in range(rows)]

    def admit(self, row: int, speller: Speller | None) -> None:
        """Let a sentence into a row, or none; it has one hypothesis, the empty one."""
        self._spellers[row] = speller
        self._spelt[row] = [] if speller is None else [_Spelt()] * self._beams
        if speller is not None and self._ends_word is None:
            tokens = self._choices.token_ids
            goes_on = torch.zeros(max(len(speller.goes_on), int(tokens.max()) + 1))
            goes_on[: len(speller.goes_on)] = torch.tensor(speller.goes_on).float()
            self._ends_word = 1.0 - goes_on.to(tokens.device)[tokens]

    def charge(self, log_probs: Tensor) -> None:
        """Lower, in place, the log-probabilities of pieces that end an unknown word.

        Args:
            log_probs: (rows, beams, pieces)
        """
        places = [
            row * self._beams + beam
            for row, spelt in enumerate(self._spelt)
            for beam, one in enumerate(spelt)
            if one.unknown
        ]
        if places and self._ends_word is not None:
            at = torch.tensor(places, device=log_probs.device)
            charges = (-PENALTY * self._ends_word).expand(len(places), -1)
            log_probs.view(-1, log_probs.shape[2]).index_add_(0, at, charges)

    def follow(self, parents: Tensor, columns: Tensor) -> None:
        """Take note of the hypotheses that run on.

        Args:
            parents: (rows, beams) the beams that they come from.
            columns: (rows, beams) of their new pieces.
        """
        rows = [row for row, speller in enumerate(self._spellers) if speller is not None]
        if not rows:
            return
        beams, tokens = parents[rows].tolist(), self._choices.token_ids[columns[rows]].tolist()
        for row, own_beams, own_tokens in zip(rows, beams, tokens, strict=True):
            speller, spelt = self._spellers[row], self._spelt[row]
            assert speller is not None
            self._spelt[row] = [
                _after(spelt[beam], token, speller)
                for beam, token in zip(own_beams, own_tokens, strict=True)
            ]

    def paid_at_end(self, row: int, beam: int) -> float:
        """Return what a hypothesis has paid, in nats, if it ends now."""
        if not self._spelt[row]:
            return 0.0
        spelt = self._spelt[row][beam]
        return spelt.paid + spelt.due

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these rows."""
        self._spellers = [self._spellers[row] for row in rows]
        self._spelt = [self._spelt[row] for row in rows]


def _after(spelt: _Spelt, token: int, speller: Speller) -> _Spelt:
    """What a hypothesis has spelt with one piece more."""
    if token < len(speller.goes_on) and speller.goes_on[token]:
        word, paid = spelt.word + speller.letters_of(token), spelt.paid
    else:
        word, paid = speller.letters_of(token), spelt.paid + spelt.due
    return _Spelt(word, bool(word) and not speller.knows(word), paid)
