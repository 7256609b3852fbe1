"""What a guideline file may say, and the reading of one with those that it extends."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from subfit.configuration.checking import Within, check
from subfit.configuration.tree import EXTENDS, Node, Problem, RecipeProblemsError, read_chain
from subfit.errors import GuidelineError
from subfit.text.counting import Counting

Rate = Annotated[float, Within(gt=0, le=1000)]
Milliseconds = Annotated[int, Within(ge=0, le=3_600_000)]
Frames = Annotated[int, Within(ge=0, le=10_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidelineValues:
    """Limits for one language or all; null lifts one. What they mean is told in `Guideline`."""

    cps: Rate | None = None
    wpm: Annotated[float, Within(gt=0, le=10_000)] | None = None
    characters_per_word: Annotated[float, Within(gt=0, le=100)] | None = None
    cpl: Annotated[float, Within(gt=0, le=10_000)] | None = None
    lines: Annotated[int, Within(ge=1, le=100)] | None = None
    max_characters: Annotated[float, Within(gt=0)] | None = None
    min_duration: Milliseconds | None = None
    max_duration: Annotated[int, Within(gt=0, le=3_600_000)] | None = None
    min_gap_frames: Frames | None = None
    min_gap_ms: Milliseconds | None = None
    frame_rate: Rate = 25.0
    out_slack: Milliseconds | None = None
    close_gaps: Milliseconds | None = None
    shot_gap_frames: Frames | None = None
    shot_zone: Milliseconds | None = None
    min_line_balance: Annotated[float, Within(ge=0, le=1)] | None = None
    bottom_heavy: bool = True
    counting: Counting | None = None
    cps_counting: Counting | None = None


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
