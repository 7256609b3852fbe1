"""Reports as files, and their pages opened in a real browser: Chromium, without a network."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from subfit.batch.items import Item
from subfit.batch.outcome import cue_page
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.reporting.page import written_file
from subfit.reporting.report import Report, report_on
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.formats import parse_track, render_track
from tests.reporting import conftest as sample
from tests.scripted import ScriptedTranslator

from .browser import Browsers, missing_program

NETFLIX = Guideline(name="netflix", language="de", cps=17, cpl=42, lines=2)
SCENE = """\
1
00:00:01,000 --> 00:00:03,000
{\\an8}<i>Where is the old lighthouse?</i>

2
00:00:04,000 --> 00:00:05,000
♪

3
00:00:06,000 --> 00:00:08,000
The door is <b>open</b>.

4
00:00:09,000 --> 00:00:10,000
Nobody sees the boat.

5
00:00:11,000 --> 00:00:14,000 X1:10
- Who is there?
- Anna, the keeper & his dog.
"""
SCRIPT = {
    "Where is the old lighthouse?": ["Wo ist der alte Leuchtturm?", "Wo ist der Turm?", "Wo denn?"],
    "The door is open.": [
        "Die Tür steht jetzt weit offen.",
        "Die Tür ist offen.",
        "Sie ist offen.",
    ],
    "Nobody sees the boat.": "Niemand sieht das kleine Boot.",
    "Who is there?": "Wer ist da?",
    "Anna, the keeper & his dog.": "Anna, der Wärter & sein Hund.",
}


@dataclass(frozen=True)
class Made:
    """A translation and its page."""

    done: Localization
    written: bytes
    page: str


def make_page(
    source: str,
    script: Mapping[str, Any],
    *,
    format: FormatName = "srt",
    guideline: Guideline = NETFLIX,
    options: Options | None = None,
    names: tuple[str, str] = ("scene.en.srt", "scene.de.srt"),
    output_format: FormatName | None = None,
) -> Made:
    """Translate a file as a script says, and make the page of its report."""
    track: Track = parse_track(source.encode(), format=format)
    whole = options or Options()
    done = localize(track, ScriptedTranslator(script, guideline.counting), guideline, whole)
    target = output_format or format
    settings = {"source_language": "en", "target_language": "de", "alternatives": 0}
    report = type(done.report)(
        done.report.cues, done.report.totals, done.report.repairs, guideline, settings
    )
    page = cue_page(Item(*names, "de"), report, written_file(done.track, target))
    return Made(done, render_track(done.track, output_format=target), page)


@pytest.fixture(scope="session")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browsers]:
    """The browser that all tests share, and another one should it hang."""
    missing = missing_program()
    if missing is not None:
        pytest.skip(f"the page is not tested in a browser: {missing} is not installed")
    browsers = Browsers(tmp_path_factory.mktemp("downloads"))
    yield browsers
    browsers.close()


@pytest.fixture
def driver(browsers: Browsers) -> Any:
    """A browser that answers; downloads go to ``driver.downloads``."""
    return browsers.get()


class Page:
    """A page that is open, as a user has it before them."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        driver.get_log("performance")
        driver.get_log("browser")
        driver.get(path.as_uri())

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return its value."""
        return self.driver.execute_script(script, *arguments)

    def click(self, selector: str) -> None:
        """Click what a selector finds first."""
        self.driver.find_element("css selector", selector).click()

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def edit(self, number: int, text: str) -> None:
        """Type another wording for a cue, which is left open."""
        if not self.run(f"return document.querySelector('#cue-{number} textarea')"):
            self.run(f"document.querySelector('#cue-{number} .edit').click()")
        field = self.driver.find_element("css selector", f"#cue-{number} textarea")
        field.clear()
        field.send_keys(text)
        # Totals and buttons follow with the next picture.
        self.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")

    def shown(self) -> list[int]:
        """Return the numbers of the cues that are listed."""
        script = (
            "return [...document.querySelectorAll('.cue:not([hidden])')].map(e => +e.id.slice(4))"
        )
        return list(self.run(script))

    def text(self, selector: str) -> str:
        """Return the text of what a selector finds first."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def download(self, button: str, name: str) -> bytes:
        """Click a button and return the file it gives."""
        file = Path(self.driver.downloads) / name
        file.unlink(missing_ok=True)
        self.click(button)
        for _ in range(200):
            if file.exists():
                return file.read_bytes()
            time.sleep(0.05)
        raise AssertionError(f"{name} was not downloaded")

    def requests(self) -> list[str]:
        """Return the addresses of all that was asked for, and not stopped by the page's policy."""
        log = self.driver.get_log("performance")
        messages = [json.loads(each["message"])["message"] for each in log]
        stopped = {
            each["params"]["requestId"]
            for each in messages
            if each["params"].get("blockedReason") == "csp"
        }
        sent = [each["params"] for each in messages if each["method"].endswith("WillBeSent")]
        return [each["request"]["url"] for each in sent if each["requestId"] not in stopped]

    def errors(self) -> list[str]:
        """Return what the browser complained of."""
        return [each["message"] for each in self.driver.get_log("browser")]


Opener = Callable[[str], Page]


@pytest.fixture
def opened(driver: Any, tmp_path: Path) -> Opener:
    """Open a page in the browser."""

    def open_page(html: str) -> Page:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        return Page(driver, path)

    return open_page


@pytest.fixture(scope="module")
def made() -> Made:
    return make_page(SCENE, SCRIPT)


@pytest.fixture
def page(made: Made, opened: Opener) -> Page:
    page = opened(made.page)
    assert page.errors() == []
    return page


@pytest.fixture(scope="package")
def report() -> Report:
    """A report on a small track, for the files that are made of it."""
    return report_on(sample.OUTCOMES, sample.TRACK, sample.NETFLIX, {"model": "en-de"})
