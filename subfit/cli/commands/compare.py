"""``subfit compare``: several systems on one test set, as one table."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from subfit.cli.failures import print_json
from subfit.cli.options import shared
from subfit.cli.options.models import use_threads
from subfit.cli.options.types import FILE, whole_numbers
from subfit.files import check_writable, write_bytes
from subfit.version import __version__

if TYPE_CHECKING:
    from subfit.evaluation.comparison import RowResult
    from subfit.evaluation.comparison_file import Comparison
    from subfit.evaluation.evaluation_set import EvaluationSet
    from subfit.evaluation.output_store import OutputStore


@click.command()
@click.argument("file", type=FILE, metavar="FILE.tsv")
@click.option(
    "--rows",
    type=FILE,
    required=True,
    metavar="ROWS.yaml",
    help="The rows of the table: which models, and what is asked of them.",
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
@shared.limit_option
@shared.trials_option
@shared.adequacy_option
@shared.threads_option
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="Write the tables here, as Markdown.  [default: standard output]",
)
@shared.overwrite_option("Replace an existing output file.")
@shared.json_option
def compare(
    file: Path,
    rows: Path,
    outputs: Path | None,
    trials: int,
    threads: int | None,
    output: Path | None,
    overwrite: bool,
    json: bool,
    **chosen: Any,
) -> None:
    """Measure several systems on a test set, in one table.

    FILE.tsv is a test set as for 'subfit evaluate'. ROWS.yaml has the mapping 'rows' from labels to
    model, ask, length_class, length_ratio, length_penalty, coverage_penalty, beam and, for a model
    of several languages, target_language, and optionally 'against', the label of the row that the
    others are tested against.
    """
    test = _test_set(file, **chosen)
    # These take seconds to import: a wrong test set is told before.
    from subfit.evaluation.comparison import compare as run
    from subfit.evaluation.comparison_file import read_comparison
    from subfit.evaluation.output_store import OutputStore
    from subfit.evaluation.tables import token_table

    comparison = read_comparison(rows)
    if output is not None:
        check_writable(output, overwrite=overwrite)
    store = OutputStore(outputs)
    store.check(list(comparison.rows))
    use_threads(threads)
    results = run(comparison, test, store, trials=trials, on_row=_announce)
    document = {
        "subfit": __version__,
        "command": command_line(click.get_current_context()),
        "file": str(file),
        "lines": len(test.pairs),
        "against": comparison.against,
        "rows": [_row(each) for each in results],
    }
    tables = _tables(comparison, results, document)
    more, extra = _extra_tables(comparison, results, test, store, **chosen)
    in_tokens = token_table(results)
    text = "\n".join([*tables[:1], *([in_tokens] if in_tokens else []), *more, *tables[1:]])
    if output is not None:
        write_bytes(output, text.encode("utf-8"), overwrite=overwrite)
    if json:
        print_json({**document, **extra})
    elif output is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"{len(results)} rows written to {output}")


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


def _row(result: RowResult) -> dict[str, Any]:
    tested = result.significance
    return {
        "label": result.label,
        **result.evaluation.to_dict(),
        "significance": None if tested is None else tested.to_dict(),
    }


def _tables(
    comparison: Comparison, results: list[RowResult], document: dict[str, Any]
) -> list[str]:
    from subfit.evaluation import tables

    made = f"{document['lines']} lines of `{document['file']}`, subfit {__version__}:"
    told = [*tables.notes(comparison, results), f"{made} `{document['command']}`"]
    paragraphs = "\n".join(f"{line}\n" for line in told)
    return [tables.main_table(results), paragraphs, tables.setup_table(comparison, results)]


def _extra_tables(
    comparison: Comparison,
    results: list[RowResult],
    test: EvaluationSet,
    store: OutputStore,
    *,
    buckets: tuple[int, ...] | None,
    lengths: tuple[int, ...] | None,
    adequacy: bool,
    **_: Any,
) -> tuple[list[str], dict[str, Any]]:
    """Make the tables that are not always wanted, as Markdown and as JSON values."""
    from subfit.evaluation import tables
    from subfit.evaluation.by_length import bucket_scores, variances_at

    made, document = [], {}
    if buckets:
        scores = {
            each.label: bucket_scores(each.evaluation.hypotheses, test, buckets) for each in results
        }
        made.append(tables.bucket_table(buckets, scores))
        document["buckets"] = {
            "bounds": list(buckets),
            "lines": [count for count, _ in next(iter(scores.values()))],
            "bleu": {
                label: [score and score.value for _, score in found]
                for label, found in scores.items()
            },
        }
    if lengths:
        variances = variances_at(comparison, lengths, test, store, on_row=_announce)
        made.append(tables.length_table(variances))
        document["lengths"] = {
            "lengths": list(lengths),
            "variance": {label: list(found.values()) for label, found in variances.items()},
        }
    if adequacy:
        from subfit.evaluation.adequacy import adequacy_of
        from subfit.evaluation.word_alignment import learn_alignment

        texts = {each.label: each.evaluation.hypotheses for each in results}
        measured = adequacy_of(texts, test.sources, test.references, learn_alignment)
        made.append(tables.adequacy_table(measured))
        document["adequacy"] = {label: asdict(one) for label, one in measured.items()}
    return made, document
