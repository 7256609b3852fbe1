"""What can be spared of a sentence by itself, and what must not be torn."""

from __future__ import annotations

from tests.condensing.shortened import shortened


def test_quotes_stay_whole() -> None:
    text = '"I did it," he said, "because of you and the others."'
    assert shortened(text, 0.95)
    assert all(each.count('"') == 4 for each in shortened(text, 0.95))


def test_what_is_left_of_a_sentence_has_its_verb() -> None:
    text = "After the long meeting in May, we went home, you know."
    left = shortened(text, 0.6) + shortened(text, 0.4)
    assert left and all("went" in each for each in left)


def test_cheap_words_go_first() -> None:
    text = "Well, I bought a small red boat in Spain last year, you know."
    assert shortened(text, 0.99)[:2] == [
        "I bought a small red boat in Spain last year, you know.",
        "Well, I bought a small red boat in Spain last year.",
    ]
    assert "I bought a small red boat in Spain." in shortened(text, 0.6)[:2]
