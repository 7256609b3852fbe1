"""The challenge set itself: complete, and passed by what its author wrote but not by its source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.challenge.cases import LANGUAGES, Case, read_cases
from benchmarks.challenge.checks import ALWAYS, CHECKS, complaints
from tests.benchmarks.challenge.answers import answer_with

CASES = read_cases()
TRANSLATED = [
    pytest.param(case, language, id=f"{case.id}-{language}")
    for case in CASES
    for language in case.good
]


def test_there_are_cues_enough() -> None:
    assert len(CASES) >= 160
    assert sum(set(case.good) == set(LANGUAGES) for case in CASES) >= 40


def test_every_id_is_there_once() -> None:
    assert [name for name, times in Counter(case.id for case in CASES).items() if times > 1] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_cue_expects_something_known_of_every_language(case: Case) -> None:
    known = {*CHECKS, *(check.__name__ for check in ALWAYS)}
    for language in LANGUAGES:
        assert case.properties[language]
        assert set(case.properties[language]) <= known


@pytest.mark.parametrize(("case", "language"), TRANSLATED)
def test_a_good_translation_passes(case: Case, language: str) -> None:
    assert complaints(answer_with(case, language, case.good[language])) == ()


@pytest.mark.parametrize(("case", "language"), TRANSLATED)
def test_the_source_does_not_pass_for_a_translation(case: Case, language: str) -> None:
    if case.source == case.good.get(language):  # "BERLIN, AUGUST 1961" is German as well
        assert not complaints(answer_with(case, language, case.source))
    else:
        assert complaints(answer_with(case, language, case.source))


@pytest.mark.parametrize(
    "line",
    [
        "{id: a, has: {de: Tür}}",
        "{id: a, source: A door., has: {de: Tür, es: puerta, fr: porte}}",
        "{id: a, source: Not me., has: {de: nicht, es: no, fr: pas, it: non}}",
    ],
    ids=["no source", "no Italian", "a bare no"],
)
def test_a_cue_that_is_not_whole_is_refused_by_name(line: str, tmp_path: Path) -> None:
    (tmp_path / "doors.yaml").write_text(f"cues:\n- {line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"doors\.yaml: a: "):
        read_cases(tmp_path)
