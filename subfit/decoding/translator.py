"""The translator: texts and ceilings in, ranked hypotheses out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Self

from subfit.decoding.devices import set_up
from subfit.decoding.guide import Guides, MemoryGuide
from subfit.decoding.hypotheses import BROKEN_BYTES, FREE, Hypothesis, RatedPiece, Request
from subfit.decoding.network import Network
from subfit.decoding.pieces import WholeWords, piece_table
from subfit.decoding.predictor import find_predictor
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.rating import Channel, Rating
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.decoding.source_tokens import SourceTokens
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.terms import Terms
from subfit.decoding.word_table import ModelWords
from subfit.errors import UsageError
from subfit.hub.contents import is_causal
from subfit.hub.names import is_server
from subfit.model.bundled import Directions, find_channel, find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.config import DEFAULT_COMPUTING, Computing
from subfit.model.families import ConfigWithLengths
from subfit.model.length import LengthUnit, length_unit
from subfit.model.length_predictor import LengthPredictor
from subfit.model.tokenizer import AnyTokenizer, normalize
from subfit.text.alignment import WordScores
from subfit.text.counting import EVERYTHING, Counting


def check_ensemble(checkpoints: Sequence[Checkpoint]) -> None:
    """Check that models may vote on every piece of one translation.

    Args:
        checkpoints: The models, one or more.

    Raises:
        UsageError: Two of them differ in what they read, write or are asked for.
    """
    first, *others = checkpoints
    for other in others:
        own = _common(other)
        for what, value in _common(first).items():
            if own[what] != value:
                raise UsageError(
                    f"{first.name} and {other.name} cannot translate together:"
                    f" their {what} differ; take models of one recipe"
                )


def _common(checkpoint: Checkpoint) -> dict[str, object]:
    """What all models of an ensemble must have alike, in words of their users."""
    config, tokenizer = checkpoint.model.config, checkpoint.tokenizer
    special = ("eos_token_id", "pad_token_id", "decoder_start_token_id", "lowercase_token")
    languages = ("source_language", "target_language", "language_tokens")
    return {
        "kinds (one takes lengths, one does not)": checkpoint.length_aware,
        "vocabularies": (tokenizer.source.pieces, tokenizer.target.pieces),
        "numbers of target pieces": config.decoder_vocab_size,
        "languages": [getattr(config, name, None) or None for name in languages],
        "units of length": getattr(config, "length_unit", "characters"),
        "length classes": getattr(config, "classes", ()),
        "sinks of attention": getattr(config, "sink_token", None),
        "forms of address": getattr(config, "formality_tokens", None),
        "special tokens": [getattr(config, name, None) for name in special],
    }


class TokenRequests:
    """Makes the requests of the search for one model. What most texts do not need is made late.

    Args:
        tokenizer: The model's.
        source_tokens: Makes what the encoder reads.
        words: What the model knows of words.
        usable: The pieces that translations may consist of; None for all.
        unit: What the model's lengths are counted in.
    """

    def __init__(
        self,
        tokenizer: AnyTokenizer,
        source_tokens: SourceTokens,
        words: ModelWords,
        usable: frozenset[int] | None,
        unit: LengthUnit,
    ) -> None:
        self._tokenizer, self._source_tokens = tokenizer, source_tokens
        self._words, self._usable, self._unit = words, usable, unit

    def of(self, request: Request) -> TokenRequest:
        """Return the request of the search for a request."""
        constraints = map(self._spellings.constraint, request.terms)
        return TokenRequest(
            self._source_tokens.of(request),
            self._asked(request),
            request.ceiling,
            tuple(constraint for constraint in constraints if constraint.spellings),
            None if request.recall is None else self.guides.of(request.recall),
            request.dense,
            self._barred_words.pieces_of(request.barred),
        )

    @cached_property
    def guides(self) -> Guides:
        """Makes what translation memories reward."""
        return Guides(self._tokenizer, self._usable, self._words.scores)

    @cached_property
    def _spellings(self) -> TermSpeller:
        return TermSpeller(self._tokenizer, self._usable, self._words.table)

    @cached_property
    def _barred_words(self) -> WholeWords:
        return WholeWords(self._tokenizer.piece_texts)

    def _asked(self, request: Request) -> int:
        """The length that a request asks for, in the model's unit."""
        if self._unit.name == "characters":
            return request.asked
        if request.asked_tokens != FREE or request.asked == FREE:
            return request.asked_tokens
        return self._unit.of_characters(request.asked)


class DescribedModel:
    """One model, or several that vote, for one target language.

    Args:
        checkpoints: Of several the first gives configuration, arithmetic and length predictor.
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language that is translated, where the model does not tell.

    Raises:
        UsageError: See `subfit.decoding.translator.Translator`.
    """

    takes_terms = bars_words = True
    """The search sees to it, with any model."""
    usage = None
    """What asking a server has come to: the model is here, and costs nothing."""
    channel: Channel | None = None
    """A model that translates the other way, to rank hypotheses by."""

    def __init__(
        self,
        checkpoints: Sequence[Checkpoint],
        target_language: str | None,
        source_language: str | None,
    ) -> None:
        self.checkpoint, self.checkpoints = checkpoints[0], checkpoints
        check_ensemble(checkpoints)
        self.config = self.checkpoint.model.config
        self.length_unit = length_unit(self.config, self.checkpoint.tokenizer)
        self.target_language, self._source_language = target_language, source_language
        self._source_tokens = SourceTokens(self.checkpoint, target_language, source_language)
        told = Directions.of_config(self.config).told(source_language, target_language)
        self._words = ModelWords(self.checkpoint, told)

    @property
    def name(self) -> str:
        """The names of all models, for reports."""
        return " + ".join(checkpoint.name for checkpoint in self.checkpoints)

    @property
    def precision(self) -> str:
        """The arithmetic of the models' linear layers."""
        return self.checkpoint.precision

    @property
    def takes_lengths(self) -> bool:
        """Whether a length can be asked for."""
        return self.checkpoint.length_aware

    @property
    def formalities(self) -> tuple[str, ...]:
        """The forms of address that translations can be asked for; none for most models."""
        return self._source_tokens.formalities

    @property
    def can_rate(self) -> bool:
        """Whether `rate` gives other scores than the search."""
        return self.takes_lengths and self.can_translate_freely

    @cached_property
    def can_translate_freely(self) -> bool:
        """Whether the models may be asked for no length at all."""
        return not self.takes_lengths or all(
            checkpoint.model.config.free_translation for checkpoint in self.checkpoints
        )

    @property
    def language(self) -> str:
        """Tag of the language that is translated into; ``und`` where that is not known."""
        only = getattr(self.config, "target_language", None)
        return self.target_language or only or "und"

    @property
    def source_language(self) -> str:
        """Tag of the language that is translated; ``und`` where nothing tells."""
        only = getattr(self.config, "source_language", None)
        if isinstance(self.config, ConfigWithLengths):  # it knows others, too
            only = self._source_language or only
        return only or self._source_language or "und"

    @property
    def mean_length_ratio(self) -> float:
        """Mean target/source characters of the model's training pairs."""
        return float(getattr(self.config, "mean_length_ratio", 1.0))

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens of the target side's vocabulary each text has."""
        sides = self.checkpoint.tokenizer.target.encode_all([normalize(text) for text in texts])
        return [len(pieces) for pieces in sides]

    @property
    def channel_model(self) -> str | None:
        """The name of the channel model; None without one."""
        return None if self.channel is None else self.channel.name

    def channel_of(
        self, texts: Sequence[str], nbest: Sequence[Sequence[Hypothesis]]
    ) -> list[list[float]] | None:
        """See `AnyTranslator.channel_of`; None without a channel model."""
        return None if self.channel is None else self.channel.of(texts, nbest)

    def given_back(
        self, texts: Sequence[str], translations: Sequence[str]
    ) -> list[list[RatedPiece] | None] | None:
        """See `AnyTranslator.given_back`; None without a channel model."""
        return None if self.channel is None else self.channel.pieces(texts, translations)

    @property
    def word_scores(self) -> WordScores | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        return self._words.scores

    @cached_property
    def _predictor(self) -> LengthPredictor | None:
        return find_predictor(self.checkpoint, self._source_tokens.language_token)

    @property
    def can_predict_lengths(self) -> bool:
        """Whether a length predictor comes with the model."""
        return self._predictor is not None

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """Predict how long the translations of texts naturally are (Oka et al. 2020).

        Args:
            texts: Plain source texts, one line each.

        Returns:
            Per text the characters of its translation, 1 or more.

        Raises:
            UsageError: The model has no predictor.
        """
        unit = self.length_unit.characters
        return [max(1, round(length * unit)) for length in self.predict_units(texts)]

    def predict_units(self, texts: Sequence[str]) -> list[int]:
        """Do the same as `predict_lengths`, in the unit of the model's lengths."""
        if self._predictor is None:
            raise UsageError(
                f"{self.checkpoint.name} has no length predictor;"
                " 'subfit predictor train' makes a model with one"
            )
        return self._predictor.predict(texts)


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
