"""``subfit guidelines``: what presets there are and what they say."""

from __future__ import annotations

import click
import yaml

from subfit.cli import options
from subfit.cli.output import print_json, tell
from subfit.limits.guideline import Guideline, guideline_values, list_guidelines
from subfit.reporting.lengths import plain_data


@click.command(
    epilog="Example: subfit guidelines netflix > my.yaml; change it, and pass it as "
    "--guideline my.yaml"
)
@click.argument("name", required=False)
@options.target_language("Only the values for this language.  [default: all languages]")
@options.json_option
def guidelines(name: str | None, target_language: str | None, json: bool) -> None:
    """List the guidelines that come with subfit, or show all values of one.

    NAME is a preset or the path of a YAML file. What is shown is YAML, which --guideline takes.
    """
    language = target_language or "und"
    if name is not None:
        if json:
            print_json(plain_data(Guideline.load(name, language)))
        else:
            values = guideline_values(name, target_language)
            text = yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=100)
            click.echo(text, nl=False)
        return
    described = [plain_data(Guideline.load(guideline, language)) for guideline in list_guidelines()]
    width = max(len(values["name"]) for values in described)
    lines = (f"{values['name']:{width}}  {values['description']}" for values in described)
    tell({"guidelines": described}, lines, json=json)
