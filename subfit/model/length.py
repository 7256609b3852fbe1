"""Lengths in models: their unit, the encodings that a decoder is given, the head on the encoder.

The values and frequencies are those of Lakew et al. 2019 (§3.2) and Takase & Okazaki 2019 (§2);
where the two differ, ``docs/methods.md`` says which reading is taken. ``leninit`` and ``lc`` are
the older methods that Takase & Okazaki compare with (§3.2), carried over to the Transformer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import init
from torch.nn.functional import embedding

from subfit.model.attention import FertilityBounds
from subfit.model.config import OTHER_ENCODINGS, LengthUnitName, ModelConfig
from subfit.model.tokenizer import AnyTokenizer, normalize

UNASKED = 0
"""The asked length that means "no length asked": its encoding is the zero vector."""

LC_UNIT = {"characters": 50.0, "tokens": 15.0}
"""The length at which ``lc`` leaves the embeddings as they are: about a sentence's, by unit."""


def characters_emitted(token_ids: Tensor, piece_characters: Tensor, piece_leads: Tensor) -> Tensor:
    """Count the characters of the detokenised text up to and including each token.

    Args:
        token_ids: (batch_size, length) target tokens, the start token first or not.
        piece_characters: (vocab_size,) characters of each piece, its space mark included.
        piece_leads: (vocab_size,) whether the piece opens with the space mark, which is lost when
            detokenised as long as nothing has been printed.

    Returns:
        (batch_size, length) character counts, int64.
    """
    counts, leads = piece_characters[token_ids], piece_leads[token_ids].long()
    bare = (counts - leads).cumsum(dim=1)  # (batch_size, length), without any leading space
    lost = leads * (bare - (counts - leads) == 0)
    return (counts - lost).cumsum(dim=1)


def sinusoid(value: Tensor, width: int, base: Tensor | float = 10000.0) -> Tensor:
    """Encode real numbers as Marian encodes positions: sines in the first half, then cosines.

    Args:
        value: (batch_size, length) numbers to encode.
        width: Size of the encoding, the model's d.
        base: The frequency base, one number or (batch_size, 1) numbers.

    Returns:
        (batch_size, length, width) in float32; frequency i is ``base^(-2i/width)``.
    """
    exponents = torch.arange(0, width, 2, device=value.device, dtype=torch.float32) / width
    base = torch.as_tensor(base, device=value.device, dtype=torch.float32)
    frequency = base.unsqueeze(-1) ** -exponents  # (…, width / 2)
    angle = value.float().unsqueeze(-1) * frequency  # (batch_size, length, width / 2)
    return torch.cat([angle.sin(), angle.cos()], dim=-1)  # (batch_size, length, width)


def encode_abs(asked: Tensor, emitted: Tensor, width: int) -> Tensor:
    """Encode the characters left, ``asked - emitted``, kept at 0 (LE_abs, LDPE).

    Args:
        asked: (batch_size, 1) target length in characters.
        emitted: (batch_size, length) characters so far.
        width: Size of the encoding.

    Returns:
        (batch_size, length, width) in float32.
    """
    return sinusoid((asked - emitted).clamp(min=0), width)


def encode_rel(asked: Tensor, emitted: Tensor, width: int, steps: int) -> Tensor:
    """Encode the share of the length spent, in ``steps`` quanta, kept at ``steps`` (LE_rel).

    A text that runs past its length stays where the length ends: training knows nothing beyond.
    Shapes are those of `encode_abs`.
    """
    spent = torch.floor(steps * emitted / asked.clamp(min=1))
    return sinusoid(spent.clamp(max=steps), width)


def encode_lrpe(asked: Tensor, emitted: Tensor, width: int) -> Tensor:
    """Encode the characters so far at frequencies ``asked^(-2i/d)`` (LRPE).

    Shapes are those of `encode_abs`.
    """
    return sinusoid(emitted, width, base=asked.clamp(min=1).float())


def encode_leninit(asked: Tensor, at_start: Tensor, vector: Tensor) -> Tensor:
    """Add ``asked · vector`` where the target begins (LenInit, Kikuchi et al. 2016, §3.4).

    The method sets the first cell of an LSTM decoder so. A Transformer keeps what its first
    position holds for all later ones to attend to.

    Args:
        asked: (batch_size, 1) target length in characters.
        at_start: (batch_size, length) whether the position holds the start token.
        vector: (width,) a trained vector.

    Returns:
        (batch_size, length, width) in float32.
    """
    return (asked * at_start).float().unsqueeze(-1) * vector.float()


def encode_lc(asked: Tensor, embedded: Tensor, unit: float = LC_UNIT["characters"]) -> Tensor:
    """Turn the decoder's embeddings into their products with the length (LC, Liu et al. 2018).

    Lengths are taken as multiples of ``unit`` (`LC_UNIT`), so that embeddings keep their usual
    size; since the result is summed with the embeddings, it is ``(asked / unit - 1) · embedded``.

    Args:
        asked: (batch_size, 1) target length in characters.
        embedded: (batch_size, length, width) embeddings of the decoder's tokens.
        unit: The length that changes nothing.

    Returns:
        (batch_size, length, width) in float32.
    """
    return (asked.float() / unit - 1).unsqueeze(-1) * embedded.float()


class LengthSignal(nn.Module):
    """Turns an asked length and the tokens so far into a vector per decoder position.

    Args:
        config: Names the encodings to sum, and what lengths are counted in. With ``closed_gate``
            the factor on the sum starts at 0 instead of 1; see `open_gate`.
    """

    piece_characters: Tensor
    piece_leads: Tensor
    gate: Tensor
    start_vector: nn.Parameter | None
    """(width,) the trained vector of ``leninit``."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.width, self.encodings = config.d_model, tuple(config.length_encodings or ())
        self.steps, self.unit = config.rel_steps, config.length_unit
        self.start_id, width = config.decoder_start_token_id, config.d_model
        vocab_size = int(config.decoder_vocab_size or config.vocab_size)
        # Persistent: buffers left out of the checkpoint come back as uninitialised memory.
        self.register_buffer("piece_characters", torch.zeros(vocab_size, dtype=torch.int64))
        self.register_buffer("piece_leads", torch.zeros(vocab_size, dtype=torch.bool))
        self.register_buffer("gate", torch.zeros(1) if config.closed_gate else torch.ones(1))
        self.start_vector = (
            nn.Parameter(torch.zeros(width)) if "leninit" in self.encodings else None
        )

    def open_gate(self, share: float) -> None:
        """Set the factor on the sum, from 0 to 1."""
        self.gate.fill_(share)

    def emitted(self, token_ids: Tensor) -> Tensor:
        """What is written up to and including each of ``token_ids``, both (batch_size, length)."""
        if self.unit == "tokens":
            return (token_ids != self.start_id).cumsum(dim=1)
        return characters_emitted(token_ids, self.piece_characters, self.piece_leads)

    def forward(
        self, asked: Tensor, emitted: Tensor, token_ids: Tensor, embedded: Tensor
    ) -> Tensor:
        """Return what the asked lengths add to the decoder's input.

        Args:
            asked: (batch_size,) lengths asked for, in the unit; `UNASKED` where none are.
            emitted: (batch_size, length) what is written so far at each decoder position, likewise.
            token_ids: (batch_size, length) the decoder's tokens.
            embedded: (batch_size, length, width) their embeddings, scaled.

        Returns:
            (batch_size, length, width), zero where no length is asked.
        """
        asked = asked.to(emitted.device).unsqueeze(1)  # (batch_size, 1)
        total = torch.zeros(*emitted.shape, self.width, device=emitted.device)
        at = Positions(asked, emitted, token_ids == self.start_id, embedded)
        for name in self.encodings:
            total = total + ENCODINGS[name](self, at)
        wanted = (asked > UNASKED).unsqueeze(-1)  # (batch_size, 1, 1)
        return total * wanted * self.gate.float()


class Positions(NamedTuple):
    """What a length encoding may depend on, for every position of the decoder."""

    asked: Tensor
    """(batch_size, 1) target length, in the signal's unit."""
    emitted: Tensor
    """(batch_size, length) what is written so far, likewise."""
    at_start: Tensor
    """(batch_size, length) whether the position holds the start token."""
    embedded: Tensor
    """(batch_size, length, width) embeddings of the decoder's tokens, scaled."""


def _leninit(signal: LengthSignal, at: Positions) -> Tensor:
    assert signal.start_vector is not None
    return encode_leninit(at.asked, at.at_start, signal.start_vector)


Encoding = Callable[[LengthSignal, Positions], Tensor]

ENCODINGS: dict[str, Encoding] = {
    "abs": lambda signal, at: encode_abs(at.asked, at.emitted, signal.width),
    "rel": lambda signal, at: encode_rel(at.asked, at.emitted, signal.width, signal.steps),
    "lrpe": lambda signal, at: encode_lrpe(at.asked, at.emitted, signal.width),
    "leninit": _leninit,
    "lc": lambda signal, at: encode_lc(at.asked, at.embedded, LC_UNIT[signal.unit]),
}
"""What each encoding adds to the decoder's input, (batch_size, length, width), by its name in
`subfit.model.config.LengthEncoding`."""


def register_encoding(name: str, encoding: Encoding) -> None:
    """Add a length encoding, for recipes, checkpoints and the search of this process.

    Args:
        name: By which recipes ask for it; one that is there already is replaced.
        encoding: Makes (batch_size, length, width) of a signal and its positions, in training for
            whole targets and in the search for their newest tokens.
    """
    if name not in ENCODINGS:
        OTHER_ENCODINGS.append(name)
    ENCODINGS[name] = encoding


@dataclass(frozen=True, slots=True)
class LengthUnit:
    """The unit that a model's length signals count in."""

    name: LengthUnitName
    characters: float
    """How many characters one of them has in the mean."""
    source_lengths: Callable[[Sequence[str]], list[int]]
    """Counts source texts."""
    target_lengths: Callable[[Sequence[str]], list[int]]
    """Counts target texts."""

    def of_characters(self, characters: float) -> int:
        """Return about how many units so many characters are, 1 or more."""
        return max(1, round(characters / self.characters))


def count_code_points(texts: Sequence[str]) -> list[int]:
    """Return the code points of each text."""
    return [len(text) for text in texts]


CHARACTERS = LengthUnit("characters", 1.0, count_code_points, count_code_points)
"""Code points, as everywhere inside models."""


def length_unit(config: Any, tokenizer: AnyTokenizer) -> LengthUnit:
    """Return the unit of a model's length signals; characters where it has none.

    Args:
        config: The model's.
        tokenizer: Likewise. Tokens are its pieces, without start and end token.
    """
    if getattr(config, "length_unit", "characters") == "characters":
        return CHARACTERS

    def pieces(side: Any) -> Callable[[Sequence[str]], list[int]]:
        return lambda texts: [
            len(pieces) for pieces in side.encode_all(list(map(normalize, texts)))
        ]

    source, target = pieces(tokenizer.source), pieces(tokenizer.target)
    return LengthUnit("tokens", float(config.token_characters), source, target)


class LengthHead(nn.Module):
    """Predicts ln(target characters / source characters) from encoder states.

    The source's length is known exactly, so only the ratio is left to predict; its logarithm treats
    half and double alike and can stand for any length. The states are pooled with learned weights
    (at first all alike, which is mean pooling) and go with ln(source characters), since short
    sentences stretch otherwise than long ones, through one hidden layer.

    Args:
        width: d_model, the width of the states.
        mean_ratio: What it predicts at first, whatever the text.
    """

    def __init__(self, width: int, mean_ratio: float) -> None:
        super().__init__()
        self.hidden = nn.Linear(width + 1, width)
        self.attention = nn.Parameter(torch.empty(width))
        self.output = nn.Parameter(torch.empty(width))
        self.bias = nn.Parameter(torch.empty(()))
        self.start_at(mean_ratio)

    def start_at(self, mean_ratio: float) -> None:
        """Pool all states alike and predict one ratio for every text, as before training."""
        init.zeros_(self.attention)
        init.zeros_(self.output)
        init.constant_(self.bias, math.log(mean_ratio))

    def forward(self, states: Tensor, mask: Tensor, characters: Tensor) -> Tensor:
        """Return the predicted log ratios (batch_size,).

        Args:
            states: (batch_size, source_length, width) of the encoder's last layer.
            mask: (batch_size, source_length), 1 where there is a token.
            characters: (batch_size,) of the sources.
        """
        scores = (states @ self.attention.to(states.dtype)).float()  # (batch_size, source_length)
        # Not infinite: a text without any place would have no softmax.
        weights = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min).softmax(1)
        pooled = (weights.unsqueeze(2) * states).sum(1)  # (batch_size, width)
        size = characters.clamp(min=1).log().to(pooled.dtype).unsqueeze(1)
        hidden = torch.relu(self.hidden(torch.cat([pooled, size], dim=1)))
        return (hidden @ self.output.to(hidden.dtype)).float() + self.bias


class NoPositions(nn.Module):
    """Stands where the decoder's position encoding was, for models that do without it."""

    def forward(self, shape: torch.Size, *_: Any, **__: Any) -> Tensor:
        """Return a zero that broadcasts over ``shape``, on any device."""
        return torch.zeros(())


class LengthConditioned(nn.Module):
    """A model that can be told how much it may write."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.config: Any = config
        self.length_signal = LengthSignal(config)
        self.length_head: LengthHead | None = None
        self.fertility: FertilityBounds | None = None
        if config.length_predictor:
            self.length_head = LengthHead(config.d_model, config.mean_length_ratio)

    @property
    def target_embedding(self) -> tuple[Tensor, float]:
        """The table (pieces, d_model) that decoder tokens are looked up in, and its factor."""
        raise NotImplementedError

    @property
    def target_padding(self) -> int | None:
        """The token whose row in that table is not trained by being looked up, if there is one."""
        raise NotImplementedError

    def set_piece_table(self, characters: list[int], leads: list[bool]) -> None:
        """Store the tokenizer's characters per piece and which pieces open with a space.

        Tokens that were added behind the tokenizer's pieces print nothing.
        """
        pieces = len(characters)
        self.length_signal.piece_characters[:pieces] = torch.tensor(characters)
        self.length_signal.piece_leads[:pieces] = torch.tensor(leads)

    def embed_target(
        self, token_ids: Tensor, asked: Tensor | None, emitted: Tensor | None = None
    ) -> Tensor:
        """Embed decoder tokens with their length encodings, before scaling and positions.

        Args:
            token_ids: (batch_size, length) decoder input.
            asked: (batch_size,) lengths asked for, in the model's unit, or None for none at all.
            emitted: (batch_size, length) what is written so far, likewise; computed from the tokens
                if None.

        Returns:
            (batch_size, length, d_model); the decoder multiplies it by its embedding scale, so the
            encodings are divided by that scale here.
        """
        table, scale = self.target_embedding
        embedded = embedding(token_ids, table, padding_idx=self.target_padding)
        if asked is None or not self.length_signal.encodings:
            return embedded
        if emitted is None:
            emitted = self.length_signal.emitted(token_ids)
        signal: Tensor = self.length_signal(asked, emitted, token_ids, embedded * scale) / scale
        return embedded + signal.to(embedded.dtype)
