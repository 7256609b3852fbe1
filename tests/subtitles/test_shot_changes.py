from __future__ import annotations

import pytest

from subfit.errors import InputFileError
from subfit.subtitles.timecodes import parse_shot_changes


@pytest.mark.parametrize(
    ("text", "fps", "expected"),
    [
        ("", 24, ()),
        ("# none\n\n", 24, ()),
        ("1.5\n12.480000\n", 24, (1500, 12_480)),
        ("24\n48 # door\n", 24, (1000, 2000)),
        ("24\n", 23.976, (1001,)),
        # One fraction says that all are seconds.
        ("12\n13.5\n", 24, (12_000, 13_500)),
        ("00:00:12.480\n00:00:01,5\n00:12\n", 24, (1500, 12_000, 12_480)),
        ("00:00:12:12\n", 24, (12_500,)),
        ("00:01:00;02\n", 29.97, (60_060,)),
        ("\ufeff2.0\r\n1.0\r\n2.0\r\n", 24, (1000, 2000)),
    ],
)
def test_a_list_may_have(text: str, fps: float, expected: tuple[int, ...]) -> None:
    assert parse_shot_changes(text.encode(), "film.shots.txt", fps) == expected


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"1.5\nsoon\n", "film.shots.txt:2: no shot change: “soon”; write one a line"),
        (b"-3\n", "film.shots.txt:1: no shot change"),
        (b"00:00:01:30\n", "film.shots.txt:1: time code '00:00:01:30' has no such frame at 24"),
        (b"1.5\n\xff\xfe\n", "film.shots.txt:2: is not UTF-8 text"),
        (b"1,2,3\n", "film.shots.txt:1: no shot change"),
    ],
)
def test_a_line_that_is_none_is_told(data: bytes, told: str) -> None:
    with pytest.raises(InputFileError) as caught:
        parse_shot_changes(data, "film.shots.txt", 24)
    assert told in str(caught.value) and "\n" not in str(caught.value)
