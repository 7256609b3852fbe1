"""Folders where every subtitle file gets its translations beside it, as media servers want."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from subfit.batch.items import Item, Result
from subfit.batch.plan import FileChoice, find_inputs
from subfit.errors import SubfitError
from subfit.files import read_bytes, write_bytes
from subfit.service.work import RequestOptions, Upload, Worker

SETTLED = 2.0
"""Seconds a file must lie unchanged: it may still be being written."""


class Watched:
    """A folder, and what was tried in it.

    Args:
        folder: Searched with all folders below it; hidden ones are passed over.
        languages: How each file is translated: one for each language, all from the same one.
        worker: Translates them.
    """

    def __init__(self, folder: Path, languages: tuple[RequestOptions, ...], worker: Worker) -> None:
        self._folder, self._languages, self._worker = folder, languages, worker
        self._failed: dict[str, int] = {}
        """Outputs of files that cannot be translated as they are, and when those last changed."""

    def look(self) -> Iterator[Result]:
        """Translate what has no translation yet; a file that failed is tried again once it changes.

        Raises:
            SubfitError: The folder cannot be searched.
        """
        listing = find_inputs([str(self._folder)], FileChoice(self._languages[0].source))
        for place, failure in listing.failures:
            yield Result(Item(place, place, "und"), "failed", failure=failure)
        for file in listing.files:
            for options in self._languages:
                item = Item(file.path, str(options.target_of(Path(file.path))), options.target)
                if not Path(item.target).exists() and self._is_settled(item):
                    yield self._translated(item, options)

    def _is_settled(self, item: Item) -> bool:
        try:
            changed = Path(item.source).stat()
        except OSError:  # it is gone again
            return False
        tried = self._failed.get(item.target) == changed.st_mtime_ns
        return not tried and time.time() - changed.st_mtime >= SETTLED

    def _translated(self, item: Item, options: RequestOptions) -> Result:
        changed = 0
        made: Result
        try:
            changed = Path(item.source).stat().st_mtime_ns
            sent = Upload(item.source, read_bytes(item.source), options)
            made = self._worker.ask(sent).done.result()
            if made.failure is None:
                write_bytes(Path(item.target), made.data, overwrite=False)
                return made
        except (SubfitError, OSError) as error:
            made = Result.failed(item, error)
        self._failed[item.target] = changed
        return made
