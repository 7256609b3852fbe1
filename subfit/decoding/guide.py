"""Translation pieces: n-grams of the translations of like sources, and the reward for saying them.

Ferreira and Martins, algorithm 1: of every like source the words that the new one has too, the
words of its translation that stand for these, and the n-grams of their pieces. An n-gram is worth
the similarity of the most similar source that it comes from. Section V (after Zhang et al. 2018):
at every step the log-probabilities of pieces that say a translation piece are raised (equation 17),
with those before it as context, for as long as the hypothesis has not said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import torch
from rapidfuzz.distance import Levenshtein
from torch import Tensor

from subfit.decoding.attention import NEVER
from subfit.decoding.hypotheses import Guide, TokenRequest
from subfit.decoding.pieces import Choices
from subfit.decoding.processors import ScoreProcessor
from subfit.memory.recall import Recall
from subfit.memory.store import NEARLY, Match
from subfit.model.tokenizer import AnyTokenizer, normalize
from subfit.text.alignment import Alignment, WordScores, align, words_of

Ngram = tuple[int, ...]
LONGEST = 4
"""Pieces of the longest n-grams."""
START = -1
"""Stands in n-grams for the beginning of a translation."""


class Progress(NamedTuple):
    """What a hypothesis has said of its guide, in columns."""

    recent: Ngram = (START,)
    """Its last pieces, at most `LONGEST`, with the beginning before them."""
    said: frozenset[Ngram] = frozenset()
    earned: float = 0.0
    """All that it was rewarded with, in nats."""


class Rewards:
    """The n-grams of one request, by what stands before their last piece.

    Args:
        rewards: What each is worth, in columns.
    """

    def __init__(self, rewards: Mapping[Ngram, float]) -> None:
        self._rewards = rewards
        self._after: dict[Ngram, list[tuple[int, Ngram, float]]] = {}
        for ngram, reward in rewards.items():
            self._after.setdefault(ngram[:-1], []).append((ngram[-1], ngram, reward))

    def offers(self, progress: Progress) -> Iterator[tuple[int, float]]:
        """Yield the columns that end an n-gram, not said before, with its reward."""
        recent = progress.recent
        # What may stand within a sentence is no reason to begin with it, as its capital differs.
        for start in range(len(recent) - (recent == (START,)), -1, -1):
            for column, ngram, reward in self._after.get(recent[start:], ()):
                if ngram not in progress.said:
                    yield column, reward

    def after(self, progress: Progress, column: int) -> Progress:
        """Return the progress of a hypothesis with one piece more."""
        recent = (*progress.recent, column)
        # That with which it begins is there then, and no reason to say it again.
        unrewarded = (column,) if progress.recent == (START,) else None
        ends = (recent[start:] for start in range(len(recent) - 1, -1, -1))
        new = [ngram for ngram in ends if ngram in self._rewards and ngram not in progress.said]
        earned = progress.earned + sum(self._rewards[one] for one in new if one != unrewarded)
        return Progress(recent[-LONGEST:], progress.said.union(new), earned)


class MemoryGuide(ScoreProcessor):
    """Rewards hypotheses for following the guides of their sentences, once for each n-gram."""

    name = "guide"

    def __init__(self, choices: Choices, rows: int, beams: int) -> None:
        super().__init__(choices, rows, beams)
        self._guided: dict[int, tuple[Rewards, list[Progress]]] = {}
        """By row what is rewarded, and how far each hypothesis is."""

    def admit(self, row: int, request: TokenRequest | None) -> None:
        """See `ScoreProcessor.admit`."""
        self._guided.pop(row, None)
        if request is not None and request.guide is not None:
            rewards = Rewards(self._in_columns(request.guide))
            self._guided[row] = rewards, [Progress()] * self.beams

    def _in_columns(self, guide: Guide) -> dict[Ngram, float]:
        pieces = {piece for ngram in guide.rewards for piece in ngram} - {START}
        column_of = self.choices.column_by_piece(pieces) | {START: START}
        return {
            tuple(column_of[piece] for piece in ngram): reward
            for ngram, reward in guide.rewards.items()
            if all(piece in column_of for piece in ngram)
        }

    def adjust(self, log_probs: Tensor, scores: Tensor) -> None:
        """Raise what says something of a guide."""
        if not self._guided:
            return
        alive, size = (scores > NEVER).tolist(), log_probs.shape[2]
        places: list[int] = []
        values: list[float] = []
        for row, (rewards, progresses) in self._guided.items():
            for beam, progress in enumerate(progresses):
                if alive[row][beam]:
                    start = (row * self.beams + beam) * size
                    for column, value in rewards.offers(progress):
                        places.append(start + column)
                        values.append(value)
        at = torch.tensor(places, dtype=torch.int64, device=log_probs.device)
        log_probs.view(-1).index_put_((at,), log_probs.new_tensor(values), accumulate=True)

    def advance(self, parents: Tensor, columns: Tensor) -> None:
        """See `ScoreProcessor.advance`."""
        for row, (rewards, progress) in self._guided.items():
            pairs = zip(parents[row].tolist(), columns[row].tolist(), strict=True)
            progress[:] = [
                # A piece that all begin with says nothing: the beginning is still to come.
                progress[beam]
                if column == self.choices.first
                else rewards.after(progress[beam], column)
                for beam, column in pairs
            ]

    def bonus(self, row: int, beam: int) -> float:
        """What a hypothesis was rewarded with, in nats."""
        return self._guided[row][1][beam].earned if row in self._guided else 0.0

    def keep(self, rows: Sequence[int]) -> None:
        """See `ScoreProcessor.keep`."""
        self._guided = {
            new: self._guided[row] for new, row in enumerate(rows) if row in self._guided
        }


_MOST = 0.5
"""A target word stands for words that both sources have where these have more than this share in
it."""
REMEMBERED = 4096
"""Guides that are kept: a sentence is searched several times."""


class Guides:
    """Makes guides of what translation memories have.

    Args:
        tokenizer: The model's.
        usable: The pieces that translations may consist of; None for all.
        words: Knows which words translate each other.
    """

    def __init__(
        self, tokenizer: AnyTokenizer, usable: frozenset[int] | None, words: WordScores | None
    ) -> None:
        self._tokenizer, self._usable, self._words = tokenizer, usable, words
        self._known: dict[Recall, Guide | None] = {}

    def of(self, recall: Recall) -> Guide | None:
        """Return what the translation of a text had better say; None if nothing.

        Args:
            recall: What there is for the text.
        """
        if recall not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[recall] = self._make(recall)
        return self._known[recall]

    def _make(self, recall: Recall) -> Guide | None:
        values: dict[tuple[int, ...], float] = {}
        for match in sorted(recall.similar, key=lambda match: -match.similarity):
            for run in self._runs(recall.text, match):
                for ngram in _ngrams(run):
                    values.setdefault(ngram, match.similarity)
        guiding = recall.guiding
        rewards = {ngram: guiding.reward(len(ngram), like) for ngram, like in values.items()}
        if not any(rewards.values()):
            return None
        return Guide(rewards, max(values.values()))

    def _runs(self, text: str, match: Match) -> Iterator[tuple[int, ...]]:
        """Yield the pieces of a translation that say what a text says, as far as unbroken.

        `START` stands before those that it begins with; what does not begin it comes once more
        with a capital, as what another translation may begin with.
        """
        target = normalize(match.entry.target)
        (pieces,) = self._tokenizer.target.encode_all([target])
        kept = self._within(pieces, target, self._kept(text, match, target))
        usable = [own and self._is_usable(piece) for own, piece in zip(kept, pieces, strict=True)]
        run: list[int] = [START]
        for piece, own in zip((*pieces, START), (*usable, False), strict=True):
            if own:
                run.append(piece)
                continue
            if len(run) > (START in run):
                yield tuple(run)
                if run[0] != START:
                    yield from self._with_capital(run)
            run = []

    def _is_usable(self, piece: int) -> bool:
        return self._usable is None or piece in self._usable

    def _with_capital(self, run: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """How a translation would begin with a run."""
        text = self._tokenizer.decode(list(run))
        begins = self._tokenizer.piece_texts[run[0]].startswith(" ") and text[:1].islower()
        if begins:
            (pieces,) = self._tokenizer.target.encode_all([text[:1].upper() + text[1:]])
            pieces = pieces[: LONGEST - 1]
            if all(map(self._is_usable, pieces)):
                yield (START, *pieces)

    def _within(self, pieces: Sequence[int], target: str, kept: Sequence[bool]) -> list[bool]:
        """Whether all that each piece prints is kept; spaces do not count."""
        texts = [self._tokenizer.piece_texts[piece] for piece in pieces]
        printed = "".join(texts)
        at = len(printed.lstrip(" ")) - len(printed)
        if printed.strip(" ") != target:  # spelt in bytes, or normalised to other characters
            return [all(kept)] * len(pieces)
        within: list[bool] = []
        for piece in texts:
            places = range(at, at + len(piece))
            shown = [n for n in places if n >= 0 and not target[n].isspace()]
            within.append(bool(shown) and all(kept[n] for n in shown))
            at += len(piece)
        return within

    def _kept(self, text: str, match: Match, target: str) -> list[bool]:
        """Of each character of a translation whether it is of a word that a text says too.

        Marks are so only where all words are: a sentence may go on behind what had a full stop.
        """
        if match.similarity >= NEARLY:
            return [True] * len(target)
        alignment = align(match.entry.source, target, self._words)
        same = _same_words(text, alignment)
        kept = [False] * len(target)
        for word, shares in zip(alignment.target, alignment.of_target, strict=True):
            if sum(share for share, own in zip(shares, same, strict=True) if own) > _MOST:
                kept[word.start : word.end] = [True] * (word.end - word.start)
        return kept


def _same_words(text: str, alignment: Alignment) -> list[bool]:
    """Of each word of a like source whether the text has it too, at its place."""
    ours = [word.text.casefold() for word in words_of(text)]
    theirs = [word.text.casefold() for word in alignment.source]
    same = [False] * len(theirs)
    for edit in Levenshtein.opcodes(ours, theirs):
        if edit.tag == "equal":
            same[edit.dest_start : edit.dest_end] = [True] * (edit.dest_end - edit.dest_start)
    return same


def _ngrams(pieces: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the n-grams of a run; those at its beginning with `START` before them as well."""
    words = pieces[1:] if pieces[0] == START else pieces
    for size in range(1, LONGEST + 1):
        for start in range(len(words) - size + 1):
            yield tuple(words[start : start + size])
    if pieces[0] == START:
        for size in range(2, min(LONGEST, len(pieces)) + 1):
            yield tuple(pieces[:size])
