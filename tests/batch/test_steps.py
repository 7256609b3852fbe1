"""The way of a group: what fails does not stop its neighbours, and they are worked on together."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from subfit.batch.items import Group, Item, Source, Translated
from subfit.batch.prepare import Prepared
from subfit.batch.steps import Files, by_guideline, together
from subfit.errors import InputFileError
from subfit.limits.guideline import Guideline
from subfit.subtitles.formats import parse_track

NETFLIX, BBC = Guideline.load("netflix", "de"), Guideline.load("bbc", "de")
FILM = b"1\n00:00:01,000 --> 00:00:02,000\nHello.\n"


def source(index: int) -> Source:
    return Source(index, Item(f"{index}.srt", f"{index}.de.srt", "de"), FILM, 1)


def prepared(index: int, guideline: Guideline = NETFLIX) -> Prepared:
    return Prepared(source(index), parse_track(FILM, name="film.srt"), guideline, "srt")


def done(files: Files) -> list[Translated]:
    return [Translated(file.source, data=b"done") for file in files]


def names(files: Files) -> tuple[int, ...]:
    return tuple(file.source.index for file in files)


def test_files_of_a_guideline_are_worked_on_together_and_come_back_in_order() -> None:
    guidelines = {0: NETFLIX, 1: BBC, 2: NETFLIX, 3: BBC}
    seen: list[tuple[str, tuple[int, ...]]] = []

    def work_on(guideline: Guideline, files: Files) -> list[Translated]:
        seen.append((guideline.name, names(files)))
        return done(files)

    group = Group("de", tuple(map(source, guidelines)))
    results = by_guideline(group, lambda one: prepared(one.index, guidelines[one.index]), work_on)
    assert seen == [("netflix", (0, 2)), ("bbc", (1, 3))]
    assert [one.source.index for one in results] == [0, 1, 2, 3]


def test_a_file_that_cannot_be_read_fails_alone() -> None:
    def read(one: Source) -> Prepared:
        if one.index == 1:
            raise InputFileError("1.srt", "there is no cue in it", line=7)
        return prepared(one.index)

    group = Group("de", tuple(map(source, range(3))))
    results = by_guideline(group, read, lambda _, files: done(files))
    failures = [one.failure for one in results]
    assert [bool(failure) for failure in failures] == [False, True, False]
    assert failures[1] is not None and "there is no cue in it" in failures[1].message


@pytest.mark.parametrize("bad", [{1}, {0, 3}, {0, 1, 2, 3}, set()])
def test_files_that_fail_together_are_worked_on_each_by_itself(bad: set[int]) -> None:
    calls: list[tuple[int, ...]] = []

    def work_on(files: Files) -> list[Translated]:
        calls.append(names(files))
        if bad & set(names(files)):
            raise RuntimeError("no memory")
        return done(files)

    results = together([prepared(index) for index in range(4)], work_on)
    assert {one.source.index for one in results if one.failure} == bad
    assert [one.source.index for one in results] == [0, 1, 2, 3]
    assert calls[0] == (0, 1, 2, 3) and len(calls) == (5 if bad else 1)


def test_one_file_that_fails_is_not_tried_again() -> None:
    calls = SimpleNamespace(count=0)

    def work_on(files: Files) -> list[Translated]:
        calls.count += 1
        raise RuntimeError("no memory")

    (result,) = together([prepared(0)], work_on)
    assert result.failure is not None and calls.count == 1
