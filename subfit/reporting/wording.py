"""How people are told figures: numbers, shares, spreads, counts of things.

Figures over many cues are the JSON values of `subfit.reporting.figures`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from subfit.memory.store import ALL_CLASSES, NO_MATCH

LIMIT_NAMES = {
    "cps": "reading speed",
    "cpl": "line length",
    "characters": "characters",
    "length_ratio": "length ratio",
    "speech": "speaking time",
}

PLACE = ("cue", "time", "line")
"""Headings of columns that say where a cue is."""

MOST_NAMES = 5
"""Words or names told one by one."""

Values = Mapping[str, Any]


def number(value: float | None, digits: int = 1) -> str:
    """Return a figure: whole numbers without decimals, a dash for nothing."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{digits}f}" if value != int(value) else f"{value:.0f}"


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share in percent, a dash for nothing."""
    return "–" if share is None or not math.isfinite(share) else f"{100 * share:.{digits}f} %"


def count_of(count: float, noun: str, *, plural: str = "s") -> str:
    """Return a number of things."""
    return f"{number(count)} {noun}{'' if count == 1 else plural}"


def place_of(number: int, start: int | None, line: int) -> str:
    """Return where a cue is: ``cue 12 (00:01:15), line 48``.

    Args:
        number: 1 for the first cue.
        start: In milliseconds; None where it has no times.
        line: Of the file; 0 where that is not known.
    """
    minutes, seconds = divmod((start or 0) // 1000, 60)
    time = "" if start is None else f" ({minutes // 60:02}:{minutes % 60:02}:{seconds:02})"
    return f"cue {number}{time}" + (f", line {line}" if line else "")


def place_cells(number: int, start: int | None, line: int) -> tuple[str, str, str]:
    """Return where a cue is as cells of a table, by `PLACE`: ``12``, ``1:15``, ``48``."""
    if start is None:
        return str(number), "–", str(line or "–")
    minutes, seconds = divmod(start // 1000, 60)
    hours = f"{minutes // 60}:{minutes % 60:02}" if minutes >= 60 else str(minutes)
    return str(number), f"{hours}:{seconds:02}", str(line or "–")


def spread_of(values: Values, digits: int) -> str:
    """Return mean ± standard deviation of `subfit.reporting.lengths.Spread` as JSON values."""
    if not values["count"]:
        return "–"
    return f"{values['mean']:.{digits}f} ± {values['sd']:.{digits}f}"


def ratio_of(ratios: Values) -> str:
    """Return the spread of length ratios."""
    return f"{spread_of(ratios, 2)} characters of translation per source character"


def compliance_of(compliance: Values) -> str:
    """Return the share of cues whose length is close to their source's, by both rules."""
    iwslt, strict = percent(compliance["iwslt"]), percent(compliance["strict"])
    return f"{iwslt} (IWSLT rule), {strict} (strict rule) of cues keep ±10 %"


def speed_of(speeds: Values) -> str:
    """Return the spread of reading speeds, and the highest."""
    return f"{spread_of(speeds, 1)} characters per second, worst {number(speeds['worst'])}"


def over_budget(overflow: Values) -> str:
    """Return how many cues are over their budget and by how much."""
    if not overflow["over"]:
        return "none"
    return f"{count_of(overflow['over'], 'cue')} by {count_of(overflow['characters'], 'character')}"


def not_judged(cues: int) -> str:
    """Return how many cues figures on budgets leave out, to stand behind them; empty for none."""
    return f"; {count_of(cues, 'cue')} without a translation not counted" if cues else ""


def times_moved(timing: Values, frame_rate: float | None = None) -> str:
    """Return how many cues end later than in the source, and by how much."""
    cues, seconds = count_of(timing["moved"], "cue"), number(timing["milliseconds"] / 1000)
    rate = "" if frame_rate is None else f"; {number(frame_rate, 3)} frames per second"
    return f"{cues} later, by {seconds} s in all, {timing['longest']} ms at most{rate}"


def lost_of(placeables: int) -> str:
    """Return how many numbers, addresses and the like of the source a translation lacks."""
    return f"{number(placeables)} of the numbers, addresses and the like in the source"


def terms_of(terms: Values) -> str:
    """Return how many of the glossary's terms in the source the translation has."""
    return f"{number(terms['placed'])} of {count_of(terms['found'], 'term')} placed"


def memory_of(counts: Values) -> str:
    """Return how many cues have matches of each class in translation memories."""
    parts = [f"{number(counts[name])} at {name}" for name in ALL_CLASSES[:-1] if counts.get(name)]
    parts.append(f"{number(counts.get(NO_MATCH, 0))} {NO_MATCH}")
    exact = counts.get("exact", 0)
    return ", ".join(parts) + (f"; {count_of(exact, 'cue')} word for word" if exact else "")


def listed(words: Iterable[str]) -> str:
    """Return some words, the first ones by name, no word twice."""
    distinct = list(dict.fromkeys(words))
    more = [f"{len(distinct) - MOST_NAMES} more"] if len(distinct) > MOST_NAMES else []
    return ", ".join(distinct[:MOST_NAMES] + more)


def address_of(address: Values) -> str:
    """Tell the form of address that a film was translated with, and why."""
    if address["taken"] is None:
        return "none asked for: nobody is spoken to"
    text = f"{address['taken']}, as asked for"
    if address["asked"] == "auto":
        natural = f"{address['natural_formal']} formal, {address['natural_informal']} informal"
        source = f"{address['source_formal']} formal, {address['source_informal']} informal"
        text = f"{address['taken']} (by themselves {natural}; by the source {source})"
    exceptions, unmet = address["exceptions"], address["unmet"]
    if exceptions:
        text += f"; {count_of(exceptions, 'sentence')} otherwise"
    return f"{text}; {count_of(unmet, 'sentence')} not found so" if unmet else text


def labels_of(labels: Values) -> str:
    """Tell what became of labels for the deaf."""
    what = "translated" if labels["wish"] == "translate" else "taken out"
    parts = [f"{count_of(labels['changed'], 'label')} {what}"]
    unknown = [label for label, _ in labels["unknown"]]
    if unknown:
        parts.append(f"{len(unknown)} more not known, kept: {listed(unknown)}")
    dropped = [str(cue["number"]) for cue in labels["dropped"]]
    if dropped:
        cues = count_of(len(dropped), "cue")
        parts.append(
            f"{cues} that had nothing else left out, the others numbered anew: {listed(dropped)}"
        )
    return "; ".join(parts)


def usage_of(usage: Values) -> str:
    """Tell what asking a server came to."""
    parts = [count_of(usage["requests"], "request")]
    if usage["retries"]:
        parts.append(f"{usage['retries']} of them again")
    parts.append(f"{usage['prompt_tokens']} tokens sent, {usage['completion_tokens']} answered")
    if usage["uncounted"]:
        parts.append(f"{count_of(usage['uncounted'], 'answer')} not counted")
    if usage["unanswered"]:
        parts.append(f"{count_of(usage['unanswered'], 'question')} given up")
    if usage.get("ceilings"):
        parts.append(f"{count_of(usage['ceilings'], 'text')} under hard ceilings")
    if usage.get("held_back"):
        parts.append(f"{count_of(usage['held_back'], 'question')} not asked, at the limit")
    if "cost" in usage:
        parts.append(f"cost {usage['cost']:.4g}")
    return ", ".join(parts)
