"""Times subfit beside Hugging Face ``generate`` on a GPU, both in bf16: lines a second.

Lines of a text file are translated by ``generate``, in the batch that is its best, and by subfit
without limits and within the length of the source; then the cues of a folder of films by
``generate``, and the films by subfit under ``netflix``, budgets and reports included. Models are
loaded before the clock starts, and each has translated something. It takes at most three minutes:
what would begin after them is left out.

    python -m benchmarks.gpu models/en-multi sources.txt -t de --films FOLDER
    python -m benchmarks.gpu tests/data/tiny sources.txt -t de --device cpu --lines 20
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.contestants import Setting, Translate, start_generate
from benchmarks.measuring import machine, markdown
from benchmarks.whole import cues_of, lines_of
from subfit import Guideline, Translator, localize_all, read_track
from subfit.decoding.hypotheses import Request, SearchSettings
from subfit.model.config import Computing

BEAMS = 5
WARM_UP, TRIED = 64, 512
"""Lines that are translated before the clock starts, and those that a batch size is chosen by."""


def seconds_of(work: Callable[[], object]) -> float:
    """Return how long some work takes, all that the GPU has to do for it included."""
    start = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - start


def best_batch(
    start: Callable[[int], Translate], texts: Sequence[str], sizes: Sequence[int]
) -> tuple[int, Translate]:
    """Return the batch size that some lines take the least time with, and what translates so."""
    made = {size: start(size) for size in sizes}
    taken = {}
    for size, translate in made.items():
        translate(texts[:WARM_UP])
        taken[size] = seconds_of(lambda each=translate: each(texts[:TRIED]))  # type: ignore[misc]
    best = min(taken, key=taken.__getitem__)
    return best, made[best]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.gpu", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("source", type=Path, help="a text file, a sentence a line")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--films", type=Path, help="a folder of subtitle files (.srt)")
    parser.add_argument("--lines", type=int, default=3000)
    parser.add_argument("--batches", type=int, nargs="+", default=[64, 256, 512])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--seconds", type=float, default=180.0)
    options = parser.parse_args(arguments)
    started, language, device = time.monotonic(), options.target_language, options.device
    texts, rows = lines_of(options.source, options.lines), list[list[str]]()
    setting = Setting(options.model, language, Path(), BEAMS, 0, torch.get_num_threads())
    guideline = Guideline.load("netflix", language)

    def generate(size: int) -> Translate:
        return start_generate(replace(setting, batch=size), device=device, dtype="bfloat16")

    def load(size: int) -> Translator:
        return Translator.load(
            options.model,
            target_language=language,
            counting=guideline.counting,
            settings=SearchSettings(beams=BEAMS, batch_size=size),
            computing=Computing(device, "bf16", None),
        )

    def asking(translator: Translator, *, tight: bool = False) -> Translate:
        def translate(some: Sequence[str]) -> list[str]:
            requests = [Request(one, len(one), len(one)) if tight else Request(one) for one in some]
            nbest = translator.translate(requests)
            return [own[0].text if own else "" for own in nbest]

        return translate

    def measure(name: str, size: int, count: int, work: Callable[[], object]) -> None:
        if time.monotonic() - started < options.seconds:
            rows.append([name, str(size), str(count), f"{count / seconds_of(work):.1f}"])
            print(*rows[-1], sep="; ", flush=True)

    translators = {size: load(size) for size in options.batches}
    accepts = translators[options.batches[0]].accepts
    texts = [text for text in texts if accepts(text)]
    plain, theirs = best_batch(generate, texts, options.batches)
    measure("generate", plain, len(texts), lambda: theirs(texts))
    size, ours = best_batch(lambda size: asking(translators[size]), texts, options.batches)
    measure("subfit, no limits", size, len(texts), lambda: ours(texts))
    tight = asking(translators[size], tight=True)
    measure("subfit, length of the source", size, len(texts), lambda: tight(texts))
    if options.films:
        paths = sorted(options.films.glob("*.srt"))
        cues, tracks = list(filter(accepts, cues_of(paths))), [read_track(path) for path in paths]
        measure("generate, cues", plain, len(cues), lambda: theirs(cues))
        measure(
            "subfit, films under netflix",
            size,
            len(cues),
            lambda: localize_all(tracks, translators[size], guideline),
        )
    where = torch.cuda.get_device_name() if device == "cuda" else machine()
    print(f"\n{where}; bf16, {BEAMS} beams, {time.monotonic() - started:.0f} s in all.\n")
    print(markdown(["", "batch", "lines or cues", "lines a second"], rows))


if __name__ == "__main__":
    main()
