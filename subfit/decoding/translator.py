"""The translator: texts and ceilings in, ranked hypotheses out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from subfit.decoding.any_translator import Capabilities
from subfit.decoding.guide import Guides, MemoryGuide
from subfit.decoding.hypotheses import (
    BROKEN_BYTES,
    FREE,
    Guide,
    Hypothesis,
    Request,
    SearchSettings,
    TokenRequest,
)
from subfit.decoding.network import Network
from subfit.decoding.pieces import language_pieces, piece_table
from subfit.decoding.predictor import find_predictor, has_predictor
from subfit.decoding.processors import ScoreProcessor
from subfit.decoding.rating import Rating
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.source_tokens import SourceTokens
from subfit.decoding.terms import TermSpeller
from subfit.decoding.word_table import WordTable
from subfit.errors import UsageError
from subfit.model.bundled import Directions
from subfit.model.checkpoint import Checkpoint
from subfit.model.families import ConfigWithLengths
from subfit.model.length import length_unit
from subfit.model.length_predictor import LengthPredictor
from subfit.model.lexicon import find_table
from subfit.model.tokenizer import normalize
from subfit.text.counting import EVERYTHING, Counting

DEFAULT_SEARCH = SearchSettings()


_ALIKE = {
    "numbers of target pieces": "decoder_vocab_size",
    "languages": "source_language target_language language_tokens",
    "units of length": "length_unit",
    "length classes": "classes length_class_side",
    "sinks of attention": "sink_token",
    "forms of address": "formality_tokens",
    "special tokens": "eos_token_id pad_token_id decoder_start_token_id lowercase_token",
}
"""Keys of configurations that models which vote must have alike, in words of their users."""


def _check_ensemble(first: Checkpoint, others: Sequence[Checkpoint]) -> None:
    """Check that models may vote on every piece of one translation.

    Raises:
        UsageError: One of them differs in what it reads, writes or is asked for.
    """

    def common(checkpoint: Checkpoint) -> dict[str, object]:
        config, tokenizer = checkpoint.model.config, checkpoint.tokenizer
        values = {
            what: [getattr(config, key, None) or None for key in keys.split()]
            for what, keys in _ALIKE.items()
        }
        pieces = tokenizer.source.pieces, tokenizer.target.pieces
        kind = {"kinds (one takes lengths, one does not)": checkpoint.length_aware}
        return {**kind, "vocabularies": pieces, **values}

    for other in others:
        for what, value in common(other).items():
            if common(first)[what] != value:
                raise UsageError(
                    f"{first.name} and {other.name} cannot translate together:"
                    f" their {what} differ; take models of one recipe"
                )


class Translator:
    """Translates with one checkpoint, or with several that vote.

    Args:
        checkpoint: Model and tokenizer. It gives configuration, arithmetic and length predictor.
        counting: What a character is, for ceilings.
        settings: Beam search.
        beside: Other models of the same vocabulary and languages, on the same device. They are
            asked as well, and what all say is averaged (`SearchSettings.ensemble`).
        target_language: Tag of the language to translate into; a model of several must be told.
        source_language: Tag of the language that is translated, where the model does not tell.
        all_pieces: Do not restrict translations to the pieces that occur in the language.
        processors: What changes scores in the search, beside what subfit has of its own.

    Raises:
        UsageError: The model has several target languages and none is named, or another is named
            than it has; or the models do not belong together.
    """

    usage = None
    """What asking a server has come to: the model is here, and costs nothing."""

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
        processors: Sequence[type[ScoreProcessor]] = (),
    ) -> None:
        self.checkpoint, self.checkpoints = checkpoint, (checkpoint, *beside)
        _check_ensemble(checkpoint, beside)
        self.counting, self.settings = counting, settings
        self.config, self._tokenizer = checkpoint.model.config, checkpoint.tokenizer
        self.length_unit = length_unit(self.config, self._tokenizer)
        self._source_tokens = SourceTokens(checkpoint, target_language, source_language)
        told = Directions.of_config(self.config).told(source_language, target_language)
        self._lexicon = find_table(checkpoint, told)
        pieces = None
        if self._lexicon is not None and not all_pieces:
            texts = self._tokenizer.piece_texts
            pieces = language_pieces(self._lexicon, texts).to(checkpoint.model.device)
        only = getattr(self.config, "target_language", None)
        self.target_language, self.language = target_language, target_language or only or "und"
        only = getattr(self.config, "source_language", None)
        knows_others = isinstance(self.config, ConfigWithLengths)
        known = (source_language, only) if knows_others else (only, source_language)
        self.source_language = known[0] or known[1] or "und"
        self._network = Network(
            [voting.model for voting in self.checkpoints],
            checkpoint.precision,
            pieces,
            self._source_tokens.first,
            settings.ensemble,
        )
        self._rating = Rating(self._network, self._tokenizer, self._source_tokens, settings)
        self._table, self._processors = piece_table(checkpoint, counting), processors

    @classmethod
    def load(cls, model: str | Path, **wanted: Any) -> Translator:
        """Load a model that is searched here, as `subfit.decoding.loading.load_translator` does.

        Raises:
            UsageError: It is told in words what to do; and as there.
        """
        from subfit.decoding.loading import load_translator

        translator = load_translator(model, **wanted)
        if not isinstance(translator, Translator):
            raise UsageError(f"{model} is told in words what to do; load it by load_translator")
        return translator

    @cached_property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        lengths = self.checkpoint.length_aware
        freely = not lengths or all(
            checkpoint.model.config.free_translation for checkpoint in self.checkpoints
        )
        return Capabilities(
            lengths=lengths,
            freely=freely,
            rates=lengths and freely,
            terms=True,
            predicts=has_predictor(self.checkpoint),
            lexicon=self.word_scores is not None,
            formalities=self._source_tokens.formalities,
        )

    @property
    def name(self) -> str:
        """The names of all models, for reports."""
        return " + ".join(checkpoint.name for checkpoint in self.checkpoints)

    @property
    def precision(self) -> str:
        """The arithmetic of the models' linear layers."""
        return self.checkpoint.precision

    @cached_property
    def word_scores(self) -> WordTable | None:
        """How probable words are as translations of each other, where there is a lexical table."""
        if self._lexicon is None or not self._tokenizer.shared:
            return None
        return WordTable(self._lexicon, self._tokenizer)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return how many tokens of the target side's vocabulary each text has."""
        sides = self._tokenizer.target.encode_all([normalize(text) for text in texts])
        return [len(pieces) for pieces in sides]

    @cached_property
    def _predictor(self) -> LengthPredictor | None:
        token = self._source_tokens.language_token
        return find_predictor(self.checkpoint, token, self._network.encoders[0])

    def predict_lengths(self, texts: Sequence[str]) -> list[int]:
        """Predict how long the translations of texts naturally are (Oka et al. 2020).

        Args:
            texts: Plain source texts, one line each.

        Returns:
            Per text the characters of its translation, 1 or more; without a predictor in the ratio
            of the model's training pairs.
        """
        unit = self.length_unit.characters
        return [max(1, round(length * unit)) for length in self.predict_units(texts)]

    def predict_units(self, texts: Sequence[str]) -> list[int]:
        """Do the same as `predict_lengths`, in the unit of the model's lengths."""
        if self._predictor is None:
            ratio = getattr(self.config, "mean_length_ratio", 1.0) / self.length_unit.characters
            return [max(1, round(len(text) * ratio)) for text in texts]
        return self._predictor.predict(texts)

    @property
    def beams(self) -> int:
        """Hypotheses that are kept while searching."""
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
        legible = [n for n, one in enumerate(requests) if self._source_tokens.is_legible(one.text)]
        if on_done is not None and len(legible) < len(requests):
            on_done(len(requests) - len(legible))
        pieces = [self._token_request(requests[n]) for n in legible]
        found = self._search.search(pieces, on_done)
        for n, request, hypotheses in zip(legible, pieces, found, strict=True):
            printed = [self._printed(one, request.guide) for one in hypotheses]
            nbest[n] = [one for one in printed if BROKEN_BYTES not in one.text]
        return nbest

    def _token_request(self, request: Request) -> TokenRequest:
        """What is asked of the search."""
        constraints = map(self._spellings.constraint, request.terms)
        return TokenRequest(
            self._source_tokens.of(request),
            self._asked(request),
            request.ceiling,
            tuple(constraint for constraint in constraints if constraint.spellings),
            None if request.recall is None else self.guides.of(request.recall),
            request.dense,
            self._source_tokens.start(request),
        )

    @cached_property
    def guides(self) -> Guides:
        """Makes what translation memories reward."""
        return Guides(self._tokenizer, self._network.usable, self.word_scores)

    @cached_property
    def _spellings(self) -> TermSpeller:
        return TermSpeller(self._tokenizer, self._network.usable, self._lexicon)

    def _asked(self, request: Request) -> int:
        """The length that a request asks for, in the model's unit."""
        if self.length_unit.name == "characters":
            return request.asked
        if request.asked_tokens != FREE or request.asked == FREE:
            return request.asked_tokens
        return self.length_unit.of_characters(request.asked)

    @cached_property
    def _search(self) -> BudgetedBeamSearch:
        special = self._tokenizer.special_ids
        return BudgetedBeamSearch(
            self._network, self._table, self.settings, special, self._processors
        )

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses as if no length had been asked for; see `AnyTranslator.rate`.

        A model that must be asked for a length cannot rate: its hypotheses come back as they are.
        """
        if not self.capabilities.rates:
            return [list(hypotheses) for hypotheses in nbest]
        return self._rating.scores(texts, nbest, formalities)

    def _printed(self, found: Hypothesis, guide: Guide | None) -> Hypothesis:
        """What a search found, with its text; what a guide rewarded counts apart."""
        text = self._tokenizer.decode(list(found.token_ids)).strip()
        if guide is None:
            return replace(found, text=text)
        reward = found.bonuses.get(MemoryGuide.name, 0.0)
        score = found.score - reward / self.settings.length(len(found.token_ids) + 1.0)
        guided = guide.similarity * reward / sum(guide.rewards.values())
        return replace(found, text=text, score=score, guided=guided)
