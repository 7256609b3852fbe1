"""Which column of a dubbing script is what: as told, or by what its headings usually are."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Literal, get_args

from subfit.errors import UsageError
from subfit.subtitles.timecodes import Cell, milliseconds_of
from subfit.text.linebreak_lists import packaged

Role = Literal["start", "end", "duration", "speaker", "source", "target", "notes"]
ROLES: tuple[Role, ...] = get_args(Role)
Edits = Mapping[tuple[int, int], str | float]
"""New values of cells, by row and column; columns may be new."""
HEADER_ROWS = 30
"""How far down a header is looked for, below titles."""

IN_MILLISECONDS = re.compile(r"(?<=\w) (?:in )?(?:ms|milliseconds?|millisekunden)$")
"""What headings of such times end in."""


@cache
def _roles() -> dict[str, Role]:
    """The role of each heading that is known."""
    headings = packaged("subfit.subtitles.scripts", "headings.yaml")
    return {name: role for role in ROLES for name in headings[role]}


@dataclass(frozen=True, slots=True)
class ScriptReading:
    """How dubbing scripts, and what else is not clear of itself, are to be read, as asked for."""

    columns: Mapping[Role, str] = field(default_factory=dict)
    """For each role a heading, a letter or a number; what is missing is found by its heading."""
    fps: float | None = None
    """Frames per second of time codes with frames."""
    kept_styles: tuple[str, ...] = ()
    """Patterns of names of styles (ASS) whose events stay as they are."""
    sheet: str | None = None
    """The sheet of a workbook; by default the first one with the columns."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where everything stands in a table."""

    header: int | None
    """Index of the row with the headings, None if there is none."""
    places: Mapping[Role, int]
    """Index of the column of each role there is."""
    headings: tuple[str, ...]
    """The headings of all columns."""
    guessed: bool
    """Whether any was found by its heading."""

    def describe(self) -> dict[str, str]:
        """Return for each role the letter of its column with its heading."""
        return {
            role: " ".join([letter_of(at), *map(repr, filter(None, self.headings[at : at + 1]))])
            for role in ROLES
            if (at := self.places.get(role)) is not None
        }


def parse_columns(text: str) -> dict[Role, str]:
    """Read ``start=Start,end=End,speaker=Character,source=Text``.

    Raises:
        UsageError: It is something else, names a column twice, or no source.
    """
    columns: dict[Role, str] = {}
    for part in next(csv.reader([text], skipinitialspace=True), []) if text else ():
        role, equals, column = (side.strip() for side in part.partition("="))
        known = next((name for name in ROLES if name == role.casefold()), None)
        if not equals or known is None or not column:
            raise UsageError(
                f"--columns: {part!r} is not one of {', '.join(ROLES)} with = and a heading, "
                "letter or number, as in source=Text"
            )
        if known in columns:
            raise UsageError(f"--columns: {known} is given twice")
        columns[known] = column
    if "end" in columns and "duration" in columns:
        raise UsageError("--columns: give end or duration, not both")
    return columns


def find_columns(rows: Sequence[Sequence[Cell]], wanted: Mapping[Role, str]) -> Columns:
    """Find the header of a table, and in it the column of every role.

    Args:
        rows: The cells of the table.
        wanted: As in `ScriptReading`; a target that is no column yet is to be added.

    Raises:
        UsageError: A heading is not there, stands twice, or it is not clear what the source is.
    """
    header = _header(rows, wanted)
    if header is None:
        header = _unknown_header(rows, wanted)
    headings = () if header is None else tuple(map(heading_of, rows[header]))
    width = max((len(row) for row in rows), default=0)
    places: dict[Role, int] = {}
    for role, name in wanted.items():
        at = _place(name, headings, width if role != "target" else width + 26)
        if at is None and role != "target":
            raise UsageError(f"--columns: there is no column {name!r}{_listed(headings)}")
        if at is not None:
            places[role] = at
    named = len(places)
    _check_apart(places, headings)
    places |= _guessed(headings, wanted, set(places.values()))
    if "source" not in places:
        raise UsageError(
            "it is not clear which column is to be translated; pass --columns source=…"
            + _listed(headings)
        )
    return Columns(header, places, headings, guessed=len(places) > named)


def heading_of(cell: Cell) -> str:
    """Return a heading in one line."""
    return " ".join(str(cell).split()) if cell is not None else ""


def letter_of(column: int) -> str:
    """Return the letters of a column: A for 0, AA for 26."""
    letters, rest = "", column + 1
    while rest:
        rest, last = divmod(rest - 1, 26)
        letters = chr(ord("A") + last) + letters
    return letters


def column_of(letters: str) -> int:
    """Return the column of some letters: 0 for A, 26 for AA."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _header(rows: Sequence[Sequence[Cell]], wanted: Mapping[Role, str]) -> int | None:
    """Find the row that has the most of the wanted headings, and of the usual ones."""
    names = {_folded(name) for role, name in wanted.items() if role != "target"}
    scores = []
    for number, row in enumerate(rows[:HEADER_ROWS]):
        folded = {_folded(heading_of(cell)) for cell in row if isinstance(cell, str)}
        usual = {_roles()[heading] for heading in folded if heading in _roles()}
        matches = len(names & folded)
        enough = matches or len(usual) > 1 or usual == {"source"}
        scores.append((matches, len(usual) if enough else 0, -number))
    best = max(scores, default=(0, 0, 0))
    if best[0] or best[1]:
        return -best[2]
    return None


def _unknown_header(rows: Sequence[Sequence[Cell]], wanted: Mapping[Role, str]) -> int | None:
    """Take the first row for a header of unusual headings, unless it has times in their columns."""
    first = next((number for number, row in enumerate(rows) if any(row)), None)
    if first is None:
        return None
    for role in ("start", "end", "duration"):
        at = _place(wanted[role], (), len(rows[first])) if role in wanted else None
        if at is not None and _is_time(rows[first][at]):
            return None
    return first


def _is_time(cell: Cell) -> bool:
    try:
        return milliseconds_of(cell, None) is not None
    except UsageError:  # frames without a rate
        return True


def _place(name: str, headings: Sequence[str], width: int) -> int | None:
    """Return the index of the column that a heading, a letter or a number means."""
    places = [at for at, heading in enumerate(headings) if _folded(heading) == _folded(name)]
    if len(places) > 1:
        letters = " and ".join(map(letter_of, places))
        raise UsageError(f"--columns: {name!r} heads columns {letters}; give a letter")
    if places:
        return places[0]
    at = -1
    if re.fullmatch(r"[0-9]{1,5}", name):
        at = int(name) - 1
    elif re.fullmatch(r"[A-Za-z]|[A-Z]{2}", name):
        at = column_of(name)
    return at if 0 <= at < width else None


def _check_apart(places: Mapping[Role, int], headings: Sequence[str]) -> None:
    for (role, at), (other, place) in combinations(sorted(places.items()), 2):
        if at == place:
            same = f"{role} and {other} are the same column"
            raise UsageError(f"--columns: {same}{_listed(headings)}")


def _guessed(
    headings: Sequence[str], wanted: Mapping[Role, str], taken: set[int]
) -> dict[Role, int]:
    """Find the columns of roles that were not told, by their headings."""
    guessed: dict[Role, list[int]] = {}
    for at, heading in enumerate(headings):
        role = _roles().get(_folded(heading))
        if role is not None and role not in wanted and at not in taken:
            guessed.setdefault(role, []).append(at)
    if "end" in wanted or "end" in guessed:
        guessed.pop("duration", None)
    elif "duration" in wanted:
        guessed.pop("end", None)
    for role, places in guessed.items():
        if len(places) > 1:
            either = " or ".join(repr(headings[at]) for at in places)
            raise UsageError(f"{role} may be {either}; pass --columns {role}=…{_listed(headings)}")
    return {role: places[0] for role, places in guessed.items()}


def _listed(headings: Sequence[str]) -> str:
    named = [f"{letter_of(at)} {name!r}" for at, name in enumerate(headings) if name]
    return f" (headings found: {', '.join(named)})" if named else " (no headings found)"


def _folded(heading: str) -> str:
    """A heading as it is compared: letters and digits, whatever their case, without a unit."""
    words = " ".join(re.findall(r"\w+", heading.casefold().replace("_", " ")))
    return IN_MILLISECONDS.sub("", words)
