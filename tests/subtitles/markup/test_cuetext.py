"""A cue's payload taken apart."""

from __future__ import annotations

import pytest

from subfit.subtitles.markup import CueText, Span, Turn, is_pinned
from subfit.subtitles.markup.payload import parse_cue_text


@pytest.mark.parametrize(
    ("payload", "pinned"),
    [
        ("It is <i>so</i> late.", [False]),
        ("It is <00:01.500>late.", [True]),
        ("<ruby>明日<rt>あした</rt></ruby>です", [True, True]),
        ("It is late.", []),
    ],
)
def test_what_is_of_a_time_or_of_its_very_words_is_pinned(payload: str, pinned: list[bool]) -> None:
    (turn,) = parse_cue_text(payload, "vtt").turns
    assert [is_pinned(span) for span in turn.spans] == pinned


def test_turns_are_shown_one_a_line_with_their_dashes() -> None:
    text = CueText((Turn("Who is it?", dash="- "), Turn("Me.", (Span(0, 2, "<i>", "</i>"),), "-")))
    assert text.shown == "- Who is it?\n-Me."
    assert parse_cue_text(text.shown, "srt").shown == text.shown
