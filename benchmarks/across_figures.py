"""What translations of timed files are worth, cue by cue and sentence by sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.phrases import PhraseBreaks, cue_breaks, phrase_breaks
from subfit.evaluation.metrics import translation_quality
from subfit.evaluation.significance import paired_test
from subfit.limits.guideline import Guideline
from subfit.localization import Localization
from subfit.reporting.totals import totals_of
from subfit.subtitles.cues import Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.joining import join_cues
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.pairing import pair_tracks
from subfit.subtitles.sentences import Sentence, parse_cues

UNTRANSLATED = 0.5
"""A reference file with more of its source's texts than this share is none."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file with what its translations are compared with."""

    path: Path
    track: Track
    sentences: tuple[Sentence, ...]
    """As joined over cues, whichever way it is translated."""

    @classmethod
    def read(cls, path: Path, language: str) -> Source:
        """Read a file in the source language."""
        track = read_track(path, source_language=language)
        texts = parse_cues(track.cues, track.format)
        return cls(path, track, join_cues(track.cues, texts, language=language))

    def references(self, source_language: str, language: str) -> dict[int, str]:
        """Return the text of the reference by source cue, where one cue stands for one."""
        name = self.path.name.replace(f".{source_language}.", f".{language}.")
        path = self.path.with_name(name)
        if name == self.path.name or not path.is_file():
            return {}
        other = read_track(path, source_language=language)
        ours = [_plain(self.track, index) for index in range(len(self.track.cues))]
        theirs = [_plain(other, index) for index in range(len(other.cues))]
        pairs = {
            indices[0]: theirs[number]
            for number, indices in enumerate(pair_tracks(other, self.track).sources)
            if len(indices) == 1 and theirs[number] and ours[indices[0]]
        }
        same = sum(ours[index] == text for index, text in pairs.items())
        return {} if same > UNTRANSLATED * len(pairs) else pairs


def _plain(track: Track, index: int) -> str:
    text = parse_cue_text(track.cues[index].text, track.format)
    return " ".join(turn.text for turn in text.turns) if text.kind == "speech" else ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Texts to compare with references, one for each unit, in both ways of translating."""

    sources: list[str]
    references: list[str]
    ways: tuple[list[str], list[str]]


def compared(
    files: Sequence[tuple[Source, dict[int, str], tuple[Localization, Localization]]],
    *,
    sentences: bool,
) -> Compared:
    """Collect what can be compared: single cues, or all cues of a sentence joined by spaces."""
    found = Compared([], [], ([], []))
    for source, references, ways in files:
        if sentences:
            units = [tuple({part.cue: None for part in each.parts}) for each in source.sentences]
        else:
            units = [(index,) for index in references]
        for unit in units:
            done = all(way.outcomes[index].target for way in ways for index in unit)
            if not done or not all(index in references for index in unit):
                continue
            found.sources.append(" ".join(_plain(source.track, index) for index in unit))
            found.references.append(" ".join(references[index] for index in unit))
            for way, texts in zip(ways, found.ways, strict=True):
                texts.append(" ".join(way.outcomes[i].target.replace("\n", " ") for i in unit))
    return found


def quality(texts: Compared, trials: int) -> dict[str, Any] | None:
    """Return BLEU, BLEU* and chrF of both ways and the p-values of their differences."""
    if not texts.references:
        return None
    apart, joined = texts.ways
    test = paired_test(
        apart, joined, sources=texts.sources, references=texts.references, trials=trials
    )
    return {
        "units": len(texts.references),
        "cue by cue": translation_quality(apart, texts.references).to_dict(),
        "sentences": translation_quality(joined, texts.references).to_dict(),
        "significance": test.to_dict(),
    }


def figures(
    sources: Sequence[Source], done: Sequence[Localization], guideline: Guideline
) -> dict[str, Any]:
    """Return what needs no reference: totals of reports, and breaks."""
    breaks = PhraseBreaks()
    for source, each in zip(sources, done, strict=True):
        shown = [
            outcome.target if outcome.status in ("fits", "overflow") else ""
            for outcome in each.outcomes
        ]
        breaks += phrase_breaks(shown, cue_breaks(source.sentences), guideline.language)
    cues = [cue for each in done for cue in each.report.cues]
    return {
        "totals": totals_of(cues, guideline),
        "breaks": breaks.to_dict(),
        "joined": sum(bool(cue.joined) for cue in cues),
    }
