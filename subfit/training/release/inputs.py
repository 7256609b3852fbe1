"""What a model is measured on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from subfit.errors import InputFileError
from subfit.training.release.measurements import Step
from subfit.training.release.model_under_test import ModelUnderTest
from subfit.training.release.subtitle_files import SubtitleFolder, find_subtitles, subtitle_step
from subfit.training.release.test_sets import TestSet, find_test_sets, steps_on


@dataclass(frozen=True, slots=True)
class Inputs:
    """Texts to translate."""

    test_sets: tuple[tuple[str, TestSet], ...]
    """Each with the tag of the one of its languages that the model is told."""
    subtitles: tuple[tuple[str, SubtitleFolder], ...]
    """Likewise."""


def read_inputs(
    tested: ModelUnderTest,
    *,
    data: Path | None = None,
    timed: Path | None = None,
    examples: Path | None = None,
    limit: int | None = None,
) -> Inputs:
    """Read everything before anything is translated, since most mistakes show then.

    Args:
        tested: The model, for its languages.
        data: Folder of test sets, see `find_test_sets`.
        timed: Folder of subtitle files, see `find_subtitles`.
        examples: The same, of files whose texts may be shown.
        limit: Only the first lines of test sets.

    Raises:
        InputFileError: A folder has nothing for the model, or a file cannot be read.
    """
    tests = () if data is None else _read_test_sets(tested, data, limit)
    folders = ((timed, False), (examples, True))
    subtitles = tuple(
        (language, find_subtitles(folder, tested.pair(language)[0], shown=shown))
        for folder, shown in folders
        if folder is not None
        for language in tested.languages
    )
    return Inputs(tests, subtitles)


def _read_test_sets(
    tested: ModelUnderTest, data: Path, limit: int | None
) -> tuple[tuple[str, TestSet], ...]:
    tests = tuple(
        (language, test)
        for language in tested.languages
        for test in find_test_sets(data, *tested.pair(language), limit)
    )
    if not tests:
        pair = "-".join(tested.pair(tested.languages[0]))
        remedy = f"expected test/NAME.{pair}.tsv or the like"
        raise InputFileError(data, "no test sets for this model in it", remedy=remedy)
    return tests


def steps_for(tested: ModelUnderTest, inputs: Inputs) -> Iterator[Step]:
    """Yield all measuring, what shares translations one after the other."""
    for language, test in inputs.test_sets:
        yield from steps_on(tested, language, test)
    for language, folder in inputs.subtitles:
        yield subtitle_step(tested, language, folder)
