"""A translator that says what a test tells it to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from subfit.decoding.any_translator import Capabilities
from subfit.decoding.hypotheses import Hypothesis, Request, SearchSettings
from subfit.text.alignment import Word
from subfit.text.counting import EVERYTHING, Counting, count_characters


class KnownWords:
    """Knows how probable a few words are as translations of others; 1 of those just named."""

    def __init__(self, known: Mapping[str, str | Mapping[str, float]]) -> None:
        self._known = {
            one.casefold(): {others: 1.0} if isinstance(others, str) else others
            for one, others in known.items()
        }

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        known = [self._known.get(one.text.casefold(), {}) for one in source_words]
        return [[own.get(other.text, 0.0) for other in target_words] for own in known]


class ScriptedTranslator:
    """Answers every text with the translations written down for it, best first.

    Args:
        script: Translations by source text; one text stands for a list of one.
        counting: What it takes for a character.
    """

    checkpoint = SimpleNamespace(
        length_aware=True,
        name="scripted",
        folder=None,
        tokenizer=SimpleNamespace(decode=lambda pieces: ""),
    )
    source_language = "en"
    target_language = None
    language = "und"
    lexical_table = None
    word_scores: KnownWords | None = None
    usage = None
    able = Capabilities(lengths=True, rates=True, terms=True)
    name, precision = "scripted", "fp32"
    settings = SearchSettings()
    beams = settings.beams

    def __init__(
        self, script: Mapping[str, str | Sequence[str]], counting: Counting = EVERYTHING
    ) -> None:
        self._script, self.counting = script, counting
        self.asked: list[str] = []
        """All texts there were requests for, in order."""

    @property
    def capabilities(self) -> Capabilities:
        """What it is able to do, and whether it knows words."""
        return replace(self.able, lexicon=self.word_scores is not None)

    def accepts(self, text: str) -> bool:
        """Whatever the text."""
        return True

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Return what the script has and the ceiling allows."""
        self.asked += [request.text for request in requests]
        if on_done is not None:
            on_done(len(requests))
        return [self._answers(request) for request in requests]

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """Return the texts' own lengths."""
        return [len(text) for text in texts]

    def rate(self, texts: Sequence[str], nbest: Any, formalities: Sequence[str | None] = ()) -> Any:
        """Leave the scores as they are."""
        return nbest

    def _answers(self, request: Request) -> list[Hypothesis]:
        answers = self._script[request.text]
        answers = [answers] if isinstance(answers, str) else answers
        return [
            Hypothesis(text, count_characters(text), -0.1 * rank, -0.1 * rank)
            for rank, text in enumerate(answers, start=1)
            if count_characters(text) <= request.ceiling
        ]
