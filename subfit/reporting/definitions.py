"""What the figures of a report mean, as every report tells it."""

from __future__ import annotations

from subfit.reporting import figures, totals

_OTHERS = {
    "names": "words of the source that always have a capital, taken for names, that the "
    "translation keeps in some sentences and not in others: name; sentences, how many have it; "
    "lost, numbers of the cues where those begin that do not keep it"
}
_FIRST = (  # noqa: SIM905 - a page, with one a line
    "characters source_characters budget binding end timing limits excess status unread natural "
    "length_ratio compliance.iwslt compliance.strict overflow lines_overflow cps cpl binding.all "
    "binding.natural_overflow asked score risk risky doubtful omitted condensed "
    "joined alternatives speaking totals.speaking unplaced terms lost names terms.found"
).split()
"""The order that definitions have had since before there was one table; others come behind."""


def definitions() -> dict[str, str]:
    """Return what the figures of cues and of files mean, by name."""
    known = {figure.name: figure.definition for figure in figures.CUE_FIGURES if figure.definition}
    for total in totals.TOTALS:
        known |= total.definitions
    known |= _OTHERS
    return {name: known[name] for name in dict.fromkeys([*_FIRST, *known])}
