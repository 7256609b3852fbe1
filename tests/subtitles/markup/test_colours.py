"""Speakers who are told apart by colours, classes, voices or italics of their lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from subfit.subtitles.markup.tags import lift_tags
from subfit.subtitles.markup.turns import coloured_starts, slanted_starts


def parts(payload: str, starts_of, format: str) -> list[str]:
    """The text of a payload, parted where another one speaks."""
    text, elements = lift_tags(payload, format)
    places = [at for at, char in enumerate(text) if char == "\n"]
    starts, stops = [0, *(at + 1 for at in places)], [*places, len(text)]
    cuts = starts_of(text, elements, list(zip(starts, stops, strict=True)))
    bounds = [0, *cuts, len(text)]
    return [text[one:other].strip() for one, other in pairwise(bounds)]


RED, BLUE = '<font color="red">', "<font color='blue'>"


@pytest.mark.parametrize(
    ("format", "payload", "speakers"),
    [
        ("srt", f"{RED}Hello.</font>\n{BLUE}Hi.</font>", ["Hello.", "Hi."]),
        ("srt", f"{RED}Hello.</font>\nHi.", ["Hello.", "Hi."]),
        ("srt", f"{RED}Hello.\nHi.</font>", ["Hello.\nHi."]),
        ("srt", f"{RED}Hello.</font>\n{RED.upper()}Hi.</font>", ["Hello.\nHi."]),
        ("srt", f"{RED}We saw</font>\n{BLUE}the ship.</font>", ["We saw\nthe ship."]),
        ("srt", f"{RED}We saw it.</font>\n{BLUE}the ship.</font>", ["We saw it.", "the ship."]),
        ("srt", f"The {RED}ship</font> sank.\nYes.", ["The ship sank.\nYes."]),
        ("srt", "<font size=9>Hello.</font>\nHi.", ["Hello.\nHi."]),
        ("vtt", "<c.yellow>Hello.</c>\n<c.cyan>Hi.</c>", ["Hello.", "Hi."]),
        ("vtt", "<c.yellow>Hello.</c>\n<c.yellow>Hi.</c>", ["Hello.\nHi."]),
        ("vtt", "<v Ann>Hello.\n<v Bob>Hi.", ["Hello.", "Hi."]),
        ("vtt", "<v Ann>Hello.\n<v Ann>Hi.", ["Hello.\nHi."]),
        (
            "srt",
            f"{RED}One.</font>\n{BLUE}Two.</font>\n{RED}Three.</font>",
            ["One.", "Two.", "Three."],
        ),
    ],
)
def test_lines_of_another_colour_are_another_speaker_s(format, payload, speakers) -> None:
    assert parts(payload, coloured_starts, format) == speakers


@pytest.mark.parametrize(
    ("payload", "speakers"),
    [
        ("<i>Hello?</i>\nHi.", ["Hello?", "Hi."]),
        ("Hi.\n<i>Hello?</i>", ["Hi.", "Hello?"]),
        ("{\\i1}Hello?{\\i0}\nHi.", ["Hello?", "Hi."]),
        ("<i>I have seen</i>\nthe ship.", ["I have seen\nthe ship."]),
        ("<i>I saw it.</i>\nthe ship.", ["I saw it.\nthe ship."]),
        ("<i>Ask for Mr.</i>\nHill today.", ["Ask for Mr.\nHill today."]),
        ("<i>Pregunta por la Sra.</i>\nRuiz.", ["Pregunta por la Sra.\nRuiz."]),
        ("Never <i>ever</i>.\nNo.", ["Never ever.\nNo."]),
        ("<i>Who is it?</i>\n<i>Me.</i>", ["Who is it?\nMe."]),
        ("<i>“Who?”</i>\nMe.", ["“Who?”", "Me."]),
    ],
)
def test_italics_part_speakers_only_between_whole_lines_and_sentences(payload, speakers) -> None:
    assert parts(payload, slanted_starts, "srt") == speakers
