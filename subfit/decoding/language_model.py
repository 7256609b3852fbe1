"""A translator that prompts a decoder-only model, and searches its answers under a ceiling.

Hugging Face's ``generate`` searches; `CeilingLogits` holds the ceiling.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any
from unicodedata import category

import torch
from torch import Tensor
from transformers import DynamicCache, GenerationConfig, LogitsProcessor, LogitsProcessorList
from transformers.convert_slow_tokenizer import bytes_to_unicode

from subfit.decoding.attention import NEVER
from subfit.decoding.hypotheses import (
    BROKEN_BYTES,
    NO_SETTING,
    Hypothesis,
    Request,
    SearchSettings,
    with_scores,
)
from subfit.decoding.pieces import PieceTable, table_of
from subfit.decoding.processors import over_ceiling
from subfit.decoding.prompts import PromptedTranslator, PromptTemplate, Said, translation_in
from subfit.errors import ModelError
from subfit.model.pretrained import CausalModel
from subfit.model.tokenizer import tokens_of
from subfit.text.counting import Counting, count_characters


class CeilingLogits(LogitsProcessor):  # type: ignore[misc]  # of no type there
    """No sequence prints more characters than its ceiling allows, or ends in the midst of a word.

    Args:
        table: What each token of the vocabulary prints.
        ends: Token ids that end a translation; none does before something is printed.
        banned: Token ids that no translation has.
        prompt: Tokens before the translation.
        ceilings: Of each row of a batch (a row per hypothesis), most characters.
        dense: Likewise, most characters that are no spaces.
        normalized: Whether scores are log-probabilities, as they are of several beams.
    """

    def __init__(
        self,
        table: PieceTable,
        ends: Sequence[int],
        banned: Tensor,
        prompt: int,
        ceilings: Tensor,
        dense: Tensor,
        *,
        normalized: bool = False,
    ) -> None:
        self._table, self._prompt, self._banned = table, prompt, banned
        self._ends = torch.tensor(ends, device=ceilings.device)
        self._inside_word = table.inside_word.float()
        self._ceilings, self._dense, self._normalized = ceilings, dense, normalized
        self._widest = table.characters.max()

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Mask, of (n, pieces) scores, what may not follow ``input_ids`` (n, tokens)."""
        log_probs = scores if self._normalized else scores.log_softmax(-1)
        table, said = self._table, input_ids[:, self._prompt :]
        costs, leads = table.characters[said], table.lead[said]
        at_start = table.code_points[said].sum(1) == 0
        lead = leads[:, 0] if said.shape[1] else 0.0  # lost at the start of a line
        room = self._ceilings - costs.sum(1) + lead
        dense = self._dense - (costs - leads).sum(1)
        tight = (torch.minimum(room, dense) < self._widest).nonzero().squeeze(1)
        masked = log_probs.masked_fill(self._banned, NEVER)
        if len(tight):  # the others have room for any token
            limits = room[tight], dense[tight], at_start[tight]
            over = over_ceiling(log_probs[tight], table, self._inside_word, *limits)
            masked[tight] = masked[tight].masked_fill_(over, NEVER)
        if bool(at_start.any()):
            ends = masked[:, self._ends]
            masked[:, self._ends] = ends.masked_fill(at_start.unsqueeze(1), NEVER)
        return masked


MOST_TOKENS = 512
"""Most tokens of a text to translate."""
CACHED_BYTES = 2 << 30
"""Most bytes of keys, values and scores of the sentences that are translated at once."""
MUCH_LONGER, SPARE = 2.5, 40
"""An answer of more than so many times the source's characters, and so many more, is none."""
ANSWER_TOKENS = 64
"""Tokens of an answer, as caches are planned for."""

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_CONTROL = frozenset({"Cc", "Zl", "Zp"})
"""Categories of characters that no line of a subtitle has."""
_CONTINUATION = bytes(range(0x80, 0xC0))


@dataclass(frozen=True)
class TokenTexts:
    """A vocabulary: the text of every token, and which of them end an answer.

    Args:
        texts: By token id, spaces as spaces; ``""`` for tokens that print nothing. A character
            that is spelt in bytes is in the token of its first byte.
        ends: Token ids of ends of turns.
        special: Token ids that no text is made of.
    """

    texts: tuple[str, ...]
    ends: frozenset[int]
    special: frozenset[int]

    @cached_property
    def line_ends(self) -> frozenset[int]:
        """Tokens that print nothing but the end of a line: behind a text they end it too."""
        return frozenset(
            number
            for number, text in enumerate(self.texts)
            if "\n" in text and not text.strip() and number not in self.special
        )

    @cached_property
    def usable(self) -> tuple[int, ...]:
        """Tokens of which one line may be made, ascending."""
        return tuple(
            number
            for number, text in enumerate(self.texts)
            if number not in self.special and _CONTROL.isdisjoint(map(category, text))
        )


def token_texts(tokenizer: Any, size: int, ends: Sequence[int]) -> TokenTexts:
    """Tabulate a vocabulary.

    Args:
        tokenizer: Of `transformers`, with the library ``tokenizers`` behind it.
        size: Rows of the model's vocabulary, which may be padded.
        ends: Token ids that end a turn.
    """
    added = {number: str(token) for number, token in tokenizer.added_tokens_decoder.items()}
    special = {number for number, token in tokenizer.added_tokens_decoder.items() if token.special}
    special |= {*tokenizer.all_special_ids, *range(len(tokenizer), size), *ends}
    as_bytes = _is_byte_level(tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(list(range(min(len(tokenizer), size))))
    texts = [
        added[number]
        if number in added
        else _printed(_bytes_of(token or "") if as_bytes else _piece_bytes(token or ""))
        for number, token in enumerate(tokens)
    ]
    texts = ["" if number in special else text for number, text in enumerate(texts)]
    texts += [""] * (size - len(texts))
    return TokenTexts(tuple(texts), frozenset(ends), frozenset(special))


def _is_byte_level(tokenizer: Any) -> bool:
    """Whether tokens are spelt in letters that stand for bytes, as GPT-2 has it."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    decoder = json.loads(backend.to_str()).get("decoder") if backend is not None else None
    return '"ByteLevel"' in json.dumps(decoder)


_LETTERS = {letter: byte for byte, letter in bytes_to_unicode().items()}
"""The letters that stand for bytes."""


def _bytes_of(token: str) -> bytes:
    """The bytes of a token that is spelt in letters for them."""
    if all(letter in _LETTERS for letter in token):
        return bytes(_LETTERS[letter] for letter in token)
    return token.encode()


def _piece_bytes(token: str) -> bytes:
    """The bytes of a SentencePiece token."""
    if byte := _BYTE.fullmatch(token):
        return bytes([int(byte[1], 16)])
    return token.replace("▁", " ").encode()


def _printed(spelt: bytes) -> str:
    """The characters that begin in some bytes; one that is cut off in the end is a mark."""
    return spelt.lstrip(_CONTINUATION).decode("utf-8", errors="replace")


class CausalTranslator(PromptedTranslator):
    """Translates with one model; see `subfit.decoding.any_translator.AnyTranslator`.

    Args:
        loaded: The model; for what is not named here see `PromptedTranslator`.
        settings: Beam search.

    Raises:
        ModelError: It has no token that ends an answer.
    """

    rates = True
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
        self._loaded, self._model, self._device = loaded, loaded.model, loaded.model.device
        self._size = int(loaded.model.get_output_embeddings().weight.shape[0])
        self._texts = token_texts(loaded.tokenizer, self._size, _ends(loaded, self._size))
        self._ends = sorted(self._texts.ends | self._texts.line_ends)
        self._most_steps = min(settings.max_steps, loaded.positions // 2)
        self._longest_prompt = loaded.positions - self._most_steps
        silent = self._texts.line_ends  # they end a line, and so print nothing of it
        shown = ["" if number in silent else text for number, text in enumerate(self._texts.texts)]
        everything = torch.arange(self._size, device=self._device)
        self._table = table_of(shown, counting).at(everything)
        self._banned = torch.ones(self._size, dtype=torch.bool, device=self._device)
        self._banned[[*self._texts.usable, *self._ends]] = False
        self._prompt_tokens = lru_cache(maxsize=8192)(self._tokens_of)

    @property
    def device(self) -> str:
        """What it is computed on."""
        return str(self._device.type)

    def accepts(self, text: str) -> bool:
        """Whether the text is short enough for the model."""
        tokens = self._prompt_tokens(Request(text))
        return len(tokens) - self._frame <= MOST_TOKENS and len(tokens) <= self._longest_prompt

    @cached_property
    def _frame(self) -> int:
        """Tokens of a prompt beside its text, about."""
        return len(self._prompt_tokens(Request(".")))

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
        for numbers in _turns(requests):
            self._search(requests, numbers, results)
            doubtful = [
                number
                for number in numbers
                if not results[number] or self._doubts(results[number][0].text, requests[number])
            ]
            alone = [replace(one, setting=NO_SETTING) for one in requests]
            self._search(alone, [n for n in doubtful if self._before(requests[n])], results)
            for number in numbers:
                self._remember(requests[number], results[number])
            if on_done is not None:
                on_done(len(numbers))
        return results

    def _search(
        self,
        requests: Sequence[Request],
        numbers: Sequence[int],
        results: list[list[Hypothesis]],
    ) -> None:
        """Add what is found for some of the requests; what nothing speaks against comes first."""
        prompts = {number: self._prompt_of(requests[number]) for number in numbers}
        for batch in self._batches(prompts):
            asked = [requests[number] for number in batch]
            found = self._generate([prompts[number] for number in batch], asked)
            for number, answers in zip(batch, found, strict=True):
                every = [*results[number], *answers]
                good = [one for one in every if not self._doubts(one.text, requests[number])]
                results[number] = good or every

    def _batches(self, prompts: dict[int, tuple[int, ...]]) -> Iterator[list[int]]:
        """Yield the numbers of prompts to be answered together, those of like length."""
        order = sorted(prompts, key=lambda number: len(prompts[number]))
        while order:
            tokens = len(prompts[order[-1]]) + ANSWER_TOKENS
            own = tokens * _bytes_of_token(self._model) + 4 * ANSWER_TOKENS * self._size
            rows = max(1, min(self.settings.batch_size, CACHED_BYTES // (self.beams * own)))
            yield order[:rows]
            del order[:rows]

    @torch.inference_mode()
    def _generate(
        self, prompts: Sequence[tuple[int, ...]], requests: Sequence[Request]
    ) -> list[list[Hypothesis]]:
        """Return the answers to prompts, best first."""
        width, end, beams = max(map(len, prompts)), self._ends[0], self.beams
        padded = [[end] * (width - len(prompt)) + list(prompt) for prompt in prompts]
        real = [[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts]
        ceilings, dense = (
            torch.tensor(most, dtype=torch.float32, device=self._device).repeat_interleave(beams)
            for most in (
                [self._ceiling_of(request) for request in requests],
                [request.dense for request in requests],
            )
        )
        several = beams > 1
        ceiling = CeilingLogits(
            self._table, self._ends, self._banned, width, ceilings, dense, normalized=several
        )
        found = self._model.generate(
            input_ids=torch.tensor(padded, device=self._device),
            attention_mask=torch.tensor(real, device=self._device),
            generation_config=GenerationConfig(
                num_beams=beams,
                num_return_sequences=min(self.settings.nbest, beams),
                max_new_tokens=self._most_steps,
                length_penalty=self.settings.length_penalty,
                early_stopping=False,
                do_sample=False,
                repetition_penalty=1.0,
                eos_token_id=self._ends,
                pad_token_id=end,
                return_dict_in_generate=True,
                output_scores=True,
            ),
            logits_processor=LogitsProcessorList([ceiling]),
        )
        said = found.sequences[:, width:]
        if several:
            scores = found.sequences_scores.tolist()
        else:
            steps = [step.gather(1, said[:, n : n + 1]) for n, step in enumerate(found.scores)]
            scores = torch.cat(steps, dim=1)
        rows = zip(said.tolist(), scores, strict=True)
        best: list[dict[str, Hypothesis]] = [{} for _ in requests]
        for number, (tokens, score) in enumerate(rows):
            place = number * len(requests) // len(said)
            one = self._answer(tokens, score, requests[place])
            if one is not None:
                best[place].setdefault(one.text, one)
        return [list(own.values()) for own in best]

    def _answer(
        self, tokens: Sequence[int], score: float | Tensor, request: Request
    ) -> Hypothesis | None:
        """An answer that ended; None where there was none within the ceiling, or it is no
        translation: broken bytes, and mere chatter."""
        length = next((n for n, token in enumerate(tokens, 1) if token in self._end_set), 0)
        if not length:
            return None
        divisor = self.settings.length(length)
        if isinstance(score, Tensor):
            score = float(score[:length].sum()) / divisor
        if score < -1e6:  # forbidden, or never chosen
            return None
        said = self._loaded.tokenizer.decode(
            tokens[: length - 1], skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        text = translation_in(said, request.text, self._label)
        if text is None or BROKEN_BYTES in text:
            return None
        characters = count_characters(text, self.counting)
        return Hypothesis(text, characters, score, score * divisor, tuple(tokens[: length - 1]))

    @cached_property
    def _end_set(self) -> frozenset[int]:
        return frozenset(self._ends)

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
        return [
            self._rated(self._prompt_tokens(Request(text, formality=form)), hypotheses)
            for text, hypotheses, form in zip(texts, nbest, forms, strict=True)
        ]

    @torch.inference_mode()
    def _rated(self, prompt: tuple[int, ...], nbest: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The hypotheses of one source; the prompt is read once for all."""
        if not nbest:
            return []
        ids = torch.tensor(prompt, device=self._device)
        read = self._model(ids[None, :-1], use_cache=True, logits_to_keep=1).past_key_values
        past = DynamicCache(
            [
                (
                    layer.keys.expand(len(nbest), -1, -1, -1),
                    layer.values.expand(len(nbest), -1, -1, -1),
                )
                for layer in read.layers
            ]
        )
        answers = [[prompt[-1], *one.token_ids] for one in nbest]
        width = max(map(len, answers))
        fed = [[*answer, *[self._ends[0]] * (width - len(answer))] for answer in answers]
        logits = self._model(torch.tensor(fed, device=self._device), past_key_values=past).logits
        log_probs = logits.float().log_softmax(-1)
        closed = log_probs[..., self._ends].logsumexp(-1)
        return [
            self._scored(one, log_probs[row], float(closed[row, len(one.token_ids)]))
            for row, one in enumerate(nbest)
        ]

    def _scored(self, one: Hypothesis, log_probs: Tensor, closed: float) -> Hypothesis:
        steps = torch.arange(len(one.token_ids), device=self._device)
        ids = torch.tensor(one.token_ids, dtype=torch.int64, device=self._device)
        tokens = [*log_probs[steps, ids].tolist(), closed]
        return with_scores(one, tokens, self._texts.texts, self.settings)

    def _ceiling_of(self, request: Request) -> float:
        """The ceiling, or where a free answer is no translation any more but goes on and on."""
        most = MUCH_LONGER * count_characters(request.text, self.counting) + SPARE
        return min(request.ceiling, most)

    def _prompt_of(self, request: Request) -> tuple[int, ...]:
        tokens = self._prompt_tokens(request, self._before(request))
        if len(tokens) > self._longest_prompt:
            tokens = self._prompt_tokens(replace(request, terms=(), setting=NO_SETTING))
        return tokens

    def _tokens_of(self, asked: Request, before: Said = ()) -> tuple[int, ...]:
        """The tokens of a prompt; tokens of its own frame in a text are words of it.

        Raises:
            ModelError: The model's template for chats cannot be filled in, or its tokenizer has
                tokens that it does not know.
        """
        tokenizer = self._loaded.tokenizer
        for token in tokenizer.all_special_tokens:
            if token in asked.text:
                asked = replace(asked, text=asked.text.replace(token, " "))
        messages = self._prompter.messages(asked, before)
        if self._template.turns or not getattr(tokenizer, "chat_template", None):
            if not self._template.turns:
                raise ModelError(f"{self.name}: has no chat template; give --prompt base, or FILE")
            return self._known(tokens_of(tokenizer, self._prompter.whole(messages)))
        try:
            prompt: Any = tokenizer.apply_chat_template(
                messages,
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


def _turns(requests: Sequence[Request]) -> list[list[int]]:
    """The numbers of requests in turns: of each scene one sentence after the other, so that what
    was said before is shown, and of all scenes together."""
    turns: list[list[int]] = []
    places: dict[int, dict[str, int]] = {}
    for number, request in enumerate(requests):
        scene, text = request.setting.scene, request.text
        place = places.setdefault(scene, {}).setdefault(text, len(places[scene])) if scene else 0
        turns += [[] for _ in range(place + 1 - len(turns))]
        turns[place].append(number)
    return turns


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
