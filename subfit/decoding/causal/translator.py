"""A translator that prompts a decoder-only model, and searches its answers under a ceiling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, cast

import torch

from subfit.decoding.causal.forward import CausalForward
from subfit.decoding.causal.network import CausalNetwork
from subfit.decoding.causal.token_texts import token_texts
from subfit.decoding.hypotheses import BROKEN_BYTES, Hypothesis, Request
from subfit.decoding.network import ForcedDecoder, Network
from subfit.decoding.pieces import table_of
from subfit.decoding.prompted import PromptedTranslator
from subfit.decoding.prompts.rendering import Asked, translation_in
from subfit.decoding.prompts.template import PromptTemplate
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenHypothesis, TokenRequest
from subfit.errors import ModelError
from subfit.model.pretrained import CausalModel
from subfit.model.tokenizer import tokens_of
from subfit.text.counting import Counting, count_characters

MOST_TOKENS = 512
"""Most tokens of a text to translate."""
CACHED_BYTES = 2 << 30
"""Most bytes of keys and values of the sentences that are translated at once."""
MUCH_LONGER, SPARE = 2.5, 40
"""An answer of more than so many times the source's characters, and so many more, is none."""
ANSWER_TOKENS = 64
"""Tokens of an answer, as caches are planned for."""


class CausalTranslator(PromptedTranslator):
    """Translates with one model; see `subfit.decoding.any_translator.AnyTranslator`.

    Args:
        loaded: The model; for what is not named here see `PromptedTranslator`.
        settings: Beam search.

    Raises:
        ModelError: It has no token that ends an answer.
    """

    can_rate = True
    usage = None

    def __init__(
        self,
        loaded: CausalModel,
        template: PromptTemplate,
        source_language: str,
        target_language: str,
        counting: Counting,
        settings: SearchSettings,
    ) -> None:
        super().__init__(loaded.name, template, source_language, target_language, counting)
        self.precision, self.settings, self.beams = loaded.precision, settings, settings.beams
        self._loaded = loaded
        self._size = int(loaded.model.get_output_embeddings().weight.shape[0])
        self._texts = token_texts(loaded.tokenizer, self._size, _ends(loaded, self._size))
        most = min(settings.max_steps, loaded.positions // 2)
        self._network = CausalNetwork(
            CausalForward(loaded.model, self._texts), loaded.positions, most
        )
        self._forced = ForcedDecoder(
            self._as_network, min(self._texts.ends), self._texts.texts, settings.length_penalty
        )
        self._table = table_of(self._texts.texts, counting)
        self._prompt_tokens = lru_cache(maxsize=8192)(self._tokens_of)

    @property
    def _as_network(self) -> Network:
        """The network, as searches know it: they ask no more of one than this one has."""
        return cast(Network, self._network)

    @property
    def device(self) -> str:
        """What it is computed on."""
        return str(self._loaded.model.device.type)

    def accepts(self, text: str) -> bool:
        """Whether the text is short enough for the model."""
        tokens = self._prompt_tokens(Asked(text))
        room = self._network.positions - self._network.max_steps
        return len(tokens) - self._frame <= MOST_TOKENS and len(tokens) <= room

    @cached_property
    def _frame(self) -> int:
        """Tokens of a prompt beside its text, about."""
        return len(self._prompt_tokens(Asked(".")))

    def translate(
        self, requests: Sequence[Request], on_done: Callable[[int], None] | None = None
    ) -> list[list[Hypothesis]]:
        """Translate texts.

        Args:
            requests: What to translate.
            on_done: Called with the number of requests that got done since it was last called.

        Returns:
            Per request its hypotheses, best first, none over its ceiling.
        """
        results: list[list[Hypothesis]] = [[] for _ in requests]
        by_width: dict[int, list[int]] = {}
        for number, request in enumerate(requests):
            by_width.setdefault(max(request.beams, self.beams), []).append(number)
        for width, numbers in by_width.items():
            asked = [
                TokenRequest(
                    self._prompt_of(request), 0, self._ceiling_of(request), dense=request.dense
                )
                for request in map(requests.__getitem__, numbers)
            ]
            nbest = self._search_of(width, asked).search(asked, on_done)
            for number, hypotheses in zip(numbers, nbest, strict=True):
                results[number] = self._hypotheses(hypotheses, requests[number])
        return results

    def rate(
        self,
        texts: Sequence[str],
        nbest: Sequence[Sequence[Hypothesis]],
        formalities: Sequence[str | None] = (),
    ) -> list[list[Hypothesis]]:
        """Score hypotheses, and their closing, as answers to a prompt that asks for no length.

        Args:
            texts: The sources; what stood before them is not told again.
            nbest: Per source its hypotheses.
            formalities: Per source the form of address that was asked for; empty if none was.
        """
        forms = formalities or [None] * len(texts)
        prompts = [
            self._prompt_tokens(Asked(text, formality=form))
            for text, form in zip(texts, forms, strict=True)
        ]
        return self._forced.score(prompts, nbest)

    def _search_of(self, beams: int, requests: Sequence[TokenRequest]) -> BudgetedBeamSearch:
        """A search of a width, of as many sentences at once as there is room for."""
        longest = max(len(request.source) for request in requests) + ANSWER_TOKENS
        rows = CACHED_BYTES // (beams * longest * _bytes_of_token(self._loaded.model))
        rows = max(1, min(self.settings.batch_size, rows))
        nbest = self.settings.nbest if beams == self.beams else beams
        settings = replace(self.settings, beams=beams, nbest=nbest, batch_size=rows)
        return BudgetedBeamSearch(self._as_network, self._table, settings)

    def _ceiling_of(self, request: Request) -> float:
        """The ceiling, or where a free answer is no translation any more but goes on and on."""
        most = MUCH_LONGER * count_characters(request.text, self.counting) + SPARE
        return min(request.ceiling, most)

    def _prompt_of(self, request: Request) -> tuple[int, ...]:
        asked = self._asked(request)
        tokens = self._prompt_tokens(asked)
        if len(tokens) > self._network.positions - self._network.max_steps:
            tokens = self._prompt_tokens(replace(asked, context=(), terms=()))
        return tokens

    def _tokens_of(self, asked: Asked) -> tuple[int, ...]:
        """The tokens of a prompt; tokens of its own frame in a text are words of it.

        Raises:
            ModelError: The model's template for chats cannot be filled in, or its tokenizer has
                tokens that it does not know.
        """
        tokenizer = self._loaded.tokenizer
        for token in tokenizer.all_special_tokens:
            if token in asked.text:
                asked = replace(asked, text=asked.text.replace(token, " "))
        if self._template.turns or not getattr(tokenizer, "chat_template", None):
            if not self._template.turns:
                raise ModelError(f"{self.name}: has no chat template; give --prompt base, or FILE")
            return self._known(tokens_of(tokenizer, self._prompter.whole(asked)))
        try:
            prompt: Any = tokenizer.apply_chat_template(
                self._prompter.messages(asked),
                add_generation_prompt=True,
                tokenize=False,
                **self._template.options,
            )
        except Exception as error:  # whatever a template makes of what it is given
            reason = " ".join(str(error).split())[:160]
            raise ModelError(
                f"{self.name}: its chat template cannot be filled in ({reason}); give"
                " --prompt base, or FILE"
            ) from error
        return self._known(tokens_of(tokenizer, prompt, add_special_tokens=False))

    def _known(self, tokens: Sequence[int]) -> tuple[int, ...]:
        if not tokens:
            raise ModelError(f"{self.name}: its chat template, or its tokenizer, gives no prompt")
        if max(tokens) >= self._size:
            raise ModelError(
                f"{self.name}: its tokenizer has the token {max(tokens)}, the model knows"
                f" {self._size}; they do not belong together"
            )
        return tuple(tokens)

    def _hypotheses(self, results: Sequence[TokenHypothesis], request: Request) -> list[Hypothesis]:
        """What was found, without what is no translation: broken bytes, and mere chatter."""
        best: dict[str, Hypothesis] = {}
        for one in results:
            said = self._loaded.tokenizer.decode(
                list(one.token_ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
            )
            text = translation_in(said, request.text, self._label)
            if text is None or BROKEN_BYTES in text:
                continue
            characters = min(one.characters, count_characters(text, self.counting))
            best.setdefault(
                text, Hypothesis(text, characters, one.score, one.log_probability, one.token_ids)
            )
        return list(best.values())


def _ends(loaded: CausalModel, size: int) -> list[int]:
    """The tokens that end a turn, of a vocabulary of a size."""
    config, generation = loaded.model.config, loaded.model.generation_config
    known = [
        loaded.tokenizer.eos_token_id,
        getattr(config, "eos_token_id", None),
        getattr(generation, "eos_token_id", None),
    ]
    listed = [end for ends in known for end in (ends if isinstance(ends, list) else [ends])]
    ends = sorted({end for end in listed if type(end) is int})
    if not ends:
        raise ModelError(f"{loaded.name}: no token of it ends an answer (eos_token_id)")
    for end in (ends[0], ends[-1]):
        if not 0 <= end < size:
            raise ModelError(f"{loaded.name}: eos_token_id is {end}, and it has {size} tokens")
    return ends


def _bytes_of_token(model: Any) -> int:
    """Bytes of the keys and values of one token."""
    config = model.config.get_text_config(decoder=True)
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    size = torch.finfo(model.dtype).bits // 8
    return int(2 * config.num_hidden_layers * heads * width * size)
