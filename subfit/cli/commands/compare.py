"""``subfit compare``: several systems on one test set, as one table."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli import options
from subfit.cli.output import print_json
from subfit.cli.parameters import FILE, names, takes, whole_numbers
from subfit.errors import UsageError
from subfit.files import check_writable, write_bytes
from subfit.model.config import Computing
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.evaluation.comparison import RowResult
    from subfit.evaluation.comparison_file import Comparison
    from subfit.evaluation.evaluation_set import EvaluationSet
    from subfit.evaluation.output_store import OutputStore
    from subfit.evaluation.published import Published


@click.command()
@click.argument("file", type=FILE, metavar="[FILE.tsv]", required=False)
@click.option(
    "--rows",
    type=FILE,
    metavar="ROWS.yaml",
    help="The rows of the table: which models, and what is asked of them.",
)
@click.option(
    "--from",
    "published",
    type=FILE,
    metavar="TABLE.json",
    help="Print the tables of a comparison again that --json wrote; nothing is translated.",
)
@click.option(
    "--columns",
    type=names,
    metavar="NAME,NAME...",
    help="Only the table of these columns, as 'BLEU,LR source'.",
)
@click.option(
    "--outputs",
    type=FILE,
    metavar="FOLDER",
    help="Keep the translations of every row here, and translate no row again whose translations "
    "are here.",
)
@click.option(
    "--buckets",
    type=whole_numbers,
    metavar="N,N...",
    help="Also BLEU by length of the reference: up to N characters, up to the next N, longer.",
)
@click.option(
    "--lengths",
    type=whole_numbers,
    metavar="N,N...",
    help="Also VAR when every line is asked for N characters.",
)
@click.option(
    "--reference-characters",
    metavar="MIN:MAX",
    help="Only lines whose reference has from MIN to MAX characters.",
)
@options.limit_option
@options.trials_option
@options.adequacy_option
@options.rouge_option
@options.measuring_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Write the tables here, as Markdown.  [default: standard output]",
)
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
    output: Path | None,
    overwrite: bool,
    json: bool,
    **chosen: Any,
) -> None:
    """Measure several systems on a test set, in one table.

    FILE.tsv is a test set as for 'subfit evaluate'. ROWS.yaml has the mapping 'rows' from labels to
    model (or runs, models of the same system trained with several seeds), ask, length_class,
    length_ratio, length_penalty, coverage_penalty, beam and, for a model of several languages,
    target_language, and optionally 'against', the label of the row that the others are tested
    against.
    """
    if (published is None) == (file is None) or (file is None) != (rows is None):
        raise UsageError("give FILE.tsv and --rows, or --from alone")
    if output is not None:
        check_writable(output, overwrite=overwrite)
    if published is not None:
        made = _read(published)
    else:
        assert file is not None and rows is not None
        made = _measure(file, rows, outputs, trials, computing, **chosen)
    text = _text(made, columns or ())
    if output is not None:
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    if json:
        print_json(made.document)
    elif output is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"{len(made.results)} rows written to {output}")


def _read(file: Path) -> Published:
    from subfit.evaluation.published import read_published

    return read_published(file)


def _measure(
    file: Path, rows: Path, outputs: Path | None, trials: int, computing: Computing, **chosen: Any
) -> Published:
    """Translate and measure, and return what is found."""
    test = _test_set(file, **chosen)
    # These take seconds to import: a wrong test set is told before.
    from subfit.evaluation.comparison import compare as run
    from subfit.evaluation.comparison_file import read_comparison
    from subfit.evaluation.output_store import OutputStore
    from subfit.evaluation.published import Published

    comparison = read_comparison(rows)
    store = OutputStore(outputs)
    store.check(list(comparison.systems))
    if computing.threads is not None:
        import torch

        torch.set_num_threads(computing.threads)
    results = run(comparison, test, store, trials=trials, on_row=_announce, computing=computing)
    document = {
        "subfit": __version__,
        "command": command_line(click.get_current_context()),
        "file": str(file),
        "sha256": test.checksum,
        "lines": len(test.pairs),
        "against": comparison.baseline,
        "runs": {label: list(runs) for label, runs in comparison.runs.items()},
        "rows": [_row(result, comparison) for result in results],
        **_more(comparison, results, test, store, computing, **chosen),
    }
    return Published(document, tuple(results))


def command_line(context: click.Context) -> str:
    """Return the command line that this command was called with, as a shell takes it."""
    words = context.command_path.split()
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument):
            words.append(str(value))
        elif value is True:
            words.append(parameter.opts[-1])
        elif value is not None and value is not False and value != parameter.default:
            items = value if isinstance(value, tuple) else (value,)
            words += [parameter.opts[-1], ",".join(str(item) for item in items)]
    return shlex.join(words)


def _test_set(
    file: Path, *, limit: int | None, reference_characters: str | None, **_: Any
) -> EvaluationSet:
    from subfit.evaluation.evaluation_set import CharacterRange, read_evaluation_set

    chosen = None if reference_characters is None else CharacterRange.parse(reference_characters)
    return read_evaluation_set(file, limit, chosen)


def _announce(label: str) -> None:
    click.echo(f"translating: {label}", err=True)


def _row(result: RowResult, comparison: Comparison) -> dict[str, Any]:
    tested = result.significance
    return {
        "label": result.label,
        "place": comparison.systems[result.label].model,
        **result.evaluation.to_dict(),
        "significance": None if tested is None else tested.to_dict(),
    }


def _text(made: Published, columns: Sequence[str]) -> str:
    """Return all tables of a comparison as Markdown, or one of some columns."""
    from subfit.evaluation import tables

    document, results = made.document, made.results
    main = tables.main_table(results, columns)
    if columns:
        return main
    source = f"`{document['file']}` (SHA-256 {document.get('sha256', '')[:12]})"
    lines = f"{document['lines']} lines of {source}, subfit {document['subfit']}:"
    paragraphs = [*tables.notes(document["against"], results), f"{lines} `{document['command']}`"]
    parts = [
        main,
        tables.token_table(results),
        tables.runs_table(document["runs"], results) if document.get("runs") else None,
        *_more_tables(document),
        "\n".join(f"{line}\n" for line in paragraphs),
        tables.setup_table(made.places, results),
    ]
    return "\n".join(part for part in parts if part)


def _more(
    comparison: Comparison,
    results: list[RowResult],
    test: EvaluationSet,
    store: OutputStore,
    computing: Computing,
    *,
    buckets: tuple[int, ...] | None,
    lengths: tuple[int, ...] | None,
    adequacy: bool,
    rouge: int | None,
    **_: Any,
) -> dict[str, Any]:
    """Measure what is not always wanted, as JSON values."""
    from subfit.evaluation.by_length import bucket_scores, variances_at

    document: dict[str, Any] = {}
    if buckets:
        scores = {
            result.label: bucket_scores(result.evaluation.hypotheses, test, buckets)
            for result in results
        }
        document["buckets"] = {
            "bounds": list(buckets),
            "lines": [count for count, _ in next(iter(scores.values()))],
            "bleu": {
                label: [score and score.value for _, score in row] for label, row in scores.items()
            },
        }
    if lengths:
        variances = variances_at(
            comparison, lengths, test, store, on_row=_announce, computing=computing
        )
        document["lengths"] = {
            "lengths": list(lengths),
            "variance": {label: list(by_length.values()) for label, by_length in variances.items()},
        }
    if adequacy:
        from subfit.evaluation.adequacy import adequacy_of
        from subfit.evaluation.word_alignment import learn_alignment

        texts = {result.label: result.evaluation.hypotheses for result in results}
        measured = adequacy_of(texts, test.sources, test.references, learn_alignment)
        document["adequacy"] = {label: asdict(one) for label, one in measured.items()}
    if rouge is not None:
        from subfit.evaluation.rouge import rouge as rouge_of

        document["rouge"] = {
            result.label: rouge_of(
                result.evaluation.hypotheses, test.references, rouge or None
            ).to_dict()
            for result in results
        }
    return document


def _more_tables(document: Mapping[str, Any]) -> Iterator[str]:
    """The tables that are not always wanted, as Markdown."""
    from subfit.evaluation import tables

    if "buckets" in document:
        table = document["buckets"]
        yield tables.bucket_table(table["bounds"], table["lines"], table["bleu"])
    if "lengths" in document:
        table = document["lengths"]
        yield tables.length_table(table["lengths"], table["variance"])
    if "adequacy" in document:
        yield tables.adequacy_table(document["adequacy"])
    if "rouge" in document:
        yield tables.rouge_table(document["rouge"])
