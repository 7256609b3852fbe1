"""A check as a page: what stands on it is what the check found."""

from __future__ import annotations

import html
import re
from typing import Any

from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.reporting.files.check_page import check_page
from subfit.subtitles.cues import Cue, Track
from subfit.version import __version__

NETFLIX = Guideline.load("netflix", "de")
TRACK = Track(
    (
        Cue(0, 1000, "Das ist zu lang für eine Sekunde.", line=2),
        Cue(2000, 6000, "<i>Gut so.</i>", line=6),
    ),
    "srt",
)


def page_of(source: Track | None = None) -> str:
    checked = check_track(TRACK, NETFLIX, source=source)
    document: dict[str, Any] = {
        "subfit": __version__,
        "source": None if source is None else "film.en.srt",
        "input": "film.de.srt",
        "totals": dict(checked.totals),
        "repairs": [],
    }
    return check_page(checked, TRACK, document, ("en", "de"))


def test_every_cue_stands_in_it_with_what_it_breaks() -> None:
    page = html.unescape(page_of())
    assert "film.de.srt – subfit" in page
    assert all(text in page for text in ("Das ist zu lang für eine Sekunde.", "Gut so."))
    assert "overflow" in page and "fits" in page


def test_the_source_stands_beside_where_there_is_one() -> None:
    source = Track((Cue(0, 1000, "That is too long."), Cue(2000, 6000, "Very well.")), "srt")
    page = html.unescape(page_of(source))
    assert "That is too long." in page and "Very well." in page
    assert "Very well." not in html.unescape(page_of())


def test_nothing_is_fetched_from_elsewhere() -> None:
    assert not re.search(r"""(?:src|href)=["']https?:""", page_of())


def test_texts_cannot_break_out_of_the_page() -> None:
    track = Track((Cue(0, 5000, "</script><b>x"),), "srt")
    checked = check_track(track, NETFLIX)
    document = {
        "subfit": __version__, "source": None, "input": "a.srt",
        "totals": dict(checked.totals), "repairs": [],
    }  # fmt: skip
    page = check_page(checked, track, document, ("en", "de"))
    assert "</script><b>x" not in page
