"""The same in fewer characters: long wordings of a language, and short ones that stand for them.

``plainer.yaml`` has them by language. They hold in any context, so that neither a source nor a
model is needed; what commas set off (`subfit.fitting.condensing`) may go as well.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import regex

from subfit.fitting.condensing import capital, condensed
from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged

_SAME, _SPARE = 0.1, 0.2
"""What a shorter wording costs, and leaving out a word that colours; the least goes first."""
_MOST_SEEN = 400
"""Texts on the way that are looked at."""
_INFINITIVES = {
    "de": r"(?!antwort|einig|abonn|analys|anim|annull|festig|absorb|absolv)"
    r"(?P<sep>zurück|weiter|hinzu|zusammen|sicher|fest|auf|aus|ein|los|ab|an|vor)?+(?P<verb>"
    r"(?!um|unter|über|durch|wieder|wider|ge(?!h|b|nieß|winn)|sein|werden|haben|bekomm|vergess|"
    r"verlass|erhalt|enthalt|verrat|erfahr|empfang|vergeb)"
    r"(?P<stem>(?-i:[a-zäöüß]{2,}?))(?:en|n))(?=\W*$|[.,:;!?…])(?!,[^.,!?]*\bund\b)",
}
_PARTS = {
    "{nous}": r"(?<!\b(?:nous|avec|chez|pour|sans|sur|entre|à|de|et|ou) )\bnous",
    "{mid}": r"(?:(?!\w+en und )[\w-]+ ){0,7}",
    "{object}": r"((?:[mts]e|[nv]ous|l[ae]s?|lui|leur|y|en) |[mtsl]['’])",
    "{regular}": r"(?!aller|chercher|envoyer|\w*(?:e[lt]er|ever|ener|eser|yer)\b)(\w+)",
    "{alone}": r"\b(?![^.!?]* (?:y|e|o|et|ou|puis) (?:\w{1,3} )?"
    r"\w+(?:[aei]r|re)(?:l[aeo]s?|se)?\b)",
}
_ENDS_IN_WORD = regex.compile(r"(?:\w|\((?!\?[=!<])[^()]*\)\??)$")
"""A wording whose last part is no look-around, and no mark."""
_OPENS = regex.compile(r"(?:^|[.!?…:])\W*$")
"""What a sentence begins behind."""
_BREAKS = regex.compile(r"\s+([.,;:!?…])")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A long wording and what stands for it."""

    long: regex.Pattern[str]
    short: str
    cost: float


def plainer(text: str, language: str, fits: Callable[[str], bool], most: int = 8) -> list[str]:
    """Say a text in fewer characters by wordings that say the same.

    Args:
        text: What one speaker says, in one line.
        language: Tag of its language.
        fits: Whether a text is short enough.
        most: How many to return.

    Returns:
        Those that fit, the least changed first; where there are none, the shortest of those that do
        not, if there are any.
    """
    queue, seen, found = [(0.0, text)], {text}, list[str]()
    while queue and len(found) < most and len(seen) < _MOST_SEEN:
        cost, own = heapq.heappop(queue)
        if fits(own):
            found.append(own)
            continue
        for more, other in _steps(own, language, text):
            if other not in seen and len(other) < len(own):
                seen.add(other)
                heapq.heappush(queue, (cost + more, other))
    shortest = min(seen, key=lambda own: (len(own), own))
    return found or [shortest] * (len(seen) > 1)


def _steps(text: str, language: str, first: str) -> Iterator[tuple[float, str]]:
    """What one change makes of a text, with its cost."""
    yield from condensed(text, language, first)
    for rule in _rules(language):
        for match in rule.long.finditer(text):
            short = match.expand(rule.short)
            end = text[match.end() :]
            if match[0].lstrip()[:1].isupper() and (short or _OPENS.search(text[: match.start()])):
                short, end = (capital(short), end) if short.strip() else ("", capital(end))
            if short.endswith("."):  # of an abbreviation
                end = end.removeprefix(".")
            made = text[: match.start()] + short + end
            # French has a space before some marks
            made = _BREAKS.sub(lambda own: own[own[0] not in text], made).strip()
            for apart, joint in _table(language).get("joins", {}).items():
                made = regex.sub(apart, joint, made)
            yield rule.cost, made


def small_words(text: str, language: str) -> list[str]:
    """Return the small words of a text that are missed where they are gone ("more", "only")."""
    table = _table(language)
    kept = rf"\b(?:{table['kept']})\b" if table else r"(?!)"
    return sorted(regex.findall(kept, text.casefold()))


@cache
def _table(language: str) -> dict[str, Any]:
    """A language's part of ``plainer.yaml``; empty where it has none."""
    tables = packaged("subfit.fitting", "plainer.yaml")
    known = closest_language(language, tables)
    return {"language": known, **tables[known]} if known is not None else {}


@cache
def _rules(language: str) -> tuple[_Rule, ...]:
    table = _table(language)
    rows = [(long, short, _SAME) for long, short in table.get("same", {}).items()]
    rows += [(long, "", _SPARE) for long in table.get("spare", ())]
    return tuple(
        _Rule(_compiled(long, table["language"]), short, cost) for long, short, cost in rows
    )


def _compiled(long: str, language: str) -> regex.Pattern[str]:
    """A wording as whole words."""
    for name, stands in {**_PARTS, "{inf}": _INFINITIVES.get(language, "")}.items():
        long = long.replace(name, stands)
    opening = r"\b" if long[0].isalnum() or long.startswith(("(?:", "(?-i:")) else ""
    closing = r"\b" if _ENDS_IN_WORD.search(long) else ""
    return regex.compile(f"{opening}{long}{closing}", regex.I)
