"""Subtitles for the deaf and hard of hearing in another language's labels, or for a hearing one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from subfit.subtitles.cues import Track
from subfit.subtitles.formats.layout import with_parts
from subfit.text.sound_labels import translated_labels, without_labels

SdhWish = Literal["keep", "translate", "remove"]
"""What becomes of labels such as ``[DOOR SLAMS]`` and ``MAN:``."""


@dataclass(frozen=True, slots=True)
class DroppedCue:
    """A cue that was nothing but labels."""

    number: int
    """1 for the first cue of the source."""
    line: int
    start: int
    """In-time in milliseconds."""
    text: str


@dataclass(frozen=True, slots=True)
class Labels:
    """What became of the labels of a track."""

    wish: SdhWish
    changed: int
    """Labels that were translated, or taken out."""
    unknown: tuple[tuple[str, int], ...] = ()
    """Labels in brackets that stay since they are not known, with how often."""
    dropped: tuple[DroppedCue, ...] = ()
    """Cues that were nothing else; those behind them have other numbers."""


@dataclass(frozen=True, slots=True)
class LabelledTrack:
    """A track as it is to be translated, and as it was."""

    track: Track
    source: Track
    """The cues of ``track`` with their labels."""
    labels: Labels | None = None
    """None where nothing was asked for."""

    @property
    def shown(self) -> Track:
        """The track to show beside the translation: with its own labels, if that has any."""
        removed = self.labels is not None and self.labels.wish == "remove"
        return self.track if removed else self.source


def with_labels(
    track: Track, wish: SdhWish, language: str, source_language: str = "en"
) -> LabelledTrack:
    """Translate the labels of a track that are known, or take all out.

    Args:
        track: Subtitles; other tracks stay as they are.
        wish: What is asked for.
        language: Tag of the target language.
        source_language: Tag of the track's.
    """
    if wish == "keep" or not track.timed:
        return LabelledTrack(track, track)
    cues = [
        without_labels(cue.text, source_language)
        if wish == "remove"
        else translated_labels(cue.text, language, source_language)
        for cue in track.cues
    ]
    gone = {
        number
        for number, (cue, new) in enumerate(zip(track.cues, cues, strict=True))
        if wish == "remove" and new.labels and not new.text and cue.text
    }
    unknown = Counter(label for new in cues for label in new.kept)
    labels = Labels(
        wish,
        sum(len(new.labels) for new in cues),
        tuple(unknown.most_common()),
        tuple(
            DroppedCue(number + 1, cue.line, cue.start, " ".join(cue.text.split()))
            for number, cue in enumerate(track.cues)
            if number in gone
        ),
    )
    source = with_parts(track, [() if n in gone else (cue,) for n, cue in enumerate(track.cues)])
    kept = [new.text for number, new in enumerate(cues) if number not in gone]
    return LabelledTrack(source.with_texts(kept), source, labels)
