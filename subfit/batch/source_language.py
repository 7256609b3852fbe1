"""The language of the input: guessed where the user does not say it, doubted where texts belie."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from subfit.batch.inputs import FileChoice, find_inputs, is_pattern
from subfit.batch.items import STREAM
from subfit.errors import SubfitError, UsageError
from subfit.subtitles.cues import Repair, Track
from subfit.subtitles.formats.naming import named_language
from subfit.text.guessing import LANGUAGES, guess_language
from subfit.text.languages import primary_language, same_language

DEFAULT = "en"
"""What input is in, where nothing tells."""
FEWEST_CUES = 10
"""Cues of a file that is said to be in another language than it is taken for, at least."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A language, and what tells it."""

    language: str
    why: str = ""
    """Empty where nothing does, and where it is what anybody would take it for."""

    def explaining(self, message: str) -> str:
        """Return what is wrong, and behind it what told the language if that is spoken of."""
        named = (
            rf"(?:\b(?:for|from|to)|(?<!\w)-[st]) {re.escape(self.language)}\b"  # "leave it out"
        )
        if not self.why or not re.search(named, message):
            return message
        return f"{message} ({self.why} says {self.language}; -s names another)"


def guess_source(inputs: Sequence[str], targets: Sequence[str] = ()) -> Guess:
    """Tell the language of what is to be translated.

    The names of the files go first (``film.de.srt``), but for languages that are translated into:
    such a file may be one that was named ahead. Where a file's name says nothing, its text does.
    Of folders, English files are translated where there are any.

    Args:
        inputs: Files, folders, patterns, or ``-``, as the user named them.
        targets: Tags of the languages that are translated into.

    Raises:
        UsageError: The names of several files say several languages, none of them English.
    """
    named = {language: path for path in _paths(inputs) if (language := _named(path, targets))}
    if any(same_language(language, DEFAULT) for language in named):
        return Guess(DEFAULT)
    if len(named) > 1:
        languages = ", ".join(
            f"{path.name} ({language})" for language, path in sorted(named.items())
        )
        raise UsageError(f"the inputs' names say several languages: {languages}; say which with -s")
    unnamed = [Path(name) for name in inputs if _is_plain(name) and not named_language(Path(name))]
    if named and not unnamed:
        ((language, path),) = named.items()
        return Guess(language, f"the name of {path.name}")
    texts = {path: guess for path in unnamed[:1] if (guess := _language_of_text(path))}
    for path, language in texts.items():
        if language != DEFAULT and not any(same_language(language, target) for target in targets):
            return Guess(language, f"the text of {path.name}")
    return Guess(DEFAULT)


def misnamed(track: Track, language: str) -> tuple[Repair, ...]:
    """Tell of a file whose text reads like another language than the one it is taken for.

    Of a folder of films one may be named for a language that it is not in.

    Args:
        track: The file.
        language: Tag of the language that it is translated from.

    Returns:
        One remark, or none: also of short files, and where one of the languages is not among
        `subfit.text.guessing.LANGUAGES`.
    """
    texts = [cue.text for cue in track.cues]
    guess = guess_language(" ".join(texts)) if len(texts) >= FEWEST_CUES else None
    known = primary_language(language)
    if guess is None or known not in LANGUAGES or guess == known:
        return ()
    problem = f"the text reads like {guess}, and is translated from {language}; -s names another"
    return (Repair(1, problem),)


def _paths(inputs: Sequence[str]) -> list[Path]:
    """All files that are meant, whatever language their names say."""
    given = [name for name in inputs if name != STREAM and name]
    try:
        return [Path(file.path) for file in find_inputs(given, FileChoice(None)).files]
    except UsageError:  # what is wrong with them is told where they are read
        return []


def _named(path: Path, targets: Sequence[str]) -> str | None:
    named = named_language(path)
    if named is None or any(same_language(named, target) for target in targets):
        return None
    return named


def _is_plain(name: str) -> bool:
    return bool(name) and name != STREAM and not is_pattern(name) and not Path(name).is_dir()


def _language_of_text(path: Path) -> str | None:
    """The language of a file's text; None if it tells nothing, or cannot be read."""
    from subfit.subtitles.formats import read_track

    try:
        return guess_language(" ".join(cue.text for cue in read_track(path).cues))
    except SubfitError:  # told where it is read
        return None
