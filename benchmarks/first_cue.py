"""Translates a film as ``subfit translate`` does, and prints when the first sentence was done.

`benchmarks.startup` and `benchmarks.film` run this in a process of its own; the time is that of the
clock on the wall, in seconds, so that they can take from it when they started the process.

    python -m benchmarks.first_cue film.srt models/en-multi de 1
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


def main(film: str, model: str, language: str, threads: str) -> None:
    from subfit.model.startup import defer_shape_rules

    defer_shape_rules()  # as the command does
    import torch

    from subfit.decoding.translator import Translator
    from subfit.limits.guideline import Guideline
    from subfit.localization import localize
    from subfit.model.checkpoint import load_checkpoint
    from subfit.subtitles.formats import read_track

    def on_progress(done: int, of: int) -> None:
        if done:
            print(time.time(), flush=True)
            os._exit(0)  # nobody waits for the rest

    torch.set_num_threads(int(threads))
    track = read_track(Path(film))
    guideline = Guideline.load("netflix", language)
    translator = Translator(load_checkpoint(model), guideline.counting, target_language=language)
    localize(track, translator, guideline, on_progress=on_progress)


if __name__ == "__main__":
    main(*sys.argv[1:])
