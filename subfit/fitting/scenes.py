"""Where sentences stand in a film: their scenes, what is before them, who speaks to whom."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from subfit.decoding.hypotheses import Setting
from subfit.fitting.options import Options
from subfit.fitting.task import Task
from subfit.subtitles.cues import Cue
from subfit.terms.persons import Person, find_person, told_of

BEFORE = 3
"""Sentences before a scene, or before a sentence that is asked for by itself, that are shown."""
NEAR = 3
"""Within so many sentences before, or else behind, somebody else is whom one speaks to."""
_LABEL = re.compile(r"\s*[-–—]?\s*(.*\w.*?)\s*:\s*")


def in_scenes(
    tasks: Sequence[Task], cues: Sequence[Cue], options: Options, language: str
) -> list[Task]:
    """Give the sentences of a track their settings.

    A scene has at most `Options.scene` sentences, and ends at the longest pause in its second half.

    Args:
        tasks: The sentences.
        cues: The track's.
        options: The length of scenes, the synopsis, the persons.
        language: Tag of the target language.
    """
    spoken = [task.sentence.spoken for task in tasks]
    speakers = [_speaker(task, cues) for task in tasks]
    done: list[Task] = []
    for number, (start, end) in enumerate(_scenes(tasks, cues, max(options.scene, 1)), 1):
        words = " ".join([*spoken[start:end], *speakers[start:end]])
        told = told_of(options.people, words, language)
        notes = " ".join(filter(None, [options.synopsis, told]))
        for at in range(start, end):
            first = start if options.scene > 1 else at
            before = tuple(spoken[max(0, first - BEFORE) : first] if options.scene else ())
            scene = number if options.scene > 1 else 0
            done.append(replace(tasks[at], setting=Setting(scene, before, speakers[at], notes)))
    return done


def with_address(tasks: Sequence[Task], persons: Sequence[Person]) -> list[Task]:
    """Give sentences whose speaker is known, and whom they speak to, the form of address that the
    table of persons tells; the others keep theirs."""
    speaking = [find_person(persons, task.setting.speaker) for task in tasks]
    done: list[Task] = []
    for at, (task, speaker) in enumerate(zip(tasks, speaking, strict=True)):
        near = [*reversed(speaking[max(0, at - NEAR) : at]), *speaking[at + 1 : at + 1 + NEAR]]
        other = _called(task, persons) or next(
            (one for one in near if one not in (None, speaker)), None
        )
        form = speaker.addresses(other) if speaker is not None else None
        done.append(task if form is None else replace(task, formality=form))
    return done


def _called(task: Task, persons: Sequence[Person]) -> Person | None:
    """Who is called by name: "Anna, wait!", "I know, Anna."."""
    parts = [part.strip(" .!?…-–") for part in task.sentence.spoken.split(",")]
    return next((one for one in persons if any(map(one.is_called, parts))), None)


def _scenes(tasks: Sequence[Task], cues: Sequence[Cue], most: int) -> Iterator[tuple[int, int]]:
    """Where each scene begins and ends."""
    start = 0
    while len(tasks) - start > most:

        def pause(end: int) -> int:
            last, following = tasks[end - 1].sentence.parts[-1], tasks[end].sentence.parts[0]
            return cues[following.cue].start - cues[last.cue].end

        ends = range(start + most, start + most // 2, -1)
        end = max(ends, key=pause)
        yield start, end
        start = end
    if start < len(tasks):
        yield start, len(tasks)


def _speaker(task: Task, cues: Sequence[Cue]) -> str:
    """Who says a sentence, by a script's column or by a label; empty where neither tells."""
    part = task.sentence.parts[0]
    label = _LABEL.fullmatch(part.lead)
    return cues[part.cue].speaker or (label[1] if label else "")
