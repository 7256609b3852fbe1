"""What is mended in the text of cues when they are read, and how repairs are told.

Each is told with its line, and what many lines share only once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

import regex

from subfit.subtitles.cues import Cue, Repair, Unread

UNREADABLE = "times that cannot be read"
"""How the repair begins that says where a cue may have been lost; never folded, like `Unread`."""
_FOLD_ABOVE = 3

_HYPHENED = regex.compile(r"([\p{L}-]*\p{Ll})-\n(\p{Ll}+)([^\s\w]*)(?:[ \t]+|\n|$)(.?)")
_WORD = regex.compile(r"(?<![\p{L}-]|-\n)\p{L}{2,}(?![\p{L}-])")
_KEPT = regex.compile(  # what a hyphen of its own stands behind, or before
    r"(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|self|well|ex|non|co|half|all|anti|pre"
    r"|post|semi|mid|high|low|full|part|long|short|old|new|good|brother|sister|mother|father|son"
    r"|daughter|follow|make|check|show|hand|so|two|three|four|five|six|seven|eight|nine|ten"
    r"|est|peut|là|celui|celle|au|après|avant|demi|grand|mi|sous|vice|porte"
    r"|vingt|trente|quarante|cinquante|soixante|quatre|dix)$"
    r"|.*-"
)
_KEPT_BEHIND = regex.compile(
    r"(?:ce|ci|elles?|en|eux|ils?|je|la|là|les?|leur|lui|mêmes?|moi|nous|on|toi|tu|vous|y|t"
    r"|in|law|up|off|out|on|down|by|to|of|the|and|or|old|like|free|looking|known"
    r"|und|oder|bzw|sowie|wie|bis|et|ou|y|o|e|ed)$"
)


def _joined(word: regex.Match[str], words: Collection[str]) -> str:
    """A word that was divided at the end of a line, unless the hyphen is its own: each of its parts
    may be a word, as others of the file tell."""
    first, rest, marks, behind = word.groups()
    parts, whole = {first.lower(), rest.lower()}, f"{first}{rest}".lower()
    kept = _KEPT.match(first.lower()) or _KEPT_BEHIND.match(rest) or not parts.isdisjoint(words)
    if kept and whole not in words:
        return str(word[0])
    return f"{first}{rest}{marks}" + (f"\n{behind}" if behind else "")


def _broken(breaks: regex.Match[str]) -> str:
    """A line break, but none that makes times of text, or the header of a file."""
    before, behind = breaks.string[: breaks.start()], breaks.string[breaks.end() :]
    line = before.rpartition("\n")[2] + behind.partition("\n")[0]
    if regex.search(r"\d\s?:.*(?:>|&gt;|[→⟶➜⇒])|WEBVTT", line):
        return str(breaks[0])
    return "\n" if before and behind else ""


def _paired(tag: regex.Match[str]) -> str:
    """An escaped tag, if another one ends or begins what it does; else it is text."""
    mark, whole, name = tag.groups()
    other = rf"&lt;\s*{'' if mark else '/'}\s*{name}\b"
    return f"<{mark}{whole}>" if regex.search(other, tag.string, regex.I) else str(tag[0])


_TAG = r"(?i:(?:i|b|u|font)\b)"
_IN_PATH = r"(?<!\b\p{L}:\\?\S*)"
_MENDS: tuple[tuple[str, str, str | Callable[[regex.Match[str]], str]], ...] = (
    ("line breaks of ASS (\\N); read as such", rf"\s*(?:{_IN_PATH}\\N\s*)+", _broken),
    ("spaces of ASS (\\h); read as such", rf"(?:{_IN_PATH}\\h)+", " "),
    ("tags with spaces in them; read as tags", rf"< +({_TAG}) *>", r"<\1>"),
    ("tags with spaces in them; read as tags", rf"<(?: +/ *| */ +)({_TAG}) *>", r"</\1>"),
    ("tags in curly brackets; read as tags", r"\{(/?[ibu])\}", r"<\1>"),
    (
        "entities that were escaped twice; read once",
        r"&(?:amp;)+(?=(?:#\d{2,5}|amp|lt|gt|quot|apos|nbsp);)",
        "&",
    ),
    (
        "tags that were escaped; read as tags",
        rf"&lt;\s*(/?)\s*(({_TAG})(?:\s+\w+\s*=(?:(?!&gt;)[^<>\n])*)?)\s*&gt;",
        _paired,
    ),
    (
        "J' for a note, as text recognition writes it; read as ♪",
        r"^J['’] ([^♪]+?) J['’]$",
        r"♪ \1 ♪",
    ),
)
"""What is told, and what is put in whose place."""
_ENGLISH = (
    (
        "l or | for I, as text recognition writes it; read as I",
        r"(?<![\w'’&]|\d )(?:(?P<it>(?<=[\p{Ll},] )l(?=[tsnf](?:['’]|\b)))|l|\|(?=['’tfsn])"
        r"|(?:^|(?<=[.!?…] ))\|(?= ))"
        r"(?=(?:['’](?:m|ll|ve|d|re)|[tfsn](?:['’][sd])?)?(?![\w'’|]))",
        lambda one: "i" if one["it"] else "I",
    ),
    (
        "spaces beside marks, as text recognition writes them; taken out",
        r"(?<=\p{L}) (?=(?:[,.]|[!?]+)(?:[\s\"”-]|$))"
        r"|(?<=\d) (?=[,.] \d)|(?<=\d [,.]) (?=\d)|(?<=^\") (?=[^\"]+\"$)|(?<=^\"[^\"]+) (?=\"$)",
        "",
    ),
)


def mend_texts(
    cues: Sequence[Cue], language: str | None, below: int = 1
) -> tuple[list[Cue], list[Repair]]:
    """Read leftovers of other formats and programs in cues as what they were.

    Args:
        cues: Cues of subtitles.
        language: Their tag, where known: what text recognition confuses differs by language.
        below: How many lines below its times the text of a cue stands.

    Returns:
        The cues, and what was mended with its line.
    """
    words = {one.lower() for cue in cues for one in _WORD.findall(cue.text)}
    divided = ("words divided at the ends of lines; joined", _HYPHENED.pattern)
    mends = (*_MENDS, (*divided, partial(_joined, words=words)))
    mends += _ENGLISH if (language or "").lower().startswith("en") else ()
    mended, told = [], []
    for cue in cues:
        text = cue.text
        for problem, pattern, mend in mends:
            if (new := regex.sub(pattern, mend, text)) != text:
                text = new
                told.append(Repair(cue.line + below, problem))
        mended.append(cue if text == cue.text else replace(cue, text=text))
    return mended, told


def fold_repairs(repairs: Sequence[Repair]) -> tuple[Repair, ...]:
    """Sort repairs by line, and fold a problem that many lines share into one repair.

    A file without any cue numbers would otherwise warn a thousand times of the same thing.
    """
    alike: dict[tuple[bool, str], list[Repair]] = {}
    for repair in sorted(repairs, key=lambda repair: repair.line):
        alone = isinstance(repair, Unread) or repair.problem.startswith(UNREADABLE)
        kind = repair.problem if alone else repair.problem.partition(": ")[0]
        alike.setdefault((alone, kind), []).append(repair)
    folded: list[Repair] = []
    for (alone, _), group in alike.items():
        if len(group) > _FOLD_ABOVE and not alone:
            rest = f"and on {len(group) - 1} more lines, to line {group[-1].line}"
            group = [Repair(group[0].line, f"{group[0].problem} ({rest})")]
        folded += group
    return tuple(sorted(folded, key=lambda repair: repair.line))


def quoted(line: str, limit: int = 40) -> str:
    """Return a line for use in a message: printable, stripped, at most ``limit`` characters."""
    text = " ".join(line.split())
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
    return f"“{text[: limit - 1]}…”" if len(text) > limit else f"“{text}”"
