"""``subfit tracks``: the subtitles in a video file, listed, taken out and added."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json
from subfit.cli.parameters import FILE, language_in_name
from subfit.errors import InputFileError, UsageError
from subfit.files import check_writable, write_bytes
from subfit.subtitles.cues import FORMATS
from subfit.subtitles.formats import format_of
from subfit.subtitles.video import CONTAINERS, VideoTrack, add, extract, subtitle_tracks
from subfit.text.languages import same_language
from subfit.version import __version__


@click.command()
@click.argument("video", metavar="VIDEO", type=FILE)
@click.option("--track", metavar="N|TAG", help="Take out this one: its number, or its language.")
@click.option(
    "--add", "added", multiple=True, type=FILE, metavar="FILE",
    help="Subtitles to add, their language in the name; repeatable.",
)  # fmt: skip
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE",
    help="File to write.  [default: with --track, as VIDEO with the language, as film.en.srt]",
)  # fmt: skip
@options.overwrite_option("Replace it.")
@options.json_option
@options.quiet_option
def tracks(
    video: Path,
    track: str | None,
    added: tuple[Path, ...],
    output: Path | None,
    overwrite: bool,
    json: bool,
    quiet: bool,
) -> None:
    """List the subtitle tracks of a video file, take one out, or add some.

    A track is taken out as it is; the suffix of -o chooses another format. With --add the whole
    video is copied to -o, and nothing is encoded anew.
    """
    messages = Messages(data_on_stdout=False, quiet=quiet or json)
    if added:
        if track is not None or output is None:
            raise UsageError("--add needs -o with the video to write, and goes without --track")
        if output.suffix.lower() not in CONTAINERS:
            raise UsageError(f"--output {output}: use one of {', '.join(CONTAINERS)}")
        check_writable(output, overwrite=overwrite)
        files = [(file, language_in_name(file.name)) for file in added]
        for number, kind in add(video, files, output, overwrite=overwrite):
            messages.warning(f"{video}: stream {number} ({kind}) is left out")
    elif track is None and output is not None:
        raise UsageError("-o needs --track or --add")
    elif track is not None:
        found = _chosen(video, subtitle_tracks(video), track)
        output = output or _name(video, found)
        check_writable(output, overwrite=overwrite)
        data = extract(video, found, format_of(output))
        write_bytes(output, data, overwrite=overwrite)
    else:
        _list(video, subtitle_tracks(video), messages, json)
        return
    messages.say(f"{video} -> {output}")
    if json:
        print_json({"subfit": __version__, "input": str(video), "output": str(output)})


def _chosen(video: Path, tracks: list[VideoTrack], wanted: str) -> VideoTrack:
    """The track of a number or language; an error says what there is."""
    if wanted.isdecimal():
        fits = [track for track in tracks if track.number == int(wanted)]
    else:
        fits = [each for each in tracks if same_language(each.language, wanted) and each.format]
    if len(fits) != 1:
        shown = fits or tracks
        listed = ", ".join(_told(track) for track in shown) or "none"
        problem = "several tracks are" if fits else "it has no subtitle track"
        raise UsageError(f"{video}: {problem} {wanted}; give the number of one: {listed}")
    if fits[0].format is None:
        problem = f"track {wanted} ({fits[0].codec}) cannot be read as text"
        problem += ": its cues are pictures" if fits[0].pictures else ""
        raise InputFileError(video, problem)
    return fits[0]


def _told(track: VideoTrack) -> str:
    marks = [each for each in (track.language, track.title, *track.marks) if each]
    return f"{track.number} ({', '.join(marks)})"


def _name(video: Path, track: VideoTrack) -> Path:
    """A video's name, with the track's language and marks, and the suffix of its format."""
    assert track.format is not None
    language = () if track.language == "und" else (track.language,)
    suffix = FORMATS[track.format].suffixes[0]
    return video.with_name(".".join((video.stem, *language, *track.marks)) + suffix)


def _list(video: Path, tracks: list[VideoTrack], messages: Messages, json: bool) -> None:
    if json:
        listed = [asdict(track) for track in tracks]
        print_json({"subfit": __version__, "input": str(video), "tracks": listed})
        return
    if not tracks:
        messages.say(f"{video}: it has no subtitle tracks")
        return
    headings = ("track", "language", "codec", "title", "marks", "cues")
    messages.table(headings, map(_row, tracks), texts={*headings} - {"track"})


def _row(track: VideoTrack) -> tuple[str, ...]:
    unreadable = "pictures: cannot be read as text" if track.pictures else "cannot be read as text"
    marks = ", ".join((*(("default",) if track.default else ()), *track.marks))
    cues = f"{track.cues}" if track.format else unreadable
    return (str(track.number), track.language, track.codec, track.title, marks, cues)
