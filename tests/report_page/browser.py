"""Chromium, headless, started so that it needs no network."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DRIVER = ("chromedriver",)


def missing_program() -> str | None:
    """Return what is not installed of what the tests of the page need."""
    return next((each[0] for each in (CHROMIUM, DRIVER) if _program(each) is None), None)


def _program(names: tuple[str, ...]) -> str | None:
    return next((found for name in names if (found := shutil.which(name))), None)


def start_browser(downloads: Path) -> Any:
    """Start a browser.

    Args:
        downloads: Folder for what it downloads; ``downloads`` of the result.
    """
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = _program(CHROMIUM) or ""
    for argument in (
        "--headless=new",
        "--disable-gpu",
        "--hide-scrollbars",
        "--window-size=1400,1000",
    ):
        options.add_argument(argument)
    if os.name == "posix" and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # Chromium has none for root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # With the path of the driver given, Selenium looks for none on the network.
    browser = webdriver.Chrome(options, webdriver.ChromeService(_program(DRIVER)))
    behaviour = {"behavior": "allow", "downloadPath": str(downloads)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    browser.downloads = downloads  # type: ignore[attr-defined]
    return browser
