"""Subtitle tracks of video files: listed, written as subtitle files, and added.

Streams are numbered as players, FFmpeg and MKVToolNix number them: from 0, over all kinds. Nothing
is encoded anew but text between SubRip and the timed text of MP4 (``mov_text``).
"""

from __future__ import annotations

import heapq
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from subfit.errors import InputFileError, OutputFileError, UsageError, reason_of
from subfit.files import output_file
from subfit.subtitles.cues import Cue
from subfit.subtitles.formats import parse_track, read_track, render_track
from subfit.subtitles.formats.convert import convert_track
from subfit.text.languages import primary_language, three_letters

if TYPE_CHECKING:
    from av import Packet
    from av.container import InputContainer, OutputContainer
    from av.subtitles.stream import SubtitleStream

CONTAINERS = {".mkv": "matroska", ".mks": "matroska", ".webm": "webm", ".mp4": "mp4", ".m4v": "mp4"}
"""Suffixes of files that subtitles can be added into, and FFmpeg's names of what they are."""
_WRITTEN = {"matroska": {"srt": "srt", "vtt": "vtt", "ass": "ass"}, "webm": {"vtt": "vtt"}}
"""Formats that are added as they are, by container; others are made SubRip, in WebM WebVTT."""
_FFMPEG = {"vtt": "webvtt"}
"""What FFmpeg calls a format, where it is another name than ours."""
_FORMATS = {"subrip": "srt", "text": "srt", "mov_text": "srt", "ass": "ass", "webvtt": "vtt"}
"""Formats that text tracks are written in, by FFmpeg's name of the codec."""
_MARKS = {"forced": "forced", "sdh": "hearing_impaired"}
"""Marks in file names, and FFmpeg's names of what they say."""


@dataclass(frozen=True, slots=True)
class VideoTrack:
    """A subtitle track of a video file."""

    number: int
    """Of its stream, from 0."""
    language: str
    """Two-letter code, or what the file has; ``und`` if nothing is told."""
    codec: str
    title: str
    default: bool
    marks: tuple[str, ...]
    """What is told of it that file names tell, too: ``forced``, ``sdh``."""
    format: str | None
    """Format that it is written in; None if it cannot be read as text."""
    pictures: bool
    """Whether its cues are pictures."""
    cues: int | None
    """None where they are not text."""


def subtitle_tracks(path: Path) -> list[VideoTrack]:
    """List the subtitle tracks of a video file, which is read whole to count their cues.

    Raises:
        InputFileError: It is no video file, or is damaged.
    """
    with _opened(path) as video:
        streams = video.streams.subtitles
        counts = dict.fromkeys((stream.index for stream in streams), 0)
        for packet in video.demux(*streams) if streams else ():
            # MP4 has samples without text between cues: their length, which is 0, in two bytes.
            bare = 2 if _codec(packet.stream) == "mov_text" else 0
            counts[packet.stream.index] += packet.pts is not None and packet.size > bare
        return [_described(stream, counts[stream.index]) for stream in streams]


def _codec(stream: Any) -> str:
    context = stream.codec_context
    return "unknown" if context is None else str(context.codec.canonical_name)


def _described(stream: SubtitleStream, count: int) -> VideoTrack:
    codec, told = _codec(stream), stream.metadata.get("language") or "und"
    boxed = codec == "webvtt" and "mp4" in stream.container.format.name
    format = None if boxed else _FORMATS.get(codec)
    handler = stream.metadata.get("handler_name", "")  # what MP4 has for a title
    return VideoTrack(
        number=stream.index,
        language=primary_language(told) or told,
        codec=codec,
        title=stream.metadata.get("title") or ("" if handler.endswith("Handler") else handler),
        default="default" in _dispositions(stream),
        marks=tuple(mark for mark, name in _MARKS.items() if name in _dispositions(stream)),
        format=format,
        pictures=codec != "unknown" and stream.codec_context.codec.bitmap_sub,
        cues=count if format else None,
    )


def _dispositions(stream: Any) -> set[str]:
    return {str(flag.name) for flag in stream.disposition}


def extract(path: Path, track: VideoTrack, format: str | None = None) -> bytes:
    """Return a text track as a subtitle file.

    Args:
        path: The video file.
        track: One of its tracks that has a format.
        format: Another one to write it in.

    Raises:
        InputFileError: The video is damaged.
    """
    assert track.format is not None
    file = io.BytesIO()
    with _opened(path) as video:
        stream: Any = video.streams[track.number]
        packets: Iterable[Packet[Any]] = (
            each for each in video.demux(stream) if each.pts is not None
        )
        with _container(file, "w", _FFMPEG.get(track.format, track.format)) as output:
            if track.codec == "mov_text":
                written: Any = output.add_stream("subrip")
                packets = _encoded(packets, stream, written)
            else:
                written = output.add_stream_from_template(stream)
            for packet in packets:
                packet.stream = written
                output.mux(packet)
    if format is None or format == track.format:
        return file.getvalue()
    read = parse_track(file.getvalue(), name=str(path), format=track.format)
    return render_track(read, output_format=format, name=str(path))


def add(
    path: Path, files: Sequence[tuple[Path, str]], output: Path, *, overwrite: bool
) -> list[tuple[int, str]]:
    """Write a video file with subtitles added; its own streams are copied, not encoded anew.

    Chapters, attachments and what is told of the file and its streams are copied as well.

    Args:
        path: The video file.
        files: Subtitle files, and the language of each.
        output: The file to write; its suffix is one of ``CONTAINERS``.
        overwrite: Whether it may be replaced.

    Returns:
        Numbers and kinds of streams that are left out: they hold neither pictures, sound nor text.

    Raises:
        InputFileError: A file cannot be read.
        OutputFileError: The output cannot be written, or has no place for a stream.
        UsageError: A subtitle file has no times.
    """
    kind = CONTAINERS[output.suffix.lower()]
    read = [(file, language, *_rendered(file, language, kind)) for file, language in files]
    with _opened(path) as video, output_file(output, overwrite=overwrite) as file:
        with _container(file, "w", kind) as written:
            copies = _copies(video, written, output)
            _write(video, written, copies, [_added(*each, written) for each in read], output)
        left = [each for each in video.streams if each.index not in copies]
        told = video.chapters()  # which MP4 has as a stream of data as well
        return [(each.index, each.type) for each in left if not (told and each.name == "bin_data")]


def _rendered(file: Path, language: str, kind: str) -> tuple[str, bytes]:
    """The format that a subtitle file is added in, and the file in it."""
    track = read_track(file, source_language=None if language == "und" else language)
    if not track.timed:
        raise UsageError(f"{file}: it has no times; a video needs subtitles that have")
    format = _WRITTEN.get(kind, {}).get(track.format, "vtt" if kind == "webm" else "srt")
    if kind == "mp4":
        track = convert_track(track, format)
        track = replace(track, cues=tuple(_one_at_a_time(track.cues)), layout=None)
    data = render_track(track, output_format=format, output_encoding="utf-8", name=str(file))
    return format, data


def _one_at_a_time(cues: Sequence[Cue]) -> Iterator[Cue]:
    """Share out times at which several cues are shown, which MP4 has no place for."""
    lasting = (replace(cue, end=max(cue.end, cue.start + 1)) for cue in cues)
    later = sorted(lasting, key=lambda cue: cue.start)
    bounds = sorted({time for cue in later for time in (cue.start, cue.end)})
    shown = list[Cue]()
    for start, end in pairwise(bounds):
        shown = [cue for cue in shown if cue.end > start]
        while later and later[0].start == start:
            shown.append(later.pop(0))
        if shown:
            text = "\n".join(cue.text for cue in shown)
            yield replace(shown[0], start=start, end=end, text=text)


def _copies(video: InputContainer, written: OutputContainer, output: Path) -> dict[int, Any]:
    """Make the streams that a video's own are copied into, by number, and what is told of all."""
    written.metadata.update(video.metadata)
    written.set_chapters(video.chapters())
    copies: dict[int, Any] = {}
    for stream in video.streams:
        if stream.type not in ("video", "audio", "subtitle", "attachment"):
            continue
        try:
            copy = written.add_stream_from_template(stream, opaque=True)
        except ValueError as error:
            problem = f"has no place for stream {stream.index} ({error})"
            remedy = f"give it the suffix {Path(video.name).suffix}"
            raise OutputFileError(output, problem, remedy=remedy) from error
        copy.metadata.update(stream.metadata)
        copy.disposition = stream.disposition
        copies[stream.index] = copy
    return copies


def _write(
    video: InputContainer,
    written: OutputContainer,
    copies: dict[int, Any],
    added: list[list[tuple[Packet[Any], Any]]],
    output: Path,
) -> None:
    """Write the packets of all streams by their times."""
    import av

    kept = (packet for packet in video.demux() if packet.stream.index in copies)
    copied = ((packet, copies[packet.stream.index]) for packet in kept)
    for packet, stream in heapq.merge(copied, *added, key=lambda pair: _seconds(pair[0])):
        if packet.size > 0:
            packet.stream = stream
            try:
                written.mux(packet)
            except av.FFmpegError as error:
                raise OutputFileError(output, f"cannot be written ({reason_of(error)})") from error


def _added(
    file: Path, language: str, format: str, data: bytes, written: OutputContainer
) -> list[tuple[Packet[Any], Any]]:
    """Make a stream for a subtitle file; return its packets, each with this stream."""
    with _container(io.BytesIO(data), "r", _FFMPEG.get(format, format)) as read:
        stream = read.streams[0]
        packets = [packet for packet in read.demux(stream) if packet.pts is not None]
        if written.format.name == "mp4":
            made = written.add_stream("mov_text")
            packets = [*_encoded(packets, stream, made)]
        else:
            made = written.add_stream_from_template(stream, opaque=True)
    made.metadata["language"] = three_letters(language)
    for mark in {*file.name.lower().split(".")} & {*_MARKS}:
        made.disposition |= getattr(type(made.disposition), _MARKS[mark])
    return [(packet, made) for packet in packets]


def _encoded(packets: Iterable[Packet[Any]], stream: Any, made: Any) -> Iterator[Packet[Any]]:
    """Say the cues of a text track in the codec of another one; those without text are no cues."""
    encoder = made.codec_context
    stream.codec_context.open(strict=False)  # which makes its header
    encoder.subtitle_header = stream.codec_context.subtitle_header
    for packet in packets:
        decoded = stream.decode2(packet)
        if decoded is None or not len(decoded):
            continue
        encoded = encoder.encode_subtitle(decoded)
        encoded.pts = encoded.dts = packet.pts
        encoded.duration, encoded.time_base = packet.duration, packet.time_base
        yield encoded


def _seconds(packet: Packet[Any]) -> float:
    time = packet.pts if packet.dts is None else packet.dts
    return float("-inf") if time is None else float(time * packet.time_base)


def _container(file: Any, mode: Any, format: str | None = None) -> Any:
    import av  # takes a while, and is in the extra `video`

    return av.open(file, mode, format=format, metadata_errors="replace")


@contextmanager
def _opened(path: Path) -> Iterator[InputContainer]:
    """Open a video file; what FFmpeg says of it is an error of this file."""
    import av

    try:
        with _container(str(path), "r") as video:
            yield video
    except av.FFmpegError as error:
        problem = f"cannot be read as a video file ({reason_of(error)})"
        raise InputFileError(path, problem) from error
