"""Entries from two subtitle files of the same programme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from subfit.errors import UsageError
from subfit.memory.entry import Entry
from subfit.memory.store import Languages
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.joining import join_cues
from subfit.subtitles.markup.cuetext import CueText
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import Sentence, parse_cues


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
