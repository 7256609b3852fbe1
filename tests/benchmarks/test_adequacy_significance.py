"""Whether systems differ in REP and DROP by more than chance."""

from __future__ import annotations

import pytest

from benchmarks.adequacy_significance import against, count_lines, randomised, scores_of
from subfit.evaluation.adequacy import Words, drop_score, rep_score


class SameWords:
    """Aligns every word with itself."""

    def aligned_sources(self, source: Words, target: Words) -> frozenset[int]:
        return frozenset(index for index, word in enumerate(source) if word in target)


SOURCES = ["a b c d", "e f g", "h i j k l", "m n"] * 10
WHOLE = [*SOURCES]
CUT = [text[:-2] for text in SOURCES]
TWICE = [f"{text} {text}" if number % 2 else text for number, text in enumerate(SOURCES)]


@pytest.mark.parametrize("texts", [WHOLE, CUT, TWICE, [""] * 40])
def test_the_lines_add_up_to_the_scores(texts: list[str]) -> None:
    lines = count_lines(texts, SOURCES, WHOLE, SameWords())
    each = [[text] for text in WHOLE]
    rep, drop = scores_of(lines.sum(0))
    assert rep == pytest.approx(rep_score(texts, each))
    assert drop == pytest.approx(drop_score(SOURCES, texts, each, SameWords()))


def test_a_system_does_not_differ_from_itself() -> None:
    lines = count_lines(CUT, SOURCES, WHOLE, SameWords())
    assert randomised(lines, lines, trials=50) == randomised(lines, lines.copy(), trials=50)
    assert randomised(lines, lines, trials=50).drop == 1.0


def test_what_always_drops_more_is_told_from_chance_and_one_line_is_not() -> None:
    one_line = [WHOLE[0][:-2], *WHOLE[1:]]
    lines = {
        label: count_lines(texts, SOURCES, WHOLE, SameWords())
        for label, texts in {"whole": WHOLE, "cut": CUT, "one": one_line, "twice": TWICE}.items()
    }
    found = against("whole", lines, trials=2000)
    assert set(found) == {"cut", "one", "twice"}
    assert found["cut"].drop < 0.001
    assert found["one"].drop > 0.4
    assert found["twice"].rep < 0.001
    assert found["cut"].rep == 1.0
