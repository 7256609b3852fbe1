"""Compares kinds of attention to the source: BLEU, REP and DROP, and whether they differ by chance.

The rows are those of a file for `subfit compare`, under several ceilings; each is tested against
the file's ``against`` under the same ceiling. One alignment, learned from all outputs and, with
``--align``, from other pairs, serves all.

    python -m benchmarks.attention benchmarks/length_control/ferreira2018.en-de.yaml \
        test/mixed.en-de.tsv --lines 500 --ratios natural :0.8 --align dev/mixed.en-de.tsv
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from benchmarks.adequacy_significance import against, count_lines, scores_of
from benchmarks.measuring import markdown
from subfit.evaluation.adequacy import SIGNATURE, scored_words
from subfit.evaluation.comparison import translate_rows
from subfit.evaluation.comparison_file import Comparison, read_comparison
from subfit.evaluation.corpus import read_pairs
from subfit.evaluation.evaluation import measure
from subfit.evaluation.evaluation_set import EvaluationSet, read_evaluation_set
from subfit.evaluation.output_store import OutputStore
from subfit.evaluation.outputs import Outputs
from subfit.evaluation.significance import paired_test
from subfit.evaluation.word_alignment import learn_alignment

NATURAL = "natural"
TITLES = ("system", "BLEU", "REP", "DROP", "LR_src", "over budget", "p BLEU", "p REP", "p DROP")


def main() -> None:
    """Print a table for each ceiling."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--ratios", nargs="+", default=[NATURAL], help="natural, and ceilings")
    parser.add_argument("--trials", type=int, default=15_000)
    parser.add_argument("--align", type=Path, help="pairs to learn the alignment from besides")
    parser.add_argument("--outputs", type=Path, help="keeps translations, as of subfit compare")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    test = read_evaluation_set(given.pairs, given.lines)
    comparison = read_comparison(given.rows)
    outputs = {name: translated(comparison, test, name, given.outputs) for name in given.ratios}
    besides = islice(read_pairs(given.align), 10_000) if given.align else ()
    others = [(scored_words(pair.source), scored_words(pair.target)) for pair in besides]
    tables = measured(outputs, comparison.baseline or "", test, others, given.trials)
    for name, rows in tables.items():
        print(f"{given.pairs.name}, {len(test.pairs)} lines, {name}\n\n{table(rows)}")
    if given.json:
        document = {
            "file": given.pairs.name,
            "sha256": test.checksum,
            "lines": len(test.pairs),
            "against": comparison.baseline,
            "trials": given.trials,
            "adequacy": SIGNATURE,
            "tables": tables,
        }
        given.json.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def translated(
    comparison: Comparison, test: EvaluationSet, ratio: str, folder: Path | None
) -> dict[str, Outputs]:
    """Return the outputs of all rows, under a ceiling if one is named."""
    limit = None if ratio == NATURAL else ratio
    rows = {label: replace(row, length_ratio=limit) for label, row in comparison.systems.items()}
    place = None if folder is None else folder / ratio.replace(":", "to")
    done = translate_rows(rows, test, OutputStore(place), on_row=print)
    return {label: found for label, (_, found) in done.items()}


def measured(
    outputs: dict[str, dict[str, Outputs]],
    baseline: str,
    test: EvaluationSet,
    others: list[tuple[Any, Any]],
    trials: int,
) -> dict[str, dict[str, Any]]:
    """Return the figures of every row under every ceiling, and the p-values of differences."""
    sources, references = test.sources, test.references
    words = [scored_words(source) for source in sources]
    texts = [references, *(each.texts for rows in outputs.values() for each in rows.values())]
    own = [
        (source, scored_words(text))
        for system in texts
        for source, text in zip(words, system, strict=True)
    ]
    aligner = learn_alignment([*own, *others])
    tables: dict[str, dict[str, Any]] = {}
    for name, rows in outputs.items():
        lines = {
            label: count_lines(each.texts, sources, references, aligner)
            for label, each in rows.items()
        }
        chance = against(baseline, lines, trials) if baseline in lines else {}
        tables[name] = {}
        for label, each in rows.items():
            rep, drop = scores_of(lines[label].sum(0))
            row = row_of(each, rows[baseline] if label in chance else None, test, trials)
            row |= {"rep": float(rep), "drop": float(drop)}
            if label in chance:
                row |= {"p_rep": chance[label].rep, "p_drop": chance[label].drop}
            tables[name][label] = row
    return tables


def row_of(
    outputs: Outputs, baseline: Outputs | None, test: EvaluationSet, trials: int
) -> dict[str, Any]:
    """Return the figures of one row that have nothing to do with alignment."""
    found = measure(outputs, test.pairs)
    figures = {
        "bleu": found.quality.bleu.value,
        "bleu_signature": found.quality.bleu.signature,
        "chrf": found.quality.chrf.value,
        "lr_source": found.source_ratio.mean,
        "lr_source_sd": found.source_ratio.sd,
        "over": None if found.overflow is None else found.overflow.share,
    }
    if baseline is not None:
        p = paired_test(
            baseline.texts,
            outputs.texts,
            sources=test.sources,
            references=test.references,
            trials=trials,
        )
        figures |= {"p_bleu": p.bleu, "p_chrf": p.chrf}
    return figures


def table(rows: dict[str, dict[str, Any]]) -> str:
    """Return rows as Markdown."""
    return markdown(
        TITLES,
        [
            [
                label,
                f"{row['bleu']:.2f}",
                f"{row['rep']:.2f}",
                f"{row['drop']:.2f}",
                f"{row['lr_source']:.3f}",
                "–" if row["over"] is None else f"{100 * row['over']:.1f} %",
                *(
                    "–" if f"p_{key}" not in row else f"{row[f'p_{key}']:.4f}"
                    for key in ("bleu", "rep", "drop")
                ),
            ]
            for label, row in rows.items()
        ],
    )


if __name__ == "__main__":
    main()
