"""Failures as the user is told of them."""

from __future__ import annotations

import pytest

from subfit.batch.failures import failure_of
from subfit.errors import InputFileError, ModelError, UsageError


@pytest.mark.parametrize(
    ("error", "kind", "message", "code"),
    [
        (UsageError("two\nlines"), "UsageError", "two lines", 2),
        (ModelError("no model"), "ModelError", "no model", 1),
        (MemoryError(), "MemoryError", "out of memory; give smaller files", 1),
        (OSError(28, "No space left", "a.srt"), "OSError", "a.srt: no space left", 1),
        (KeyError("x"), "InternalError", "internal error: KeyError: 'x'; please report", 1),
    ],
)
def test_every_error_is_one_line_with_an_exit_code(
    error: Exception, kind: str, message: str, code: int
) -> None:
    failure = failure_of(error)
    assert (failure.kind, failure.exit_code) == (kind, code)
    assert failure.message.startswith(message) and "\n" not in failure.message


def test_files_are_told_with_place_and_remedy() -> None:
    failure = failure_of(InputFileError("a.srt", "no text", line=3, remedy="look"))
    assert failure.to_dict() == {
        "kind": "InputFileError",
        "message": "a.srt:3: no text; look",
        "exit_code": 1,
        "path": "a.srt",
        "line": 3,
        "problem": "no text",
        "remedy": "look",
    }
