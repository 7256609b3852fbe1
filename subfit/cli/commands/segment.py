"""``subfit segment``: automatic captions become cues that people read."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from subfit.batch.items import STREAM
from subfit.batch.job import Limits, ReadingOptions, Writing, with_shot_changes
from subfit.captions import segmented
from subfit.cli import options
from subfit.cli.output import OVER_LIMITS, print_json
from subfit.cli.parameters import language_in_name, takes
from subfit.cli.running import messages_for, show_heading
from subfit.errors import UsageError
from subfit.files import check_writable, write_bytes
from subfit.reporting.check import KIND_NAMES, check_track
from subfit.reporting.lengths import plain_data
from subfit.subtitles.formats import check_suffix, format_of, render_track
from subfit.version import __version__


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "-o", "--output", metavar="FILE", required=True, help="File to write, '-' for stdout."
)
@options.target_language(
    "Language of the captions.  [default: from the name of FILE or --output, as in talk.en.srt]"
)
@options.reading_options(options.TIMED_FORMATS, frames="for gaps and shot changes")
@options.limit_options
@options.line_shape_option
@options.shot_list_option
@options.overwrite_option("Replace it.")
@options.json_option
@options.quiet_option
@takes(reading=ReadingOptions, limits=Limits)
def segment(
    file: str,
    output: str,
    target_language: str | None,
    reading: ReadingOptions,
    limits: Limits,
    shot_changes: Path | None,
    overwrite: bool,
    json: bool,
    quiet: bool,
) -> int:
    """Make cues that people can read of automatic captions.

    FILE is rolling captions (YouTube's .vtt, CEA-608), json3, what Whisper, WhisperX and
    faster-whisper write as JSON, or subtitles with a word or a minute in each cue; '-' is standard
    input. Words and in-times stay; markup, identifiers and settings are left behind.

    Exit codes: 0 every limit is kept; 1 failed; 2 wrong usage; 3 done, some cues break a limit.
    """
    to_stdout = output == STREAM
    messages = messages_for((), Writing(output), json=json, quiet=quiet)
    if not to_stdout:
        check_suffix(output, "x.srt")
        check_writable(Path(output), overwrite=overwrite)
    named = (language_in_name(name) for name in (file, output))
    language = target_language or next((tag for tag in named if tag != "und"), "und")
    track = reading.read(file, language)
    if not track.timed:
        raise UsageError(f"{file}: plain text has no times to make cues of")
    guideline = limits.guideline_for(language, frame_rate=reading.script.fps)
    track = with_shot_changes(track, shot_changes, guideline)
    new = segmented(track, guideline)
    suffixed = not to_stdout and bool(Path(output).suffix)
    data = render_track(new, output_format=format_of(output) if suffixed else None, name=output)
    if to_stdout:
        sys.stdout.buffer.write(data)
    else:
        write_bytes(Path(output), data, overwrite=overwrite)
    report = check_track(new, guideline)
    code = OVER_LIMITS if report.violations else 0
    if json:
        told = {"exit_code": code, "input": file, "output": output}
        repairs = {"repairs": plain_data(new.repairs)}
        print_json({"subfit": __version__, **told, **repairs, **report.to_dict()})
        return code
    show_heading(messages, f"{file} -> {output}", guideline)
    figures = [("cues", f"{len(new.cues)}: {report.totals['compliant_cues']} keep every limit")]
    figures += [(KIND_NAMES[kind], f"{count}") for kind, count in report.violations.items()]
    messages.figures(figures)
    if language == "und":
        messages.note("no language is known, so breaks follow punctuation and length; pass -t")
    messages.repairs(new.repairs)
    return code
