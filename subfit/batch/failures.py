"""What went wrong with one file, as plain data that can be told, stored and sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from subfit.errors import FileError, SubfitError, reason_of

FAILED = 1
"""Exit code of what failed for another reason than wrong usage."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure as the user is told of it."""

    kind: str
    """The error's class."""
    message: str
    """One line."""
    exit_code: int = FAILED
    details: dict[str, Any] = field(default_factory=dict)
    """Path, line, problem and remedy, for files."""
    error: Exception | None = field(default=None, compare=False, repr=False)
    """What was raised, where it was raised in this process."""

    def to_dict(self) -> dict[str, Any]:
        """Return the value of ``error`` in JSON documents."""
        return {
            "kind": self.kind,
            "message": self.message,
            "exit_code": self.exit_code,
            **self.details,
        }


def failure_of(error: Exception) -> Failure:
    """Return what to tell the user of an exception."""
    kind = type(error).__name__
    if isinstance(error, SubfitError):
        return Failure(kind, _line(error), error.exit_code, _details(error), error)
    if isinstance(error, MemoryError):
        message = "out of memory; give smaller files or close other programs"
        return Failure(kind, message, error=error)
    if isinstance(error, OSError):
        # Whatever else is read or written has its own error with its path.
        where = str(error.filename or "standard output")
        return Failure(kind, f"{where}: {reason_of(error)}", error=error)
    message = f"internal error: {kind}: {_line(error)}; please report it with the output of --debug"
    return Failure("InternalError", message, error=error)


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _details(error: SubfitError) -> dict[str, Any]:
    if not isinstance(error, FileError):
        return {}
    return {
        "path": str(error.path),
        "line": error.line,
        "problem": error.problem,
        "remedy": error.remedy,
    }
