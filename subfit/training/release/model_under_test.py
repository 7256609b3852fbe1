"""Translators of one model for several languages and test sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from subfit.decoding.devices import set_up
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.translator import Translator
from subfit.errors import ModelError
from subfit.model.bundled import AUTO, NONE, Directions, find_channel
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import EXACT, Computing
from subfit.text.counting import EVERYTHING, Counting


class CachingTranslator(Translator):
    """A translator that searches only once for what it is asked for in several calls.

    Every length control on a test set begins with the natural translations, which are most of the
    work.
    """

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate as `Translator.translate` does."""
        new = [request for request in requests if request not in self._cache]
        if on_done and len(new) < len(requests):
            on_done(len(requests) - len(new))
        self._cache.update(zip(new, super().translate(new, on_done), strict=True))
        return [list(self._cache[request]) for request in requests]

    @cached_property
    def _cache(self) -> dict[Request, list[Hypothesis]]:
        return {}


class ModelUnderTest:
    """A model that is measured.

    Raises:
        ModelError: It cannot be loaded, or does not say what it translates into.
    """

    def __init__(self, folder: Path, computing: Computing = EXACT) -> None:
        self.checkpoint: Checkpoint = set_up(load_checkpoint(str(folder)), computing)
        self._folder, config = folder, self.checkpoint.model.config
        self.directions = Directions.of_config(config)
        if not self.directions.targets:
            raise ModelError(f"{folder}: config.json does not say what the model translates into")
        self._last: tuple[str, str] | None = None
        self._translator: CachingTranslator | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the model is told, or its target."""
        return self.directions.sources if self.directions.told_source else self.directions.targets

    def pair(self, language: str) -> tuple[str, str]:
        """The source and the target language of texts for one of `languages`."""
        source, target = self.directions.pair_of(language)
        only = *self.directions.sources, "en"
        return source or only[0], target or self.directions.targets[0]

    def options(self, language: str) -> list[str]:
        """The options of commands that measure the model alone on texts for one of `languages`."""
        source, target = self.pair(language)
        named = ["-t", target, *(["-s", source] if self.directions.told_source else [])]
        channel = find_channel(AUTO, str(self._folder), source, target)
        return [*named, "--channel-model", NONE] if channel else named

    def translator(
        self, language: str, text: str, counting: Counting = EVERYTHING
    ) -> CachingTranslator:
        """Return a translator, the same one as long as the text is the same.

        Args:
            language: Tag of one of `languages`.
            text: What tells texts apart that have nothing in common.
            counting: What a character is.
        """
        if self._translator is None or self._last != (language, text):
            source, target = self.pair(language)
            self._translator = CachingTranslator(
                self.checkpoint, counting, target_language=target, source_language=source
            )
            self._last = (language, text)
        return self._translator
