"""What the page of a report is given, and how it stands in the page."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from subfit.reporting.files.page import to_html
from subfit.reporting.files.page_data import page_data
from subfit.reporting.files.written import written_file
from subfit.reporting.report import Report
from subfit.subtitles.formats import parse_track
from tests.reporting.conftest import NETFLIX, OUTCOMES, with_outcome

FILE = "\n".join(
    f"{number}\n00:00:{number:02},000 --> 00:00:{number:02},900\n{each.payload}\n"
    for number, each in enumerate(OUTCOMES, 1)
)


def data_of(report: Report, **names: str | None) -> dict[str, Any]:
    track = parse_track(FILE.encode(), format="srt")
    languages = {"source_language": "en", "target_language": "de"}
    document = {"input": "a.en.srt", "output": "a.de.srt", **report.to_dict(), **names}
    document["settings"] = {**document["settings"], **languages}
    return page_data(document, written_file(track, "srt"), NETFLIX)


@pytest.mark.parametrize(
    ("source", "target", "name"),
    [
        ("a.en.srt", "out/b.de.srt", "b.de.srt"),
        ("films/a.en.srt", "-", "a.de.srt"),
        ("-", "-", "translation.srt"),
        ("a.en.srt", "b", "b.srt"),
    ],
)
def test_the_download_is_named_like_the_output(
    source: str, target: str, name: str, report: Report
) -> None:
    assert data_of(report, input=source, output=target)["file"]["name"] == name


def test_what_was_left_untranslated_has_limits_for_who_translates_it(report: Report) -> None:
    cue = data_of(report)["cues"][4]
    assert (cue["status"], cue["budget"], cue["binding"]) == ("untranslated", 17, "cps")
    assert report.cues[4].most_characters is None


@pytest.mark.parametrize(
    ("source", "omitted", "struck"),
    [
        ("Well, he left.", ("Well,",), ["Well,"]),
        ("Oh no, I know no one.", ("no,",), ["no,"]),  # not within words
        ("You know, you know him.", ("You know,",), ["You know,"]),
        ("No, no, no.", ("no,",), ["no,"]),
        ("So, so, so.", ("so",), []),  # which one?
        ("Go, go, stop!", ("Go,", "go,"), ["Go,", "go,"]),
        ("- Come on.\n- John,\nsit down.", ("on.\n- John,",), ["on.\n- John,"]),
        ("It is late (you know).", ("(you know)",), ["(you know)"]),
        ("He left, you know, and you?", ("you know,", "you"), ["you know,", "you"]),
        ("😀 Hey, look.", ("Hey,",), ["Hey,"]),
        ("He left.", ("elsewhere",), []),
    ],
)
def test_what_was_left_out_is_found_in_the_source_where_it_can_only_be_there(
    source: str, omitted: tuple[str, ...], struck: list[str], report: Report
) -> None:
    cue = with_outcome(report.cues[0], source=source, omitted=omitted)
    data = data_of(replace(report, cues=(cue, *report.cues[1:])))
    pieces = data["cues"][0]["source_pieces"]
    assert "".join(text for text, _ in pieces) == source
    assert [text for text, out in pieces if out] == struck
    assert not any("source_pieces" in each for each in data["cues"][1:])


def test_the_data_is_json_that_no_tag_can_end(report: Report) -> None:
    data = {**data_of(report), "odd": "</script><!-- \u2028 & {{style}} \\u003c"}
    page = to_html(data, "</title>")
    block = re.search('id="data">(.*?)</script>', page)
    assert block and json.loads(block[1]) == json.loads(json.dumps(data))
    assert not set("<>&\u2028") & set(block[1])
    assert "<title>&lt;/title&gt;</title>" in page
