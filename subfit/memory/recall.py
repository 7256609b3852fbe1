"""What translation memories have for a text: the same text, or like ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from subfit.memory.files import files_of, read_entries
from subfit.memory.store import SUFFIX, Entry, Languages, Match, Memory


@dataclass(frozen=True, slots=True)
class Guiding:
    """How memories guide translations; the paper's letters are in brackets.

    The numbers were tuned on development lines. Ferreira and Martins (section VI.B) have M = 5,
    γ = 0.4, λ = (1, 1) within the domain of the training and M = 20, γ = 0.3, λ = (3.5, 4) for
    others, and take the similarity as it is. (``benchmarks/guided.py``)
    """

    most: int = 10
    """Like sources at most (M)."""
    least: float = 0.3
    """The least similarity (γ)."""
    unigram: float = 4.0
    """Nats for saying a piece of a translation of the very same source (λ1)."""
    longer: float = 4.0
    """Nats for saying an n-gram of two to four pieces of such a translation (λ2)."""
    sharpness: float = 2.0
    """Power of the similarity that these are multiplied by: what is hardly like a source is
    followed where it costs little, what is nearly the same also in rare words."""

    def reward(self, size: int, similarity: float) -> float:
        """Return what an n-gram is worth that comes from a source so similar, in nats."""
        weight = self.unigram if size == 1 else self.longer
        return float(weight * similarity**self.sharpness)


DEFAULT_GUIDING = Guiding()


@dataclass(frozen=True, slots=True)
class Recall:
    """What memories have for a text."""

    text: str
    """The source that was looked up."""
    exact: tuple[Entry, ...] = ()
    """Translations of the same text, the preferred one first."""
    similar: tuple[Match, ...] = ()
    """The most similar entries, the best first; only those of the same text where there are any."""
    guiding: Guiding = DEFAULT_GUIDING
    """What following them is worth."""

    @property
    def best(self) -> Match | None:
        """The most similar entry."""
        return self.similar[0] if self.similar else None

    def within(self, text: str) -> Recall:
        """Return it for a part of the text, which it cannot be used for word for word."""
        return replace(self, text=text, exact=())


class Memories:
    """Several memories, asked together.

    Args:
        memories: Those that come later are preferred.
    """

    def __init__(self, memories: Sequence[Memory]) -> None:
        self._memories = tuple(reversed(memories))

    def __len__(self) -> int:
        return sum(map(len, self._memories))

    def recall(self, text: str, guiding: Guiding = DEFAULT_GUIDING) -> Recall:
        """Return what there is for a text.

        Args:
            text: A source.
            guiding: Says how many like entries, how like, and what following them is worth.

        Raises:
            InputFileError: A memory is damaged.
        """
        exact = {entry.target: entry for memory in self._memories for entry in memory.exact(text)}
        if exact:
            entries = tuple(exact.values())
            same = tuple(Match(entry, 1.0) for entry in entries)
            return Recall(text, entries, same[: guiding.most], guiding)
        like = [
            match
            for memory in self._memories
            for match in memory.similar(text, most=guiding.most, least=guiding.least)
        ]
        like.sort(key=lambda match: -match.similarity)
        return Recall(text, similar=tuple(like[: guiding.most]), guiding=guiding)


def open_memories(names: Sequence[str], languages: Languages) -> Memories:
    """Open memories, or read other files as such.

    Args:
        names: As `subfit.memory.files.read_entries` takes them; those that come later are
            preferred.
        languages: What is translated. Memories of other languages are passed over.

    Raises:
        InputFileError: A file cannot be read, or is damaged.
        UsageError: One is of no format that is known.
    """
    stamps = (path.stat() for name in names for path in files_of(name))
    changed = tuple((stamp.st_mtime_ns, stamp.st_size) for stamp in stamps)
    return _opened(tuple(names), languages, changed)


@lru_cache(maxsize=8)
def _opened(names: tuple[str, ...], languages: Languages, _: object) -> Memories:
    """Open memories; those whose files have not changed stay open."""
    memories: list[Memory] = []
    for name in names:
        if Path(name).suffix.lower() == SUFFIX:
            memory = Memory.open(Path(name))
            if memory.languages.like(languages):
                memories.append(memory)
        else:
            memories.append(Memory.of(read_entries(name, languages), languages, name))
    return Memories(memories)
