"""The figures that reports have of a whole file, or of many, each declared once.

JSON, the tables and pages on many files, the summaries on a terminal, the tiles, filters and notes
of a file's page and the definitions beside all these are made of `TOTALS`. Values are JSON values,
None for figures of nothing, so that totals kept in a manifest can be added up later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from subfit.fitting.risk import RISKY
from subfit.limits.guideline import Guideline
from subfit.reporting import adding
from subfit.reporting.adding import Totals
from subfit.reporting.judged import (
    Judged,
    binding_limits,
    memory_of_cues,
    overflow_of_cues,
    speaking_of_lines,
    terms_of_cues,
    timing_of_cues,
    usage_of_server,
)
from subfit.reporting.lengths import length_compliance, length_ratios, plain_data, speeds
from subfit.reporting.total import Column, Flag, Total
from subfit.reporting.verdicts import CueVerdict
from subfit.reporting.wording import (
    address_of,
    count_of,
    labels_of,
    listed,
    lost_of,
    memory_of,
    usage_of,
)
from subfit.servers.usage import Usage
from subfit.subtitles.sdh import Labels
from subfit.text.formality import Address


def _cues(has_it: Callable[[CueVerdict], object]) -> Callable[[Judged], int]:
    """What counts the cues that have something."""
    return lambda judged: judged.count(has_it)


TOTALS: tuple[Total, ...] = (
    Total("cues", lambda judged: len(judged.cues), heading="Cues"),
    Total("translated", lambda judged: len(judged.translated), heading=""),
    Total("passed", _cues(lambda cue: cue.outcome.status == "passed"), heading=""),
    Total(
        "untranslated",
        _cues(lambda cue: cue.outcome.status == "untranslated"),
        heading="Untranslated",
    ),
    Total(
        "unread",
        lambda judged: judged.unread,
        "blocks of the input that are no cues because their times are missing or "
        "cannot be read; they are kept as they stand, and `repairs` names them",
        heading="",
        label="unread",
        told=lambda many: (
            f"{count_of(many, 'block')} without times that can be read, kept untranslated"
        ),
        in_short=True,
    ),
    Total(
        "risky",
        _cues(lambda cue: cue.risky),
        heading="At risk",
        label="at risk",
        told=lambda many: f"{count_of(many, 'cue')} with a risk of {RISKY} or more",
        in_short=True,
        flag=Flag("risky", "likely to be changed", "likely to be changed", is_bad=True),
    ),
    Total(
        "doubtful",
        _cues(lambda cue: cue.outcome.doubtful),
        heading="In doubt",
        label="in doubt",
        told=lambda many: f"{count_of(many, 'shortened cue')} may end too early",
        in_short=True,
        flag=Flag("doubtful", "may end too early", "shortened, and may end too early", is_bad=True),
    ),
    Total(
        "losing",
        _cues(lambda cue: bool(cue.outcome.losses)),
        "cues whose translation loses something of what it would say without limits",
        heading="",
        label="losing",
        told=lambda many: f"{count_of(many, 'shortened cue')} lost something by it",
        in_short=True,
        flag=Flag("losses", "lost: {}", "shortened, and lost something by it", is_bad=True),
    ),
    Total(
        "withheld",
        _cues(lambda cue: bool(cue.outcome.withheld)),
        "cues over their budget since what fits would have lost something",
        heading="Kept whole",
        label="kept whole",
        told=lambda many: (
            f"{count_of(many, 'cue')} over the budget since shorter ones would lose something "
            "(--strict-budget takes these)"
        ),
        in_short=True,
        flag=Flag("withheld", "what fits would lose: {}", "over the budget, but whole"),
    ),
    Total(
        "address",
        lambda judged: judged.address,
        {
            "address": "form of address: asked for; taken (auto: by what the sources say, "
            "source_formal and source_informal sentences, each of which counts twice, and by how "
            "the model would address people in a sample of sentences, natural_formal and "
            "natural_informal); exceptions: sentences that the other form was asked for, since "
            "they say sir or the like; unmet: sentences whose translation has another form even so"
        },
        add=None,
        label="address",
        told=address_of,
    ),
    Total(
        "condensed",
        _cues(lambda cue: cue.outcome.omitted),
        "cues of whose source words were left out; their omitted names these",
        heading="Condensed",
        label="condensed",
        told=lambda many: f"{count_of(many, 'cue')} with words of the source left out",
        in_short=True,
        flag=Flag("omitted", "left out: {}", "words of the source left out"),
    ),
    Total(
        "length_ratio",
        lambda judged: length_ratios(*judged.pairs),
        add=adding.spreads,
        columns=(Column("length_ratio", "LR", lambda total: total["mean"]),),
    ),
    Total(
        "compliance",
        lambda judged: length_compliance(*judged.pairs),
        {
            "compliance.iwslt": "share of translated cues with a length ratio from 0.9 to 1.1, "
            "spaces not counted; cues of up to 10 source characters always comply",
            "compliance.strict": "share of translated cues with a length ratio from 0.9 to 1.1, "
            "spaces counted, every cue judged",
        },
        add=adding.compliance,
        columns=(Column("compliance", "LC", lambda total: total["strict"]),),
    ),
    Total(
        "overflow",
        overflow_of_cues,
        "translated cues (texts), those over their budget, and characters over in "
        "total; before: of the natural translations in the times of the source (of none that "
        "stood there already), after: of the translations as written",
        add=adding.overflow,
        columns=(
            Column("over", "Over budget", lambda total: total["after"]["over"]),
            Column("excess", value=lambda total: total["after"]["characters"]),
        ),
    ),
    Total(
        "lines_overflow",
        _cues(lambda cue: cue.outcome.status == "overflow" and not cue.excess),
        "cues within their budget that do not break into lines short and few "
        "enough, or, of scripts, take too long to say",
        heading="Over lines",
    ),
    Total(
        "cps",
        lambda judged: speeds(cue.cps for cue in judged.translated if cue.cps is not None),
        add=adding.speeds,
        columns=(
            Column("cps", "CPS", lambda total: total["mean"]),
            Column("cps_worst", "Worst CPS", lambda total: total["worst"]),
        ),
    ),
    Total(
        "binding",
        binding_limits,
        {
            "binding.all": "how many translated cues each limit binds",
            "binding.natural_overflow": "the same, among cues whose natural translation is over "
            "its budget",
        },
        add=adding.binding,
    ),
    Total(
        "terms",
        terms_of_cues,
        {
            "terms.found": "terms of the glossary, and names to keep, in the sources of translated "
            "cues; placed: those whose translation has them"
        },
        add=adding.counts,
    ),
    Total("memory", memory_of_cues, add=adding.counts_if_any, label="memory", told=memory_of),
    Total(
        "lost",
        lambda judged: sum(len(cue.lost) for cue in judged.translated),
        heading="Lost",
        label="lost",
        told=lost_of,
        in_short=True,
    ),
    Total(
        "speaking",
        speaking_of_lines,
        {
            "totals.speaking": "of dubbing scripts: lines with a slot; how many are ok, over and "
            "under; speed_factor: mean and population standard deviation; worst: the highest; "
            "kept: how many of all lines, with or without a slot, had their translation already"
        },
        add=None,
    ),
    Total(
        "timing",
        timing_of_cues,
        "moved: cues whose out-time is another one than the source's; milliseconds "
        "by which they end later, in total; longest: the most by which one does",
        add=adding.timing,
        columns=(
            Column("moved", value=lambda total: total["moved"]),
            Column("moved_ms", value=lambda total: total["milliseconds"]),
        ),
    ),
    Total(
        "sdh",
        lambda judged: judged.labels,
        {
            "sdh": "labels such as [DOOR SLAMS] and MAN:, where they were to be translated or "
            "removed (wish): changed, how many were; unknown, those in brackets that stay as they "
            "are, with how often; dropped, the cues of the source that were nothing else and are "
            "not in the output, whose cues are numbered anew"
        },
        add=None,
        label="SDH",
        told=labels_of,
    ),
    Total(
        "usage",
        usage_of_server,
        {
            "usage": "of models behind servers: requests made, every try counted; retries: those "
            "made again since the server failed; unanswered: questions given up; prompt_tokens "
            "sent and completion_tokens answered, as the server counts them; uncounted: answers "
            "without a count; cost: of all tokens at the price told with --price, in its currency"
        },
        add=adding.usage,
        columns=(
            Column("requests", value=lambda total: total["requests"]),
            Column("prompt_tokens", value=lambda total: total["prompt_tokens"]),
            Column("completion_tokens", value=lambda total: total["completion_tokens"]),
            Column("cost", value=lambda total: total.get("cost")),
        ),
        label="server",
        told=usage_of,
    ),
)
"""The figures in the order of the report on a file."""

_IN_TABLES = (  # noqa: SIM905 - a page, with one a line
    "cues translated passed untranslated unread risky doubtful condensed lost over "
    "excess lines_overflow length_ratio compliance overflow cps cps_worst binding terms timing"
).split()
"""The order that tables and totals of many files have had since before `TOTALS`; what is not named
here comes behind."""


def totals_of(
    cues: Sequence[CueVerdict],
    guideline: Guideline,
    unread: int = 0,
    address: Address | None = None,
    usage: Usage | None = None,
    labels: Labels | None = None,
) -> Totals:
    """Return the figures over cues, of one track or several.

    Args:
        cues: The verdicts.
        guideline: What they were made with.
        unread: Blocks of the input that are no cues, since their times cannot be read.
        address: The form of address, asked for or decided on; None as it comes.
        usage: What asking a server came to, if one was.
        labels: What became of labels for the deaf, where they were not to be kept.
    """
    judged = Judged(cues, guideline, unread, address, usage, labels)
    values = {total.name: plain_data(total.of(judged)) for total in TOTALS}
    return {name: value for name, value in values.items() if value is not None}


def add_totals(totals: Sequence[Totals]) -> Totals:
    """Add up figures of tracks; the result is that of one track with all their cues."""
    added = {total.name: total.add(total.name, totals) for total in TOTALS if total.add}
    kept = [name for name, value in added.items() if value is not None]
    return {name: added[name] for name in sorted(kept, key=_place_in_tables)}


def file_columns() -> tuple[Column, ...]:
    """Return the columns of tables with a row per file, in their order."""
    columns = (column for total in TOTALS for column in total.all_columns)
    return tuple(sorted(columns, key=lambda column: _place_in_tables(column.name)))


def file_values(totals: Totals) -> dict[str, Any]:
    """Return the totals of a file by column; an earlier subfit may have left some out."""
    return {
        column.name: column.value(totals[total.name])
        for total in TOTALS
        if total.name in totals
        for column in total.all_columns
    }


def told_lines(totals: Totals, cues: Sequence[CueVerdict] = ()) -> Iterator[tuple[str, str]]:
    """Yield label and text of the figures with a line of their own on the terminal.

    Args:
        totals: The figures; what is zero is not told.
        cues: The verdicts on a single file, to list words from.
    """
    for total in TOTALS:
        if total.label and (value := totals.get(total.name)):
            examples = total.examples
            words = [word for cue in cues for word in examples(cue)] if examples else []
            text = total.told(value)
            yield total.label, f"{text}: {listed(words)}" if words else text


def told_in_short(totals: Totals) -> list[str]:
    """Return the figures that the one line on each of many files has: ``2 in doubt``."""
    shown = (total for total in TOTALS if total.in_short and totals.get(total.name))
    return [f"{totals[total.name]} {total.label}" for total in shown]


def flags() -> list[tuple[Total, Flag]]:
    """Return the totals of cues that the page of a file marks."""
    return [(total, total.flag) for total in TOTALS if total.flag is not None]


def _place_in_tables(name: str) -> int:
    return _IN_TABLES.index(name) if name in _IN_TABLES else len(_IN_TABLES)
