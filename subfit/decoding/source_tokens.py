"""From a request to the tokens that the encoder reads.

Those of language, length class and form of address, then the pieces of its text, and the end.
"""

from __future__ import annotations

from subfit.decoding.hypotheses import FREE, Request
from subfit.decoding.source_filter import SourceFilter
from subfit.decoding.target_language import language_tokens
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import LengthClass, LengthConfig


class SourceTokens:
    """Turns requests into the source tokens of a model.

    Args:
        checkpoint: The model.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language to translate; some models must be told that too.

    Raises:
        UsageError: See `subfit.decoding.target_language.language_tokens`.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        target_language: str | None,
        source_language: str | None = None,
    ) -> None:
        languages = language_tokens(checkpoint, source_language, target_language)
        self.language_token, self.first = languages.before_source, languages.first
        self._tokenizer, self._config = checkpoint.tokenizer, checkpoint.model.config
        self._filter = SourceFilter(checkpoint.tokenizer)
        sink = self._config.sink_token if isinstance(self._config, LengthConfig) else None
        self._sink = () if sink is None else (sink,)

    def of(self, request: Request) -> tuple[int, ...]:
        """Return the pieces of a request's text, behind the tokens that say what is asked for.

        Behind the end stands the sink of models that bound the attention of all other tokens.
        """
        language = () if self.language_token is None else (self.language_token,)
        length_class = self._length_class(request)
        asked = () if length_class is None else (length_class.token_id,)
        form = self._config.formality_token(request.formality) if self.formalities else None
        address = () if form is None else (form,)
        pieces = self._tokenizer.encode(self._filter.text(request.text))
        end = (self._tokenizer.eos_id, *self._sink)
        return (*language, *asked, *address, *pieces, *end)

    @property
    def formalities(self) -> tuple[str, ...]:
        """The forms of address that translations can be asked for; none for most models."""
        own = isinstance(self._config, LengthConfig)  # a key of that name in others means nothing
        return tuple(self._config.formality_tokens or ()) if own else ()

    def is_legible(self, text: str) -> bool:
        """Whether the model can read anything of a text."""
        return bool(self._filter.text(text).strip())

    def accepts(self, text: str, positions: int) -> bool:
        """Whether a text is short enough for a model with so many positions."""
        # A piece has at least one byte, so most texts need no tokenizing to know.
        limit = positions - 2 - (self.language_token is not None) - bool(self.formalities)
        limit -= len(self._sink)
        return len(text.encode()) < limit or len(self._tokenizer.encode(text)) < limit

    def _length_class(self, request: Request) -> LengthClass | None:
        if not isinstance(self._config, LengthConfig):
            return None
        if request.length_class is not None:
            return self._config.class_named(request.length_class)
        if request.asked == FREE:
            return None
        return self._config.class_for(request.asked / max(len(request.text), 1))
