"""Chromium, headless, started so that it needs no network."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
DRIVER = ("chromedriver",)
PATIENCE = 40.0
"""Seconds that a page may take; a browser that needs more hangs."""
RERUN = pytest.mark.flaky(reruns=1, only_rerun=["TimeoutException", "ReadTimeoutError"])
"""A browser that hangs, as happens on busy machines, says nothing about the page: once more."""


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
        "--disable-dev-shm-usage",  # in containers it is too small for pages
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
    browser.set_page_load_timeout(PATIENCE)
    browser.set_script_timeout(PATIENCE)
    browser.command_executor.client_config.timeout = PATIENCE + 20
    browser.downloads = downloads  # type: ignore[attr-defined]
    return browser


class Browsers:
    """Keeps one browser for all tests, and starts another when that one hangs.

    Args:
        downloads: Folder for what they download.
    """

    def __init__(self, downloads: Path) -> None:
        self._downloads = downloads
        self._browser: Any = None

    def get(self) -> Any:
        """Return a browser that answers."""
        if self._browser is not None and not self._answers():
            _kill(self._browser)
            self._browser = None
        if self._browser is None:
            self._browser = start_browser(self._downloads)
        return self._browser

    def close(self) -> None:
        """End the browser."""
        if self._browser is not None:
            self._browser.quit()

    def _answers(self) -> bool:
        from selenium.common.exceptions import WebDriverException
        from urllib3.exceptions import HTTPError

        try:
            return bool(self._browser.execute_script("return true"))
        except (WebDriverException, HTTPError):
            return False


def _kill(browser: Any) -> None:
    """End a browser that hangs, which would not heed being asked."""
    browser.service.process.kill()
    with contextlib.suppress(ProcessLookupError):
        os.kill(browser.capabilities["goog:processID"], signal.SIGKILL)
