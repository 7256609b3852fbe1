"""YAML to `Recipe` and back, with every problem reported at once, by file and line.

A recipe may extend another one (``extends:``) and hold variants of itself (``variants:``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import yaml

from subfit.configuration.checking import check
from subfit.configuration.tree import (
    COMMAND_LINE,
    EXTENDS,
    NAME,
    VARIANTS,
    Node,
    Problem,
    RecipeProblemsError,
    did_you_mean,
    node_of,
    overlay,
    parse_value,
    read_tree,
)
from subfit.errors import RecipeError
from subfit.model.bundled import bundled_recipes
from subfit.training.recipe.recipe import Recipe


def load_recipe(path: Path, overrides: Iterable[str] = (), variant: str | None = None) -> Recipe:
    """Read a recipe and apply ``section.key=value`` overrides.

    Args:
        path: The YAML file.
        overrides: Assignments as the command line gives them; values are YAML.
        variant: Which of the recipe's variants to make; None for its plain values.

    Raises:
        RecipeError: All problems of the file, of those it extends and of the overrides, with
            their lines; or there is no such variant.
    """
    problems: list[Problem] = []
    tree = read_tree(path, bundled_recipes(), problems)
    variants = _variants(tree, problems)
    chosen = _choose(tree, variants, variant, path)
    for assignment in overrides:
        chosen = _override(chosen, assignment, problems)
    recipe = _build(chosen, problems)
    if recipe is None or problems:
        unfinished = variants and variant is None and all(problem.mendable for problem in problems)
        raise RecipeProblemsError(
            problems, f"or name one of its variants: {', '.join(variants)}" if unfinished else ""
        )
    return recipe


def recipe_problems(path: Path) -> tuple[Problem, ...]:
    """Return all problems of a recipe and its variants, by file and line.

    What is missing or contradictory in the plain values of a recipe with variants is a problem
    only of the variants that do not mend it.
    """
    problems: list[Problem] = []
    try:
        tree = read_tree(path, bundled_recipes(), problems)
    except RecipeProblemsError as error:
        return error.problems
    variants = _variants(tree, problems)
    plain = _problems_of(tree.without(VARIANTS))
    of_variants: dict[Problem, list[str]] = {}
    for name in variants:
        for problem in _problems_of(_choose(tree, variants, name, path)):
            of_variants.setdefault(problem, []).append(name)
    for problem, names in of_variants.items():
        word = "variant" if len(names) == 1 else "variants"
        where = "" if problem in plain else f" ({word} {', '.join(names)})"
        problems.append(replace(problem, text=f"{problem.text}{where}"))
    left = [
        problem
        for problem in plain
        if problem not in of_variants and not (variants and problem.mendable)
    ]
    return tuple(sorted([*problems, *left], key=lambda problem: problem.order))


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
    return _dump(_without_tuples(asdict(recipe)))


def dump_merged(path: Path, variant: str | None = None) -> str:
    """Return what a recipe, those it extends and its variant say, as YAML of a single recipe.

    Raises:
        RecipeError: As `load_recipe` does.
    """
    load_recipe(path, variant=variant)
    tree = read_tree(path, bundled_recipes(), [])
    values = _choose(tree, _variants(tree, []), variant, path).plain()
    return _dump({key: values[key] for key in Recipe.__dataclass_fields__ if key in values})


def _dump(values: dict[str, Any]) -> str:
    return yaml.safe_dump(values, sort_keys=False, allow_unicode=True)


def _without_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_tuples(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [_without_tuples(item) for item in value]
    return value


def _variants(tree: Node, problems: list[Problem]) -> dict[str, Node]:
    """Return a recipe's variants, adding what is wrong with them as such."""
    listed = tree.value.get(VARIANTS)
    if listed is None:
        return {}
    if not listed.is_mapping:
        text = f"{VARIANTS} must be a mapping of names to what each of them changes"
        problems.append(Problem(listed.location, text))
        return {}
    return {name: _variant(name, node, problems) for name, node in listed.value.items()}


def _variant(name: str, node: Node, problems: list[Problem]) -> Node:
    """Return what a variant changes; nothing, if that cannot be."""
    if node.value is None:  # "baseline:", the plain values under a name of their own
        return Node({}, node.location)
    if not node.is_mapping:
        problems.append(Problem(node.location, f"{VARIANTS}.{name} must be a mapping of sections"))
        return Node({}, node.location)
    for key in (NAME, EXTENDS, VARIANTS):
        if key in node.value:
            text = f"{VARIANTS}.{name}.{key}: a variant cannot have this key"
            problems.append(Problem(node.value[key].location, text))
    return node.without(NAME, EXTENDS, VARIANTS)


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
    _build(tree, problems)
    return problems


def _override(tree: Node, assignment: str, problems: list[Problem]) -> Node:
    """Apply one ``section.key=value``."""
    key, equals, text = assignment.partition("=")
    if not equals or not key:
        text = f"{assignment!r} is not of the form section.key=value"
        problems.append(Problem(COMMAND_LINE, text))
        return tree
    keys = key.split(".")
    if keys[0] in (EXTENDS, VARIANTS):
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
