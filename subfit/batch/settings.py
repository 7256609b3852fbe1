"""What a translation depends on beside its text and its model."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass

from subfit.errors import UsageError
from subfit.fitting.options import Timing as TimingMode
from subfit.limits.budget import LengthRatio
from subfit.limits.dubbing_budgets import DEFAULT_DUBBING, Dubbing
from subfit.limits.guideline import Guideline, override
from subfit.subtitles.bilingual import Bilingual
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.formats import AS_HEADED, format_of, parse_track, read_track
from subfit.subtitles.scripts.columns import ScriptReading
from subfit.terms.glossary import Term

DEFAULT_GUIDELINE = "netflix"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a translation must keep to, as asked for."""

    guideline: str | None = None
    cps: float | None = None
    cpl: float | None = None
    lines: int | None = None
    length_ratio: LengthRatio | None = None
    bottom_heavy: bool | None = None
    """Whether lower lines are rather the longer ones; None for what the guideline likes."""

    @property
    def for_screens(self) -> bool:
        """Whether there are limits among them that only timed cues have."""
        return any(each is not None for each in (self.guideline, self.cps, self.cpl, self.lines))

    def guideline_for(self, language: str, *, timed: bool = True) -> Guideline:
        """Load the guideline with the user's changes.

        Args:
            language: Tag of the language of the translation.
            timed: Whether it is shown on a screen; plain text has no limits of its own.

        Raises:
            GuidelineError: It is unknown or broken.
            UsageError: A limit is impossible.
        """
        name = self.guideline or (DEFAULT_GUIDELINE if timed else "none")
        changed = Guideline.load(name, language)
        return override(
            changed,
            cps=self.cps,
            cpl=self.cpl,
            lines=self.lines,
            bottom_heavy=self.bottom_heavy,
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """How input files are to be read."""

    source_language: str
    encoding: str | None = None
    input_format: FormatName | None = None
    script: ScriptReading = AS_HEADED
    """What is what in dubbing scripts."""

    def read(self, path: str) -> Track:
        """Read a file, or standard input.

        Raises:
            InputFileError: It cannot be read.
            UsageError: The encoding is unknown, or the format cannot be told.
        """
        return read_track(
            path,
            input_format=self.input_format,
            encoding=self.encoding,
            source_language=self.source_language,
            script=self.script,
        )

    def parse(self, data: bytes, name: str) -> Track:
        """Parse the bytes of a file, or of standard input (``-``); as `read`."""
        format_name = self.input_format if name == "-" else format_of(name, self.input_format)
        return parse_track(
            data,
            name=name,
            format=format_name,
            by_name=self.input_format is None,
            encoding=self.encoding,
            source_language=self.source_language,
            script=self.script,
        )


@dataclass(frozen=True, slots=True)
class Timing:
    """What may become of out-times, as asked for."""

    extend: bool = False
    """Whether cues may end later than in the source."""
    out_slack: int | None = None
    """By how many milliseconds; None for what the guideline says."""

    @property
    def mode(self) -> TimingMode:
        """As the command line calls it."""
        return "extend" if self.extend else "keep"


@dataclass(frozen=True, slots=True)
class Settings:
    """How to translate, as asked for."""

    reading: Reading
    limits: Limits = Limits()
    output_encoding: str | None = None
    beam: int | None = None
    """Hypotheses kept while searching; None for the default."""
    length_penalty: float | None = None
    """Scores are divided by tokens to this power; None for the default."""
    translate_sounds: bool = False
    join: bool = True
    dubbing: Dubbing = DEFAULT_DUBBING
    """What the lines of dubbing scripts are held to."""
    alternatives: int = 0
    """Other translations of every sentence to search for."""
    terms: tuple[Term, ...] = ()
    """What is to be translated in one way, in all target languages, and names to keep."""
    condense: bool = True
    """Leave out what can be spared of a source where it cannot be said whole in its budget."""
    whole_sentences: bool = False
    """Rather go over a budget than end a sentence where its end is doubtful."""
    bilingual: Bilingual | None = None
    """Which language stands first where the source is to stand in the output too."""
    timing: Timing = Timing()

    def terms_in(self, language: str) -> tuple[Term, ...]:
        """Return the terms that count for translations into a language."""
        return tuple(each for each in self.terms if each.is_name or each.language == language)

    def describe_terms(self, language: str) -> dict[str, object] | None:
        """Return how many terms and names count for a language, and a checksum; None of none."""
        terms = self.terms_in(language)
        if not terms:
            return None
        content = json.dumps([asdict(each) for each in terms], sort_keys=True)
        names = sum(each.is_name for each in terms)
        checksum = hashlib.sha256(content.encode()).hexdigest()
        return {"terms": len(terms) - names, "names": names, "sha256": checksum}

    def guideline_for(self, language: str, *, timed: bool = True) -> Guideline:
        """Load the guideline with the user's changes; as `Limits.guideline_for`.

        Raises:
            UsageError: Cues may end later, and nothing says by how much.
        """
        guideline = self.limits.guideline_for(language, timed=timed)
        if not (self.timing.extend and timed):
            return guideline
        fps, out_slack = self.reading.script.fps, self.timing.out_slack
        guideline = override(guideline, frame_rate=fps, out_slack=out_slack)
        if guideline.out_slack is None:
            raise UsageError(
                f"guideline {guideline.name} does not say how much later a cue may end; pass "
                "--out-slack SECONDS, put out_slack into a guideline of your own, or leave out "
                "--timing extend"
            )
        return guideline
