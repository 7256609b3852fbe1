"""A client's limits on subtitles, by language: presets, the user's own files, and overrides.

A guideline for a language is built in layers, each overruling the one before: what the file
extends (for that language), then the file's values for all languages, then those under
``languages:`` for the best matching tag.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from subfit.configuration import (
    EXTENDS,
    Node,
    Problem,
    RecipeProblemsError,
    Within,
    check,
    did_you_mean,
    read_chain,
)
from subfit.errors import GuidelineError, UnknownGuidelineError, UsageError
from subfit.text.counting import EVERYTHING, Counting, count_characters
from subfit.text.languages import primary_language

Rate = Annotated[float, Within(gt=0, le=1000)]
Milliseconds = Annotated[int, Within(ge=0, le=3_600_000)]
Frames = Annotated[int, Within(ge=0, le=10_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How a client wants text set; what is null or false is not looked at."""

    spaces: bool = False
    """No double spaces, none at the ends of lines or before commas and full stops."""
    glyphs: bool = False
    """No characters that players cannot show, no pictures, nothing that only looks like another."""
    ellipsis: Literal["…", "..."] | None = None
    """How an ellipsis is written."""
    dash: Literal["-", "- ", "– "] | None = None
    """What opens the turn of a speaker in a cue of two."""
    dashed: Literal["both", "second"] = "both"
    """Whose turn opens so."""
    quotes: Annotated[str, Within(min_length=1)] | None = None
    """Opening and closing quotation mark; ``any`` where they must be in pairs, of whatever kind."""
    brackets: Literal["[]", "()", "any"] | None = None
    """What stands around sounds; ``any`` where they must be in pairs."""
    italics: Literal["only", "none"] | None = None
    """Whether italics are the only markup there may be, or not even they."""
    numbers_to: Annotated[int, Within(ge=0, le=1000)] | None = None
    """Numbers from one to this are words, and so is any that begins a sentence."""
    lines: bool = False
    """What fits in one line stands in one, and no line break parts a phrase."""
    capitals: bool = False
    """Text on screen in capitals stands in a cue of its own, in the translation too."""
    names: bool = False
    """A name is spelt in one way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelineValues:
    """Limits for one language or all; null lifts one."""

    cps: Rate | None = None
    """Most characters per second."""
    wpm: Annotated[float, Within(gt=0, le=10_000)] | None = None
    """Most words per minute."""
    characters_per_word: Annotated[float, Within(gt=0, le=100)] | None = None
    """Mean characters of a word with the space after it, to turn ``wpm`` into characters."""
    cpl: Annotated[float, Within(gt=0, le=10_000)] | None = None
    """Most characters per line."""
    lines: Annotated[int, Within(ge=1, le=100)] | None = None
    """Most lines per cue."""
    max_characters: Annotated[float, Within(gt=0)] | None = None
    """Most characters per cue."""
    min_duration: Milliseconds | None = None
    """Shortest time on screen in milliseconds."""
    max_duration: Annotated[int, Within(gt=0, le=3_600_000)] | None = None
    """Longest time on screen in milliseconds."""
    min_gap_frames: Frames | None = None
    """Shortest gap between cues in frames."""
    min_gap_ms: Milliseconds | None = None
    """Shortest gap between cues in milliseconds."""
    frame_rate: Rate = 25.0
    """Frames per second, to turn ``min_gap_frames`` into milliseconds."""
    out_slack: Milliseconds | None = None
    """How much later than the speech a cue may end, in milliseconds; None if nothing is said."""
    close_gaps: Milliseconds | None = None
    """Gaps shorter than this, in milliseconds, are to be closed to the shortest one."""
    shot_gap_frames: Frames | None = None
    """Frames between the end of a cue and the shot change it ends before."""
    shot_zone: Milliseconds | None = None
    """No cue ends nearer than this to a shot change, in milliseconds, but those before it."""
    min_line_balance: Annotated[float, Within(ge=0, le=1)] | None = None
    """Least length of the shortest line as a share of the longest."""
    bottom_heavy: bool = True
    """Whether a longer lower line is liked better than a longer upper one."""
    counting: Counting | None = None
    """What a character is, for everything but reading speed."""
    cps_counting: Counting | None = None
    """What a character is, for reading speed."""
    style: Style | None = None
    """How text is to be set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelineFile(GuidelineValues):
    """The keys of a guideline file, besides ``extends``."""

    description: str = ""
    source: str = ""
    languages: dict[str, GuidelineValues | None] | None = None
    """Limits by language tag, over those for all languages."""


def presets() -> dict[str, Path]:
    """Return the guidelines that come with subfit, by name, in alphabetical order."""
    paths = Path(__file__).with_name("guidelines").glob("*.yaml")
    return {path.stem: path for path in sorted(paths, key=lambda path: path.stem)}


def read_guideline_files(path: Path) -> list[dict[str, Any]]:
    """Read a guideline and those that it extends.

    Returns:
        The values given in each file, the one at ``path`` first; only keys that are given.

    Raises:
        GuidelineError: One of them cannot be read, or has unknown keys, keys given twice, wrong
            types or impossible values; the message lists all of them with their lines.
    """
    problems: list[Problem] = []
    known = presets()
    try:
        chain = read_chain(path, known, problems)
        for file in chain:
            if Path(file.location.path) not in known.values():  # those are right, and checking slow
                check(GuidelineFile, file.without(EXTENDS), problems)
        if problems:
            raise RecipeProblemsError(problems)
    except RecipeProblemsError as error:
        raise GuidelineError(str(error)) from error
    return [_values(file) for file in chain]


def _values(file: Node) -> dict[str, Any]:
    """Return a file's values, with its language tags in lower case and without empty entries."""
    values = file.plain()
    if "languages" in values:
        values["languages"] = {
            tag.lower().replace("_", "-"): limits or {}
            for tag, limits in (values["languages"] or {}).items()
        }
    return dict(values)


PLAIN = Style()
"""Nothing is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guideline(GuidelineValues):
    """The limits of one client for one language; None means no limit."""

    name: str = "none"
    """The preset's name, or the path of the user's file."""
    language: str = "und"
    """The language tag asked for."""
    exact: bool = True
    """Whether the guideline knows this language; if not, these are its values for all others."""
    source: str = ""
    """Where the values come from."""
    description: str = ""
    """What the guideline is for, in one line."""
    characters_per_word: float = 6.0
    counting: Counting = EVERYTHING
    cps_counting: Counting = EVERYTHING
    style: Style = PLAIN

    @classmethod
    def load(cls, name_or_path: str | Path, language: str) -> Guideline:
        """Load a preset or the user's own file for a language.

        Args:
            name_or_path: A name from `list_guidelines`, or the path of a YAML file.
            language: A language tag, such as ``de`` or ``pt-BR``; if the guideline does not list
                it, its parents are tried, then the values for all languages hold.

        Raises:
            GuidelineError: There is no such guideline, or it has problems; all of them are named.
        """
        files = read_guideline_files(_path_of(str(name_or_path)))
        languages = [file.pop("languages", {}) for file in files]
        entries = [_entry_for(language, limits) for limits in languages]
        values: dict[str, Any] = {}
        for file, entry in zip(reversed(files), reversed(entries), strict=True):
            _overlay(values, file)
            _overlay(values, entry or {})
        exact = any(entry is not None for entry in entries) or not any(languages)
        name = str(name_or_path)
        guideline = cls(name=name, language=language, exact=exact, **_fields(values))
        shortest, longest = guideline.min_duration or 0, guideline.max_duration or math.inf
        if shortest > longest:
            problem = f"min_duration {shortest} is more than max_duration {longest}"
            raise GuidelineError(f"{name}: {problem} (both are milliseconds)")
        return guideline

    @property
    def min_gap(self) -> int:
        """Shortest gap between cues in milliseconds; file times are cut to whole ones."""
        frames = self.min_gap_frames or 0
        return max(math.floor(frames * 1000 / self.frame_rate + 1e-9), self.min_gap_ms or 0)

    @property
    def reading_speed(self) -> float | None:
        """Most characters per second to write for: ``cps``, or estimated from ``wpm``."""
        speeds = [] if self.cps is None else [self.cps]
        if self.wpm is not None:
            speeds.append(self.wpm * self.characters_per_word / 60)
        return min(speeds, default=None)

    def count(self, text: str) -> float:
        """Return the characters of a text, for everything but reading speed."""
        return count_characters(text, self.counting)

    @property
    def line_rules(self) -> dict[str, Any]:
        """What `subfit.text.linebreak.break_lines` takes beside a text and its limits."""
        return {
            "count": self.count,
            "language": self.language,
            "min_balance": self.min_line_balance,
            "bottom_heavy": self.bottom_heavy,
        }


def list_guidelines() -> tuple[str, ...]:
    """Return the names of the presets that come with subfit, in alphabetical order."""
    return tuple(presets())


def guideline_values(name_or_path: str | Path, language: str | None = None) -> dict[str, Any]:
    """Return what a guideline says, as a file of its own says it, without what it extends.

    Args:
        name_or_path: As in `Guideline.load`.
        language: A language tag, for its values alone; None for those of all languages.

    Raises:
        GuidelineError: As in `Guideline.load`.
    """
    files = read_guideline_files(_path_of(str(name_or_path)))
    values = _file_values(Guideline.load(name_or_path, language or "und"))
    tags = sorted({tag for file in files for tag in file.get("languages", {})})
    if language is not None or not tags:
        return values
    by_tag = {tag: _file_values(Guideline.load(name_or_path, tag)) for tag in tags}
    values["languages"] = {
        tag: {key: value for key, value in own.items() if value != values[key]}
        for tag, own in by_tag.items()
    }
    return values


def _file_values(guideline: Guideline) -> dict[str, Any]:
    """The values of a guideline, by the keys of a guideline file."""
    values = asdict(guideline)
    about = {key: values.pop(key) for key in ("source", "description")}
    return about | {key: values[key] for key in values if key not in ("name", "language", "exact")}


def override(
    guideline: Guideline,
    *,
    cps: float | None = None,
    cpl: float | None = None,
    lines: int | None = None,
    bottom_heavy: bool | None = None,
    frame_rate: float | None = None,
    out_slack: int | None = None,
) -> Guideline:
    """Return the guideline with other limits; None keeps the guideline's own.

    ``cps`` also replaces a limit in words per minute; ``out_slack`` is in milliseconds, and may be
    zero.

    Raises:
        UsageError: A limit is zero, negative or not finite.
    """
    changes: dict[str, Any] = {"cps": cps, "cpl": cpl, "lines": lines, "frame_rate": frame_rate}
    changes |= {"bottom_heavy": bottom_heavy, "out_slack": out_slack}
    changes = {name: value for name, value in changes.items() if value is not None}
    for name, option in (("cps", "cps"), ("cpl", "cpl"), ("lines", "lines"), ("frame_rate", "fps")):
        if not 0 < changes.get(name, 1) < math.inf:
            raise UsageError(f"--{option} must be more than 0, not {changes[name]:g}")
    if not 0 <= changes.get("out_slack", 0) < math.inf:
        raise UsageError(f"--out-slack must be 0 or more, not {changes['out_slack'] / 1000:g}")
    if cps is not None:
        changes["wpm"] = None
    return replace(guideline, **changes)


def _path_of(name_or_path: str) -> Path:
    """Return the file of a guideline; a preset's name wins over a file of that name."""
    known = presets()
    path = known.get(name_or_path, Path(name_or_path))
    if path.suffix not in (".yaml", ".yml") and "\0" not in name_or_path and not path.exists():
        hint = did_you_mean(name_or_path.lower(), known)
        problem = f"unknown guideline {name_or_path!r}{hint}"
        raise UnknownGuidelineError(f"{problem}, or the path of a YAML file")
    return path


def _entry_for(language: str, entries: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return the values for a language tag or its closest parent: pt-BR, then pt; eng is en."""
    first, *others = language.lower().replace("_", "-").split("-")
    for subtags in ([first, *others], [primary_language(first) or first, *others]):
        for length in range(len(subtags), 0, -1):
            entry = entries.get("-".join(subtags[:length]))
            if entry is not None:
                return entry
    return None


def _overlay(values: dict[str, Any], upper: Mapping[str, Any]) -> None:
    """Let ``upper`` overrule ``values``; countings and style are merged key by key."""
    for key, value in upper.items():
        if isinstance(value, dict):
            value = {**(values.get(key) or {}), **value}
        values[key] = value


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    """Turn checked YAML values into arguments for `Guideline`."""
    counting = values.get("counting") or {}
    fields = {key: value for key, value in values.items() if value is not None}
    fields["counting"] = Counting(**counting)
    fields["cps_counting"] = Counting(**{**counting, **(values.get("cps_counting") or {})})
    if "style" in fields:
        fields["style"] = Style(**fields["style"])
    return fields
