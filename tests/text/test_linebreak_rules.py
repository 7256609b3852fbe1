"""What it costs to break a line between two words."""

from __future__ import annotations

import pytest

from subfit.text.counting import count_characters
from subfit.text.linebreak import break_lines
from subfit.text.linebreak_rules import joined, split_pieces, split_words


def costs(text: str, language: str) -> dict[str, float]:
    """The demerits of a break after each piece but the last."""
    return {piece.text: piece.demerits for piece in split_pieces(text, language)[:-1]}


def test_spaces_within_marks_part_no_words() -> None:
    assert split_words("« Quoi ? » dit-il") == ["« Quoi ? »", "dit-il"]
    assert split_words("a  b\nc") == ["a", "b", "c"]


def test_pieces_make_the_text_again() -> None:
    for text, language in (("The old boat left.", "en"), ("これは本です。", "ja")):
        assert joined(split_pieces(text, language)) == text


@pytest.mark.parametrize(
    ("text", "language", "better", "worse"),
    [
        ("He left. Then it rained.", "en", "left.", "Then"),
        ("He saw the boat and ran.", "en", "boat", "the"),
        ("Er kam, als ich ging.", "de", "kam,", "als"),
        ("I met Mr. Bell there today.", "en", "there", "Mr."),
        ("Call print(a, b) or `c = 1` now.", "en", "b)", "print(a,"),
    ],
)
def test_lines_break_between_phrases(text: str, language: str, better: str, worse: str) -> None:
    demerits = costs(text, language)
    assert demerits[better] < demerits[worse]


def test_japanese_breaks_between_characters_but_before_no_closing_mark() -> None:
    pieces = [piece.text for piece in split_pieces("本です。", "ja")]
    assert len(pieces) > 1 and pieces[-1].endswith("。") and pieces[-1] != "。"


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("ja", "今日はとても天気がいいですね", ("今日はとても", "天気がいいですね")),
        ("zh", "我们今天下午去公园散步", ("我们今天下午", "去公园散步")),
        ("th", "วันนี้อากาศดีมาก", ("วันนี้", "อากาศดีมาก")),
    ],
)
def test_phrases_of_scripts_without_spaces_stay_together(language, text, lines) -> None:
    pytest.importorskip("budoux")
    width = max(map(count_characters, lines)) + 1
    assert break_lines(text, width, 2, count_characters, language) == lines
