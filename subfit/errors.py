"""Every failure subfit reports to its user, as one tree.

::

    SubfitError                     exit code 1: it failed
    ├── FileError                   a file cannot be used; knows its path and line
    │   ├── InputFileError          unreadable, undecodable or not a subtitle file
    │   └── OutputFileError         cannot be written, or exists already
    ├── GuidelineError              a guideline with a value that cannot be
    ├── RecipeError                 a recipe with unknown keys or contradictions
    ├── ModelError                  a model that is incomplete or of another kind
    ├── MissingPackageError         a package that this needs is not installed
    └── UsageError                  exit code 2: the request itself is wrong
        ├── UnknownGuidelineError   a name that no guideline has; a GuidelineError as well
        ├── UnknownModelError       a name that no model has; a ModelError as well
        └── UnknownRecipeError      a name that no recipe has; a RecipeError as well

The command line catches `SubfitError` and prints ``str(error)`` as one line; everything below it
lets errors rise. What fails among many files is kept as a `Failure`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OPTIONAL = {
    "torch": "torch",
    "transformers": "transformers",
    **dict.fromkeys(("fastapi", "uvicorn", "python_multipart"), "'subfit[serve]'"),
    "av": "'subfit[video]'",
    **dict.fromkeys(("pysubs2", "ttconv"), "'subfit[formats]'"),
}
"""Packages that only some commands need, and what to tell pip."""


class SubfitError(Exception):
    """Base of everything subfit raises on purpose. ``str(error)`` is one line for the user."""

    exit_code = 1


class FileError(SubfitError):
    """A file that cannot be used.

    Args:
        path: The file, or ``-`` for a standard stream.
        problem: What is wrong, in a few words.
        line: 1-based line of the file where it is wrong, when there is one.
        remedy: What the user can do about it.
    """

    def __init__(
        self, path: Path | str, problem: str, *, line: int | None = None, remedy: str | None = None
    ) -> None:
        self.path, self.problem, self.line, self.remedy = path, problem, line, remedy
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {problem}" + (f"; {remedy}" if remedy else ""))


class InputFileError(FileError):
    """A file that cannot be read as what it should be."""


class OutputFileError(FileError):
    """A file that cannot be written, or must not be overwritten."""


class GuidelineError(SubfitError):
    """An unknown guideline, or a guideline with impossible values."""


class RecipeError(SubfitError):
    """A recipe that cannot be trained as it stands; lists all its problems at once."""


class ModelError(SubfitError):
    """A model that is missing, incomplete or of another kind."""


class MissingPackageError(SubfitError):
    """A package that what was asked for needs is not installed."""

    def __init__(self, package: str) -> None:
        self.package = package
        install = OPTIONAL.get(package, package)
        super().__init__(f"this needs {package}, which is not installed: pip install {install}")


class UsageError(SubfitError):
    """A request that makes no sense as it was given."""

    exit_code = 2


class UnknownGuidelineError(GuidelineError, UsageError):
    """A name that is neither a preset nor a file."""


class UnknownModelError(ModelError, UsageError):
    """A name that is no folder, no model that comes with subfit, and none of a hub."""


class UnknownRecipeError(RecipeError, UsageError):
    """A name that is neither a recipe that comes with subfit nor a file."""


def reason_of(error: Exception) -> str:
    """Say why the system refused, in lower case, as it stands inside our own messages.

    Args:
        error: An `OSError`, or whatever else reading a damaged file raises.
    """
    return str(getattr(error, "strerror", None) or error).lower()


@dataclass(frozen=True, slots=True)
class Failure:
    """An exception as plain data: one line for the user, and what a program may want to know."""

    kind: str
    """The error's class."""
    message: str
    """One line."""
    exit_code: int = SubfitError.exit_code
    details: dict[str, Any] = field(default_factory=dict)
    """Path, line, problem and remedy, for files."""
    error: Exception | None = field(default=None, compare=False, repr=False)
    """What was raised, where it was raised in this process."""

    def to_dict(self) -> dict[str, Any]:
        """Return the value of ``error`` in JSON documents."""
        named = {"kind": self.kind, "message": self.message, "exit_code": self.exit_code}
        return named | self.details


def failure_of(error: Exception) -> Failure:
    """Return what to tell the user of an exception."""
    kind, line = type(error).__name__, " ".join(str(error).split())
    if isinstance(error, FileError):
        details = {name: getattr(error, name) for name in ("line", "problem", "remedy")}
        return Failure(kind, line, error.exit_code, {"path": str(error.path), **details}, error)
    if isinstance(error, SubfitError):
        return Failure(kind, line, error.exit_code, error=error)
    if isinstance(error, ModuleNotFoundError) and error.name in OPTIONAL:
        return failure_of(MissingPackageError(str(error.name)))
    if isinstance(error, MemoryError):
        line = "out of memory; give smaller files or close other programs"
        return Failure(kind, line, error=error)
    if isinstance(error, OSError):  # whatever else is read or written has its own error
        where = str(error.filename or "standard output")
        return Failure(kind, f"{where}: {reason_of(error)}", error=error)
    line = f"internal error: {kind}: {line}; please report it with the output of --debug"
    return Failure("InternalError", line, error=error)
