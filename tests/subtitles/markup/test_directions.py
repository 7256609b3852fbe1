"""Directions to actors: not spoken, not translated, and back where they were."""

from __future__ import annotations

import pytest

from subfit.subtitles.markup.payload import parse_cue_text
from subfit.subtitles.markup.restore import render_cue_text


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("(OFF) Wait, you there. (laughs)", "Wait, you there."),
        ("Wait, [breath] you there.", "Wait, you there."),
        ("Wait / you there // now.", "Wait you there now."),
        ("Wait. (He turns to the door.) You there.", "Wait. You there."),
        ("He is (as far as I know) away.", "He is (as far as I know) away."),
        ("I am (V.O.) here", "I am here"),
        ("and/or", "and/or"),
        ("Is that Tom(laughs), your son?", "Is that Tom, your son?"),
        ("I know.(laughs)", "I know."),
        ("Which colo(u)r, and which person(s)?", "Which colo(u)r, and which person(s)?"),
    ],
)
def test_directions_are_not_spoken_and_stay(line: str, spoken: str) -> None:
    text = parse_cue_text(line, "csv")
    assert [turn.text for turn in text.turns] == [spoken]
    assert render_cue_text(text, [(spoken,)], "csv").text == line


@pytest.mark.parametrize(
    ("line", "translation", "placed"),
    [
        (
            "I know. (chuckles) They burn very well.",
            "Ich weiß es. Sie brennen sehr gut.",
            "Ich weiß es. (chuckles) Sie brennen sehr gut.",
        ),
        ("Well, [sighs] I do not know.", "Nun, ich weiß nicht.", "Nun, [sighs] ich weiß nicht."),
        ("I know / I was there.", "Ich war ja da.", "Ich / war ja da."),
        ("Come here. (waves)", "Komm.", "Komm. (waves)"),
    ],
)
def test_directions_go_where_a_sentence_goes(line: str, translation: str, placed: str) -> None:
    assert render_cue_text(parse_cue_text(line, "csv"), [(translation,)], "csv").text == placed


@pytest.mark.parametrize(
    ("line", "spoken", "placed"),
    [
        ("I saw Tom(my dad) there.", "I saw Tom there.", "I saw Tom (my dad) there."),
        ("Really?[laughs]Yes.", "Really? Yes.", "Really? [laughs] Yes."),
        ("Go(laughs)[door] now.", "Go now.", "Go (laughs) [door] now."),
    ],
)
def test_words_do_not_run_together_where_a_direction_is_taken_out(
    line: str, spoken: str, placed: str
) -> None:
    text = parse_cue_text(line, "csv")
    assert [turn.text for turn in text.turns] == [spoken]
    assert render_cue_text(text, [(spoken,)], "csv").text == placed


def test_a_row_of_directions_only_is_not_translated() -> None:
    assert parse_cue_text("(laughs) [door]", "xlsx").kind == "empty"
