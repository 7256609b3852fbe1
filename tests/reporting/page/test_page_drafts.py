"""Edits of a report that the browser keeps."""

import pytest

from .browser import RERUN
from .conftest import SCENE, SCRIPT, Made, Opener, make_page

pytestmark = [pytest.mark.browser, RERUN]


def test_edits_are_back_when_the_same_report_is_opened_again(made, opened, tmp_path):
    page = opened(made.page)
    page.edit(3, "Sie <i>ist</i> offen.")
    page.edit(4, "Niemand.")
    edited = page.run("return subfitReport.file()")
    address = page.driver.current_url
    page.driver.get("about:blank")
    page.driver.get(address)
    assert page.run("return subfitReport.file()") == edited
    assert page.text("#restored").startswith("2 edits of ")
    page.click("[data-filter=edited]")
    assert page.shown() == [3, 4]
    page.click("#discard")
    assert page.run("return subfitReport.file()") == made.written.decode()
    page.driver.refresh()
    assert page.run("return subfitReport.file()") == made.written.decode()
    assert not page.run("return document.querySelector('#restored')")


def test_another_report_of_the_same_name_has_none_of_the_edits(made: Made, opened: Opener) -> None:
    opened(made.page).edit(4, "Niemand.")
    other = make_page(
        SCENE.replace("old", "new"), {**SCRIPT, "Where is the new lighthouse?": "Wo?"}
    )
    page = opened(other.page)
    assert page.run("return subfitReport.file()") == other.written.decode()


def test_a_browser_that_keeps_nothing_warns_instead(made: Made, opened: Opener) -> None:
    page = opened(made.page)
    page.run("Storage.prototype.setItem = () => { throw new Error('full'); }")
    ask = "return !window.dispatchEvent(new Event('beforeunload', {cancelable: true}))"
    assert not page.run(ask)
    page.edit(4, "Niemand.")
    assert page.run(ask)
    page.edit(4, "Niemand sieht das kleine Boot.")
    assert not page.run(ask)
