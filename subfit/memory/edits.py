"""Entries from what someone corrected on the page of a report, handed out as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes
from subfit.memory.entry import Entry
from subfit.memory.store import Languages
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.text.non_speech import split_non_speech
from subfit.text.sentence_ends import without_dots

Cue = Mapping[str, Any]


def read_edits(path: Path, languages: Languages) -> Iterator[Entry]:
    """Read the sentences of edited cues, as they were left.

    A sentence over several cues is whole, whichever of them were edited; of a cue in which several
    speak there is an entry for each, where both sides have as many.

    Raises:
        InputFileError: It is no such file.
        UsageError: It is of other languages.
    """
    document = _document(path)
    stated = document.get("languages") or {}
    source, target = stated.get("source"), stated.get("target")
    if source and target and not Languages(source, target).like(languages):
        raise UsageError(
            f"{path} has edits of {source} to {target}, not of {languages.source} to"
            f" {languages.target}"
        )
    origin = Path(document.get("output") or path.name).name
    try:
        for sentence in document["sentences"]:
            for ours, theirs in _pairs(sentence["cues"]):
                yield Entry(ours, theirs, origin)
    except (KeyError, TypeError, AttributeError) as error:
        raise _no_edits(path) from error


def _document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise _no_edits(path) from error
    if not isinstance(document, dict) or "edits" not in document:
        raise _no_edits(path)
    if "sentences" not in document:
        raise InputFileError(
            path,
            "has edits of a page of an older subfit, without their sentences",
            remedy="name the two subtitle files instead, as movie.en.srt:movie.de.srt",
        )
    return document


def _pairs(cues: Sequence[Cue]) -> Iterator[tuple[str, str]]:
    """Yield what is said in some cues that belong together, with its translation."""
    ours, theirs = [_turns(cue["source"]) for cue in cues], [_turns(cue["target"]) for cue in cues]
    if len(cues) == 1:
        if len(ours[0]) == len(theirs[0]):
            yield from zip(ours[0], theirs[0], strict=True)
    elif all(len(turns) == 1 for turns in (*ours, *theirs)):
        yield _joined([turns[0] for turns in ours]), _joined([turns[0] for turns in theirs])


def _turns(text: str) -> list[str]:
    """What each speaker of a cue says, without what is not said."""
    turns = parse_cue_text(text, "srt").turns
    return [split_non_speech(turn.text)[1] for turn in turns]


def _joined(texts: Sequence[str]) -> str:
    """The texts of a sentence's cues in one, without the dots that show it running on."""
    *others, last = texts
    ended = [without_dots(text, at_end=True)[0] for text in others]
    first, *later = [*ended, last]
    return " ".join([first, *(without_dots(text, at_end=False)[0] for text in later)])


def _no_edits(path: Path) -> InputFileError:
    return InputFileError(
        path, "has no edits of a report's page", remedy="download them there with 'Edits as JSON'"
    )
