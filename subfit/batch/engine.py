"""Engines take groups of files and give back their translations."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from subfit.batch.items import Group, Translated
from subfit.batch.setup import Setup

if TYPE_CHECKING:
    from subfit.batch.work import Models

OnGroup = Callable[[Group, int, int], None]
"""Called with a group that is being translated, its sentences that are done, and all of them."""

Translations = Generator[list[Translated], None, None]
"""The results of each group, in the order they get done in; of a group all at once."""


class Engine(Protocol):
    """What translates."""

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Translate groups.

        Args:
            groups: Drawn from as there is room for more work.
            on_progress: Called as sentences get done, if the engine sees it.

        Raises:
            SubfitError: The model is no good: then no file can be translated.
        """


class LocalEngine:
    """Translates in this process, one group after the other."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._models: Models | None = None

    def translate(
        self, groups: Iterable[Group], on_progress: OnGroup | None = None
    ) -> Translations:
        """Translate groups; see `Engine`."""
        for group in groups:
            from subfit.batch.work import Models, translate_group

            self._models = self._models or Models(self._setup)
            advance = partial(on_progress, group) if on_progress else None
            yield translate_group(group, self._setup, self._models, advance)
