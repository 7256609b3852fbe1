"""Take the pictures of docs/report.md: ``python -m tests.reporting.page.screenshots PAGE FILM``.

FILM is any video of a minute or more.

PAGE is a report on examples/lighthouse.en.srt:
``subfit translate examples/lighthouse.en.srt -t de --alternatives 4 --report PAGE -o build/l.srt``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.places import ROOT
from tests.reporting.page.browser import start_browser

DOCS = ROOT / "docs"
SIZE = {"width": 1280, "height": 1130, "deviceScaleFactor": 1, "mobile": False}
LONGER = "Du kannst die Tür ruhig etwas leiser\nhinter dir schließen, weißt du."


def show(browser: Any, scheme: str) -> None:
    """Change the colours of the page."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def wait(browser: Any) -> None:
    """Wait until the charts follow."""
    browser.execute_async_script("setTimeout(arguments[0], 700)")


def main(page: Path, film: Path) -> None:
    """Open the page, edit a cue, open another one, and take it in both colours."""
    with tempfile.TemporaryDirectory() as folder:
        browser = start_browser(Path(folder))
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
        show(browser, "light")
        browser.get(page.resolve().as_uri())
        browser.find_element("css selector", "#cue-5 .target").click()
        field = browser.find_element("css selector", "#cue-5 textarea")
        field.clear()
        field.send_keys(LONGER)
        wait(browser)
        browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
        browser.save_screenshot(str(DOCS / "report.png"))
        browser.execute_script("document.querySelector('#cue-7 .edit').click()")
        browser.execute_script("document.querySelector('#toolbar').scrollIntoView()")
        show(browser, "dark")
        wait(browser)
        browser.save_screenshot(str(DOCS / "report-dark.png"))
        show(browser, "light")
        browser.get(page.resolve().as_uri())
        browser.find_element("css selector", "#discard").click()
        browser.find_element("css selector", "input[type=file]").send_keys(str(film.resolve()))
        browser.execute_script("document.querySelector('#cue-7').focus()")
        browser.switch_to.active_element.send_keys("j", "oo", "a", "kk", "p")
        wait(browser)
        browser.execute_script("document.querySelector('#toolbar').scrollIntoView()")
        wait(browser)
        browser.save_screenshot(str(DOCS / "report-film.png"))
        browser.quit()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
