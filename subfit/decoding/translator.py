"""The translator: texts and ceilings in, ranked hypotheses out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from subfit.decoding.channel import Channel
from subfit.decoding.described_model import DescribedModel
from subfit.decoding.devices import set_up
from subfit.decoding.guidance import MemoryGuide
from subfit.decoding.hypotheses import BROKEN_BYTES, Hypothesis, RatedPiece, Request
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.rating import Rating
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.decoding.terms import Terms
from subfit.decoding.token_requests import TokenRequests
from subfit.errors import UsageError
from subfit.hub.contents import is_causal
from subfit.hub.names import is_server
from subfit.model.bundled import find_channel, find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.computing import DEFAULT_COMPUTING, Computing
from subfit.text.counting import EVERYTHING, Counting

DEFAULT_SEARCH = SearchSettings()


def _in_own_search(place: str) -> str:
    """Refuse a model that is told in words what to do.

    Raises:
        UsageError: It is one.
    """
    if is_server(place) or is_causal(place):
        raise UsageError(f"{place} is told in words what to do; load it by load_translator")
    return place


class Translator(DescribedModel):
    """Translates with one checkpoint, or with several that vote.

    Args:
        checkpoint: Model and tokenizer. It gives configuration, arithmetic and length predictor.
        counting: What a character is, for ceilings.
        settings: Beam search.
        beside: Other models of the same vocabulary and languages, on the same device. They are
            asked as well, and the log-probabilities of all are averaged.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language that is translated, where the model does not tell.
        all_pieces: Do not restrict translations to the pieces that occur in the language.
        channel: A model that translates the other way, to rank hypotheses by.
        processors: What changes scores in the search, beside what subfit has of its own.

    Raises:
        UsageError: The model has several target languages and none is named, or another is named
            than it has; or the models do not belong together.
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        counting: Counting = EVERYTHING,
        settings: SearchSettings = DEFAULT_SEARCH,
        *,
        beside: Sequence[Checkpoint] = (),
        target_language: str | None = None,
        source_language: str | None = None,
        all_pieces: bool = False,
        channel: Channel | None = None,
        processors: Sequence[type[ScoreProcessor]] = (),
    ) -> None:
        super().__init__((checkpoint, *beside), target_language, source_language)
        self.channel = channel
        self.counting, self.settings, self._processors = counting, settings, processors
        pieces = None if all_pieces else self._words.pieces
        models = [voting.model for voting in self.checkpoints]
        self._network = Network(models, checkpoint.precision, pieces, self._source_tokens.first)
        tokenizer = checkpoint.tokenizer
        self._requests = TokenRequests(
            tokenizer,
            self._source_tokens,
            self._words,
            self._network.usable,
            self.length_unit,
        )
        self.rating = Rating(self._network, tokenizer, self._source_tokens, settings.length_penalty)
        self._table = piece_table(checkpoint, counting)
        self._searches: dict[int, BudgetedBeamSearch] = {}

    @classmethod
    def load(
        cls,
        model: str | Path,
        *,
        target_language: str | None = None,
        source_language: str | None = None,
        counting: Counting = EVERYTHING,
        settings: SearchSettings = DEFAULT_SEARCH,
        computing: Computing = DEFAULT_COMPUTING,
        beside: Sequence[str | Path] = (),
        channel_model: str | Path | None = None,
    ) -> Self:
        """Load a model to translate with.

        Args:
            model: The name of a model that comes with subfit (``en-multi``), a folder, or a
                model's name on the Hugging Face hub (``owner/model``), the only one that needs a
                network.
            target_language: Tag of the language to translate into; a model of several must be told.
            source_language: Tag of the language to translate; some models must be told that too.
            counting: What a character is, for ceilings: the guideline's ``counting``.
            settings: Beam search.
            computing: Device, precision and threads.
            beside: Other models whose log-probabilities are averaged with the model's.
            channel_model: A model that translates the other way, to rank hypotheses by how well
                they give their sources back; ``auto`` for the one that comes with subfit, if there
                is one, None for none.

        Raises:
            ModelError: There is no such model, or it cannot be loaded.
            UsageError: It does not translate into that language, has several and none is named,
                or the models do not belong together; or the device or precision is not to be had.
        """
        pair = source_language or "und", target_language or "und"
        first, *others = (
            set_up(load_checkpoint(_in_own_search(find_model(str(name), *pair))), computing)
            for name in (model, *beside)
        )
        wish = None if channel_model is None else str(channel_model)
        back, channel = find_channel(wish, find_model(str(model), *pair), *pair), None
        if back is not None:
            turned = cls.load(
                back,
                target_language=source_language,
                source_language=target_language,
                computing=computing,
                channel_model=None,
            )
            channel = turned.as_channel()
        return cls(
            first,
            counting,
            settings,
            beside=others,
            target_language=target_language,
            source_language=source_language,
            channel=channel,
        )

    def as_channel(self) -> Channel:
        """Return what rates translations by how well this model gives their sources back.

        Raises:
            UsageError: The model must be asked for a length, and so rates nothing.
        """
        if not self.can_translate_freely:
            raise UsageError(
                f"{self.name} must be asked for a length, so it cannot be a channel model"
            )
        return Channel(self.name, self.rating, self.accepts)

    @property
    def beams(self) -> int:
        """Hypotheses that are kept while searching, where a request does not ask for more."""
        return self.settings.beams

    def accepts(self, text: str) -> bool:
        """Whether the text is short enough for the model."""
        return self._source_tokens.accepts(text, self._network.max_steps)

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate texts.

        Args:
            requests: What to translate.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first, none over its ceiling; an empty list where the
            search found none that ends within it, or the model can read nothing of the text.
        """
        nbest: list[list[Hypothesis]] = [[] for _ in requests]
        for width, numbers in self._numbers_by_width(requests).items():
            if not width:
                if on_done is not None:
                    on_done(len(numbers))
                continue
            pieces = [self._requests.of(requests[number]) for number in numbers]
            results = self._search_of(width).search(pieces, on_done)
            for number, result, request in zip(numbers, results, pieces, strict=True):
                nbest[number] = self._hypotheses(result, request)
        return nbest

    def _text(self, result: TokenHypothesis) -> str:
        return self.checkpoint.tokenizer.decode(list(result.token_ids))

    def _numbers_by_width(self, requests: Sequence[Request]) -> dict[int, list[int]]:
        """Which requests need how many beams; 0 where the model can read nothing of the text."""
        numbers: dict[int, list[int]] = {}
        for number, request in enumerate(requests):
            legible = self._source_tokens.is_legible(request.text)
            width = max(request.beams, self.beams) if legible else 0
            numbers.setdefault(width, []).append(number)
        return numbers

    def _search_of(self, beams: int) -> BudgetedBeamSearch:
        """The search of a width; the wider, the fewer sentences at once."""
        if beams not in self._searches:
            batch_size = max(1, self.settings.batch_size * self.settings.beams // beams)
            settings = self.settings
            if beams != settings.beams:
                settings = replace(settings, beams=beams, nbest=beams, batch_size=batch_size)
            special = self.checkpoint.tokenizer.special_ids
            search = BudgetedBeamSearch(
                self._network, self._table, settings, special, self._processors
            )
            self._searches[beams] = search
        return self._searches[beams]

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses as if no length had been asked for; see `AnyTranslator.rate`.

        A model that must be asked for a length cannot rate: its hypotheses come back as they are.
        """
        if not self.can_rate:
            return [list(hypotheses) for hypotheses in nbest]
        return self.rating.scores(texts, nbest, formalities)

    def rate_pieces(
        self,
        texts: Sequence[str],
        hypotheses: Sequence[Hypothesis],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]] | None:
        """See `AnyTranslator.rate_pieces`; None of a model that must be asked for a length."""
        if not self.can_translate_freely:
            return None
        return self.rating.pieces(texts, hypotheses, formalities)

    def _hypotheses(
        self, results: Sequence[TokenHypothesis], request: TokenRequest
    ) -> list[Hypothesis]:
        """What was found, without texts that have bytes of no character."""
        nbest = [self._hypothesis(result, request) for result in results]
        return [hypothesis for hypothesis in nbest if BROKEN_BYTES not in hypothesis.text]

    def _hypothesis(self, result: TokenHypothesis, request: TokenRequest) -> Hypothesis:
        hypothesis = Hypothesis(
            self._text(result).strip(),
            result.characters,
            result.score,
            result.log_probability,
            result.token_ids,
            credit=result.bonuses.get(Terms.name, 0.0),
            uncovered=result.uncovered,
            missed=result.missed,
        )
        if request.guide is None:
            return hypothesis
        tokens = (len(result.token_ids) + 1) ** self.settings.length_penalty
        reward = result.bonuses.get(MemoryGuide.name, 0.0)
        guided = request.guide.similarity * reward / sum(request.guide.rewards.values())
        return replace(hypothesis, score=result.score - reward / tokens, guided=guided)
