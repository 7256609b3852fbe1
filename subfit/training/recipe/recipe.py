"""Recipes: everything that makes a checkpoint, as frozen dataclasses read from YAML.

A recipe is one YAML file with the sections below; `subfit.training.recipe.file` reads it. Values
are checked when it is read; sections refuse values that cannot be together, all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import AfterValidator

from subfit.configuration.checking import Condition, Within, require
from subfit.training.recipe.attention import Attention
from subfit.training.recipe.data import Data, Vocabulary
from subfit.training.recipe.model import Architecture, Length
from subfit.training.recipe.run import Optimizer, RunSettings, Schedule

Tag = Annotated[str, Within(min_length=1)]
"""The tag of a language."""


def folder_name(name: str) -> str:
    """Return a name that does for a folder.

    Raises:
        ValueError: This one does not.
    """
    if not re.fullmatch(r"\w([\w.,+=@ -]*[\w+])?", name):
        raise ValueError("must do for a folder: letters, digits and any of . , + = @ -")
    return name


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe, whole."""

    name: Annotated[str, AfterValidator(folder_name)]
    """The name of the checkpoint it makes, and of the run's folder."""
    source_language: Tag | Annotated[tuple[Tag, ...], Within(min_length=1)]
    """One language, or a list of those that ``data.train`` has files for."""
    target_language: Tag | Annotated[tuple[Tag, ...], Within(min_length=1)]
    """Likewise; only one of the two can be a list."""
    data: Data
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    length: Length = field(default_factory=Length)
    attention: Attention = field(default_factory=Attention)
    model: Architecture = field(default_factory=Architecture)
    optimizer: Optimizer = field(default_factory=Optimizer)
    schedule: Schedule = field(default_factory=Schedule)
    run: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        require(
            (
                not any(
                    re.fullmatch(r"lowercased|formal|informal|sink|2.*", name)
                    for name in self.length.classes
                ),
                "length",
                "length.classes must not be called lowercased, formal, informal or sink, or begin"
                " with 2, as other source tokens do",
            ),
            *self._languages_go_together(),
            *self._training_goes_together(),
        )

    @property
    def source_languages(self) -> tuple[str, ...]:
        """All languages the model translates from."""
        return _as_tuple(self.source_language)

    @property
    def target_languages(self) -> tuple[str, ...]:
        """All languages the model translates into."""
        return _as_tuple(self.target_language)

    @property
    def told_languages(self) -> tuple[str, ...]:
        """The languages of the side that has several, which the model is told; else none."""
        sides = (self.source_language, self.target_language)
        return next((side for side in sides if isinstance(side, tuple)), ())

    def _languages_go_together(self) -> Iterator[Condition]:
        several = self.told_languages
        both = isinstance(self.source_language, tuple) and isinstance(self.target_language, tuple)
        yield (
            not both,
            "source_language target_language",
            "source_language and target_language cannot both be lists",
        )
        yield (
            len(set(several)) == len(several),
            "source_language target_language",
            f"{_side_of(self)} names a language twice",
        )
        yield (
            not self.data.train or set(several) == set(self.data.languages),
            "source_language target_language data",
            f"a list in {_side_of(self)} needs data.train and data.dev as mappings of the same"
            " languages to files, and these need that list",
        )
        yield (
            not self.data.formality or self.target_language != "en",
            "data target_language",
            "data.formality: English has no forms of address to ask for",
        )
        yield (
            self.data.short_weight == 1 or self.length.classes,
            "data length",
            "data.short_weight shows short translations more often behind the token of their"
            " length, which needs length.classes",
        )

    def _training_goes_together(self) -> Iterator[Condition]:
        yield (
            not self.length.gate_steps or self.length.gate_steps < self.schedule.steps,
            "length schedule",
            f"length.gate_steps={self.length.gate_steps} must be less than"
            f" schedule.steps={self.schedule.steps}, or the encodings never count in full",
        )
        yield (
            not self.vocabulary.grown or (self.model.start and not self.vocabulary.target_type),
            "vocabulary model",
            "vocabulary.grown needs a model.start to grow from, and one vocabulary for both sides"
            " (no vocabulary.target_type)",
        )
        yield (
            not self.run.start_share or self.model.start,
            "run model",
            "run.start_share needs a model.start whose weights it is the share of",
        )
        yield (
            not self.run.patience or self.schedule.shape != "cooldown",
            "run schedule",
            "run.patience would stop schedule.shape: cooldown before its cooldown, which is when"
            " the loss falls; set run.patience: 0 or schedule.shape: inverse-sqrt",
        )
        yield (
            not self.optimizer.r_drop or self.model.dropout,
            "optimizer model",
            "optimizer.r_drop compares two dropouts, but model.dropout is 0; set one of them",
        )


def _as_tuple(languages: str | tuple[str, ...]) -> tuple[str, ...]:
    return (languages,) if isinstance(languages, str) else languages


def _side_of(recipe: Recipe) -> str:
    """The key that may have the list of languages."""
    return "source_language" if isinstance(recipe.source_language, tuple) else "target_language"
