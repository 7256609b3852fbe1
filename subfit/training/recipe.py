"""Recipes: everything that makes a checkpoint, as frozen dataclasses read from YAML.

A recipe is one YAML file with the sections below; `recipe_file` reads it. Whatever cannot be is
refused by the sections themselves, all that is wrong with one at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from subfit.training.contradictions import require
from subfit.training.recipe_data import Data, Vocabulary
from subfit.training.recipe_model import Architecture, Length
from subfit.training.recipe_run import Optimizer, Run, Schedule


@dataclass(frozen=True, slots=True)
class Recipe:
    """One recipe, whole."""

    name: str
    """Of the checkpoint it makes, and of the run's folder."""
    source_language: str
    target_language: str
    data: Data
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    length: Length = field(default_factory=Length)
    model: Architecture = field(default_factory=Architecture)
    optimizer: Optimizer = field(default_factory=Optimizer)
    schedule: Schedule = field(default_factory=Schedule)
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        require(
            (
                re.fullmatch(r"\w([\w.,+=@ -]*[\w+])?", self.name),
                "name",
                f"name={self.name!r} must do for a folder: letters, digits and any of . , + = @ -",
            ),
            (self.source_language, "source_language", "source_language must not be empty"),
            (self.target_language, "target_language", "target_language must not be empty"),
        )
