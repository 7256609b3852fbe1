"""YAML to `Comparison`, with every problem reported at once, by file and line."""

from __future__ import annotations

from pathlib import Path

from subfit.configuration.tree import (
    Node,
    Problem,
    RecipeProblemsError,
    did_you_mean,
    read_tree,
)
from subfit.configuration.values import build_section
from subfit.errors import ModelError
from subfit.evaluation.comparison_rows import Comparison, Row
from subfit.evaluation.output_store import file_name
from subfit.evaluation.systems import is_translations
from subfit.model.bundled import find_model

ROWS, AGAINST = "rows", "against"


def read_comparison(path: Path) -> Comparison:
    """Read the rows of a table.

    Args:
        path: A YAML file with the mapping ``rows`` from labels to the keys of `Row`, and the label
            ``against`` of the row that all others are tested against, if they are. With
            ``extends`` it may be laid over another such file.

    Raises:
        RecipeError: All problems of the file, with their lines.
    """
    problems: list[Problem] = []
    tree = read_tree(path, problems)
    for key, node in tree.value.items():
        if key not in (ROWS, AGAINST):
            hint = did_you_mean(key, (ROWS, AGAINST))
            problems.append(Problem(node.place, f"unknown key {key}{hint}"))
    rows = _rows(tree, problems)
    against = tree.value.get(AGAINST)
    if against is not None and rows and against.plain() not in rows:
        text = f"{AGAINST}: there is no row {against.plain()!r}"
        problems.append(Problem(against.place, text))
    if problems:
        raise RecipeProblemsError(problems)
    made = {label: row for label, row in rows.items() if row is not None}
    return Comparison(made, None if against is None else str(against.plain()))


def _rows(tree: Node, problems: list[Problem]) -> dict[str, Row | None]:
    listed = tree.value.get(ROWS)
    if listed is None or not listed.is_mapping or not listed.value:
        place = tree.place if listed is None else listed.place
        problems.append(Problem(place, f"{ROWS} must map the label of each row to its keys"))
        return {}
    names: dict[str, str] = {}
    for label, node in listed.value.items():
        other = names.setdefault(file_name(label), label)
        if other != label:
            text = f"{ROWS}.{label} would be kept under the same name as {ROWS}.{other}"
            problems.append(Problem(node.place, text))
    return {label: _row(label, node, problems) for label, node in listed.value.items()}


def _row(label: str, node: Node, problems: list[Problem]) -> Row | None:
    row = build_section(Row, node, f"{ROWS}.{label}", problems)
    if row is None or is_translations(row.model):
        return row
    try:
        find_model(row.model, "und", "und")
    except ModelError as error:
        problems.append(Problem(node.value["model"].place, f"{ROWS}.{label}.model: {error}"))
    return row
