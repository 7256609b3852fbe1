"""``subfit guidelines``: what presets there are and what they say."""

from __future__ import annotations

import click

from subfit.cli.failures import print_json
from subfit.cli.options.shared import json_option, language_tag
from subfit.limits.guideline import Guideline, list_guidelines
from subfit.reporting.lengths import plain_data


@click.command()
@click.argument("name", required=False)
@click.option(
    "--lang",
    type=language_tag,
    metavar="TAG",
    default="und",
    help="Language of the values.",
)
@json_option
def guidelines(name: str | None, lang: str, json: bool) -> None:
    """List the guidelines that come with subfit, or show all values of one.

    NAME is a preset or the path of a YAML file.
    """
    if name is not None:
        values = plain_data(Guideline.load(name, lang))
        if json:
            print_json(values)
        else:
            _show(values)
        return
    found = [plain_data(Guideline.load(each, lang)) for each in list_guidelines()]
    if json:
        print_json({"guidelines": found})
        return
    width = max(len(each["name"]) for each in found)
    for each in found:
        click.echo(f"{each['name']:{width}}  {each['description']}")


def _show(values: dict[str, object]) -> None:
    for key, value in values.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name}: {'yes' if on else 'no'}" for name, on in value.items())
        click.echo(f"{key}: {'no limit' if value is None else value}")
