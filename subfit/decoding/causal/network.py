"""A decoder-only model as a search sees it: prompts in, log-probabilities of the next token out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from subfit.decoding.causal.token_texts import TokenTexts

Memory = tuple[Tensor, ...]
"""Of a prompt: its last token, (1,), and per layer keys and values of those before,
(heads, tokens, d) each."""
ENCODED_TOKENS = 4096
"""Of prompts that go through the model together, padding included."""
NO_TOKEN = -1


class CausalNetwork:
    """One decoder-only model.

    What ends an answer is one column: the end of a turn, or, behind some text, the end of its line.
    It has the probability of all these.

    Args:
        model: Of `transformers`, in evaluation mode.
        texts: Its vocabulary.
        positions: Most tokens of prompt and answer.
        most_steps: Most tokens of an answer.
    """

    first: int | None = None
    prefix = 1

    def __init__(self, model: Any, texts: TokenTexts, positions: int, most_steps: int) -> None:
        self.model, self.device = model, model.device
        self.positions, self.max_steps = positions, most_steps
        end = min(texts.ends)
        pieces = sorted({*texts.usable, end})
        self.pieces = torch.tensor(pieces, device=self.device)
        self._end = pieces.index(end)
        self._turn_ends = torch.tensor(sorted(texts.ends), device=self.device)
        self._all_ends = torch.tensor(sorted(texts.ends | texts.line_ends), device=self.device)
        self.config = SimpleNamespace(
            eos_token_id=end, pad_token_id=NO_TOKEN, decoder_start_token_id=end
        )

    @torch.inference_mode()
    def encode(self, sources: Sequence[Sequence[int]]) -> list[Memory]:
        """Read prompts, each once; what all begin with is read once for all.

        Args:
            sources: Token ids of each, two or more.
        """
        prompts = list(dict.fromkeys(map(tuple, sources)))
        common = _shared([prompt[:-1] for prompt in prompts]) if len(prompts) > 1 else 0
        before = self._read([prompts[0][:common]]) if common else None
        memories: dict[tuple[int, ...], Memory] = {}
        for part in _parts(prompts):
            rests = [prompt[common:-1] for prompt in part]
            cache = self._read(rests, before)
            for row, prompt in enumerate(part):
                last = torch.tensor(prompt[-1:], device=self.device)
                length = len(prompt) - 1
                kept = (each[row, :, :length].clone() for layer in cache for each in layer)
                memories[prompt] = (last, *kept)
        return [memories[tuple(source)] for source in sources]

    def _read(
        self, rows: Sequence[Sequence[int]], before: list[tuple[Tensor, Tensor]] | None = None
    ) -> list[tuple[Tensor, Tensor]]:
        """Keys and values of each layer, (rows, heads, tokens, d), padded on the right."""
        known = before[0][0].shape[2] if before else 0
        longest = max(1, *map(len, rows))
        tokens = torch.full((len(rows), longest), self.config.eos_token_id, device=self.device)
        for row, own in zip(tokens, rows, strict=True):
            row[: len(own)] = torch.tensor(own, device=self.device)
        past = [
            (k.expand(len(rows), -1, -1, -1), v.expand(len(rows), -1, -1, -1))
            for k, v in before or ()
        ]
        mask = torch.ones(len(rows), known + longest, dtype=torch.int64, device=self.device)
        places = torch.arange(known, known + longest, device=self.device).expand(len(rows), -1)
        return self.forward(tokens, places, mask, past, rated=1)[1]

    def forward(
        self,
        tokens: Tensor,
        places: Tensor,
        mask: Tensor,
        past: Sequence[tuple[Tensor, Tensor]],
        rated: int = 0,
    ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Run the model.

        Args:
            tokens: (rows, new) token ids.
            places: (rows, new) their positions.
            mask: (rows, known + new) what may be looked at, 1 or 0.
            past: Keys and values of each layer, (rows, heads, known, d).
            rated: Behind how many of the new tokens logits are wanted; 0 for all.

        Returns:
            Logits (rows, rated, vocabulary), and keys and values of each layer with the new tokens.
        """
        cache = DynamicCache(past) if past else DynamicCache()
        out = self.model(
            input_ids=tokens,
            position_ids=places,
            attention_mask=mask,
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=rated,
        )
        kept = [(layer.keys, layer.values) for layer in out.past_key_values.layers]
        return out.logits, kept

    def log_probabilities(self, logits: Tensor, opening: Tensor) -> Tensor:
        """Return (n, pieces) log-probabilities.

        Args:
            logits: (n, vocabulary)
            opening: (n,) whether nothing has been said yet.
        """
        log_probs = logits.float().log_softmax(-1)
        ends = log_probs[:, self._all_ends].logsumexp(-1)
        turn_ends = log_probs[:, self._turn_ends].logsumexp(-1)
        chosen = log_probs[:, self.pieces]
        chosen[:, self._end] = torch.where(opening, turn_ends, ends)
        return chosen

    @torch.inference_mode()
    def rate(
        self, targets: Sequence[Sequence[int]], memories: Sequence[Memory]
    ) -> list[list[float]]:
        """Return the log-probability of every token of answers.

        Args:
            targets: Token ids of each, the end last.
            memories: Of the prompts that they answer.
        """
        running = self.open(len(targets), 1)
        running.admit(torch.arange(len(targets), device=self.device), memories)
        return running.rate(targets)

    def index(self, tokens: Tensor) -> Tensor:
        """Return where token ids stand among the pieces that may be used."""
        return torch.searchsorted(self.pieces, tokens)

    def open(self, rows: int, beams: int) -> CausalCache:
        """Open a cache for at most ``rows`` prompts of ``beams`` hypotheses."""
        return CausalCache(self, rows, beams)


def _shared(prompts: Sequence[tuple[int, ...]]) -> int:
    """How many tokens all prompts begin with."""
    first, last = min(prompts), max(prompts)
    same = [one == other for one, other in zip(first, last, strict=False)]
    return same.index(False) if False in same else len(same)


def _parts(prompts: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """Cut prompts into parts of a bounded number of tokens, short ones first."""
    parts: list[list[tuple[int, ...]]] = []
    for prompt in sorted(prompts, key=len):
        if not parts or len(prompt) * (len(parts[-1]) + 1) > ENCODED_TOKENS:
            parts.append([])
        parts[-1].append(prompt)
    return parts


@dataclass(slots=True)
class _Layer:
    """Keys and values of one layer, (rows * beams, heads, steps, d)."""

    keys: Tensor
    values: Tensor


class CausalCache:
    """The cache of a search that runs.

    Prompts and answers end at the same column, whenever they came in; what stands left of a short
    one is masked, and cut off once no row needs it.
    """

    def __init__(self, network: CausalNetwork, rows: int, beams: int) -> None:
        self._network, self._rows, self._beams = network, rows, beams
        device = network.device
        self._layers: list[_Layer] = []
        self._mask = torch.zeros(rows, 0, dtype=torch.int64, device=device)
        """(rows, steps) what each row has."""
        self._last = torch.full((rows,), network.config.eos_token_id, device=device)
        """(rows,) the last token of each prompt, which is fed first."""
        self._fresh = torch.zeros(rows, dtype=torch.bool, device=device)
        """(rows,) whether nothing has been fed since a prompt came in."""

    def admit(self, rows: Tensor, memories: Sequence[Memory]) -> None:
        """Put prompts into free rows, (n,)."""
        lengths = [memory[1].shape[1] for memory in memories]
        self._mask[rows] = 0
        self._open_layers(memories[0])
        self._pad(max(lengths) - self._mask.shape[1])
        self._trim(max(lengths))
        width = self._mask.shape[1]
        for row, length, memory in zip(rows.tolist(), lengths, memories, strict=True):
            self._mask[row, width - length :] = 1
            self._last[row] = memory[0]
            beams = slice(row * self._beams, (row + 1) * self._beams)
            for number, layer in enumerate(self._layers):
                layer.keys[beams, :, width - length :] = memory[1 + 2 * number]
                layer.values[beams, :, width - length :] = memory[2 + 2 * number]
        self._fresh[rows] = True

    def _open_layers(self, memory: Memory) -> None:
        if self._layers:
            return
        for keys, values in zip(memory[1::2], memory[2::2], strict=True):
            rows = self._rows * self._beams
            self._layers.append(
                _Layer(
                    keys.new_zeros(rows, keys.shape[0], 0, keys.shape[2]),
                    values.new_zeros(rows, values.shape[0], 0, values.shape[2]),
                )
            )

    def _pad(self, more: int) -> None:
        """Make room on the left."""
        if more <= 0:
            return
        self._mask = torch.cat([self._mask.new_zeros(len(self._mask), more), self._mask], dim=1)
        for layer in self._layers:
            for name in ("keys", "values"):
                old = getattr(layer, name)
                room = old.new_zeros(*old.shape[:2], more, old.shape[3])
                setattr(layer, name, torch.cat([room, old], dim=2))

    def _trim(self, least: int) -> None:
        """Cut off what no row has on the left, but leave so many columns."""
        used = self._mask.any(dim=0).nonzero()
        first = int(used[0]) if len(used) else self._mask.shape[1]
        first = min(first, self._mask.shape[1] - least)
        if first > 0:
            self._mask = self._mask[:, first:]
            for layer in self._layers:
                layer.keys, layer.values = layer.keys[:, :, first:], layer.values[:, :, first:]

    def narrow(self, longest: int) -> None:
        """Forget padding; see `admit`, which does."""

    def keep(self, rows: Tensor) -> None:
        """Keep only these rows, an index (n,)."""
        beams = (rows.unsqueeze(1) * self._beams + self._within()).flatten()
        self._rows = len(rows)
        self._mask, self._last, self._fresh = (
            each.index_select(0, rows) for each in (self._mask, self._last, self._fresh)
        )
        self._select(beams)
        self._trim(0)

    def _within(self) -> Tensor:
        return torch.arange(self._beams, device=self._network.device)

    def _select(self, rows: Tensor) -> None:
        for layer in self._layers:
            layer.keys = layer.keys.index_select(0, rows)
            layer.values = layer.values.index_select(0, rows)

    def next(
        self, tokens: Tensor, positions: Tensor, origins: Tensor, asked: Tensor, emitted: Tensor
    ) -> Tensor:
        """Feed a token to every hypothesis.

        Args:
            tokens: (rows, beams) the newest; of new prompts their own last token is fed.
            positions: (rows,) of these tokens in their answers; 0 in rows that are done.
            origins: (rows, beams, steps) the beam in which each token of a hypothesis was fed.
            asked: Not used; the prompt says it.
            emitted: (rows, beams) code points said.

        Returns:
            (rows, beams, pieces) log-probabilities of what follows.
        """
        opening = positions == 0
        self._mask[opening & ~self._fresh] = 0  # nobody is there any more
        self._fresh.zero_()
        self._follow(positions, origins)
        tokens = torch.where(opening.unsqueeze(1), self._last.unsqueeze(1), tokens)
        logits = self._feed(tokens.reshape(-1, 1))[:, -1]
        silent = (emitted == 0).flatten()
        return self._network.log_probabilities(logits, silent).view(*tokens.shape, -1)

    def _follow(self, positions: Tensor, origins: Tensor) -> None:
        """Let every beam have the cache of the hypothesis that it goes on with."""
        before = (positions - 1).clamp(min=0).view(-1, 1, 1).expand(-1, self._beams, 1)
        parents = origins.gather(2, before).squeeze(2)  # (rows, beams)
        within = self._within().expand_as(parents)
        parents = torch.where((positions == 0).unsqueeze(1), within, parents.clamp(min=0))
        if not torch.equal(parents, within):
            first = torch.arange(self._rows, device=parents.device).unsqueeze(1) * self._beams
            self._select((first + parents).flatten())

    def _feed(self, tokens: Tensor) -> Tensor:
        """Feed (rows * beams, new) tokens; return logits (rows * beams, new, vocabulary)."""
        new = tokens.shape[1]
        fed = self._mask.new_ones(self._rows, new)
        places = self._mask.sum(1, keepdim=True) + torch.arange(new, device=tokens.device)
        self._mask = torch.cat([self._mask, fed], dim=1)
        past = [(layer.keys, layer.values) for layer in self._layers]
        mask = self._mask.repeat_interleave(self._beams, dim=0)
        places = places.repeat_interleave(self._beams, dim=0)
        logits, kept = self._network.forward(tokens, places, mask, past)
        self._layers = [_Layer(*each) for each in kept]
        return logits

    def rate(self, targets: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return the log-probability of every token of an answer in each row, of one beam."""
        device, longest = self._network.device, max(map(len, targets))
        fed = torch.full((len(targets), longest), self._network.config.eos_token_id, device=device)
        for row, last, target in zip(fed, self._last, targets, strict=True):
            row[0] = last
            row[1 : len(target)] = torch.tensor(target[:-1], device=device)
        logits = self._feed(fed)
        opening = torch.zeros(longest, dtype=torch.bool, device=device)
        opening[0] = True
        rated = []
        for row, target in zip(logits, targets, strict=True):
            log_probs = self._network.log_probabilities(row, opening)
            columns = self._network.index(torch.tensor(target, device=device)).unsqueeze(1)
            rated.append(log_probs[: len(target)].gather(1, columns).squeeze(1).tolist())
        return rated
