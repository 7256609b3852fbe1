"""YAML to `Comparison`, with every problem reported at once, by file and line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from subfit.configuration.contradictions import require
from subfit.configuration.tree import (
    Node,
    Problem,
    RecipeProblemsError,
    did_you_mean,
    read_tree,
)
from subfit.configuration.values import build_section
from subfit.decoding.queries import SearchSettings
from subfit.errors import ModelError, SubfitError
from subfit.evaluation.asking import Wish, make_wish
from subfit.evaluation.output_store import file_name
from subfit.evaluation.systems import is_translations, settings_of
from subfit.limits.budget import LengthRatio
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


@dataclass(frozen=True, slots=True)
class Row:
    """A system and what is asked of it."""

    model: str
    """A model folder, a bundled model's name or a hub model; or a file of translations, one a
    line, to which nothing below applies."""
    ask: str | int | None = None
    """The length asked for, as ``subfit evaluate --ask`` takes it."""
    length_class: str | None = None
    """The length token to use, whatever length is asked for."""
    length_ratio: str | None = None
    """Floor and ceiling as multiples of the source's characters: ``0.9:1.1``."""
    length_penalty: float | None = None
    """Scores are divided by tokens to this power; 1 by default."""
    beam: int | None = None
    """Hypotheses kept while searching."""
    target_language: str | None = None
    """Tag of the language to translate into, for a model of several."""

    def __post_init__(self) -> None:
        require(
            (not self._wrong_wish(), "ask length_class length_ratio", self._wrong_wish()),
            (self.beam is None or 1 <= self.beam <= 64, "beam", "beam must be from 1 to 64"),
            (
                self.length_penalty is None or 0 <= self.length_penalty <= 10,
                "length_penalty",
                "length_penalty must be from 0 to 10",
            ),
            (
                not is_translations(self.model) or self._asks_nothing,
                " ".join(_ASKED),
                f"{self.model} is a file of translations; there is nothing to ask of it",
            ),
        )

    @property
    def _asks_nothing(self) -> bool:
        return all(getattr(self, key) is None for key in _ASKED)

    @property
    def wish(self) -> Wish:
        """What is asked of the model about lengths."""
        ask = None if self.ask is None else str(self.ask)
        ratio = None if self.length_ratio is None else LengthRatio.parse(self.length_ratio)
        return make_wish(ask, self.length_class, ratio)

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        return settings_of(self.beam, self.length_penalty)

    def _wrong_wish(self) -> str:
        try:
            self.wish  # noqa: B018
        except SubfitError as error:
            return str(error)
        return ""


_ASKED = tuple(each.name for each in fields(Row) if each.name != "model")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a table."""

    rows: Mapping[str, Row]
    """By label, in order."""
    against: str | None = None
    """Label of the row that all others are tested against."""
