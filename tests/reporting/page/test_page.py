"""The page of a report as a user works with it: opened, filtered, edited, downloaded."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from subfit.batch.items import Item
from subfit.batch.outcome import cue_page
from subfit.fitting.outcomes import RiskFeatures, TermUse
from subfit.limits.guideline import Guideline
from subfit.memory.files import read_entries
from subfit.memory.store import Languages
from subfit.reporting.page import written_file
from subfit.subtitles.formats import parse_track
from subfit.text.counting import Counting
from tests.reporting.conftest import with_outcome
from tests.text.test_counting import VECTORS

from .browser import RERUN
from .conftest import NETFLIX, SCENE, SCRIPT, Made, Opener, Page, make_page

pytestmark = [pytest.mark.browser, RERUN]


def test_the_counter_counts_as_subfit_does(page: Page) -> None:
    defaults = {
        "spaces": True,
        "punctuation": True,
        "arabic_diacritics": False,
        "half_width": False,
    }
    script = "return arguments[0].map(([text, counting]) => subfitReport.count(text, counting))"
    cases = [(case["text"], {**defaults, **case["counting"]}) for case in VECTORS["counts"]]
    counts = page.run(script, cases)
    wrong = [
        (case, count)
        for case, count in zip(VECTORS["counts"], counts, strict=True)
        if count != case["count"]
    ]
    assert wrong == []


def test_the_page_lifts_markup_as_subfit_does(page: Page) -> None:
    script = "return arguments[0].map(each => subfitReport.plainText(each.payload, each.format))"
    texts = page.run(script, VECTORS["plain_texts"])
    assert texts == [case["text"] for case in VECTORS["plain_texts"]]


@pytest.mark.parametrize(
    "guideline",
    [
        NETFLIX,
        replace(
            NETFLIX, counting=Counting(half_width=True), cps_counting=Counting(half_width=True)
        ),
        replace(NETFLIX, cps_counting=Counting(spaces=False), cps=12),
        Guideline(name="none", language="de"),
    ],
    ids=["netflix", "half width", "reading speed without spaces", "no limits"],
)
def test_the_page_judges_and_adds_up_as_the_report_does(guideline, opened):
    made = make_page(SCENE, SCRIPT, guideline=guideline)
    report, page = made.done.report, opened(made.page)
    totals = page.run("return subfitReport.totals()")
    assert totals["ratio"] == pytest.approx(report.totals["length_ratio"]["mean"])
    assert totals["ratioDeviation"] == pytest.approx(report.totals["length_ratio"]["sd"])
    assert totals["strict"] == pytest.approx(report.totals["compliance"]["strict"])
    assert totals["iwslt"] == pytest.approx(report.totals["compliance"]["iwslt"])
    assert totals["cps"] == pytest.approx(report.totals["cps"]["mean"])
    assert totals["cpsWorst"] == pytest.approx(report.totals["cps"]["worst"])
    assert totals["over"] == report.totals["overflow"]["after"]["over"]
    assert totals["characters"] == report.totals["overflow"]["after"]["characters"]
    assert totals["linesOver"] == report.totals["lines_overflow"]
    script = "return subfitReport.judge(arguments[0], arguments[1])"
    for cue in report.to_dict()["cues"]:
        if cue["status"] in ("fits", "overflow"):
            figures = page.run(script, cue["target"], cue)
            assert figures["characters"] == cue["characters"]
            assert figures["excess"] == cue["excess"]
            assert figures["cpl"] == cue["cpl"]
            assert figures["cps"] == pytest.approx(cue["cps"])
            if "\n- " not in cue["target"]:  # of two speakers each has a share to keep to
                assert figures["fits"] is (cue["status"] == "fits")


def test_cues_that_are_over_near_or_kept_can_be_told_and_filtered(page: Page) -> None:
    assert page.shown() == [1, 2, 3, 4, 5]
    page.click("[data-filter=over]")
    assert page.shown() == [4]
    assert page.text("#cue-4 .chip") == "● over +13"
    assert page.text("#cue-4 .used") == "30 / 17"
    page.click("[data-filter=near]")
    assert page.shown() == [3]
    page.click("[data-filter=all]")
    page.click("input[type=search]")
    page.press("leucht")
    assert page.shown() == [1]


def test_an_untouched_file_downloads_as_it_was_written(made: Made, page: Page) -> None:
    assert page.download("#download", "scene.de.srt") == made.written


def test_an_edit_is_judged_while_it_is_typed_and_is_all_that_changes(made, page):
    page.edit(4, "Niemand sieht's!!")
    assert page.text("#cue-4 .used") == "17 / 17"
    assert page.text("#cue-4 .chip") == "▲ near"
    page.edit(4, "Niemand da.\n<i>Nie</i>")
    assert page.text("#cue-4 .target") == "Niemand da.\nNie"
    assert page.text("#cue-4 .used") == "14 / 17"
    page.click("[data-filter=edited]")
    assert page.shown() == [4]
    old, new = "Niemand sieht das kleine Boot.", "Niemand da.\n<i>Nie</i>"
    expected = made.written.replace(old.encode(), new.encode())
    assert page.download("#download", "scene.de.srt") == expected != made.written
    assert parse_track(expected, format="srt").cues[3].text == new


def test_markup_around_a_cue_stays_and_lost_markup_is_told(made: Made, page: Page) -> None:
    page.edit(1, "Wo ist\nder Turm?")
    page.edit(3, "Auf!")
    assert "{\\an8}<i>" in page.text("#cue-3 .panel") or page.text("#cue-3 .notes")
    assert "markup left out: <b>" in page.text("#cue-3 .notes")
    track = parse_track(page.download("#download", "scene.de.srt"), format="srt")
    assert track.cues[0].text == "{\\an8}<i>Wo ist\nder Turm?</i>"
    assert track.cues[2].text == "Auf!"


def test_an_alternative_stands_in_the_file_as_subfit_would_write_it(made: Made, page: Page) -> None:
    alternative = made.done.report.cues[2].outcome.alternatives[-1]
    page.click("#cue-3 .edit")
    page.click("#cue-3 .choices li:last-child button")
    assert page.text("#cue-3 .target") == alternative.target
    track = parse_track(page.download("#download", "scene.de.srt"), format="srt")
    assert track.cues[2].text == alternative.payload
    assert "<b>" in alternative.payload
    page.run("[...document.querySelectorAll('.buttons button')][1].click()")  # as translated
    assert page.download("#download", "scene.de.srt") == made.written


def test_edits_are_handed_out_as_json(page: Page, tmp_path: Path) -> None:
    page.edit(4, "Niemand.")
    document = json.loads(page.download("#edits", "scene.de.srt.edits.json"))
    (edit,) = document["edits"]
    assert (edit["number"], edit["before"]) == (4, "Niemand sieht das kleine Boot.")
    assert (edit["after"], edit["characters"], edit["status"]) == ("Niemand.", 8, "fits")
    path = tmp_path / "scene.de.srt.edits.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    entries = read_entries(str(path), Languages("en", "de"))
    assert [(entry.source, entry.target) for entry in entries] == [(edit["source"], "Niemand.")]


def test_the_page_works_by_keyboard_alone(page: Page) -> None:
    page.run("document.querySelector('#cue-1').focus()")
    page.press("j", "j", "n")
    assert page.run("return document.activeElement.id") == "cue-4"
    page.press("k", "2")
    assert page.text("#cue-3 .target") != "Die Tür steht jetzt weit offen."
    page.press("\ue007")  # Enter
    assert page.run("return document.activeElement.tagName") == "TEXTAREA"
    page.press("Ja. ", "\ue00c")  # Escape
    assert page.run("return document.activeElement.id") == "cue-3"
    assert not page.run("return document.querySelector('textarea')")
    assert page.shown() == [1, 2, 3, 4, 5]


def test_a_text_that_is_too_wide_is_over_and_a_button_breaks_it(page: Page) -> None:
    text = "Wer um alles in der Welt ist denn da, Anna?!"
    page.edit(5, text)
    assert page.text("#cue-5 .notes") == "edited; a line is too wide"
    page.click("#cue-5 .buttons button")
    assert page.text("#cue-5 .target") == "Wer um alles in der\nWelt ist denn da, Anna?!"
    assert page.text("#cue-5 .chip") == "✓ fits"


def test_a_click_on_the_timeline_finds_the_cue(page: Page) -> None:
    page.run(
        """const picture = document.querySelector('.timeline svg');
        const box = picture.getBoundingClientRect();
        const at = { clientX: box.right - 2, clientY: box.top + 5, bubbles: true };
        picture.dispatchEvent(new MouseEvent('click', at));"""
    )
    assert page.run("return document.activeElement.id") == "cue-5"


def test_terms_and_moved_out_times_are_shown_where_there_are_any(opened: Opener) -> None:
    made = make_page(SCENE, SCRIPT)
    missed = TermUse("boat", ("Kahn",), placed=False, reason="no translation with it fits")
    cues = list(made.done.report.cues)
    cue = replace(cues[3].outcome.cue, end=9_750)
    cues[3] = with_outcome(cues[3], terms=(missed,), cue=cue, end=cues[3].outcome.cue.end)
    report = replace(made.done.report, cues=tuple(cues), settings={"target_language": "de"})
    written = written_file(made.done.track, "srt")
    page = opened(cue_page(Item("scene.en.srt", "scene.de.srt", "de"), report, written))
    assert page.text("#cue-4 .when") == "#400:00:09.0001 sends +0.25 s"
    assert page.text("#cue-4 .notes") == "glossary: “boat” wants Kahn"
    assert "Glossary terms0 of 11 missed" in page.text("#tiles")
    assert "Out-times moved10.3 s more" in page.text("#tiles")
    page.edit(4, "Kein Kahn.")
    assert page.text("#cue-4 .notes") == "edited"


@pytest.mark.parametrize("width", [390, 700, 1024, 1280])
def test_tiles_wrap_into_rows_of_as_many_or_one_less(width: int, page: Page) -> None:
    def count_by_row(tiles: int) -> list[int]:
        tops = page.run(
            "const all = document.querySelector('#tiles');"
            "while (all.children.length < arguments[0]) all.append(all.lastChild.cloneNode(true));"
            "return [...all.children].map((each) => each.offsetTop);",
            tiles,
        )
        assert len(tops) == tiles
        return list(Counter(tops).values())

    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        rows = {tiles: count_by_row(tiles) for tiles in range(9, 13)}
        wide = page.run("return document.documentElement.scrollWidth")
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert all(max(each) - min(each) <= 1 for each in rows.values()), rows
    assert wide == width


@pytest.mark.parametrize(
    ("outcome", "told", "kind", "tile"),
    [
        ({"losses": ("end",)}, "lost: end", "losing", "shortened"),
        ({"omitted": ("& his dog",)}, "left out: & his dog", "condensed", "words left out"),
    ],
)
def test_what_lost_something_is_shown_until_it_is_edited(outcome, told, kind, tile, made, opened):
    cues = list(made.done.report.cues)
    cues[2] = with_outcome(cues[2], **outcome)
    report = replace(made.done.report, cues=tuple(cues), settings={"target_language": "de"})
    written = written_file(made.done.track, "srt")
    page = opened(cue_page(Item("scene.en.srt", "scene.de.srt", "de"), report, written))
    assert told in page.text("#cue-3 .notes")
    assert f"{kind.title()}1{tile}" in page.text("#tiles")
    page.click(f"[data-filter={kind}]")
    assert page.shown() == [3]
    page.click("[data-filter=all]")
    page.edit(3, "Sie ist offen.")
    assert f"{kind.title()}0all edited" in page.text("#tiles")
    assert told not in page.text("#cue-3 .notes")


def test_a_lost_number_is_told_until_it_is_typed(made: Made, opened: Opener) -> None:
    cues = list(made.done.report.cues)
    cues[2] = with_outcome(
        cues[2], terms=(TermUse("17", ("17",), False, "no room", placeable=True),)
    )
    report = replace(made.done.report, cues=tuple(cues), settings={"target_language": "de"})
    page = opened(
        cue_page(Item("a.srt", "b.srt", "de"), report, written_file(made.done.track, "srt"))
    )
    assert "not in the translation: 17" in page.text("#cue-3 .notes")
    page.edit(3, "Es ist offen.")
    assert "not in the translation: 17" in page.text("#cue-3 .notes")
    page.edit(3, "Sie ist 17.")
    assert "not in the translation" not in page.text("#cue-3 .notes")


def test_a_sentence_over_two_cues_changes_in_both(opened: Opener) -> None:
    source = (
        "1\n00:00:01,000 --> 00:00:04,000\nHe said that he would\n\n"
        "2\n00:00:04,100 --> 00:00:07,000\nnever come back here.\n"
    )
    whole = "He said that he would never come back here."
    script = {whole: ["Er sagte, dass er nie mehr zurückkommt.", "Er kommt nie mehr zurück."]}
    made = make_page(source, script)
    first, second = made.done.report.cues
    assert first.joined == (1, 2) and first.outcome.alternatives and second.outcome.alternatives
    page = opened(made.page)
    page.click("#cue-1 .edit")
    page.click("#cue-1 .choices button")
    assert page.text("#cue-1 .target") == first.outcome.alternatives[0].target
    assert page.text("#cue-2 .target") == second.outcome.alternatives[0].target


def test_cues_are_listed_by_risk_and_by_time_again(made: Made, opened: Opener) -> None:
    risks = {1: 0.0, 3: 9.0, 4: 3.0, 5: -9.0}  # the song has none, and comes last
    cues = [
        with_outcome(cue, risk_features=(RiskFeatures(surprise=risks[cue.number]),))
        if cue.number in risks
        else cue
        for cue in made.done.report.cues
    ]
    written = written_file(made.done.track, "srt")
    settings = {"source_language": "en", "target_language": "de"}
    report = replace(made.done.report, cues=tuple(cues), settings=settings)
    item = Item("scene.en.srt", "scene.de.srt", "de")
    page = opened(cue_page(item, report, written))
    assert page.shown() == [1, 2, 3, 4, 5]
    page.click("[data-order=risk]")
    assert page.shown() == [3, 4, 1, 5, 2]
    page.run("document.querySelector('#cue-3').focus()")
    page.press("j")
    assert page.run("return document.activeElement.id") == "cue-4"
    assert page.text("#cue-3 .risk").startswith("risk ") and page.text("#cue-2 .risk") == ""
    page.click("[data-order=cue]")
    assert page.shown() == [1, 2, 3, 4, 5]
    assert page.download("#download", "scene.de.srt") == made.written
