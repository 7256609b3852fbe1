"""What a language's typesetters expect and models get wrong: spaces, marks, quotes, apostrophes.

Models read and write plain spaces only. French has a no-break space before ``? ! : ;`` and within
``« »``; no other language has one before any of these; Spanish opens questions and exclamations,
always, and nobody else does. Other repairs that make a text longer are made only where there is
room for them, so that none puts a text over its budget.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial

import regex

from subfit.text.languages import closest_language
from subfit.text.linebreak_lists import packaged
from subfit.text.sentence_ends import sentence_places

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


_tables = partial(packaged, "subfit.text", "typography.yaml")
_CONTINUING = ",; "
"""No text of a subtitle begins with these."""
_STRAY_COMMA = regex.compile(r"\s+,(?=\s|$)")
_COMMA_BEFORE_MARK = regex.compile(r",(?=[?!;:]|\.(?!\.))")  # not one before dots: "Well,..."
_DOTS = regex.compile(r"(?<!\.)\.\.\.(?!\.)")
_WITHIN_WORD = regex.compile(r"(?<=\p{L})['’](?=\p{L})")
_AFTER_LETTER = regex.compile(r"(?<=\p{L})['’]")
_SINGLE_QUOTE = regex.compile(r"(?<!\p{L})['‘](?=\S)")
# German quotes »so«: a space behind « or before » is within the quotation in French only.
_QUOTES = regex.compile(r"(?<![^\s(\[])«[ \u00a0]|[ \u00a0]»(?![\p{L}\p{N}])|[«»“”„]")
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
    if closest_language(language, _tables()["equal"]) is None:
        return text
    text = with_both_marks(text, language)
    if style.straight_quotes or style.curly_quotes:
        quoted = _tables()["quoted"]
        marks = quoted[closest_language(language, quoted) or "es"]
        text = _quoted(_QUOTES.sub('"', text), marks if style.curly_quotes else "\"\"''")
    if style.ellipsis == "…":
        text = _DOTS.sub("…", text)
    apostrophes = _WITHIN_WORD if _SINGLE_QUOTE.search(text) else _AFTER_LETTER
    text = apostrophes.sub(style.apostrophe, text)
    return _apply("equal", language, text)


def _quoted(text: str, marks: str) -> str:
    """A text with marks for its quotations, those within others in marks of their own."""
    places = [match.start() for match in regex.finditer('"', text)]
    begin = {match.start() for match in _QUOTE_BEGINS.finditer(text)}
    whole, depth, made = 2 * len(begin) == len(places), 0, list(text)
    for at in places:
        inner = whole and depth > (at not in begin)
        made[at] = marks[2 * inner + (at not in begin)]
        depth += 1 if at in begin else -1
    return "".join(made)


def complete(text: str, language: str, style: Style) -> str:
    """Add the characters that a language or its source's style asks for and a translation lacks.

    Args:
        text: One line of plain text, from `typeset`.
        language: Its language tag.
        style: The source's.

    Returns:
        The text, unchanged for languages without rules here.
    """
    if style.ellipsis == "..." and closest_language(language, _tables()["equal"]) is not None:
        text = text.replace("…", "...")
    if style.curly_quotes and closest_language(language, ("fr",)):
        text = text.replace("“", f"«{NO_BREAK_SPACE}").replace("”", f"{NO_BREAK_SPACE}»")
    return _apply("longer", language, text)


_KEPT = regex.compile(r"(\{[^{}]*\}|\w+\([^()]*\)|<[^<>]*>|\[[^\[\]]*\])")
"""Code and labels, which no typesetter touches."""


def _apply(kind: str, language: str, text: str) -> str:
    parts = _KEPT.split(text)
    for pattern, new in _rules(kind, language):
        parts[::2] = [pattern.sub(new, part) for part in parts[::2]]
    return "".join(parts)


@cache
def _rules(kind: str, language: str) -> list[tuple[regex.Pattern[str], str]]:
    table = _tables()[kind]
    rules = table.get(closest_language(language, table), {})
    return [
        (
            regex.compile(old.replace("<end>", r"(?![\p{L}\p{N}])").replace("~", NO_BREAK_SPACE)),
            new.replace("~", NO_BREAK_SPACE),
        )
        for old, new in rules.items()
    ]


_ASIDE = regex.compile(
    rf"{_KEPT.pattern}|(?|[\"“”„](?<inside>[^\"“”„]*)[\"“”„]|«(?<inside>[^«»]*)»"
    r"|\((?<inside>[^()]*)\))"
)
_INSIDE = r"(?![\p{L}\p{N}/=&_])"
"""Behind a mark that ends something, as none in an address does."""
_SAID = regex.compile(
    rf"(?:[^?!]|[?!](?!{_INSIDE}|[?!]))*[?!]+{_INSIDE}[\"'”’»)\]]*(?:\.{{2,}}|…)?|.+"
)
_ASKING = regex.compile(
    r"(?:(?:a|de|en|con|para|por|desde|hasta|hacia|sobre) )?"
    r"(?:qué|quién(?:es)?|cuál(?:es)?|cómo|a?dónde|cuándo|cuánt[oa]s?)\b",
    regex.I,
)
_GOES_ON = regex.compile(r"\W*\p{Ll}")
_CALLED = regex.compile(r"\p{Lu}\w*, ")
_TAG = regex.compile(
    r"(?<=, )(?:no|verdad|cierto|eh|vale|sí|de acuerdo|no es así|no crees|de verdad)$", regex.I
)
_INVERTED, _UPRIGHT = str.maketrans("?!", "¿¡"), str.maketrans("¿¡", "?!")


def with_both_marks(text: str, language: str) -> str:
    """Return a text whose Spanish questions and exclamations are opened as they are closed.

    Args:
        text: One line of plain text.
        language: Its language tag; others come back as they are.
    """
    if closest_language(language, ("es",)) is None or not regex.search(r"[?!¿¡]", text):
        return text
    kept = list[str]()

    def aside(match: regex.Match[str]) -> str:  # what is quoted has marks of its own
        inside = match["inside"]
        if inside is not None and not regex.search("[?!]", inside):
            return str(match[0])
        said = inside and with_both_marks(inside, language)
        kept.append(match[0].replace(inside, said) if inside else match[0])
        return "\ufffc"

    text, parts, at = _ASIDE.sub(aside, text), [], 0
    for start, end in sentence_places(text, "es"):
        said = enumerate(_SAID.findall(text, start, end))
        parts += [text[at:start], *(_balanced(one, first=start + n == 0) for n, one in said)]
        at = end
    back = iter(kept)
    return str(regex.sub("\ufffc", lambda _: next(back), "".join([*parts, text[at:]])))


def _balanced(sentence: str, *, first: bool) -> str:
    """A sentence opened once and as it is closed; the first may go on from an earlier cue."""
    sentence = str(regex.sub(r"[¿¡]+(?=[^¿¡]+[¿¡])", "", sentence))
    closing = regex.search(r"[?!]+(?=[\"'”’»)\].…]*$)", sentence)
    opening = regex.search(r"[¿¡]+", sentence)
    if closing is None:
        return sentence if opening is None else _closed(sentence, opening)
    wanted: str = closing[0][::-1].translate(_INVERTED)
    if opening is None:
        if first and _GOES_ON.match(sentence) and not _ASKING.match(sentence.lstrip()):
            return sentence
        at = _opened_at(sentence[: closing.start()], asked="?" in closing[0])
        return sentence[:at] + wanted + sentence[at:]
    alike = sorted(opening[0]) == sorted(wanted)
    return sentence if alike else sentence.replace(str(opening[0]), wanted, 1)


def _closed(sentence: str, opening: regex.Match[str]) -> str:
    """A sentence that was opened, closed where it asks with a word for that, else not opened."""
    if "¿" not in opening[0] or not _ASKING.match(sentence, opening.end()):
        return sentence.translate(str.maketrans("", "", "¿¡"))
    mark = opening[0][::-1].translate(_UPRIGHT)
    return str(regex.sub(r"\.?(?=(?:\.{2,}|…)?[\"'”’»)\] ]*$)", mark, sentence, count=1))


def _opened_at(words: str, *, asked: bool) -> int:
    """Where the question or exclamation begins within its sentence."""
    dots = max(words.rfind("... "), words.rfind("… "))
    begin = len(words) - len(words[max(dots, 0) :].lstrip(" \"'“‘«(—–-♪.…"))
    tag = _TAG.search(words)
    if tag:
        return int(tag.start())
    comma = max(words.rfind(", "), words.rfind(": "))
    if comma >= 0 and _ASKING.match(words, comma + 2):
        return comma + 2
    called = _CALLED.match(words, begin)
    if asked and called:  # Ana, ¿vienes?
        return int(called.end())
    return begin
