"""The systems of a comparison, and what is asked of each: rows, read from YAML."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated

from subfit.configuration import (
    Node,
    Problem,
    RecipeProblemsError,
    Share,
    Within,
    check,
    read_tree,
    require,
)
from subfit.decoding.hypotheses import Ensemble, Normalization, SearchSettings
from subfit.errors import ModelError, SubfitError
from subfit.evaluation.length_control import DesiredLength, parse_desired_length
from subfit.evaluation.reranking import By, Reranking
from subfit.hub.names import is_translations
from subfit.limits.budget import LengthRatio
from subfit.model.bundled import find_model


@dataclass(frozen=True, slots=True)
class Row:
    """A system and what is asked of it."""

    model: str = ""
    """A model folder, a bundled model's name or a hub model; or a file of translations, one a
    line, to which nothing below applies."""
    runs: tuple[str, ...] = ()
    """In place of ``model``, those of several trainings of the same system, with other seeds."""
    ask: str | int | None = None
    """The length asked for, as ``subfit evaluate --ask`` takes it."""
    length_class: str | None = None
    """The length token to use, whatever length is asked for."""
    length_ratio: str | None = None
    """Floor and ceiling as multiples of the source's characters: ``0.9:1.1``; or ``isometric``,
    ±10 % by the rule of IWSLT 2022, spaces not counted and up to ten characters free."""
    length_penalty: Annotated[float, Within(ge=0, le=10)] = 1.0
    """Scores are divided by tokens to this power."""
    length_normalization: Normalization = "mean"
    """``wu`` for Wu et al. 2016: by (5 + tokens) / 6 to this power."""
    coverage_penalty: Annotated[float, Within(ge=0, le=10)] = 0.0
    """β of Wu et al. 2016."""
    beam: Annotated[int, Within(ge=1, le=64)] = 5
    """Hypotheses kept while searching."""
    target_language: str | None = None
    """Tag of the language to translate into, for a model of several."""
    beside: tuple[str, ...] = ()
    """Other models that vote with it (Takase and Okazaki 2019 take five trainings of one
    recipe)."""
    ensemble: Ensemble = "log-probability"
    """What is averaged of them; ``probability`` is what fairseq does."""
    rerank: Annotated[int, Within(ge=2, le=64)] | None = None
    """Of so many hypotheses take the one that is best by ``rerank_by``; without ``ask`` they are
    found by a search that is told nothing of lengths, but for the ceiling of ``length_ratio``."""
    rerank_by: By = "words"
    """See `subfit.evaluation.reranking.Reranking`."""
    alpha: Share = 0.5
    """Likewise, of ``isometric``."""
    strict_budget: bool = True
    """Keep to the ceiling also with what loses something by it."""
    memory: tuple[str, ...] = ()
    """Translation memories, as ``subfit translate --memory`` takes them; of what several have the
    last one's is preferred."""
    source_language: str | None = None
    """Tag of the language to translate, for a model that must be told; by default that in the name
    of the test set's file, as in ``test.en-de.tsv``."""

    def __post_init__(self) -> None:
        natural = self.ask in (None, "natural")
        asked = any(getattr(self, key) != usual for key, usual in _ASKED.items())
        require(
            self,
            (bool(self.model) != (len(self.runs) > 1),
             "a row has either a model or two or more runs"),
            (not self.beside or self.model, "models translate beside one model; leave out runs"),
            (self.rerank is not None or (self.rerank_by == "words" and self.alpha == 0.5),
             "rerank_by and alpha need rerank, a number of hypotheses"),
            (not self.memory or (natural and not self.length_class and not self.rerank),
             "a memory is followed at the natural length; leave out ask, length_class and rerank"),
            (not self._wish_problem(), self._wish_problem()),
            (not (asked and is_translations(self.model)),
             f"{self.model} is a file of translations; there is nothing to ask of it"),
        )  # fmt: skip

    @property
    def desired(self) -> DesiredLength:
        """The length asked for.

        Raises:
            UsageError: It is none.
            InputFileError: A file of lengths cannot be used.
        """
        usual = "free" if self.length_class else "natural"
        desired = parse_desired_length(usual if self.ask is None else str(self.ask))
        natural = desired.kind == "natural"
        return parse_desired_length("free") if natural and self.rerank else desired

    @property
    def ratio(self) -> LengthRatio | None:
        """Floor and ceiling, if there are any; raises `UsageError` for what is none."""
        return None if self.length_ratio is None else LengthRatio.parse(str(self.length_ratio))

    @property
    def reranking(self) -> Reranking | None:
        """What chooses among hypotheses, if not their score."""
        return Reranking(self.rerank, self.rerank_by, self.alpha) if self.rerank else None

    @property
    def settings(self) -> SearchSettings:
        """The settings of the search."""
        beams = max(self.beam, self.rerank or 0)
        names = ("length_penalty", "length_normalization", "ensemble", "coverage_penalty")
        return SearchSettings(beams, nbest=beams, **{name: getattr(self, name) for name in names})

    def _wish_problem(self) -> str:
        """What is wrong with the wishes for lengths, if anything is."""
        try:
            natural, ratio = self.desired.kind == "natural", self.ratio
        except SubfitError as error:
            return str(error)
        if natural and self.length_class:
            return "--ask natural leaves the length to the model; leave out --ask or --length-class"
        if ratio is not None and not natural and (self.ask is not None or self.length_class):
            other = "--length-class" if self.ask is None else f"--ask {self.ask}"
            told = "a length ratio decides which length is asked for"
            return f"{told}; leave out {other} or --length-ratio"
        if not self.strict_budget and (ratio is None or math.isinf(ratio.maximum)):
            return "--no-strict-budget goes over a ceiling: give --length-ratio"
        return ""


_ASKED = {one.name: one.default for one in fields(Row) if one.name not in ("model", "runs")}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows of a table."""

    rows: Annotated[dict[str, Row], Within(min_length=1)]
    """The rows by label, in order."""
    against: str | None = None
    """Label of the row that all others are tested against; of several runs, the first."""

    @property
    def runs(self) -> dict[str, tuple[str, ...]]:
        """The labels of the runs of each row that has several."""
        return {
            label: tuple(f"{label}, run {number}" for number in range(1, len(row.runs) + 1))
            for label, row in self.rows.items()
            if row.runs
        }

    @property
    def systems(self) -> dict[str, Row]:
        """The rows, each run by itself."""
        rows: dict[str, Row] = {}
        for label, row in self.rows.items():
            labels = self.runs.get(label, ())
            if not labels:
                rows[label] = row
            for name, model in zip(labels, row.runs, strict=True):
                rows[name] = replace(row, model=model, runs=())
        return rows

    @property
    def baseline(self) -> str | None:
        """Label of the system that all others are tested against."""
        runs = self.runs.get(self.against or "")
        return runs[0] if runs else self.against


def read_comparison(path: Path) -> Comparison:
    """Read the rows of a table.

    Args:
        path: A YAML file with the keys of `Comparison`; with ``extends`` it may be laid over
            another one.

    Raises:
        RecipeError: All problems of the file, with their lines.
    """
    problems: list[Problem] = []
    tree = read_tree(path, {}, problems)
    comparison = check(Comparison, tree, problems)
    rows, against = _entries(tree.value.get("rows")), tree.value.get("against")
    if against is not None and against.value not in rows:
        text = f"against: there is no row {against.plain()!r}"
        problems.append(Problem(against.location, text))
    names: dict[str, str] = {}
    for label, node in rows.items():
        other = names.setdefault(file_name(label), label)
        if other != label:
            text = f"rows.{label} would be kept under the same name as rows.{other}"
            problems.append(Problem(node.location, text))
        problems += _model_problems(label, node)
    if comparison is None or problems:
        raise RecipeProblemsError(problems)
    return comparison


def _model_problems(label: str, row: Node) -> Iterator[Problem]:
    """What is wrong with the models that a row names."""
    for key in ("model", "runs", "beside"):
        named = row.value.get(key) if row.is_mapping else None
        if named is None:
            continue
        for model in named.value if isinstance(named.value, list) else [named.value]:
            if isinstance(model, str) and not is_translations(model):
                try:
                    find_model(model, "und", "und")
                except ModelError as error:
                    yield Problem(named.location, f"rows.{label}.{key}: {error}")


def _entries(rows: Node | None) -> Mapping[str, Node]:
    return rows.value if rows is not None and rows.is_mapping else {}


def file_name(label: str) -> str:
    """Return the name under which a row is kept, without suffix."""
    return re.sub(r"[^\w.,=+@-]+", "-", label).strip("-.") or "row"
