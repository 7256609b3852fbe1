"""The search beside Hugging Face's own ``generate``, for the families that are not Marian's.

    python -m benchmarks.families --rounds 3 --clock cpu

Models are random, of one shape for all families, so that only speed is measured: both sides search
with the same beams for as many tokens, in float32, in batches of 32. Rounds take turns.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import (
    M2M100Config,
    M2M100ForConditionalGeneration,
    MBartConfig,
    MBartForConditionalGeneration,
    T5Config,
    T5ForConditionalGeneration,
)

from subfit.decoding.network import Network
from subfit.decoding.pieces import PieceTable
from subfit.decoding.search import BudgetedBeamSearch
from subfit.decoding.search_types import SearchSettings, TokenRequest
from subfit.model.families import settle

BATCH, FIRST, END, PAD = 32, 4, 2, 1
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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    arguments = parser.parse_args()
    clock, draw = CLOCKS[arguments.clock], random.Random(1)
    sources = [
        [*(draw.randrange(10, arguments.pieces) for _ in range(draw.randint(4, 24))), END]
        for _ in range(arguments.sentences)
    ]
    for family in ("M2M100 (NLLB)", "mBART", "T5 (MADLAD)"):
        torch.manual_seed(1)
        model = model_of(family, arguments.width, arguments.layers, arguments.pieces)
        settle(model)
        runs = [run(model, sources, arguments.beams, arguments.steps) for run in (ours, theirs)]
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
