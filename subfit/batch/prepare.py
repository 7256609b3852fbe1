"""What can be found out about a file before it is translated: it is read and held to its limits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from subfit.batch.items import Source
from subfit.batch.setup import RunSetup
from subfit.errors import UsageError
from subfit.limits.guideline import Guideline
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, render_track, written_format
from subfit.subtitles.formats.convert import conversion_losses
from subfit.subtitles.pairing import check_bilingual
from subfit.subtitles.timecodes import parse_shot_changes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read, and what it is to be held against."""

    source: Source
    track: Track
    guideline: Guideline
    output_format: FormatName

    def render(self, track: Track, output_encoding: str | None) -> bytes:
        """Return the bytes of the output file."""
        return render_track(
            track,
            output_format=self.output_format,
            output_encoding=output_encoding,
            name=self.source.item.target,
        )


def prepare(source: Source, setup: RunSetup) -> Prepared:
    """Parse a file and check that its translation can be written.

    Raises:
        InputFileError: It is no subtitle file, or the list of its shot changes is none.
        OutputFileError: Its encoding cannot hold its markup.
        UsageError: It cannot become what the output's name says.
    """
    item, job = source.item, setup.job
    track = job.reading.parse(source.data, item.source, job.source_language)
    guideline = setup.guidelines[item.language, track.timed]
    if job.options.timing == "extend" and track.spoken:
        raise UsageError(
            f"{item.source}: the times of a dubbing script are those of the speech; "
            "--timing extend is for subtitles"
        )
    if setup.pivot is not None and track.spoken:
        raise UsageError(f"{item.source}: dubbing scripts are not translated through English")
    if source.shot_changes is not None:
        shots = parse_shot_changes(
            source.shot_changes, item.shot_changes or "-", guideline.frame_rate
        )
        track = replace(track, shot_changes=shots)
    suffix = "" if item.to_stdout else Path(item.target).suffix.lower()
    output_format = FORMAT_OF_SUFFIX.get(suffix, written_format(track.format))
    losses = conversion_losses(track, output_format)
    track = replace(track, repairs=(*track.repairs, *losses))
    prepared = Prepared(source, track, guideline, output_format)
    if job.writing.bilingual is not None:
        check_bilingual({track.format, output_format})
    # Written once without words: it tells of unknown encodings and impossible conversions.
    prepared.render(track.with_texts([""] * len(track.cues)), job.writing.output_encoding)
    return prepared
