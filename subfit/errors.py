"""Every failure subfit reports to its user, as one tree.

::

    SubfitError                     exit code 1: it failed
    ├── FileError                   a file cannot be used; knows its path and line
    │   ├── InputFileError          unreadable, undecodable or not a subtitle file
    │   └── OutputFileError         cannot be written, or exists already
    ├── GuidelineError              a guideline with a value that cannot be
    ├── RecipeError                 a recipe with unknown keys or contradictions
    ├── ModelError                  a model that is incomplete or of another kind
    ├── EngineError                 workers that cannot be reached or started
    └── UsageError                  exit code 2: the request itself is wrong
        ├── UnknownGuidelineError   a name that no guideline has; a GuidelineError as well
        ├── UnknownModelError       a name that no model has; a ModelError as well
        └── UnknownRecipeError      a name that no recipe has; a RecipeError as well

The command line catches `SubfitError` and prints ``str(error)`` as one line; everything below it
lets errors rise.
"""

from __future__ import annotations

from pathlib import Path


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


class EngineError(SubfitError):
    """Workers, or the cluster they belong to, that cannot be reached or started."""


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
