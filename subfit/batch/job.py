"""What a user asks for, as typed data: filled in at the command line, taken by all below it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from subfit.captions import readable
from subfit.decoding.hypotheses import SearchSettings
from subfit.decoding.prompts import DEFAULT_TALK, TalkSettings
from subfit.errors import UsageError
from subfit.files import read_bytes
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.limits.guideline import Guideline, override
from subfit.model.config import DEFAULT_COMPUTING, Computing
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.formats import AS_HEADED, format_of, parse_track
from subfit.subtitles.pairing import Bilingual
from subfit.subtitles.scripts.columns import ScriptReading
from subfit.subtitles.timecodes import parse_shot_changes
from subfit.terms.glossary import name
from subfit.terms.glossary_file import Entries, Origin, read_glossary, read_names
from subfit.terms.persons import Person, read_persons

DEFAULT_GUIDELINE = "netflix"


@dataclass(frozen=True, slots=True)
class Limits:
    """A guideline, and what overrules it; None is the guideline's own value."""

    guideline: str | None = None
    """A preset or a YAML file; None for `DEFAULT_GUIDELINE`, or none for plain text."""
    cps: float | None = None
    """Most characters per second."""
    cpl: float | None = None
    """Most characters per line."""
    lines: int | None = None
    """Most lines per cue."""
    bottom_heavy: bool | None = None
    """Whether a longer lower line is liked better than a longer upper one."""
    out_slack: int | None = None
    """How much later a cue may end, in milliseconds, where out-times may be extended."""

    @property
    def for_screens(self) -> bool:
        """Whether there are limits among them that only timed cues have."""
        limits = (self.guideline, self.cps, self.cpl, self.lines)
        return any(limit is not None for limit in limits)

    def guideline_for(
        self, language: str, *, timed: bool = True, frame_rate: float | None = None
    ) -> Guideline:
        """Load the guideline with the user's changes.

        Args:
            language: Tag of the language of the translation.
            timed: Whether it is shown on a screen; plain text has no limits of its own.
            frame_rate: In frames per second; None for the guideline's own.

        Raises:
            GuidelineError: It is broken.
            UsageError: It is unknown, or a limit is impossible.
        """
        guideline = Guideline.load(
            self.guideline or (DEFAULT_GUIDELINE if timed else "none"), language
        )
        return override(
            guideline,
            cps=self.cps,
            cpl=self.cpl,
            lines=self.lines,
            bottom_heavy=self.bottom_heavy,
            frame_rate=frame_rate,
        )


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How input files are to be read."""

    encoding: str | None = None
    """None to detect it."""
    input_format: FormatName | None = None
    """None for what the file's name or text says."""
    script: ScriptReading = AS_HEADED
    """What is what in dubbing scripts."""

    def read(self, path: str, language: str, limits: Limits | None = None) -> Track:
        """Read a file, or standard input (``-``); as `parse`."""
        return self.parse(read_bytes(path), path, language, limits)

    def parse(self, data: bytes, name: str, language: str, limits: Limits | None = None) -> Track:
        """Parse the bytes of a file in a language (which helps to detect its encoding).

        Args:
            data: The bytes.
            name: The file's name; ``-`` for standard input.
            language: Its tag.
            limits: Of the cues that automatic captions become; None to leave these as they are.

        Raises:
            InputFileError: It cannot be read.
            UsageError: The encoding is unknown, or the format cannot be told.
        """
        track = parse_track(
            data,
            name=name,
            format=self.input_format if name == "-" else format_of(name, self.input_format),
            by_name=self.input_format is None,
            encoding=self.encoding,
            source_language=language,
            script=self.script,
        )
        if limits is None:
            return track
        fps = self.script.fps
        return readable(track, limits.guideline_for(language, timed=track.timed, frame_rate=fps))


def with_shot_changes(
    track: Track, listed: Path | str | None, guideline: Guideline, data: bytes | None = None
) -> Track:
    """Return a track with the shot changes of its film.

    Args:
        track: The track.
        listed: The file with the list of them; None for a film without.
        guideline: Has the frame rate.
        data: The file's bytes, where it has been read.

    Raises:
        InputFileError: The file cannot be read, or is no such list.
    """
    if listed is None:
        return track
    data = read_bytes(listed) if data is None else data
    shots = parse_shot_changes(data, str(listed), guideline.frame_rate)
    return replace(track, shot_changes=shots)


@dataclass(frozen=True, slots=True)
class Writing:
    """Where results go, and as what."""

    output: str | None = None
    """A file, or a folder; where there are several outputs, a folder."""
    include: tuple[str, ...] = ()
    """Patterns of the files that are taken of folders; for ``*.srt`` and ``*.vtt``."""
    output_encoding: str | None = None
    """None for UTF-8."""
    bilingual: Bilingual | None = None
    """Which language stands first where the source is to stand in the output too."""
    overwrite: bool = False
    report: Path | None = None
    cue_reports: Path | None = None
    """A folder for a report on every cue of every translation, where there are several; in the form
    of ``report``, or JSON."""


@dataclass(frozen=True, slots=True)
class TermFiles:
    """Terms to translate in one way and names to keep, as a user gives them."""

    glossary: tuple[str, ...] = ()
    """CSV or TSV files."""
    keep: tuple[str, ...] = ()
    """Names; with an @ before them, files with names, one a line."""
    persons: str | None = None
    """A table of persons, whose names are held."""

    def read(
        self, source_language: str, target_languages: Sequence[str]
    ) -> tuple[Entries, tuple[Person, ...]]:
        """Read all files: the terms and names, and who is who.

        Raises:
            InputFileError: One cannot be read, or is broken, or contradicts another.
            UsageError: A glossary has no column for one of the languages; a name is empty.
        """
        entries = Entries()
        for kept in self.keep:
            if not kept.strip("@ "):
                raise UsageError("--keep names nothing")
            if kept.startswith("@"):
                read_names(kept[1:], entries)
            else:
                entries.add(Origin("--keep"), name(" ".join(kept.split())))
        for path in self.glossary:
            read_glossary(path, source_language, target_languages, entries)
        if self.persons is None:
            return entries, ()
        return entries, read_persons(self.persons, source_language, target_languages, entries)


@dataclass(frozen=True, slots=True)
class Job:
    """Files to translate, and everything that was said about how."""

    inputs: tuple[str, ...] = ()
    """Files, folders, patterns, or ``-``."""
    languages: tuple[str, ...] = ()
    """Tags of the target languages."""
    options: Options = DEFAULT_OPTIONS
    reading: ReadingOptions = ReadingOptions()
    limits: Limits = Limits()
    writing: Writing = Writing()
    term_files: TermFiles = TermFiles()
    shot_changes: Path | None = None
    """A list of shot changes, or a folder with one for each input."""
    models: tuple[str, ...] = ()
    """Models to translate together; none for the bundled model of each language."""
    pivot_model: str | None = None
    """A model to translate into English first, where none translates between the languages."""
    beam: int | None = None
    """Hypotheses kept while searching; None for the default."""
    computing: Computing = DEFAULT_COMPUTING
    """Where and how precisely the models compute."""
    talk: TalkSettings = DEFAULT_TALK
    """Prompts and server settings, for language models."""
    fail_fast: bool = False
    """Stop at the first file that fails."""
    dry_run: bool = False
    """Check everything, write nothing."""

    def __post_init__(self) -> None:
        of_extending = (self.limits.out_slack, self.shot_changes)
        if self.options.timing == "keep" and of_extending != (None, None):
            raise UsageError("--out-slack and --shot-changes are for --timing extend")

    def translating_from(self, language: str) -> Job:
        """Return the same job with input in a language."""
        dubbing = replace(self.options.dubbing, source_language=language)
        return replace(
            self, options=replace(self.options, source_language=language, dubbing=dubbing)
        )

    @property
    def source_language(self) -> str:
        """Tag of the language of the inputs."""
        return self.options.source_language

    def guideline_for(self, language: str, *, timed: bool = True) -> Guideline:
        """Load the guideline with the user's changes; as `Limits.guideline_for`.

        Raises:
            UsageError: Cues may end later, and nothing says by how much.
        """
        if self.options.timing == "keep" or not timed:
            return self.limits.guideline_for(language, timed=timed)
        guideline = self.limits.guideline_for(language, frame_rate=self.reading.script.fps)
        guideline = override(guideline, out_slack=self.limits.out_slack)
        if guideline.out_slack is None:
            raise UsageError(
                f"guideline {guideline.name} does not say how much later a cue may end; pass "
                "--out-slack SECONDS, put out_slack into a guideline of your own, or leave out "
                "--timing extend"
            )
        return guideline

    def search(self) -> SearchSettings:
        """Return how to search."""
        settings = SearchSettings()
        if self.beam is None:
            return settings
        return replace(settings, beams=self.beam, nbest=min(settings.nbest, self.beam))
