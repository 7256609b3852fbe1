"""Times subfit's beam search against Hugging Face ``generate`` on the example scenes.

Both translate the same cues with the same model in float32, the same beam, in the same batches,
without a budget; then subfit alone with one, which is the work it exists for. Rounds alternate, and
the ratio of each round is printed, since machines are noisy.

    python benchmarks/search_speed.py models/en-multi -t de --rounds 5
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import torch

from subfit.formats import read_track
from subfit.hypotheses import Request
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.search import SearchSettings
from subfit.sentences import join_cues, parse_cues
from subfit.translate import Translator, language_token

EXAMPLES = Path(__file__).parent.parent / "examples"


def example_texts() -> list[str]:
    texts = []
    for name in ("lighthouse.en.srt", "children.en.srt", "lecture.en.vtt"):
        track = read_track(EXAMPLES / name)
        payloads = parse_cues(track.cues, track.format)
        texts += [sentence.text for sentence in join_cues(track.cues, payloads)]
    return texts


def with_generate(
    checkpoint: Checkpoint, texts: list[str], before: list[int], beams: int, batch: int
) -> None:
    tokenizer = checkpoint.tokenizer
    rows = [[*before, *tokenizer.encode(text), tokenizer.eos_id] for text in texts]
    rows.sort(key=len, reverse=True)
    for start in range(0, len(rows), batch):
        part = rows[start : start + batch]
        width = max(map(len, part))
        source = torch.tensor([row + [tokenizer.pad_id] * (width - len(row)) for row in part])
        checkpoint.model.generate(
            source,
            attention_mask=(source != tokenizer.pad_id).long(),
            num_beams=beams,
            max_new_tokens=200,
            do_sample=False,
            early_stopping=False,
            bad_words_ids=[[tokenizer.pad_id]],
        )


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a model folder")
    parser.add_argument("-t", "--target-language", help="of a model that has several")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--beams", type=int, default=5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    checkpoint = load_checkpoint(options.model)
    settings = SearchSettings(beams=options.beams, nbest=options.beams, max_steps=200)
    language = options.target_language
    translator = Translator(checkpoint, settings=settings, target_language=language)
    token = language_token(checkpoint, language)
    before = [] if token is None else [token]
    texts = example_texts()
    free = [Request(text) for text in texts]
    tight = [Request(text, ceiling=len(text), asked=len(text)) for text in texts]
    contestants: dict[str, Callable[[], object]] = {
        "generate": lambda: with_generate(checkpoint, texts, before, options.beams, options.batch),
        "subfit": lambda: translator.translate(free),
        "subfit, budget = source length": lambda: translator.translate(tight),
    }
    for work in contestants.values():
        work()
    times = {name: [] for name in contestants}
    for _ in range(options.rounds):
        for name, work in contestants.items():
            times[name].append(seconds(work))
    print(f"{len(texts)} sentences, beam {options.beams}, {options.threads} threads")
    for name, measured in times.items():
        ratios = [a / b for a, b in zip(times["generate"], measured, strict=True)]
        print(
            f"{name}: {len(texts) / statistics.median(measured):.1f} sentences/s,"
            f" {statistics.median(ratios):.2f} times generate"
            f" ({min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main()
