"""docs/check.md says which rules hold under which guideline, and names every rule."""

from __future__ import annotations

from dataclasses import fields

from subfit.limits.guideline import Guideline, Style
from subfit.quality.exchange import TITLES
from tests.places import ROOT

PAGE = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
GUIDELINES = ("netflix", "amazon", "bbc", "ted", "arte", "ard-zdf", "channel4", "subtitle-edit")
OF_TIMES = ("min_gap", "close_gaps", "shot_zone")


def cell(value: object) -> str:
    return "yes" if value is True else f"`{value}`" if value else "·"


def table() -> list[str]:
    limits = [Guideline.load(name, "en") for name in GUIDELINES]
    lines = [f"| `{'` | `'.join(('', *GUIDELINES))}` |".replace("| `` |", "| |", 1)]
    lines.append("|---" * (len(GUIDELINES) + 1) + "|")
    for name in OF_TIMES:
        values = [getattr(one, name) for one in limits]
        lines.append(f"| `{name}`, ms | {' | '.join(f'{v}' if v else '·' for v in values)} |")
    for field in fields(Style):
        values = [cell(getattr(one.style, field.name)) for one in limits]
        if field.name != "dashed":
            lines.append(f"| {field.name} | {' | '.join(values)} |")
    return lines


def test_the_table_of_rules_is_what_guidelines_say() -> None:
    assert "\n".join(table()) in PAGE


def test_every_rule_is_explained() -> None:
    assert [rule for rule in TITLES if f"`{rule}`" not in PAGE] == []
