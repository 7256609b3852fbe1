"""Folders where every subtitle file gets its translations beside it, as media servers want."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from subfit.batch.items import Result
from subfit.batch.plan import FileChoice, find_inputs
from subfit.errors import Failure, SubfitError, failure_of
from subfit.files import read_bytes, write_bytes
from subfit.service.work import RequestOptions, Worker

SETTLED = 2.0
"""Seconds a file must lie unchanged: it may still be being written."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What became of one file in one language."""

    source: Path
    target: Path
    made: Result | None = None
    failure: Failure | None = None


class Watched:
    """A folder, and what was tried in it.

    Args:
        folder: Searched with all folders below it; hidden ones are passed over.
        languages: How each file is translated: one for each language, all from the same one.
        worker: Translates them.
    """

    def __init__(self, folder: Path, languages: tuple[RequestOptions, ...], worker: Worker) -> None:
        self._folder, self._languages, self._worker = folder, languages, worker
        self._failed: dict[Path, int] = {}
        """Files that cannot be translated as they are, by the time of their last change."""

    def look(self) -> Iterator[Seen]:
        """Translate what has no translation yet; a file that failed is tried again once it changes.

        Raises:
            SubfitError: The folder cannot be searched.
        """
        choice = FileChoice(self._languages[0].source)
        listing = find_inputs([str(self._folder)], choice)
        for _, failure in listing.failures:
            yield Seen(self._folder, self._folder, failure=failure)
        for source in (Path(file.path) for file in listing.files):
            for options in self._languages:
                target = options.target_of(source)
                if not target.exists() and self._is_settled(source, target):
                    yield self._translated(source, target, options)

    def _is_settled(self, source: Path, target: Path) -> bool:
        try:
            changed = source.stat()
        except OSError:  # it is gone again
            return False
        tried = self._failed.get(target) == changed.st_mtime_ns
        return not tried and time.time() - changed.st_mtime >= SETTLED

    def _translated(self, source: Path, target: Path, options: RequestOptions) -> Seen:
        try:
            changed = source.stat().st_mtime_ns
            asked = self._worker.ask(options, str(source), read_bytes(source))
            made = asked.done.result()
            if made.failure is None:
                write_bytes(target, made.data, overwrite=False)
                return Seen(source, target, made)
            failure = made.failure
        except (SubfitError, OSError) as error:
            failure = failure_of(error)
            changed = source.stat().st_mtime_ns if source.exists() else 0
        self._failed[target] = changed
        return Seen(source, target, failure=failure)


def watch(watched: Watched, tell: Callable[[Seen], None], every: float | None) -> None:
    """Look again and again.

    Args:
        watched: The folder.
        tell: Called with what became of each file.
        every: Seconds between looks; None looks once.
    """
    while True:
        for seen in watched.look():
            tell(seen)
        if every is None:
            return
        time.sleep(every)
