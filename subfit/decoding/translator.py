"""The translator: texts and ceilings in, ranked hypotheses out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Self

import torch

from subfit.decoding.coverage import Coverage
from subfit.decoding.devices import set_up
from subfit.decoding.ensemble import check_ensemble
from subfit.decoding.forced_decoding import ForcedDecoder
from subfit.decoding.guide import Guides
from subfit.decoding.hypotheses import FREE, Hypothesis, RatedPiece, Request
from subfit.decoding.language_pieces import language_pieces
from subfit.decoding.network import Network
from subfit.decoding.pieces import piece_table
from subfit.decoding.predictor import find_predictor
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.decoding.source_tokens import SourceTokens
from subfit.decoding.spelling import PieceLetters, WordSpeller
from subfit.decoding.term_spelling import TermSpeller
from subfit.decoding.whole_words import WholeWords
from subfit.decoding.word_table import WordTable, find_word_table
from subfit.errors import UsageError
from subfit.hub.kinds import is_causal
from subfit.hub.servers import is_server
from subfit.model.bundled import find_model
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.computing import DEFAULT_COMPUTING, Computing
from subfit.model.length_predictor import LengthPredictor
from subfit.model.length_unit import LengthUnit, length_unit
from subfit.model.lexicon import find_table
from subfit.model.tokenizer import normalize
from subfit.model.with_lengths import ConfigWithLengths
from subfit.model.word_list import find_known_words
from subfit.text.counting import EVERYTHING, Counting
from subfit.text.known_words import KnownWords, given_words

DEFAULT_SEARCH = SearchSettings()


def _in_own_search(place: str) -> str:
    """Refuse a model that is told in words what to do.

    Raises:
        UsageError: It is one.
    """
    if is_server(place) or is_causal(place):
        raise UsageError(f"{place} is told in words what to do; load it by load_translator")
    return place


BROKEN_BYTES = "\ufffd"
"""What the tokenizer prints for a character spelt in bytes that is not whole."""


class Translator:
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
    ) -> None:
        self.checkpoint, self.counting, self.settings = checkpoint, counting, settings
        self.checkpoints = (checkpoint, *beside)
        check_ensemble(self.checkpoints)
        self.config = checkpoint.model.config
        self.target_language, self._source_language = target_language, source_language
        self._source_tokens = SourceTokens(checkpoint, target_language, source_language)
        self.lexical_table = find_table(checkpoint, target_language)
        pieces = None if all_pieces else self._pieces_of_language()
        models = [each.model for each in self.checkpoints]
        first = self._source_tokens.first
        self._network = Network(models, checkpoint.precision, pieces, first)
        tokenizer, penalty = checkpoint.tokenizer, settings.length_penalty
        self._forced = ForcedDecoder(
            self._network, tokenizer.eos_id, tokenizer.piece_texts, penalty
        )
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
        return cls(
            first,
            counting,
            settings,
            beside=others,
            target_language=target_language,
            source_language=source_language,
        )

    @property
    def name(self) -> str:
        """The names of all models, for reports."""
        return " + ".join(each.name for each in self.checkpoints)

    @property
    def precision(self) -> str:
        """The arithmetic of the models' linear layers."""
        return self.checkpoint.precision

    @property
    def beams(self) -> int:
        """Hypotheses that are kept while searching, where a request does not ask for more."""
        return self.settings.beams

    @property
    def takes_lengths(self) -> bool:
        """Whether a length can be asked for."""
        return self.checkpoint.length_aware

    @property
    def takes_terms(self) -> bool:
        """Whether translations can be made to have given terms: by the search, with any model."""
        return True

    @property
    def can_rate(self) -> bool:
        """Whether `rate` gives other scores than the search."""
        return self.takes_lengths and self.can_translate_freely

    @cached_property
    def can_translate_freely(self) -> bool:
        """Whether the models may be asked for no length at all."""
        return not self.takes_lengths or all(
            each.model.config.free_translation for each in self.checkpoints
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

    @cached_property
    def length_unit(self) -> LengthUnit:
        """What the model's lengths are counted in."""
        return length_unit(self.config, self.checkpoint.tokenizer)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens of the target side's vocabulary each text has."""
        sides = self.checkpoint.tokenizer.target.encode_all([normalize(text) for text in texts])
        return [len(pieces) for pieces in sides]

    @cached_property
    def coverage(self) -> Coverage | None:
        """What measures how much of a source is said; None where the model has no table for it."""
        tokenizer = self.checkpoint.tokenizer
        if self.lexical_table is None or not tokenizer.shared:
            return None
        return Coverage(self.lexical_table, tokenizer.piece_texts)

    def coverage_of(self, text: str, hypotheses: Sequence[Hypothesis]) -> list[float] | None:
        """Return how much of a text each of its translations says, 0 to 1.

        Args:
            text: The source.
            hypotheses: Its translations.

        Returns:
            None where the model has no lexical table.
        """
        if self.coverage is None:
            return None
        source = self.checkpoint.tokenizer.encode(text)
        return self.coverage.score(source, [each.token_ids for each in hypotheses])

    @cached_property
    def word_scores(self) -> WordTable | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        return find_word_table(self.checkpoint, self.lexical_table)

    @cached_property
    def known_words(self) -> KnownWords | None:
        """The words that the model has seen in its language; None where it has no list of them."""
        return find_known_words(self.checkpoint, self.target_language)

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

    @property
    def usage(self) -> None:
        """Nothing: the model is here, and costs nothing."""

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
        found: dict[int, list[Hypothesis]] = {}
        widths = [
            max(each.beams, self.settings.beams) if self._source_tokens.is_legible(each.text) else 0
            for each in requests
        ]
        for width in dict.fromkeys(widths):
            numbers = [number for number, each in enumerate(widths) if each == width]
            if not width:
                found |= {number: [] for number in numbers}
                if on_done is not None:
                    on_done(len(numbers))
                continue
            pieces = [self._token_request(requests[number]) for number in numbers]
            nbest = self._search_of(width).search(pieces, on_done)
            found |= zip(numbers, map(self._hypotheses, nbest, pieces), strict=True)
        return [found[number] for number in range(len(requests))]

    def _search_of(self, beams: int) -> BudgetedBeamSearch:
        """The search of a width; the wider, the fewer sentences at once."""
        if beams not in self._searches:
            batch_size = max(1, self.settings.batch_size * self.settings.beams // beams)
            settings = self.settings
            if beams != settings.beams:
                settings = replace(settings, beams=beams, nbest=beams, batch_size=batch_size)
            special = self.checkpoint.tokenizer.special_ids
            search = BudgetedBeamSearch(self._network, self._table, settings, special)
            self._searches[beams] = search
        return self._searches[beams]

    def _pieces_of_language(self) -> torch.Tensor | None:
        """The pieces that occur in the language, as far as the lexical table knows; else None."""
        if self.lexical_table is None:
            return None
        texts = self.checkpoint.tokenizer.piece_texts
        return language_pieces(self.lexical_table, texts).to(self.checkpoint.model.device)

    def _token_request(self, request: Request) -> TokenRequest:
        constraints = (self._spellings.constraint(each) for each in request.terms)
        terms = tuple(each for each in constraints if each.spellings)
        source = self._source_tokens.of(request)
        guide = None if request.recall is None else self._guides.of(request.recall)
        ceiling, dense = request.ceiling, request.dense
        barred = self._barred_words.pieces_of(request.barred)
        asked, speller = self._asked(request), self._speller(request)
        return TokenRequest(source, asked, ceiling, terms, guide, dense, barred, speller)

    def _speller(self, request: Request) -> WordSpeller | None:
        """What knows the words that a translation may have, where that is asked for."""
        if not request.known_words or self.known_words is None:
            return None
        terms = [target for term in request.terms for target in term.forms]
        return WordSpeller(self._letters, self.known_words, given_words(request.text, terms))

    @cached_property
    def _letters(self) -> PieceLetters:
        return PieceLetters(self.checkpoint.tokenizer.piece_texts)

    def _asked(self, request: Request) -> int:
        """The length that a request asks for, in the model's unit."""
        if self.length_unit.name == "characters":
            return request.asked
        if request.asked_tokens != FREE or request.asked == FREE:
            return request.asked_tokens
        return self.length_unit.of_characters(request.asked)

    @cached_property
    def _barred_words(self) -> WholeWords:
        return WholeWords(self.checkpoint.tokenizer.piece_texts)

    @cached_property
    def _guides(self) -> Guides:
        return Guides(self.checkpoint.tokenizer, self._usable, self.word_scores)

    @cached_property
    def _usable(self) -> frozenset[int] | None:
        """The pieces that translations may consist of; None for all."""
        pieces = self._network.pieces
        return None if pieces is None else frozenset(pieces.tolist())

    @cached_property
    def _spellings(self) -> TermSpeller:
        return TermSpeller(self.checkpoint.tokenizer, self._usable, self.lexical_table)

    @property
    def bars_words(self) -> bool:
        """True: pieces are barred in the search."""
        return True

    @property
    def formalities(self) -> tuple[str, ...]:
        """The forms of address that translations can be asked for; none for most models."""
        return self._source_tokens.formalities

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses, and their closing, as if no length had been asked for.

        A search that aims at a length takes an ending at that length for a good one, and so scores
        a sentence that merely stops there too well. Without the length signal its scores compare,
        whatever was asked for when they were found.

        Args:
            texts: The sources.
            nbest: Per source its hypotheses.
            formalities: Per source the form of address that was asked for; empty if none was.

        Returns:
            The same hypotheses, in the same order, with such scores. A model that must be asked
            for a length cannot rate: its hypotheses come back as they are.
        """
        if not self.can_rate:
            return [list(hypotheses) for hypotheses in nbest]
        spelt = [[self._spelt(each) for each in hypotheses] for hypotheses in nbest]
        return self._forced.score(self._free_tokens(texts, formalities), spelt)

    def _spelt(self, hypothesis: Hypothesis) -> Hypothesis:
        """A hypothesis with its pieces, also where it is from a translation memory."""
        if hypothesis.token_ids:
            return hypothesis
        return replace(hypothesis, token_ids=self.pieces_of(hypothesis.text))

    def log_probabilities(
        self,
        texts: Sequence[str],
        token_ids: Sequence[Sequence[int]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[float]]:
        """Return how probable translations are, piece by piece, as if no length had been asked for.

        Args:
            texts: The sources.
            token_ids: The pieces of a translation of each, as `pieces_of` gives them.
            formalities: Per source the form of address that was asked for; empty if none was.

        Returns:
            Per translation the log-probability of each of its pieces, and of its end.
        """
        sources = self._free_tokens(texts, formalities)
        pairs = zip(sources, map(tuple, token_ids), strict=True)
        return self._forced.log_probabilities(list(pairs))

    def rate_pieces(
        self,
        texts: Sequence[str],
        hypotheses: Sequence[Hypothesis],
        formalities: Sequence[str | None] = (),
    ) -> list[list[RatedPiece]] | None:
        """Return how probable the pieces of translations are, as if no length had been asked for.

        Args:
            texts: The sources.
            hypotheses: A translation of each.
            formalities: Per source the form of address that was asked for; empty if none was.

        Returns:
            Per translation its pieces, and its end; None of a model that must be asked for a
            length.
        """
        if not self.can_translate_freely:
            return None
        token_ids = [one.token_ids for one in hypotheses]
        probabilities = self.log_probabilities(texts, token_ids, formalities)
        return [self._rated(*each) for each in zip(token_ids, probabilities, strict=True)]

    def _rated(self, pieces: Sequence[int], probabilities: Sequence[float]) -> list[RatedPiece]:
        printed = self.checkpoint.tokenizer.piece_texts
        ends = list(accumulate(len(printed[piece]) for piece in pieces))
        most = max(ends[-1] if ends else 0, 1)
        shares = [*(end / most for end in ends), 1.0]
        pairs = zip(shares, probabilities, strict=True)
        return [RatedPiece(share, -probability) for share, probability in pairs]

    def pieces_of(self, text: str) -> tuple[int, ...]:
        """Return the pieces that print a translation; none if the model cannot write them all."""
        (pieces,) = self.checkpoint.tokenizer.target.encode_all([text])
        usable = self._usable is None or self._usable.issuperset(pieces)
        return tuple(pieces) if usable and len(pieces) < self._network.max_steps else ()

    def _free_tokens(
        self, texts: Sequence[str], formalities: Sequence[str | None]
    ) -> list[tuple[int, ...]]:
        """The source tokens of texts for which no length is asked."""
        forms = formalities or [None] * len(texts)
        return [
            self._source_tokens.of(Request(text, formality=form))
            for text, form in zip(texts, forms, strict=True)
        ]

    def _hypotheses(
        self, found: Sequence[TokenHypothesis], request: TokenRequest
    ) -> list[Hypothesis]:
        """What was found, without texts that have bytes of no character."""
        nbest = (self._hypothesis(each, request) for each in found)
        return [each for each in nbest if BROKEN_BYTES not in each.text]

    def _hypothesis(self, found: TokenHypothesis, request: TokenRequest) -> Hypothesis:
        text = self.checkpoint.tokenizer.decode(list(found.token_ids))
        hypothesis = Hypothesis(
            text.strip(),
            found.characters,
            found.score,
            found.log_probability,
            found.token_ids,
            credit=found.credit,
            uncovered=found.uncovered,
        )
        if request.guide is None:
            return hypothesis
        tokens = (len(found.token_ids) + 1) ** self.settings.length_penalty
        followed = found.guided / sum(request.guide.rewards.values())
        guided = request.guide.similarity * followed
        return replace(hypothesis, score=found.score - found.guided / tokens, guided=guided)
