"""A translation memory as one indexed file, and how like a text its entries are, in words.

SQLite holds it: entries by their source for exact matches, and its full-text index (FTS5), which
knows the entries that have a word, to retrieve like ones. It reads what it needs from disk, so that
a memory of millions of entries opens at once.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import regex
from rapidfuzz.distance import Levenshtein

from subfit.errors import InputFileError, reason_of
from subfit.files import output_file
from subfit.text.languages import same_language

MATCH_CLASSES = (
    (1.0, "100 %"),
    (0.95, "95–99 %"),
    (0.85, "85–94 %"),
    (0.75, "75–84 %"),
    (0.5, "50–74 %"),
)
"""The bands that CAT tools count matches in, by their least similarity."""
NO_MATCH = "no match"
ALL_CLASSES = (*(name for _, name in MATCH_CLASSES), NO_MATCH)
"""All that a text may fall into, the best first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source and its translation."""

    source: str
    target: str
    origin: str = ""
    """The file it was read from."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that is like a text."""

    entry: Entry
    similarity: float
    """1 − word edits / words of the longer source (Ferreira and Martins, algorithm 1, line 10);
    1 for the same text."""

    @property
    def match_class(self) -> str:
        """The band of its similarity, as CAT tools name it."""
        return match_class(self.similarity)


def match_class(similarity: float) -> str:
    """Return the band that a similarity falls into; `NO_MATCH` below the lowest.

    A text that differs at all, if only in a mark or a capital, is in the second band at most.
    """
    return next((name for least, name in MATCH_CLASSES if similarity >= least), NO_MATCH)


_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]")
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "\u00a0": " "})
NEARLY = 0.99
"""The similarity of texts with the same words that differ in case, marks or spaces."""


def plain(text: str) -> str:
    """Return a text as exact matches compare it: straight quotes, single spaces."""
    return " ".join(text.translate(_PLAIN).split())


def words_and_marks(text: str) -> list[str]:
    """Return the words and marks of a text, in lower case."""
    return [str(word) for word in _WORD.findall(plain(text).lower())]


def similarity(one: str, other: str) -> float:
    """Return how like two texts are, from 0 to 1.

    1 − d / max(words), where d is the edit distance in words and marks (Ferreira and Martins,
    algorithm 1, line 10); 1 only for the same text, `NEARLY` where case or spaces differ.
    """
    if plain(one) == plain(other):
        return 1.0
    return similarity_of_words(words_and_marks(one), words_and_marks(other))


def similarity_of_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how like two texts are that are not the same, by their `words_and_marks`."""
    return min(NEARLY, float(Levenshtein.normalized_similarity(one, other)))


SUFFIX = ".memory"
FORMAT = "3"
RETRIEVED = 50
"""Entries that are retrieved by their words, to be compared with the text in full."""
MOST_POSTINGS = 3000
"""A text's rarest words are looked for, as long as no more entries have them in all: common ones
tell little, and are slow to look for."""
FEWEST_WORDS = 2
"""So many of them are looked for, however common they are."""

_SCHEMA = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, source TEXT NOT NULL,
    target TEXT NOT NULL, origin TEXT NOT NULL, words TEXT NOT NULL, UNIQUE (key, target)
);
CREATE VIRTUAL TABLE postings USING fts5(
    source, content='', tokenize='unicode61 remove_diacritics 0'
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
            telling = " OR ".join(f'"{word}"' for word in self._telling(words, database))
            query = f"SELECT rowid FROM postings(?) ORDER BY rank LIMIT {RETRIEVED}"
            ids = [row[0] for row in database.execute(query, (telling,))] if telling else []
            rows = database.execute(
                "SELECT id, key, words, source, target, origin FROM entries"
                f" WHERE id IN ({','.join(map(str, ids))})"
            ).fetchall()
        found = (
            (1.0 if row[1] == key else similarity_of_words(words, row[2].split()), row)
            for row in rows
        )
        ranked = sorted(found, key=lambda match: (-match[0], -match[1][0]))
        return tuple(
            Match(Entry(*row[3:]), degree) for degree, row in ranked[:most] if degree >= least
        )

    def _telling(self, words: Sequence[str], database: sqlite3.Connection) -> list[str]:
        """The rarest words of a text that the memory has."""
        # The index parts words at everything but letters and digits.
        terms = {term for word in words for term in re.sub(r"[\W_]", " ", word).split()}
        counts = database.execute(
            f"SELECT entries, word FROM frequencies WHERE word IN ({','.join('?' * len(terms))})"
            " ORDER BY entries, word",
            tuple(terms),
        ).fetchall()
        few = sum(total <= MOST_POSTINGS for total in accumulate(count for count, _ in counts))
        return [word for _, word in counts[: max(few, FEWEST_WORDS)]]

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
            key, words = plain(entry.source), " ".join(words_and_marks(entry.source))
            query = "DELETE FROM entries WHERE key = ? AND target = ? RETURNING id, words"
            same = database.execute(query, (key, entry.target)).fetchall()
            database.executemany(
                "INSERT INTO postings (postings, rowid, source) VALUES ('delete', ?, ?)", same
            )
            known, new = known + bool(same), new + (not same)
            row = (key, entry.source, entry.target, entry.origin, words)
            database.execute(
                "INSERT INTO entries (key, source, target, origin, words) VALUES (?, ?, ?, ?, ?)",
                row,
            )
            database.execute(
                "INSERT INTO postings (rowid, source) VALUES (last_insert_rowid(), ?)", (words,)
            )
        database.execute("DELETE FROM frequencies")
        database.execute("INSERT INTO frequencies SELECT term, doc FROM vocabulary")
    return Added(new, known)


def _write(database: sqlite3.Connection, path: Path, *, overwrite: bool) -> None:
    database.commit()
    database.execute("VACUUM")
    with output_file(path, overwrite=overwrite) as file:
        file.write(database.serialize())
    database.close()


def _damaged(path: Path | str, error: Exception) -> InputFileError:
    return InputFileError(
        path,
        f"is no translation memory of subfit, or damaged ({reason_of(error)})",
        remedy="make it anew with 'subfit memory build'",
    )
