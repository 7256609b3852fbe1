"""``subfit models``: the models that come with subfit."""

from __future__ import annotations

import click

from subfit.cli.failures import print_json
from subfit.cli.options import shared


@click.command()
@shared.json_option
def models(json: bool) -> None:
    """List the models that come with subfit; their names are values for --model."""
    from subfit.model.bundled import bundled_models

    found = bundled_models().values()
    if json:
        print_json(
            {
                "models": [
                    {
                        "name": each.name,
                        "source_language": each.source_language,
                        "target_languages": list(each.target_languages),
                    }
                    for each in found
                ]
            }
        )
        return
    width = max((len(each.name) for each in found), default=0)
    lines = [f"{each.name:{width}}  {each.direction}" for each in found]
    click.echo("\n".join(lines) or "no models come with this installation")
