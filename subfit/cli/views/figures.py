"""How figures are printed: numbers, shares, spreads, counts of things."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from subfit.cli.views.text import one_line
from subfit.reporting.lengths import Compliance, Overflow, Spread
from subfit.reporting.names import WaveringName
from subfit.reporting.verdicts import CueVerdict, TimesMoved

LIMIT_NAMES = {
    "cps": "reading speed",
    "cpl": "line length",
    "characters": "characters",
    "length_ratio": "length ratio",
    "speech": "speaking time",
}

MOST_NAMES = 5


def number(value: float | None, digits: int = 1) -> str:
    """Return a figure as it is printed: whole numbers without decimals, nothing for None."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{digits}f}" if value != int(value) else f"{value:.0f}"


def spread_of(values: Spread, digits: int) -> str:
    """Return mean ± standard deviation, as printed."""
    if not values.count:
        return "–"
    return f"{values.mean:.{digits}f} ± {values.sd:.{digits}f}"


def ratio_of(ratios: Spread) -> str:
    """Return length ratios, as printed."""
    return f"{spread_of(ratios, 2)} characters of translation per source character"


def compliance_of(compliance: Compliance) -> str:
    """Return the share of cues whose length is close to their source's, by both rules."""
    iwslt, strict = percent(compliance.iwslt), percent(compliance.strict)
    return f"{iwslt} (IWSLT rule), {strict} (strict rule) of cues keep ±10 %"


def speed_of(speeds: Spread, worst: float) -> str:
    """Return reading speeds, as printed."""
    return f"{spread_of(speeds, 1)} characters per second, worst {number(worst)}"


def speed_factors_of(factors: Spread, worst: float) -> str:
    """Return how fast lines must be spoken, as printed."""
    return f"{spread_of(factors, 2)} seconds of speech per second there is, worst {worst:.2f}"


def times_moved(times: TimesMoved, frame_rate: float | None = None) -> str:
    """Return how many cues end later than in the source, and by how much, as printed.

    Args:
        times: The figures.
        frame_rate: Frames per second that were counted with.
    """
    cues, seconds = count_of(times.moved, "cue"), number(times.milliseconds / 1000)
    rate = "" if frame_rate is None else f"; {number(frame_rate, 3)} frames per second"
    return f"{cues} later, by {seconds} s in all, {times.longest} ms at most{rate}"


def percent(share: float) -> str:
    """Return a share, as printed."""
    return f"{100 * share:.1f} %" if math.isfinite(share) else "–"


def doubtful_of(cues: int) -> str:
    """Return how many cues may end too early, as printed."""
    return f"{count_of(cues, 'shortened cue')} may end too early"


def condensed_of(cues: int) -> str:
    """Return of how many cues words of the source were left out, as printed."""
    return f"{count_of(cues, 'cue')} with words of the source left out"


def unfamiliar_of(cues: int, words: Iterable[str] = ()) -> str:
    """Return how many cues have words that may be made up, and which if told, as printed."""
    told = list(dict.fromkeys(words))
    more = [f"{len(told) - MOST_NAMES} more"] if len(told) > MOST_NAMES else []
    listed = ", ".join([*map(one_line, told[:MOST_NAMES]), *more])
    what = f"{count_of(cues, 'cue')} with words that the model never saw"
    return f"{what}: {listed}" if listed else what


def unread_of(blocks: int) -> str:
    """Return how many blocks of the input are no cues for want of times, as printed."""
    return f"{count_of(blocks, 'block')} without times that can be read, kept untranslated"


def lost_of(count: int) -> str:
    """Return how many placeables the translation has not, as printed."""
    return f"{number(count)} of the numbers, addresses and the like in the source"


def wavering_of(names: Sequence[WaveringName]) -> str:
    """Return the names that not all sentences keep, as printed."""
    told = [f"{one_line(each.name)} in {len(each.lost)} of {each.sentences}" for each in names]
    more = [f"{len(told) - MOST_NAMES} more"] if len(told) > MOST_NAMES else []
    return f"not kept: {', '.join(told[:MOST_NAMES] + more)} (--keep holds them)"


def over_budget(found: Overflow) -> str:
    """Return how many cues are over their budget and by how much, as printed."""
    if not found.over:
        return "none"
    return f"{count_of(found.over, 'cue')} by {count_of(found.characters, 'character')}"


def not_judged(cues: int) -> str:
    """Return what figures on budgets leave out, as printed behind them; empty for nothing."""
    return f"; {count_of(cues, 'cue')} without a translation not counted" if cues else ""


def terms_of(found: int, placed: int) -> str:
    """Return how many of the terms in the source the translation has, as printed."""
    return f"{number(placed)} of {count_of(found, 'term')} placed"


def count_of(count: float, noun: str, *, plural: str = "s") -> str:
    """Return a number of things, as printed."""
    return f"{number(count)} {noun}{'' if count == 1 else plural}"


def of_budget(cue: CueVerdict) -> str:
    """Return a cue's characters and budget, as printed."""
    return f"{number(cue.characters)}/{number(cue.budget)}"


def limit_of(cue: CueVerdict) -> str:
    """Return what a cue is over, or else what limits it, as printed."""
    if cue.status == "untranslated":
        return "untranslated"
    if cue.status != "overflow" or cue.excess:
        return LIMIT_NAMES[cue.binding] if cue.binding else "none"
    if not cue.characters:
        return "no words"
    return "speaking time" if cue.speaking and cue.speaking.sync == "over" else "lines"
