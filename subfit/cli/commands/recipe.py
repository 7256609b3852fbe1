"""``subfit recipe``: what recipes there are, what they say, and whether they can be trained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from subfit.cli import options
from subfit.cli.output import FAILED, one_line, printable, tell
from subfit.configuration import Location, Problem
from subfit.errors import RecipeError, reason_of
from subfit.files import write_bytes
from subfit.model.bundled import bundled_recipes, find_recipe
from subfit.training.recipe import (
    dump_merged,
    dump_recipe,
    load_stages,
    recipe_problems,
    recipe_variants,
)


@click.group()
def recipe() -> None:
    """List, show, copy and check recipes, from which models are trained.

    NAME is that of a recipe that comes with subfit, or the path of a YAML file.
    """


@recipe.command("ls")
@options.json_option
def list_recipes(json: bool) -> None:
    """List the recipes that come with subfit, and their variants."""
    recipes = [_described(name, path) for name, path in bundled_recipes().items()]
    width, lines = max((len(one["name"]) for one in recipes), default=0), list[str]()
    for one in recipes:
        lines.append(f"{one['name']:{width}}  {one['purpose']}")
        if one["variants"]:
            lines.append(f"{'':{width}}  variants: {', '.join(one['variants'])}")
    lines = lines or ["no recipes come with this installation"]
    tell({"recipes": recipes}, lines, json=json)


@recipe.command("cat", epilog="Example: subfit recipe cat en-de --resolved")
@click.argument("name")
@click.option("--variant", metavar="NAME", help="What this variant of it comes to.")
@click.option("--resolved", is_flag=True, help="Spell out every value, defaults too.")
def show(name: str, variant: str | None, resolved: bool) -> None:
    """Show a recipe.

    With --variant or --resolved it is one that stands by itself, without those it extends; with
    --resolved each of its stages is one.
    """
    path = find_recipe(name)
    if resolved:
        text = "---\n".join(map(dump_recipe, load_stages(path, variant=variant)))
    elif variant is not None:
        text = dump_merged(path, variant)
    else:
        text = _text_of(path)
    click.echo(printable(text), nl=not text.endswith("\n"))


@recipe.command("cp", epilog="Example: subfit recipe cp en-de my-recipe.yaml")
@click.argument("name")
@click.argument("target", type=click.Path(path_type=Path), default=Path())
@options.overwrite_option("Replace an existing file.")
def copy(name: str, target: Path, overwrite: bool) -> None:
    """Copy a recipe, to change it.

    TARGET is a file or a folder; the current one by default.
    """
    path = find_recipe(name)
    text = _text_of(path)
    file = target / path.name if target.is_dir() else target
    write_bytes(file, text.encode(), overwrite=overwrite)
    click.echo(f"{printable(str(file))} written")


@recipe.command("validate", epilog="Exit codes: 0 all can be trained; 1 something is wrong.")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@options.json_option
def validate(names: tuple[str, ...], json: bool) -> int:
    """Check recipes and all their variants.

    Everything that is wrong with them is told; the data that they name is not looked at.
    """
    found = {name: _problems(name) for name in names}
    verdicts = [_verdict(name, problems) for name, problems in found.items()]
    lines = (
        one_line(str(line))
        for name, problems in found.items()
        for line in problems or [f"{name}: {_valid(name)}"]
    )
    tell({"recipes": verdicts}, lines, json=json)
    return FAILED if any(found.values()) else 0


def _described(name: str, path: Path) -> dict[str, Any]:
    purpose = _text_of(path).partition("\n")[0].lstrip("# ")
    return {"name": name, "purpose": purpose, "variants": list(recipe_variants(path))}


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecipeError(f"{path}: cannot be read ({reason_of(error)})") from error
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8") from error


def _problems(name: str) -> tuple[Problem, ...]:
    try:
        return recipe_problems(find_recipe(name))
    except RecipeError as error:  # there is no such recipe
        return (Problem(Location(name, None), str(error).removeprefix(f"{name}: ")),)


def _valid(name: str) -> str:
    variants = recipe_variants(find_recipe(name))
    return f"valid, with the variants {', '.join(variants)}" if variants else "valid"


def _verdict(name: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    entries = [
        {"path": problem.location.path, "line": problem.location.line, "problem": problem.text}
        for problem in problems
    ]
    return {"recipe": name, "valid": not entries, "problems": entries}
