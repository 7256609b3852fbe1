"""The ablation: which places are read, in a hidden order, and how answers are counted."""

from __future__ import annotations

import json
import random

from benchmarks.ablation import PATCHES, WAYS, runs, score, sheet

SOURCES = [f"cue {number}" for number in range(9)]
WHOLE = [f"text {number}" for number in range(9)]


def test_neighbouring_cues_that_differ_are_read_together() -> None:
    ours, theirs = list("abcdefgh"), list("aXXdXXXX")
    assert [list(places) for places in runs(ours, theirs, 3)] == [[1, 2], [4, 5, 6], [7]]
    assert list(runs(ours, ours, 3)) == []


def test_the_reader_cannot_tell_which_text_is_which_and_the_key_can(tmp_path) -> None:
    way = WAYS[1]
    other = [f"other {number}" if number % 3 == 0 else f"text {number}" for number in range(9)]
    found = dict.fromkeys(WAYS, WHOLE) | {way: other}
    text, key = sheet(SOURCES, found, 9, random.Random(3))
    firsts = [line.removeprefix("\tA ") for line in text.splitlines() if line.startswith("\tA ")]
    for first, (name, whole) in zip(firsts, key, strict=True):
        assert name == way
        assert first.startswith("text") == (whole == "A")
    assert len({whole for _, whole in key}) == 2
    assert way not in text

    (tmp_path / "de.json").write_text(json.dumps(key))
    answers = [f"0 {key[0][1]}", f"1 {'AB'.replace(key[1][1], '')}", "2 ="]
    (tmp_path / "de.answers").write_text("\n".join(answers))
    assert score(tmp_path)[0] == [way, "1", "1", "1"]
    assert score(tmp_path)[1] == [WAYS[2], "0", "0", "0"]


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    for changes in PATCHES.values():
        changed = changes()
        assert changed
        assert all(hasattr(place, name) for place, name, _ in changed)
