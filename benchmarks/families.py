"""The search beside Hugging Face's own ``generate``, for models that are not Marian's.

    python -m benchmarks.families --rounds 3 --clock cpu

Models are random, of one shape for all families, so that only speed is measured: both sides search
with the same beams for as many tokens, in float32, in batches of 32. Rounds take turns. A language
model reads a prompt that all sentences begin with, and then the sentence.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    M2M100Config,
    M2M100ForConditionalGeneration,
    MBartConfig,
    MBartForConditionalGeneration,
    T5Config,
    T5ForConditionalGeneration,
)

from subfit.decoding.logits import CeilingLogits
from subfit.decoding.network import Network
from subfit.decoding.pieces import PieceTable, table_of
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.model.families import settle
from subfit.text.counting import EVERYTHING

BATCH, FIRST, END, PAD = 32, 4, 2, 1
PROMPT = 48
"""Tokens of the prompt of a language model."""
LLAMA = "Llama"
CLOCKS: dict[str, Callable[[], float]] = {"cpu": time.process_time, "wall": time.perf_counter}


def model_of(family: str, width: int, layers: int, pieces: int) -> Any:
    """Return a random model of a family."""
    ids = {"eos_token_id": END, "pad_token_id": PAD, "decoder_start_token_id": END}
    if family == "T5 (MADLAD)":
        shape = {"d_model": width, "d_kv": width // 8, "d_ff": 4 * width, "num_heads": 8}
        config = T5Config(
            vocab_size=pieces, num_layers=layers, feed_forward_proj="gated-gelu", **shape, **ids
        )
        return T5ForConditionalGeneration(config).eval()
    sizes = {"d_model": width, "encoder_layers": layers, "decoder_layers": layers}
    sizes |= {"encoder_ffn_dim": 4 * width, "decoder_ffn_dim": 4 * width, "vocab_size": pieces}
    sizes |= {"encoder_attention_heads": 8, "decoder_attention_heads": 8}
    if family == "mBART":
        return MBartForConditionalGeneration(MBartConfig(**sizes, **ids)).eval()
    return M2M100ForConditionalGeneration(M2M100Config(**sizes, **ids)).eval()


def llama_of(width: int, layers: int, pieces: int) -> Any:
    """Return a random decoder-only model."""
    config = LlamaConfig(
        vocab_size=pieces,
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=8,
        num_key_value_heads=4,
        bos_token_id=None,
        eos_token_id=END,
        pad_token_id=PAD,
    )
    return LlamaForCausalLM(config).eval()


def our_answers(
    model: Any, prompts: Sequence[Sequence[int]], beams: int, steps: int
) -> Callable[[], Any]:
    """Return a run of ``generate`` under ceilings that are never reached."""
    pieces = int(model.config.vocab_size)
    texts = ["abc"] * pieces
    texts[END] = texts[PAD] = ""
    table, banned = table_of(texts, EVERYTHING), torch.zeros(pieces, dtype=torch.bool)

    def ceiling(width: int, rows: int) -> list[CeilingLogits]:
        most = torch.full((rows * beams,), 1000.0)
        return [CeilingLogits(table, [END], banned, width, most, most)]

    return their_answers(model, prompts, beams, steps, ceiling)


def their_answers(
    model: Any,
    prompts: Sequence[Sequence[int]],
    beams: int,
    steps: int,
    processors: Callable[[int, int], list[CeilingLogits]] = lambda width, rows: [],
) -> Callable[[], Any]:
    """Return a run of ``generate`` of a decoder-only model, prompts of like length together."""
    ordered = sorted(prompts, key=len)

    def run() -> None:
        for start in range(0, len(ordered), BATCH):
            batch = ordered[start : start + BATCH]
            width = max(map(len, batch))
            ids = torch.tensor([[*[PAD] * (width - len(row)), *row] for row in batch])
            with torch.inference_mode():
                model.generate(
                    input_ids=ids,
                    attention_mask=(ids != PAD).long(),
                    num_beams=beams,
                    max_new_tokens=steps,
                    do_sample=False,
                    early_stopping=False,
                    logits_processor=processors(width, len(batch)),
                )

    return run


def ours(model: Any, sources: Sequence[Sequence[int]], beams: int, steps: int) -> Callable[[], Any]:
    """Return a run of subfit's search."""
    pieces = int(model.lm_head.weight.shape[0])
    table = PieceTable(
        torch.full((pieces,), 3.0),
        torch.zeros(pieces),
        torch.full((pieces,), 3),
        torch.zeros(pieces, dtype=torch.bool),
        torch.zeros(pieces, dtype=torch.bool),
    )
    settings = SearchSettings(beams, 1, max_steps=steps, batch_size=BATCH)
    requests = [TokenRequest(tuple(source)) for source in sources]

    def run() -> Any:
        network = Network([model], first=FIRST)  # anew: it remembers what it has encoded
        return BudgetedBeamSearch(network, table, settings, special=()).search(requests)

    return run


def theirs(
    model: Any, sources: Sequence[Sequence[int]], beams: int, steps: int
) -> Callable[[], Any]:
    """Return a run of ``generate``, sentences of like length together."""
    ordered = sorted(sources, key=len)

    def run() -> None:
        for start in range(0, len(ordered), BATCH):
            batch = ordered[start : start + BATCH]
            width = max(map(len, batch))
            ids = torch.tensor([[*row, *[PAD] * (width - len(row))] for row in batch])
            with torch.inference_mode():
                model.generate(
                    input_ids=ids,
                    attention_mask=(ids != PAD).long(),
                    num_beams=beams,
                    max_new_tokens=steps,
                    early_stopping=False,
                    forced_bos_token_id=FIRST,
                )

    return run


def main() -> None:
    """Print a line for each family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=64)
    parser.add_argument("--beams", type=int, default=5)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--pieces", type=int, default=32000)
    parser.add_argument("--families", default=f"M2M100 (NLLB),mBART,T5 (MADLAD),{LLAMA}")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    arguments = parser.parse_args()
    clock, draw = CLOCKS[arguments.clock], random.Random(1)
    sources = [
        [*(draw.randrange(10, arguments.pieces) for _ in range(draw.randint(4, 24))), END]
        for _ in range(arguments.sentences)
    ]
    shape = arguments.width, arguments.layers, arguments.pieces
    search = arguments.beams, arguments.steps
    prompt = [draw.randrange(10, arguments.pieces) for _ in range(PROMPT)]
    for family in arguments.families.split(","):
        torch.manual_seed(1)
        if family == LLAMA:
            model, asked = llama_of(*shape), [[*prompt, *source[:-1]] for source in sources]
            runs = [run(model, asked, *search) for run in (our_answers, their_answers)]
        else:
            model = model_of(family, *shape)
            settle(model)
            runs = [run(model, sources, *search) for run in (ours, theirs)]
        seconds: list[list[float]] = [[], []]
        for _ in range(arguments.rounds):
            for number, run in enumerate(runs):
                begun = clock()
                run()
                seconds[number].append(clock() - begun)
        own, other = map(min, seconds)
        print(f"{family:14} subfit {own:6.1f} s   generate {other:6.1f} s   x{other / own:.2f}")


if __name__ == "__main__":
    main()
