"""The sentences that benchmarks translate: those of the challenge set and of the example files."""

from __future__ import annotations

from pathlib import Path

from benchmarks.challenge.cases import read_cases
from subfit.subtitles.cues import Cue
from subfit.subtitles.formats import read_track
from subfit.subtitles.sentences import join_cues, parse_cues

EXAMPLES = Path(__file__).parent.parent / "examples"


def own_sentences() -> list[str]:
    """Return English sentences as they stand in subtitles, without markup, none of them twice."""
    cues = [
        # Cues of a case follow each other; the cases are too far apart to be joined.
        Cue(
            start=20_000 * number + 2000 * place,
            end=20_000 * number + 2000 * place + 1900,
            text=each,
        )
        for number, case in enumerate(read_cases())
        for place, each in enumerate(case.source)
    ]
    tracks = [(tuple(cues), "srt")]
    for path in sorted([*EXAMPLES.glob("*.en.srt"), *EXAMPLES.glob("*.en.vtt")]):
        track = read_track(path)
        tracks.append((track.cues, track.format))
    sentences = [
        sentence.spoken
        for cues, form in tracks
        for sentence in join_cues(cues, parse_cues(cues, form))
    ]
    return list(dict.fromkeys(sentences))
