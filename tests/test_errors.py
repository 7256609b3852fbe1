"""Failures as the user sees them."""

from __future__ import annotations

import pytest

from subfit.errors import (
    FileError,
    InputFileError,
    SubfitError,
    reason_of,
)


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (InputFileError("a.srt", "is empty"), "a.srt: is empty"),
        (FileError("a.srt", "no text", line=3), "a.srt:3: no text"),
        (FileError("-", "no text", remedy="name a file"), "-: no text; name a file"),
    ],
)
def test_one_line_says_what_where_and_what_to_do(error: SubfitError, line: str) -> None:
    assert str(error) == line


def test_why_the_system_refused_is_told_in_small_letters() -> None:
    assert reason_of(PermissionError(13, "Permission denied")) == "permission denied"
    assert reason_of(ValueError("Bad header")) == "bad header"
