"""Engines take groups of files and give back their translations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from subfit.catalogue.items import Group, Translated
from subfit.catalogue.setup import Setup

OnGroup = Callable[[Group, int, int], None]
"""Called with a group that is being translated, its sentences that are done, and all of them."""


class Engine(Protocol):
    """What translates."""

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Iterator[list[Translated]]:
        """Translate groups.

        Args:
            groups: Drawn from as there is room for more work.
            on_progress: Called as sentences get done, if the engine sees it.

        Yields:
            The results of each group, in the order they get done in; of a group all at once.

        Raises:
            SubfitError: The model is no good: then no file can be translated.
        """


class LocalEngine:
    """Translates in this process, one group after the other."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Iterator[list[Translated]]:
        """Translate groups; see `Engine`."""
        from subfit.catalogue.work import Models, translate_group

        models = Models(self._setup)
        for group in groups:

            def advance(done: int, total: int, group: Group = group) -> None:
                if on_progress is not None:
                    on_progress(group, done, total)

            yield translate_group(group, self._setup, models, advance)
