"""Recipes: everything that makes a checkpoint, as frozen dataclasses read from YAML and back.

A recipe is one YAML file with the sections of `subfit.training.sections`. It may extend another one
(``extends:``), hold variants of itself (``variants:``) and tell a training in several parts
(``stages:``), of which each lies over the one before and starts from its weights. Every problem is
reported at once, by file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator

from subfit.configuration import (
    COMMAND_LINE,
    EXTENDS,
    NAME,
    VARIANTS,
    Node,
    Problem,
    RecipeProblemsError,
    Within,
    check,
    did_you_mean,
    node_of,
    overlay,
    parse_value,
    read_tree,
    require,
)
from subfit.errors import RecipeError
from subfit.model.bundled import bundled_recipes
from subfit.reporting.lengths import plain_data
from subfit.training import sections

STAGES = "stages"
_TAKEN = re.compile("formal|informal|sink|2.*")
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
    """One recipe, or one stage of one."""

    name: Annotated[str, AfterValidator(folder_name)]
    """The name of the checkpoint it makes, and of the run's folder."""
    source_language: Tag | Annotated[tuple[Tag, ...], Within(min_length=1)]
    """One language, or a list of those that ``data.train`` has files for."""
    target_language: Tag | Annotated[tuple[Tag, ...], Within(min_length=1)]
    """Likewise; only one of the two can be a list."""
    data: sections.Data
    vocabulary: sections.Vocabulary = field(default_factory=sections.Vocabulary)
    length: sections.Length = field(default_factory=sections.Length)
    attention: sections.Attention = field(default_factory=sections.Attention)
    model: sections.Architecture = field(default_factory=sections.Architecture)
    optimizer: sections.Optimizer = field(default_factory=sections.Optimizer)
    schedule: sections.Schedule = field(default_factory=sections.Schedule)
    run: sections.RunSettings = field(default_factory=sections.RunSettings)

    def __post_init__(self) -> None:
        source, target, several = self.source_language, self.target_language, self.told_languages
        side = "source_language" if isinstance(source, tuple) else "target_language"
        gate, steps = self.length.gate_steps, self.schedule.steps
        require(
            self,
            (not any(map(_TAKEN.fullmatch, self.length.classes)),
             "length.classes must not be called formal, informal or sink, or begin with 2, as other"
             " source tokens do"),
            (isinstance(source, str) or isinstance(target, str),
             "source_language and target_language cannot both be lists"),
            (len(set(several)) == len(several), f"{side} names a language twice"),
            (not self.data.train or set(several) == set(self.data.languages),
             f"a list in {side} needs data.train and data.dev as mappings of the same languages to"
             " files, and these need that list"),
            (not self.data.formality or target != "en",
             "data.formality: English has no forms of address to ask for"),
            (self.data.short_weight == 1 or self.length.classes,
             "data.short_weight shows short translations more often behind the token of their"
             " length, which needs length.classes"),
            (not gate or gate < steps,
             f"length.gate_steps={gate} must be less than schedule.steps={steps}, or the encodings"
             " never count in full"),
            (not self.run.patience or self.schedule.shape != "cooldown",
             "run.patience would stop schedule.shape: cooldown before its cooldown, which is when"
             " the loss falls; set run.patience: 0 or schedule.shape: inverse-sqrt"),
        )  # fmt: skip

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


def _as_tuple(languages: str | tuple[str, ...]) -> tuple[str, ...]:
    return (languages,) if isinstance(languages, str) else languages


def load_recipe(path: Path, overrides: Iterable[str] = (), variant: str | None = None) -> Recipe:
    """Read a recipe; of one in stages the last, which makes the checkpoint.

    Args:
        path: The YAML file.
        overrides: Assignments ``section.key=value`` as the command line gives them.
        variant: Which of the recipe's variants to make; None for its plain values.

    Raises:
        RecipeError: All problems of the file, of those it extends and of the overrides, with
            their lines; or there is no such variant.
    """
    return load_stages(path, overrides, variant)[-1]


def load_stages(
    path: Path, overrides: Iterable[str] = (), variant: str | None = None
) -> tuple[Recipe, ...]:
    """Read all stages of a recipe, the first first; a recipe without stages is one.

    Every stage but the last has its name behind the recipe's, and starts from the folder
    ``runs/RECIPE/STAGE`` of the one before it. Arguments and errors are those of `load_recipe`.
    """
    problems: list[Problem] = []
    tree = read_tree(path, bundled_recipes(), problems)
    variants = _variants(tree, problems)
    chosen = _choose(tree, variants, variant, path)
    for assignment in overrides:
        chosen = _override(chosen, assignment, problems)
    stages = [_build(stage, problems) for stage in _stages(chosen, tuple(overrides), problems)]
    made = [stage for stage in stages if stage is not None]
    if problems or len(made) < len(stages):
        unfinished = variants and variant is None and all(problem.mendable for problem in problems)
        problems = list(dict.fromkeys(problems))
        raise RecipeProblemsError(
            problems, f"or name one of its variants: {', '.join(variants)}" if unfinished else ""
        )
    return tuple(made)


def recipe_problems(path: Path) -> tuple[Problem, ...]:
    """Return all problems of a recipe, its stages and its variants, by file and line.

    The plain values of a recipe with variants need be whole in the variants alone.
    """
    problems: list[Problem] = []
    try:
        tree = read_tree(path, bundled_recipes(), problems)
    except RecipeProblemsError as error:
        return error.problems
    variants = _variants(tree, problems)
    made = [_choose(tree, variants, name, path) for name in variants or (None,)]
    of_variants: dict[Problem, list[str]] = {}
    for name, chosen in zip(variants or ("",), made, strict=True):
        for problem in _problems_of(chosen):
            of_variants.setdefault(problem, []).append(name)
    for problem, names in of_variants.items():
        word = "variant" if len(names) == 1 else "variants"
        where = "" if len(names) == len(made) else f" ({word} {', '.join(names)})"
        problems.append(replace(problem, text=f"{problem.text}{where}"))
    return tuple(sorted(problems, key=lambda problem: problem.order))


def recipe_variants(path: Path) -> tuple[str, ...]:
    """Return the names of a recipe's variants.

    Raises:
        RecipeError: It cannot be read, or its variants are no variants.
    """
    problems: list[Problem] = []
    variants = _variants(read_tree(path, bundled_recipes(), problems), problems)
    if problems:
        raise RecipeProblemsError(problems)
    return tuple(variants)


def dump_recipe(recipe: Recipe) -> str:
    """Return the recipe as YAML with every value spelt out."""
    return _dump(plain_data(recipe))


def dump_merged(path: Path, variant: str | None = None) -> str:
    """Return what a recipe, those it extends and its variant say, as YAML of a single recipe.

    Raises:
        RecipeError: As `load_recipe` does.
    """
    load_recipe(path, variant=variant)
    tree = read_tree(path, bundled_recipes(), [])
    values = _choose(tree, _variants(tree, []), variant, path).plain()
    keys = (*Recipe.__dataclass_fields__, STAGES)
    return _dump({key: values[key] for key in keys if key in values})


def _dump(values: dict[str, Any]) -> str:
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)


def _variants(tree: Node, problems: list[Problem]) -> dict[str, Node]:
    return _parts(tree, VARIANTS, (NAME, EXTENDS, VARIANTS), problems)


def _parts(
    tree: Node, kind: str, barred: tuple[str, ...], problems: list[Problem]
) -> dict[str, Node]:
    """Return what each variant or stage changes, adding what is wrong with them as such."""
    listed = tree.value.get(kind)
    if listed is None:
        return {}
    if not listed.is_mapping:
        text = f"{kind} must be a mapping of names to what each of them changes"
        problems.append(Problem(listed.location, text))
        return {}
    parts = {}
    for name, node in listed.value.items():
        parts[name] = Node({}, node.location)
        if node.value is None:  # "baseline:", the plain values under a name of their own
            continue
        if not node.is_mapping:
            problems.append(Problem(node.location, f"{kind}.{name} must be a mapping of sections"))
            continue
        for key in barred:
            if key in node.value:
                text = f"{kind}.{name}.{key}: a {kind[:-1]} cannot have this key"
                problems.append(Problem(node.value[key].location, text))
        parts[name] = node.without(*barred)
    return parts


def _stages(chosen: Node, overrides: tuple[str, ...], problems: list[Problem]) -> list[Node]:
    """Return the stages of a recipe, each whole; what is overruled is so in all of them."""
    parts = _parts(chosen, STAGES, (NAME, EXTENDS, VARIANTS, STAGES), problems)
    tree, stages = chosen.without(STAGES), list[Node]()
    if not parts:
        return [tree]
    recipe, before = chosen.value.get(NAME), ""
    base = str(recipe.value) if recipe is not None else ""
    for name, changes in parts.items():
        tree = overlay(tree, changes)
        for assignment in overrides:
            tree = _override(tree, assignment, [])
        model = tree.value.get("model", Node({}, changes.location))
        if before and model.is_mapping:
            start = Node(f"runs/{base}/{before}", changes.location)
            tree = tree.with_entry("model", model.with_entry("start", start))
        last = len(stages) == len(parts) - 1
        named = tree if last else tree.with_entry(NAME, Node(f"{base}-{name}", changes.location))
        stages.append(named)
        before = name
    return stages


def _choose(tree: Node, variants: dict[str, Node], variant: str | None, path: Path) -> Node:
    """Return a recipe's plain values, or those of a variant, whose name is part of the recipe's."""
    plain = tree.without(VARIANTS)
    if variant is None:
        return plain
    if variant not in variants:
        known = did_you_mean(variant, variants)
        raise RecipeError(f"{path}: there is no variant {variant!r}{known}")
    changes, name = variants[variant], plain.value.get(NAME)
    if name is not None and isinstance(name.value, str):
        changes = changes.with_entry(NAME, Node(f"{name.value}-{variant}", changes.location))
    return overlay(plain, changes)


def _build(tree: Node, problems: list[Problem]) -> Recipe | None:
    new: list[Problem] = []
    recipe = check(Recipe, tree.without(EXTENDS), new)
    # Where a recipe that is extended could not be read, all that it says would be missing.
    unread = EXTENDS in tree.value
    problems.extend(problem for problem in new if not (unread and problem.mendable))
    return recipe


def _problems_of(tree: Node) -> list[Problem]:
    problems: list[Problem] = []
    for stage in _stages(tree, (), problems):
        _build(stage, problems)
    return list(dict.fromkeys(problems))


def _override(tree: Node, assignment: str, problems: list[Problem]) -> Node:
    """Apply one ``section.key=value``."""
    key, equals, text = assignment.partition("=")
    if not equals or not key:
        text = f"{assignment!r} is not of the form section.key=value"
        problems.append(Problem(COMMAND_LINE, text))
        return tree
    keys = key.split(".")
    if keys[0] in (EXTENDS, VARIANTS, STAGES):
        problems.append(Problem(COMMAND_LINE, f"{assignment}: {keys[0]} stands in recipes only"))
        return tree
    try:
        return _assign(tree, keys, node_of(parse_value(text), COMMAND_LINE))
    except ValueError as error:
        problems.append(Problem(COMMAND_LINE, f"{assignment}: {error}"))
        return tree


def _assign(tree: Node, keys: list[str], value: Node) -> Node:
    """Return the tree with another value; `ValueError` if one of the keys is not a section."""
    key, *rest = keys
    if not rest:
        return tree.with_entry(key, value)
    section = tree.value.get(key, Node({}, COMMAND_LINE))
    if not section.is_mapping:
        raise ValueError(f"{key} is not a section")
    return tree.with_entry(key, _assign(section, rest, value))
