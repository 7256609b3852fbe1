"""What translators have in common whose model is told in words what to do."""

from __future__ import annotations

from collections.abc import Sequence

from subfit.decoding.any_translator import Capabilities
from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.prompts import Prompter, PromptTemplate, Said, language_name
from subfit.text.counting import Counting
from subfit.text.doubts import Doubt, doubts_of
from subfit.text.formality import FORMALITIES


class PromptedTranslator:
    """What such a model can do and what not; see `subfit.decoding.any_translator.AnyTranslator`.

    Args:
        name: The model's.
        template: What it is told.
        source_language: Tag.
        target_language: Tag.
        counting: What a character is.
    """

    _holds = True
    """Whether translations are held to ceilings while they are made."""
    rates = False
    """Whether it scores hypotheses as if no length had been asked for."""
    word_scores = channel_model = None

    def __init__(
        self,
        name: str,
        template: PromptTemplate,
        source_language: str,
        target_language: str,
        counting: Counting,
    ) -> None:
        self.name, self.counting = name, counting
        self.language, self.source_language = target_language, source_language
        self._template = template
        self._prompter = Prompter(template, source_language, target_language)
        self._label = language_name(target_language)
        self._said: dict[str, str] = {}
        """The newest translation of each text that nothing speaks against."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: what its prompt asks for."""
        return Capabilities(
            lengths=self._template.takes_lengths,
            rates=self.rates,
            terms=bool(self._template.terms),
            prompted=True,
            holds=self._holds,
            formalities=FORMALITIES,
        )

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """As many characters as they have: a language model predicts no lengths."""
        return [max(1, len(text)) for text in texts]

    def channel_of(self, texts: Sequence[str], nbest: Sequence[Sequence[Hypothesis]]) -> None:
        """Nothing: there is no channel model beside a language model."""

    def _before(self, request: Request) -> Said:
        """The sentences before a text with their translations, as far as there are any."""
        before = request.setting.before
        return tuple((text, self._said[text]) for text in before if text in self._said)

    def _doubts(self, text: str, request: Request) -> tuple[Doubt, ...]:
        """What speaks against an answer."""
        return doubts_of(
            text,
            request.text,
            (self.source_language, self.language),
            told=(*self._prompter.instructions, request.setting.notes),
            others=self._before(request),
        )

    def _remember(self, request: Request, hypotheses: Sequence[Hypothesis]) -> None:
        """Keep the best translation of a text, to be shown with those behind it."""
        if hypotheses and not self._doubts(hypotheses[0].text, request):
            self._said[request.text] = hypotheses[0].text
