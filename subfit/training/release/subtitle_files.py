"""A released model on subtitle files: what of them fits, and cues to look at."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from subfit.errors import InputFileError
from subfit.limits.guideline import Guideline
from subfit.localization import OnProgress, Options, localize
from subfit.reporting.lengths import plain_data
from subfit.reporting.totals import totals_of
from subfit.reporting.verdicts import CueVerdict
from subfit.subtitles.cues import FORMATS, Track
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, parse_track, read_track, render_track
from subfit.training.release.measurements import Slot, Step
from subfit.training.release.model_under_test import ModelUnderTest

GUIDELINE = "netflix"
SHOWN = 5
"""Cues that are shown of each kind."""
FEWEST = 20
"""Characters of a source from which on it is worth showing that the model is sure of it."""


@dataclass(frozen=True, slots=True)
class SubtitleFolder:
    """Subtitle files that are translated and measured together."""

    folder: Path
    tracks: dict[str, Track]
    """The tracks by file name."""
    shown: bool
    """Whether their texts may stand in the card."""

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.folder.resolve().name

    @property
    def checksum(self) -> str:
        """SHA-256 of all files."""
        data = b"".join((self.folder / name).read_bytes() for name in self.tracks)
        return hashlib.sha256(data).hexdigest()


def find_subtitles(folder: Path, source_language: str, *, shown: bool) -> SubtitleFolder:
    """Read the subtitle files of a folder that are in the source language by their names.

    Args:
        folder: Files such as ``film.en.srt`` are taken from it.
        source_language: Its tag is what stands before the suffix.
        shown: Whether cues may be shown.

    Raises:
        InputFileError: There are none, or one cannot be read.
    """
    timed = (suffix for suffix, name in FORMAT_OF_SUFFIX.items() if FORMATS[name].timed)
    ends = tuple(f".{source_language}{suffix}" for suffix in timed)
    files = sorted(path for path in folder.glob("*") if path.name.endswith(ends))
    if not files:
        raise InputFileError(folder, f"no subtitle files such as film{ends[0]} in it")
    tracks = {path.name: read_track(path, source_language=source_language) for path in files}
    return SubtitleFolder(folder, tracks, shown)


def subtitle_step(tested: ModelUnderTest, language: str, subtitles: SubtitleFolder) -> Step:
    """Return the measuring of subtitle files for one of the model's languages."""
    words = [*tested.options(language), "--guideline", GUIDELINE, "--model", tested.checkpoint.name]
    files = f"{shlex.quote(subtitles.name)}/*.{tested.pair(language)[0]}.*"
    return Step(
        Slot("files", language, subtitles.name),
        {"files": subtitles.checksum, "guideline": GUIDELINE, "shown": subtitles.shown},
        f"subfit translate {files} {shlex.join(words)}",
        sum(len(track.cues) for track in subtitles.tracks.values()),
        partial(_figures, tested, language, subtitles),
    )


def _figures(
    tested: ModelUnderTest, language: str, subtitles: SubtitleFolder, on_progress: OnProgress
) -> dict[str, Any]:
    source, target = tested.pair(language)
    guideline, options = Guideline.load(GUIDELINE, target), Options(source_language=source)
    translator = tested.translator(language, str(subtitles.folder), guideline.counting)
    cues: list[CueVerdict] = []
    done = same = 0
    size = sum(len(track.cues) for track in subtitles.tracks.values())
    for name, track in subtitles.tracks.items():
        localized = localize(track, translator, guideline, options)
        cues += localized.report.cues
        same += _same_times(track, localized.track, name)
        done += len(track.cues)
        on_progress(done, size)
    figures = {
        "files": len(subtitles.tracks),
        "guideline": guideline.name,
        "same_times": same,
        **totals_of(cues, guideline),
        **({"shown": _shown(cues)} if subtitles.shown else {}),
    }
    return dict(plain_data(figures))


def _same_times(source: Track, translation: Track, name: str) -> int:
    """Count the cues that have their source's times in the file as written and read again."""
    again = parse_track(render_track(translation), name=name, format=translation.format)
    times = zip(source.cues, again.cues, strict=False)
    return sum((one.start, one.end) == (other.start, other.end) for one, other in times)


def _shown(cues: Sequence[CueVerdict]) -> dict[str, list[dict[str, Any]]]:
    """Choose cues to show, by rules that no taste comes into; none is shown twice."""
    translated = [cue for cue in cues if cue.translated and cue.natural_characters]
    shortened = [cue for cue in translated if cue.natural_excess and not cue.joined]
    long = [cue for cue in translated if cue.source_characters >= FEWEST]
    lists: dict[str, list[CueVerdict]] = {}
    for name, order in (
        ("shortened", sorted(shortened, key=_share_of_natural)),
        ("unsure", sorted(translated, key=_score)),
        ("sure", sorted(long, key=_score, reverse=True)),
    ):
        taken = [cue for chosen in lists.values() for cue in chosen]
        lists[name] = [cue for cue in order if cue not in taken][:SHOWN]
    return {name: [_cue(cue) for cue in chosen] for name, chosen in lists.items()}


def _share_of_natural(cue: CueVerdict) -> float:
    return cue.characters / (cue.natural_characters or 1)


def _score(cue: CueVerdict) -> float:
    return 0.0 if cue.score is None else cue.score


def _cue(cue: CueVerdict) -> dict[str, Any]:
    return {
        "source": cue.outcome.source,
        "target": cue.outcome.target,
        "natural": cue.outcome.natural,
        "characters": cue.characters,
        "budget": cue.most_characters,
        "natural_characters": cue.natural_characters,
        "score": cue.score,
    }
