"""Test sets: lines chosen by number and by the length of their reference."""

from __future__ import annotations

from pathlib import Path

from subfit.evaluation.corpus import CharacterRange, read_evaluation_set
from tests.evaluation.conftest import FEW


def test_lines_by_length_of_the_reference(test_file):
    chosen = read_evaluation_set(test_file, reference_characters=CharacterRange(16, 23))
    expected = [n for n, pair in enumerate(FEW) if 16 <= len(pair.target) <= 23]
    assert list(chosen.numbers) == expected
    assert chosen.select(range(8), Path("f")) == tuple(expected)
    assert read_evaluation_set(test_file, 1, CharacterRange(17, 23)).numbers == (expected[1],)
