"""What a language's typesetters expect and models get wrong: spaces, marks, quotes, apostrophes.

Models read and write plain spaces only. French has a no-break space before ``? ! : ;`` and within
``« »``; no other language has one before any of these; Spanish opens questions and exclamations,
always, and nobody else does. Other repairs that make a text longer are made only where there is
room for them, so that none puts a text over its budget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

from subfit.text.cleaning.marks import with_both_marks
from subfit.text.languages import closest_language

NO_BREAK_SPACE = "\u00a0"
"""Of all players and legacy encodings; many fonts and cp1252 lack the narrow one, U+202F."""


@dataclass(frozen=True, slots=True)
class Style:
    """Which of several equal characters the source's author prefers."""

    apostrophe: str = "'"
    ellipsis: str | None = None
    """``...`` or ``…``; None if there is neither."""
    straight_quotes: bool = False
    """Whether quotations are in ``"`` only."""
    curly_quotes: bool = False
    """Whether some are in other marks."""


_Rule = tuple[regex.Pattern[str], str]


def _rules(*rules: tuple[str, str]) -> tuple[_Rule, ...]:
    return tuple((regex.compile(pattern), new) for pattern, new in rules)


_AT_END = r"(?![\p{L}\p{N}])"
_CLOSERS = r"[\"'”’»)\]]*"
_NO_SPACE_BEFORE = (rf"(?<=\S) (?=[?!]{_AT_END})", "")
_NO_SPACE_BEFORE_COLON = (r"(?<=[\p{L}\p{N}\"”“»)]) (?=[:;](?:\s(?!\d)|$))", "")
_SPACED = (rf" (?=[:;%?!»]{_AT_END})", NO_BREAK_SPACE)
_THOUSANDS = (r"(?<=\d) (?=\d{3}(?!\d))", NO_BREAK_SPACE)
_INSIDE_QUOTES = (r"« ", f"«{NO_BREAK_SPACE}")

# Canadian French has no space before ? ! and ; but keeps the others.
_EQUAL: dict[str, tuple[_Rule, ...]] = {
    "de": _rules(_NO_SPACE_BEFORE, _NO_SPACE_BEFORE_COLON),
    "en": _rules(
        (rf"(?<=\S)[ \u00a0](?=[?!:;]+{_CLOSERS}(?:\s|$))", ""),
        (rf"(?<=\d)[ \u00a0](?=%{_AT_END})", ""),
        (r"[¿¡]", ""),
    ),
    "es": _rules(_NO_SPACE_BEFORE, _NO_SPACE_BEFORE_COLON, (r"(?<=[¿¡]) ", "")),
    "fr": _rules(_SPACED, _THOUSANDS, _INSIDE_QUOTES),
    "fr-CA": _rules((rf"(?<=\S) (?=[?!;]{_AT_END})", ""), _SPACED, _THOUSANDS, _INSIDE_QUOTES),
    "it": _rules(_NO_SPACE_BEFORE, _NO_SPACE_BEFORE_COLON),
}
"""Repairs after which a text is no longer than before."""

_LACKING = (
    (r"(?<=\p{L})(?=:(?: |$))", NO_BREAK_SPACE),
    (rf"(?<=\d)(?=%{_AT_END})", NO_BREAK_SPACE),
)
_LONGER: dict[str, tuple[_Rule, ...]] = {
    "fr": _rules((rf"(?<=[\p{{L}}\p{{N}}.…])(?=[?!]+{_AT_END})", NO_BREAK_SPACE), *_LACKING),
    "fr-CA": _rules(*_LACKING),
}
"""Repairs that add characters."""

_CONTINUING = ",; "
"""No text of a subtitle begins with these."""
_STRAY_COMMA = regex.compile(r"\s+,(?=\s|$)")
_COMMA_BEFORE_MARK = regex.compile(r",(?=[?!;:]|\.(?!\.))")  # not one before dots: "Well,..."
_DOTS = regex.compile(r"(?<!\.)\.\.\.(?!\.)")
_WITHIN_WORD = regex.compile(r"(?<=\p{L})['’](?=\p{L})")
_AFTER_LETTER = regex.compile(r"(?<=\p{L})['’]")
_SINGLE_QUOTE = regex.compile(r"(?<!\p{L})['‘](?=\S)")
# German quotes »so«: a space behind « or before » is within the quotation in French only.
_QUOTES = regex.compile(rf"(?<![^\s(\[])«[ \u00a0]|[ \u00a0]»{_AT_END}|[«»“”„]")
_QUOTED = {
    "de": ("„", "“"),
    "de-CH": ("«", "»"),
    "en": ("“", "”"),
    "es": ("“", "”"),
    "fr": ("“", "”"),
    "it": ("“", "”"),
}
"""How a quotation begins and ends; French has guillemets where there is room for their spaces."""
_QUOTE_BEGINS = regex.compile(r"(?<![^\s(\[¿¡—–-])\"(?=\S)")


def style_of(texts: Iterable[str]) -> Style:
    """Return the style of a source: of most of its apostrophes and dots, and of all its quotes."""
    text = "\n".join(texts)
    apostrophes = _WITHIN_WORD.findall(text)
    curly = apostrophes.count("’") > apostrophes.count("'")
    dots, ellipses = len(_DOTS.findall(text)), text.count("…")
    return Style(
        apostrophe="’" if curly else "'",
        ellipsis=None if dots == ellipses else "…" if ellipses > dots else "...",
        straight_quotes='"' in text and not _QUOTES.search(text),
        curly_quotes=bool(_QUOTES.search(text)),
    )


def typeset(text: str, language: str, style: Style) -> str:
    """Set a translation as its language asks for, with nothing more than Spanish marks it lacks.

    No text begins with a comma or has one before another mark, and in Spanish every question and
    exclamation is opened and closed.

    Args:
        text: One line of plain text with plain spaces.
        language: Its language tag.
        style: The source's, which quotes, apostrophes and ellipses follow.

    Returns:
        The text, unchanged for languages without rules here.
    """
    text = _COMMA_BEFORE_MARK.sub("", _STRAY_COMMA.sub(",", text.lstrip(_CONTINUING)))
    if closest_language(language, _EQUAL) is None:
        return text
    text = with_both_marks(text, language)
    if style.straight_quotes or style.curly_quotes:
        text = _QUOTES.sub('"', text)
    if style.curly_quotes:
        begins, ends = _QUOTED[closest_language(language, _QUOTED) or "es"]
        text = _QUOTE_BEGINS.sub(begins, text).replace('"', ends)
    if style.ellipsis == "…":
        text = _DOTS.sub("…", text)
    apostrophes = _WITHIN_WORD if _SINGLE_QUOTE.search(text) else _AFTER_LETTER
    text = apostrophes.sub(style.apostrophe, text)
    return _apply(_EQUAL, language, text)


def complete(text: str, language: str, style: Style) -> str:
    """Add the characters that a language or its source's style asks for and a translation lacks.

    Args:
        text: One line of plain text, from `typeset`.
        language: Its language tag.
        style: The source's.

    Returns:
        The text, unchanged for languages without rules here.
    """
    if style.ellipsis == "..." and closest_language(language, _EQUAL) is not None:
        text = text.replace("…", "...")
    if style.curly_quotes and closest_language(language, _QUOTED) == "fr":
        text = text.replace("“", f"«{NO_BREAK_SPACE}").replace("”", f"{NO_BREAK_SPACE}»")
    return _apply(_LONGER, language, text)


def _apply(rules: dict[str, tuple[_Rule, ...]], language: str, text: str) -> str:
    for pattern, new in rules.get(closest_language(language, rules) or "", ()):
        text = pattern.sub(new, text)
    return text
