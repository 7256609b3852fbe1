"""``subfit compare``: several systems on one test set, as one table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli import options
from subfit.cli.console import Messages
from subfit.cli.output import print_json, tell
from subfit.cli.parameters import FILE, GIVEN, names, takes, whole_numbers
from subfit.errors import UsageError
from subfit.evaluation.blind import blind_sheet, key_of
from subfit.evaluation.blind import judged as judged_in
from subfit.evaluation.corpus import EvaluationSet, parse_range, read_evaluation_set
from subfit.evaluation.metrics import metrics_of
from subfit.evaluation.rows import read_comparison
from subfit.files import check_writable, write_bytes
from subfit.model.config import Computing
from subfit.subtitles.formats import is_timed
from subfit.version import __version__

if TYPE_CHECKING:  # it takes seconds to import
    from subfit.evaluation.comparison import Bench


@click.command()
@click.argument("file", type=FILE, metavar="[FILE.tsv]", required=False)
@click.option("--rows", type=FILE, metavar="ROWS.yaml",
    help="The rows of the table: which models, and what is asked of them.")  # fmt: skip
@click.option("--from", "published", type=FILE, metavar="TABLE.json",
    help="Print the tables of a comparison again that --json wrote; nothing is "
    "translated.")  # fmt: skip
@click.option("--columns", type=names, metavar="NAME,NAME...",
    help="Only the table of these columns, as 'BLEU,interval BLEU,p BLEU,LR source'.")  # fmt: skip
@click.option("--outputs", type=FILE, metavar="FOLDER",
    help="Keep the translations of every row here, as files that may be rows themselves; a "
    "folder that is empty, or not there yet.")  # fmt: skip
@click.option("--buckets", type=whole_numbers, metavar="N,N...",
    help="Also BLEU by length of the reference: up to N characters, up to the next "
    "N, longer.")  # fmt: skip
@click.option("--lengths", type=whole_numbers, metavar="N,N...",
    help="Also VAR when every line is asked for N characters.")  # fmt: skip
@click.option("--reference-characters", metavar="MIN:MAX",
    help="Only lines whose reference has from MIN to MAX characters.")  # fmt: skip
@click.option("--sheet", type=FILE, metavar="FILE.csv",
    help="Also write a sheet for blind reading: lines on which a row and the one that all are "
    "compared with differ, in a hidden order; the key is FILE.key.csv.")  # fmt: skip
@click.option("--sheet-lines", type=click.IntRange(min=1), default=100, show_default=True,
    metavar="N", help="Lines of each row in the sheet, drawn by lot.")  # fmt: skip
@click.option("--judged", type=FILE, metavar="FILE.csv",
    help="Count what judges wrote into a sheet: A, B or =.")  # fmt: skip
@options.limit_option
@options.trials_option
@options.metrics_option
@options.references_option
@options.measuring_options
@click.option("-o", "--output", type=FILE, metavar="FILE",
    help="Write the tables here: .md, .json; the main table alone as .csv or "
    ".tex; BLEU against the length ratio as a picture: .png, .svg or .pdf.  "
    "[default: standard output]")  # fmt: skip
@options.overwrite_option("Replace an existing output file.")
@options.json_option
@takes(computing=Computing)
def compare(
    file: Path | None,
    rows: Path | None,
    published: Path | None,
    columns: tuple[str, ...] | None,
    outputs: Path | None,
    trials: int,
    computing: Computing,
    sheet: Path | None,
    sheet_lines: int,
    judged: Path | None,
    output: Path | None,
    overwrite: bool,
    json: bool,
    **chosen: Any,
) -> None:
    """Measure several systems on a test set, in one table.

    FILE.tsv is a test set as for 'subfit evaluate'. ROWS.yaml has the mapping 'rows' from labels to
    model (or runs, models of the same system trained with several seeds), ask, length_class,
    length_ratio, length_penalty, length_normalization, coverage_penalty, beam, beside, ensemble,
    rerank, memory and, for a model of several languages, target_language, and optionally 'against',
    the label of the row that the others are compared with.
    """
    one_of = [given for given in (published, file, judged) if given is not None]
    if len(one_of) != 1 or (file is None) != (rows is None) or (sheet and file is None):
        raise UsageError("give FILE.tsv and --rows, or --from alone, or --judged alone")
    if judged is not None:
        _tell_judged(judged, json)
        return
    for each in (sheet, key_of(sheet)) if sheet else ():
        check_writable(each, overwrite=overwrite)
    suffix = ".md" if output is None else output.suffix.lower()
    if output is not None:
        if suffix not in _SUFFIXES:
            raise UsageError(f"{output}: its name must end with one of {', '.join(_SUFFIXES)}")
        check_writable(output, overwrite=overwrite)
    if published is not None:
        from subfit.evaluation.tables import read_comparison_of

        document = dict(read_comparison_of(published))
    else:
        assert file is not None and rows is not None
        document, drawn = _measure(
            file, rows, outputs, trials, computing, sheet_lines if sheet else 0, **chosen
        )
        for each, content in zip((sheet, key_of(sheet)) if sheet else (), drawn, strict=False):
            write_bytes(each, content, overwrite=overwrite)
    from subfit.evaluation.tables import written

    data = written(document, suffix, columns or ())
    if output is not None:
        write_bytes(output, data, overwrite=overwrite)
    if json:
        print_json(document)
    elif output is None:
        click.echo(data.decode("utf-8"), nl=False)
    else:
        click.echo(f"{len(document['rows'])} rows written to {output}")


_SUFFIXES = (".md", ".csv", ".tex", ".json", ".png", ".svg", ".pdf")


def _measure(
    file: Path,
    rows: Path,
    outputs: Path | None,
    trials: int,
    computing: Computing,
    drawn: int,
    *,
    limit: int | None,
    references: tuple[Path, ...],
    reference_characters: str | None,
    metrics: tuple[str, ...] | None,
    buckets: tuple[int, ...] | None,
    lengths: tuple[int, ...] | None,
) -> tuple[dict[str, Any], tuple[bytes, ...]]:
    """Translate and measure; return what is found as JSON values, and a sheet with its key."""
    known = metrics_of(metrics or ())
    among = None if reference_characters is None else parse_range(reference_characters)
    timed = is_timed(file)
    test = None if timed else read_evaluation_set(file, limit, among, references=references)
    # These take seconds to import: a wrong test set is told before.
    from subfit.evaluation.comparison import compare as run
    from subfit.evaluation.comparison import differences_over_runs, variances_at
    from subfit.evaluation.tables import SCHEMA

    comparison = read_comparison(rows)
    if test is None:
        if lengths:
            raise UsageError("--lengths asks models; rows of a subtitle file are files")
        from subfit.evaluation.timed import measure_subtitles

        files = {label: row.model for label, row in comparison.rows.items()}
        test, results = measure_subtitles(file, files, metrics or (), comparison.against, trials)
    else:
        bench = _bench(test, outputs, computing)
        results = run(comparison, bench, metrics or (), trials)
    runs = differences_over_runs(comparison, results, known)
    document: dict[str, Any] = {
        "subfit": __version__,
        "schema": SCHEMA,
        "command": shlex.join(click.get_current_context().meta[GIVEN]),
        "file": str(file),
        "sha256": test.checksum,
        "lines": len(test.pairs),
        "against": comparison.baseline,
        "trials": trials,
        "runs": {label: list(runs) for label, runs in comparison.runs.items()},
        "over_runs": {
            label: {name: asdict(one) for name, one in found.items()}
            for label, found in runs.items()
        },
        "rows": [
            {**row.to_dict(), "place": comparison.systems[row.label].model} for row in results
        ],
    }
    texts = {one.label: one.evaluation.hypotheses for one in results}
    if buckets:
        document["buckets"] = _by_length(texts, test, buckets)
    if lengths:
        found = variances_at(comparison, lengths, bench)
        variance = {label: list(by_length.values()) for label, by_length in found.items()}
        document["lengths"] = {"lengths": list(lengths), "variance": variance}
    if not drawn:
        return document, ()
    sources = [pair.source for pair in test.pairs]
    return document, blind_sheet(sources, texts, comparison.baseline or results[0].label, drawn)


def _bench(test: EvaluationSet, outputs: Path | None, computing: Computing) -> Bench:
    """What translates the rows, and tells how far it is."""
    from subfit.evaluation.comparison import Bench

    if computing.threads is not None:
        import torch

        torch.set_num_threads(computing.threads)
    messages = Messages(data_on_stdout=True, quiet=False)
    on_row = partial(messages.progress, count=len(test.pairs))
    return Bench(test, outputs, computing, on_row=on_row)


def _by_length(
    texts: Mapping[str, Sequence[str]], test: EvaluationSet, bounds: Sequence[int]
) -> dict[str, Any]:
    """BLEU of every row on lines of similar length."""
    from subfit.evaluation.comparison import bucket_scores

    scores = {label: bucket_scores(own, test, bounds) for label, own in texts.items()}
    return {
        "bounds": list(bounds),
        "lines": [count for count, _ in next(iter(scores.values()))],
        "bleu": {label: [score for _, score in row] for label, row in scores.items()},
    }


def _tell_judged(sheet: Path, json: bool) -> None:
    """What judges found, a line for every row."""
    found = judged_in(sheet)
    lines = []
    for one in found:
        kappa = "" if one.kappa is None else f", Fleiss's kappa {one.kappa:.2f}"
        counts = f"{one.wins} better, {one.losses} worse, {one.ties} alike"
        lines.append(f"{one.label}: {counts} (sign test p {one.p:.4f}{kappa})")
    tell({"sheet": str(sheet), "rows": [asdict(one) for one in found]}, lines, json=json)
