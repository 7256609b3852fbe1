import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from subfit.limits.guideline import Guideline
from subfit.reporting.reflow import reflow_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.markup.payload import plain_text, unwrap_lines
from subfit.text.linebreak import break_lines

NARROW = Guideline(language="en", cpl=20, lines=2)
WIDE = Guideline(language="en", cpl=42, lines=2)


def reflowed(payload, guideline=WIDE, format="srt"):
    (cue,) = reflow_track(Track((Cue(0, 2000, payload),), format), guideline).cues
    return cue


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (
            "I told you that the\ncaptain would never come back to it.",
            "I told you that the captain\nwould never come back to it.",
        ),
        ("One line\nis enough.", "One line is enough."),
        ("- Where were you? - At the office.", "- Where were you?\n- At the office."),
        ("- Where were\nyou?\n- Out.", "- Where were you?\n- Out."),
        (
            "<i>He said that he would\nnot, and then he did it.</i>",
            "<i>He said that he would not,\nand then he did it.</i>",
        ),
        ("JOHN: Who is it?\nMARY: Me.", "JOHN: Who is it?\nMARY: Me."),
        ("(JOHN) Who is it?\n(MARY) Me.", "(JOHN) Who is it?\n(MARY) Me."),
        ("<i>Who is it?</i>\nMe.", "<i>Who is it?</i>\nMe."),
        (
            "<font color=red>Who\nis it?</font>\n<font color=blue>Me.</font>",
            "<font color=red>Who is it?</font>\n<font color=blue>Me.</font>",
        ),
        ("<i>Who is</i>\nit?", "<i>Who is</i> it?"),
        ("Never say it—\nnot here.", "Never say it—not here."),
        ("JOHN: Who is it? MARY: Me.", "JOHN: Who is it?\nMARY: Me."),
        ("♪ I walk alone\nalong the shore ♪", "♪ I walk alone\nalong the shore ♪"),
        ("[WIND HOWLS]\n[DOOR CREAKS]", "[WIND HOWLS]\n[DOOR CREAKS]"),
        ("", ""),
    ],
)
def test_a_cue_is_broken_where_a_reader_would_pause(payload, expected):
    assert reflowed(payload).payload == expected


def test_a_song_is_broken_where_a_line_is_too_long():
    cue = reflowed("♪ I waited by the shore, and nobody came to me ♪")
    assert cue.after == ("♪ I waited by the shore,", "and nobody came to me ♪")


def test_what_is_over_the_limits_is_told_and_made_no_worse():
    stays = "One two three four\nfive six seven eight\nnine ten eleven"
    cue = reflowed(stays, NARROW)
    assert (cue.payload, cue.state) == (stays, "kept")
    assert [each.kind for each in cue.violations] == ["lines"]
    cue = reflowed("One two three four five six seven eight nine", NARROW)
    assert len(cue.after) == 2
    assert [(each.kind, each.value) for each in cue.violations] == [("cpl", max(cue.characters))]


def test_without_bottom_heavy_the_upper_line_may_be_longer():
    text = "Nobody knew whether they were coming back"
    heavy = reflowed(text, Guideline(language="xx", cpl=30, lines=2))
    either = reflowed(text, Guideline(language="xx", cpl=30, lines=2, bottom_heavy=False))
    assert heavy.after == ("Nobody knew whether", "they were coming back")
    assert either.after in (heavy.after, ("Nobody knew whether they", "were coming back"))


words = st.sampled_from(
    [
        *("a", "the", "of", "cat,", "dog.", "Mr."),
        *("Tom", "and", "no,", "word—word", "lighthouse", "it’s"),
    ]
)
texts = st.lists(words, min_size=1, max_size=12)


@st.composite
def payloads(draw):
    """Words with tags between them, spaces and line breaks at random."""
    said = draw(texts)
    parts = []
    for word in said:
        wrapped = draw(st.sampled_from(["{}", "{}", "<i>{}</i>", "<font color=red>{}</font>"]))
        parts += [wrapped.format(word), draw(st.sampled_from([" ", " ", "\n", "  "]))]
    head = draw(st.sampled_from(["", "{\\an8}", "- "]))
    return head + "".join(parts[:-1])


@given(payloads(), st.integers(10, 30))
def test_words_and_markup_stay_and_a_second_time_changes_nothing(payload, cpl):
    guideline = Guideline(language="en", cpl=cpl, lines=2)
    once = reflowed(payload, guideline).payload
    # A tag around every single line is one markup, however often it is written.
    ignored = r"\s+" if not unwrap_lines(payload, "srt")[1] else r"\s+|</?(i|font).*?>"
    assert regex.sub(ignored, "", once) == regex.sub(ignored, "", payload)
    assert reflowed(once, guideline).payload == once


TIMES = "00:00:01,000 --> 00:00:02,000 00:01.000 -> --&gt; 1 -- align:end lighthouse"
MARKS = "<i> </i> <i </ < > {\\an8} {\\ } &lt; &amp; <c> - — ♪ « ? NOTE WEBVTT a—b 海"
odd = st.sampled_from([*TIMES.split(), *MARKS.split(), "<v Ann>", "\u2028", "\xa0"])


@given(
    st.lists(st.tuples(odd, st.sampled_from(["", " ", "\n", "  "])), min_size=1, max_size=12),
    st.sampled_from(["srt", "vtt"]),
    st.integers(6, 42),
)
def test_a_file_that_is_broken_anew_has_the_words_it_had(parts, format, cpl):
    def words(track):
        seen = (plain_text(cue.text, format) for cue in track.cues)
        return [
            (cue.start, "".join(text.split())) for cue, text in zip(track.cues, seen, strict=True)
        ]

    text = "".join(part + space for part, space in parts)
    made = Track((Cue(1000, 2000, text), Cue(3000, 4000, "Good night.")), format)
    track = parse_track(render_track(made), format=format)
    broken = reflow_track(track, Guideline(language="en", cpl=cpl, lines=2)).track
    assert words(parse_track(render_track(broken), format=format)) == words(track)


@pytest.mark.parametrize(
    "payload", ["The file says: 00:01.000 --> 00:02.000", "And one of the respo- nses is no"]
)
def test_lines_that_would_read_as_times_or_a_divided_word_are_not_made(payload):
    cue = reflowed(payload, Guideline(language="en", cpl=24, lines=2))
    note = "its lines would read as times, or as a divided word"
    assert (cue.payload, cue.note) == (payload, note)


@given(texts.map(" ".join), st.integers(8, 30))
def test_no_line_is_too_long_where_that_can_be(text, cpl):
    guideline = Guideline(language="en", cpl=cpl, lines=2)
    cue = reflowed(text, guideline)
    feasible = break_lines(text, cpl, 2, len, "en") is not None
    assert feasible == (not cue.violations)
    assert regex.sub(r"\s+", "", cue.payload) == regex.sub(r"\s+", "", text)
