"""Write the golden files again: ``python -m tests.regenerate [--model]``.

Without ``--model`` the frozen checkpoint stays and only what it says is written. Read the diff:
a change in it is a change in behaviour.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from subfit.training.folder import export_run
from subfit.training.sections import Schedule
from subfit.training.train import train
from tests.tiny import RECIPE, write_pairs

DATA = Path(__file__).parent / "data"
CHECKPOINT = DATA / "tiny"
TRANSLATIONS = DATA / "tiny-translations.json"

REQUESTS = tuple(
    Request(text, ceiling, asked)
    for text in (
        "How are you?",
        "The lighthouse stands on the hill.",
        "Where is the ship?",
        "My brother reads a long book in the garden tonight.",
        "Yes! 😀 Naïve café.",
    )
    for ceiling, asked in ((math.inf, 0), (math.inf, 30), (25, 25), (12, 9), (5, 5))
)


def train_checkpoint() -> None:
    """Train the frozen checkpoint on the toy pairs; takes a few seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_pairs(folder / "toy.tsv")
        recipe = replace(
            RECIPE,
            data=replace(RECIPE.data, root=name),
            schedule=Schedule(steps=400, warmup=20, shape="cooldown", cooldown=200),
            run=replace(RECIPE.run, batch_tokens=300, log_steps=100, validate_steps=100, average=2),
        )
        train(recipe, folder / "run", announce=print)
        shutil.rmtree(CHECKPOINT, ignore_errors=True)
        export_run(folder / "run", CHECKPOINT)


def translations() -> list[dict[str, object]]:
    """Return what the frozen checkpoint makes of `REQUESTS`: the two best hypotheses."""
    translator = Translator(load_checkpoint(str(CHECKPOINT)))
    return [
        {
            "text": request.text,
            "ceiling": None if math.isinf(request.ceiling) else request.ceiling,
            "asked": request.asked,
            "hypotheses": [
                [each.text, each.characters, round(each.score, 4)] for each in nbest[:2]
            ],
        }
        for request, nbest in zip(REQUESTS, translator.translate(REQUESTS), strict=True)
    ]


def main() -> None:
    """Write everything again."""
    if "--model" in sys.argv[1:]:
        train_checkpoint()
    document = json.dumps(translations(), ensure_ascii=False, indent=1)
    TRANSLATIONS.write_text(document + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
