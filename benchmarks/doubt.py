"""Shows how many of the shortened sentences that someone read and found cut reports call doubtful.

``completeness.tsv`` of a model has sentences of the examples in its languages, shortened by 30 % or
more, with the verdict of a reader: whole; condensed (whole, without words that were left out of the
source and are told); whole, wrong; cut. These texts are rated as they are, as translations of what
was left of their sources.

    python -m benchmarks.doubt models/en-multi
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measuring import markdown
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.translator import Translator
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.model.checkpoint import load_checkpoint

CUT = "cut"


def closings(model: Path) -> Iterator[tuple[str, float]]:
    """Yield the reader's verdict on every sentence, and the log-probability of its end."""
    checkpoint = load_checkpoint(str(model))
    with (model / "completeness.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for language in dict.fromkeys(row["language"] for row in rows):
        translator = Translator(checkpoint, target_language=language, all_pieces=True)
        own = [row for row in rows if row["language"] == language]
        texts = [row["-30 %"] for row in own]
        ids = [tuple(checkpoint.tokenizer.encode(text)) for text in texts]
        nbest = [
            [Hypothesis(text, len(text), 0.0, 0.0, token_ids=each)]
            for text, each in zip(texts, ids, strict=True)
        ]
        sources = [row["condensed"] or row["source"] for row in own]
        rated = translator.rate(sources, nbest)
        for row, (hypothesis,) in zip(own, rated, strict=True):
            yield row["verdict"], hypothesis.closing


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    found = list(closings(parser.parse_args().model))
    cut = sum(verdict == CUT for verdict, _ in found)
    rows = []
    for limit in (-1.0, -2.0, -3.0, -4.0, -6.0):
        doubtful = [verdict for verdict, closing in found if closing < limit]
        right = sum(verdict == CUT for verdict in doubtful)
        mark = " (reports)" if limit == DEFAULT_SETTINGS.doubtful else ""
        rows.append((f"{limit:g}{mark}", str(len(doubtful)), f"{right} of {cut}"))
    print(f"{len(found)} sentences, {cut} of them cut\n")
    print(markdown(("nats below", "doubtful", "of those cut"), rows))


if __name__ == "__main__":
    main()
