"""Entries from two subtitle files of the same programme, and from what someone corrected."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from subfit.errors import InputFileError, UsageError
from subfit.files import read_bytes
from subfit.memory.entry import Entry
from subfit.memory.store import Languages
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup import CueText
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import Sentence, join_cues, parse_cues
from subfit.text.non_speech import split_non_speech
from subfit.text.sentence_ends import without_dots

_Cue = Mapping[str, Any]


def read_subtitle_pair(source: Path, target: Path, languages: Languages) -> Iterator[Entry]:
    """Pair the sentences of a track with what the cues of its translation say.

    A sentence over several cues is paired with all of theirs; a cue in which several speak, turn
    by turn where both sides have as many. What cannot be paired so gives no entry.

    Raises:
        InputFileError: A file cannot be read.
        UsageError: The files cannot be paired.
    """
    tracks = (
        read_track(source, source_language=languages.source),
        read_track(target, source_language=languages.target),
    )
    if tracks[0].spoken or tracks[1].spoken:
        raise UsageError(f"{source}:{target}: dubbing scripts are no pair; name subtitle files")
    yield from _paired(*tracks, languages, target.name)


def _paired(source: Track, target: Track, languages: Languages, origin: str) -> Iterator[Entry]:
    texts, others = (parse_cues(track.cues, track.format) for track in (source, target))
    targets_of = _targets(source, target)
    sentences = join_cues(source.cues, texts, language=languages.source)
    speaking = _sentences_by_cue(sentences, len(texts))
    for sentence in sentences:
        cues = sorted({part.cue for part in sentence.parts})
        alone = all(len(speaking[cue]) == 1 for cue in cues)
        if alone:
            said = _said(cues, targets_of, others)
        elif len(cues) == 1:
            said = _turn(sentence.parts[0].turn, texts[cues[0]], targets_of[cues[0]], others)
        else:
            said = ""
        if said:
            yield Entry(sentence.text, said, origin)


def _targets(source: Track, target: Track) -> list[tuple[int, ...]]:
    """The translated cues of every source cue; none where they belong to others' too."""
    pairing = pair_tracks(target, source)
    targets: list[tuple[int, ...]] = [()] * len(source.cues)
    for translated, sources in enumerate(pairing.sources):
        if len(sources) == 1:
            targets[sources[0]] += (translated,)
    return targets


def _sentences_by_cue(sentences: Sequence[Sentence], cues: int) -> list[list[Sentence]]:
    speaking: list[list[Sentence]] = [[] for _ in range(cues)]
    for sentence in sentences:
        for cue in {part.cue for part in sentence.parts}:
            speaking[cue].append(sentence)
    return speaking


def _said(
    cues: Sequence[int], targets_of: Sequence[tuple[int, ...]], others: Sequence[CueText]
) -> str:
    """What the translations of some cues say, if each has one in a single turn."""
    turns = [turn.text for cue in cues for other in targets_of[cue] for turn in others[other].turns]
    whole = all(len(targets_of[cue]) == 1 for cue in cues) and len(turns) == len(cues)
    return " ".join(turns) if whole else ""


def _turn(turn: int, text: CueText, targets: tuple[int, ...], others: Sequence[CueText]) -> str:
    """What a speaker says in the translation of a cue with as many speakers."""
    if len(targets) != 1 or len(others[targets[0]].turns) != len(text.turns):
        return ""
    return others[targets[0]].turns[turn].text


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


def _pairs(cues: Sequence[_Cue]) -> Iterator[tuple[str, str]]:
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
