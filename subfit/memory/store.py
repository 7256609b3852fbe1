"""A translation memory as one indexed file.

SQLite holds it: entries by their source for exact matches, and its full-text index (FTS5), which
knows the entries that have a word, to retrieve like ones. It reads what it needs from disk, so that
a memory of millions of entries opens at once.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import nlargest
from itertools import accumulate
from pathlib import Path

from subfit.errors import InputFileError, reason_of
from subfit.files import output_file
from subfit.memory.entry import Entry, Match
from subfit.memory.similarity import plain, similarity_of_words, words_and_marks
from subfit.text.languages import same_language

SUFFIX = ".memory"
FORMAT = "2"
RETRIEVED = 50
"""Entries that are retrieved by their words, to be compared with the text in full."""
MOST_POSTINGS = 3000
"""A text's rarest words are looked for, as long as no more entries have them in all: common ones
tell little, and are slow to look for."""
FEWEST_WORDS = 2
"""So many of them are looked for, however common they are."""
_LONGEST = 255
"""Words of a source that are counted for its place in the index."""

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    origin TEXT NOT NULL, words TEXT NOT NULL, UNIQUE (key, target)
);
CREATE VIRTUAL TABLE postings USING fts5(
    source, content='', columnsize=0, detail=none, tokenize='unicode61 remove_diacritics 0'
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab('postings', 'row');
CREATE TABLE frequencies (word TEXT PRIMARY KEY, entries INTEGER NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Languages:
    """What a memory translates, as BCP 47 tags."""

    source: str
    target: str

    def like(self, other: Languages) -> bool:
        """Whether they are the same, wherever they are spoken."""
        return same_language(self.source, other.source) and same_language(self.target, other.target)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of the entries that were to be added."""

    new: int
    known: int
    """Stood there already, with the same translation."""


class Memory:
    """A translation memory that is open for reading.

    Args:
        connection: To its database.
        name: Of its file, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self.name, self._database = name, connection
        about = dict(connection.execute("SELECT name, value FROM about"))
        if about.get("format") != FORMAT:
            raise sqlite3.DatabaseError(f"format {about.get('format')!r} is not {FORMAT!r}")
        self.languages = Languages(about["source"], about["target"])

    @classmethod
    def open(cls, path: Path) -> Memory:
        """Open a memory that `create` has made.

        Raises:
            InputFileError: There is none, or it is damaged.
        """
        if not path.is_file():
            raise InputFileError(path, "there is no such translation memory")
        try:
            return cls(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True), str(path))
        except (sqlite3.Error, KeyError) as error:
            raise _damaged(path, error) from error

    @classmethod
    def of(cls, entries: Iterable[Entry], languages: Languages, name: str = "") -> Memory:
        """Return a memory that stands in no file."""
        connection = sqlite3.connect(":memory:")
        _begin(connection, languages)
        _add(connection, entries)
        return cls(connection, name)

    def __len__(self) -> int:
        with self._reading() as database:
            return int(database.execute("SELECT count(*) FROM entries").fetchone()[0])

    def __iter__(self) -> Iterator[Entry]:
        """Yield all entries, in the order they were added."""
        with self._reading() as database:
            rows = database.execute("SELECT source, target, origin FROM entries ORDER BY id")
            yield from (Entry(*row) for row in rows)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def exact(self, source: str) -> tuple[Entry, ...]:
        """Return the entries whose source is a text, the one that was added last first."""
        with self._reading() as database:
            rows = database.execute(
                "SELECT source, target, origin FROM entries WHERE key = ? ORDER BY id DESC",
                (plain(source),),
            )
            return tuple(Entry(*row) for row in rows)

    def similar(self, source: str, *, most: int = 5, least: float = 0.4) -> tuple[Match, ...]:
        """Return the entries whose sources are most like a text.

        Args:
            source: The text.
            most: So many at most (M of Ferreira and Martins, algorithm 1).
            least: The least similarity (their γ).

        Returns:
            The most similar first; of those alike, the one that was added last.

        Raises:
            InputFileError: The memory is damaged.
        """
        words, key = words_and_marks(source), plain(source)
        with self._reading() as database:
            ids = self._retrieved(words, least, database)
            rows = database.execute(
                "SELECT id, key, words, source, target, origin FROM entries"
                f" WHERE id IN ({','.join(map(str, ids))})"
            ).fetchall()
        ranked = sorted(
            (
                (1.0 if row[1] == key else similarity_of_words(words, row[2].split()), row)
                for row in rows
            ),
            key=lambda match: (-match[0], -match[1][0]),
        )
        return tuple(
            Match(Entry(*row[3:]), degree) for degree, row in ranked[:most] if degree >= least
        )

    def _retrieved(
        self, words: Sequence[str], least: float, database: sqlite3.Connection
    ) -> list[int]:
        """The entries that share most with a text: the weight of its words that they have.

        A word weighs its inverse document frequency; the sum is held against the longer of both
        sources. Those too long or too short to be similar enough are left out.
        """
        shortest, longest = least * len(words), len(words) / least if least else math.inf
        total = max(1, database.execute("SELECT max(id) FROM entries").fetchone()[0] or 1)
        shared: dict[int, float] = {}
        for word, count in self._telling(words, database):
            weight = math.log(1 + total / count)
            query = "SELECT rowid FROM postings WHERE postings MATCH ?"
            for (place,) in database.execute(query, (f'"{word}"',)):
                shared[place] = shared.get(place, 0.0) + weight
        long_enough = (
            (weight / max(len(words), length), -place)
            for place, weight in shared.items()
            if shortest <= (length := place % (_LONGEST + 1)) <= longest or length == _LONGEST
        )
        return [-place // (_LONGEST + 1) for _, place in nlargest(RETRIEVED, long_enough)]

    def _telling(self, words: Sequence[str], database: sqlite3.Connection) -> list[tuple[str, int]]:
        """The rarest words of a text that the memory has, and how many entries have each."""
        terms = {term for word in words for term in _terms(word)}
        marks = ",".join("?" * len(terms))
        counts = database.execute(
            f"SELECT word, entries FROM frequencies WHERE word IN ({marks})", tuple(terms)
        ).fetchall()
        rarest = sorted(counts, key=lambda count: (count[1], count[0]))
        postings = accumulate(count for _, count in rarest)
        telling = sum(total <= MOST_POSTINGS for total in postings)
        return rarest[: max(telling, FEWEST_WORDS)]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._database
        except sqlite3.Error as error:
            raise _damaged(self.name, error) from error


def create(
    path: Path, entries: Iterable[Entry], languages: Languages, *, overwrite: bool = False
) -> Added:
    """Write a new memory.

    Args:
        path: Its file, which appears when all is written.
        entries: What it holds. Of those with the same source and target one is kept.
        languages: What it translates.
        overwrite: Whether a file that is there may be replaced.

    Raises:
        OutputFileError: It cannot be written, or is there already.
    """
    database = sqlite3.connect(":memory:")
    _begin(database, languages)
    added = _add(database, entries)
    _write(database, path, overwrite=overwrite)
    return added


def extend(path: Path, entries: Iterable[Entry]) -> Added:
    """Add entries to a memory, which is replaced when all is written.

    Raises:
        InputFileError: There is none, or it is damaged.
        OutputFileError: It cannot be written.
    """
    memory = Memory.open(path)
    database = sqlite3.connect(":memory:")
    try:
        memory._database.backup(database)
    except sqlite3.Error as error:
        raise _damaged(path, error) from error
    finally:
        memory.close()
    added = _add(database, entries)
    _write(database, path, overwrite=True)
    return added


def _begin(database: sqlite3.Connection, languages: Languages) -> None:
    database.executescript(_SCHEMA)
    about = {"format": FORMAT, "source": languages.source, "target": languages.target}
    database.executemany("INSERT INTO about VALUES (?, ?)", about.items())


def _add(database: sqlite3.Connection, entries: Iterable[Entry]) -> Added:
    """Add entries; one that is there already counts as added last."""
    new = known = 0
    with database:
        for entry in entries:
            key = plain(entry.source)
            same = database.execute(
                "SELECT id FROM entries WHERE key = ? AND target = ?", (key, entry.target)
            ).fetchone()
            if same:
                _take_out(database, same[0])
            known, new = known + bool(same), new + (not same)
            words = words_and_marks(entry.source)
            cursor = database.execute(
                "INSERT INTO entries (key, source, target, origin, words) VALUES (?, ?, ?, ?, ?)",
                (key, entry.source, entry.target, entry.origin, " ".join(words)),
            )
            number = cursor.lastrowid
            assert number is not None
            database.execute(
                "INSERT INTO postings (rowid, source) VALUES (?, ?)",
                (_place(number, words), " ".join(words)),
            )
        database.execute("DELETE FROM frequencies")
        database.execute("INSERT INTO frequencies SELECT term, doc FROM vocabulary")
    return Added(new, known)


def _place(number: int, words: Sequence[str]) -> int:
    """Where an entry stands in the index, by its number and the words of its source."""
    return number * (_LONGEST + 1) + min(len(words), _LONGEST)


def _take_out(database: sqlite3.Connection, number: int) -> None:
    query = "SELECT words FROM entries WHERE id = ?"
    (words,) = database.execute(query, (number,)).fetchone()
    database.execute(
        "INSERT INTO postings (postings, rowid, source) VALUES ('delete', ?, ?)",
        (_place(number, words.split()), words),
    )
    database.execute("DELETE FROM entries WHERE id = ?", (number,))


def _write(database: sqlite3.Connection, path: Path, *, overwrite: bool) -> None:
    database.commit()
    database.execute("VACUUM")
    with output_file(path, overwrite=overwrite) as file:
        file.write(database.serialize())
    database.close()


def _terms(word: str) -> list[str]:
    """A word in the terms of the index, which parts it at everything but letters and digits."""
    return "".join(char if char.isalnum() else " " for char in word).split()


def _damaged(path: Path | str, error: Exception) -> InputFileError:
    return InputFileError(
        path,
        f"is no translation memory of subfit, or damaged ({reason_of(error)})",
        remedy="make it anew with 'subfit memory build'",
    )
