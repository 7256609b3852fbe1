"""How text is set: what of it can be mended without judgement, each rule a function of a payload.

Tags are out of the way: each is one private character while rules look at the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

import regex

from subfit.limits.guideline import Style
from subfit.subtitles.cues import FORMATS, FormatName
from subfit.subtitles.markup.tags import decoded, encoded, tag_tokens
from subfit.text.languages import primary_language

Mend = Callable[[str, Style, str], str]
"""Takes a text with tags as private characters, the style, and the language's tag."""

_FIRST_TAG = 0xF0000
_T = "[\U000f0000-\U000ffffd]*"
_I_OPEN, _I_CLOSE = regex.compile(r"<i\b[^<>]*>", regex.I), regex.compile(r"</i\s*>", regex.I)
_STYLED = regex.compile(r"</?(?:i|b|u|s|em|strong|font|strike)\b[^<>]*>", regex.I)

_ALIKE = {
    **dict.fromkeys("\u2010\u2011\u2012", "-"),
    **dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""),
    "\u2015": "—",
    "\u02bc": "’",
    "\u2028": "\n",
    "\t": " ",
}
_LIGATURES = regex.compile("[\ufb00-\ufb06]")
_ACUTE = regex.compile(r"(?<=\p{L})[´`](?=\p{L})")
_TURN = regex.compile(rf"(?m)^({_T})[-–—]({_T})[ \u00a0]*(?=[^\s\d–—-])")
_SENTENCE_END = regex.compile(rf"[.!?…\"”»)\]♪]{_T}$")
_QUOTE = regex.compile(r"(?<!\d)[\"“”„‟«»]")
_SOUND = regex.compile(rf"(?m)^({_T}(?:[-–] ?)?{_T})[(\[]([^()\[\]]+)[)\]]({_T})$")


def masked(payload: str, format: FormatName) -> tuple[str, list[str]]:
    """Return a payload's text with a private character for each tag, and the tags."""
    parts: list[str] = []
    tags: list[str] = []
    for token in tag_tokens(payload, format):
        if isinstance(token, str):
            parts.append(decoded(token, format))
        else:
            parts.append(chr(_FIRST_TAG + len(tags)))
            tags.append(token[0])
    return "".join(parts), tags


def mended(payload: str, format: FormatName, rule: str, style: Style, language: str) -> str:
    """Return a payload as a rule of `MENDS` wants it; unchanged where that is so already."""
    if rule == "italics":
        return _italics(payload, style) if FORMATS[format].markup in ("srt", "vtt") else payload
    text, tags = masked(payload, format)
    new = MENDS[rule](text, style, language)
    if new == text:
        return payload
    parts = regex.split("([\U000f0000-\U000ffffd])", new)
    return "".join(
        tags[ord(part) - _FIRST_TAG] if at % 2 else encoded(part, format)
        for at, part in enumerate(parts)
    )


def _spaces(text: str, style: Style, language: str) -> str:
    if not style.spaces:
        return text
    text = regex.sub(rf" (?=({_T}) )", "", text)
    text = regex.sub(" {2,}", " ", text)
    text = regex.sub(rf"(?m)^({_T}) +| +({_T})$", r"\1\2", text)
    marks = "[.,]" if primary_language(language) == "fr" else "[.,!?;:]"
    text = regex.sub(
        rf"(?<=[\p{{L}}\p{{N}}]) +(?={marks}(?:[\s\"']|{_T}$|[\U000f0000-\U000ffffd]))", "", text
    )
    return str(regex.sub(r"\n{2,}", "\n", text))


def _glyphs(text: str, style: Style, language: str) -> str:
    if not style.glyphs:
        return text
    text = unicodedata.normalize("NFC", text)
    text = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return str(_ACUTE.sub("'", "".join(_ALIKE.get(char, char) for char in text)))


def _ellipsis(text: str, style: Style, language: str) -> str:
    if style.ellipsis is None:
        return text
    text = regex.sub(r"\.{3,}|(?<=\p{L} ?)\. \. \.", "…", text)
    text = regex.sub(r"…\.+|…{2,}", "…", text)
    return text if style.ellipsis == "…" else text.replace("…", style.ellipsis)


def _dashes(text: str, style: Style, language: str) -> str:
    lines = text.split("\n")
    if style.dash is None or len(lines) < 2:
        return text
    turns = [bool(_TURN.match(line)) for line in lines]
    if not any(turns[1:]):
        return text
    for at, line in enumerate(lines):
        wanted = style.dash if at or style.dashed == "both" else ""
        if turns[at]:
            lines[at] = _TURN.sub(rf"\1{wanted}\2", line)
        elif at == 0 and wanted and _SENTENCE_END.search(line) and len(lines) == 2:
            lines[at] = regex.sub(rf"^({_T})", rf"\1{wanted}", line)
    return "\n".join(lines)


def _quotes(text: str, style: Style, language: str) -> str:
    found = _QUOTE.findall(text)
    if style.quotes in (None, "any") or len(found) % 2:
        return text
    assert style.quotes is not None
    pair = (style.quotes * 2)[0], style.quotes[-1]
    places = iter(range(len(found)))
    return str(_QUOTE.sub(lambda _: pair[next(places) % 2], text))


def _brackets(text: str, style: Style, language: str) -> str:
    if style.brackets in (None, "any"):
        return text
    left, right = tuple(str(style.brackets))
    return str(_SOUND.sub(lambda found: f"{found[1]}{left}{found[2]}{right}{found[3]}", text))


def _italics(payload: str, style: Style) -> str:
    """Leave out empty italics and close open ones; leave out all where there may be none."""
    if style.italics is None:
        return payload
    if style.italics == "none":
        return str(_I_CLOSE.sub("", _I_OPEN.sub("", payload)))
    payload = regex.sub(r"<(/?)em>", r"<\1i>", payload, flags=regex.I)
    payload = regex.sub(r"<i>(\s*)</i>|</i>([ \n]?)<i>", r"\1\2", payload, flags=regex.I)
    parts, depth, at = list[str](), 0, 0
    for tag in regex.finditer(rf"{_I_OPEN.pattern}|{_I_CLOSE.pattern}", payload, regex.I):
        closes = tag[0].startswith("</")
        parts += [payload[at : tag.start()], "" if closes and not depth else tag[0]]
        depth, at = max(depth + (-1 if closes else 1), 0), tag.end()
    return "".join([*parts, payload[at:], "</i>" * depth])


def markup_beside_italics(payload: str) -> Iterator[str]:
    """Yield the tags of a payload that are no italics, each once."""
    tags = [tag for tag in _STYLED.findall(payload) if not tag.startswith("</")]
    yield from dict.fromkeys(tag for tag in tags if not regex.match("<(?:i|em)\\b", tag, regex.I))


MENDS: dict[str, Mend] = {
    "glyphs": _glyphs,
    "spaces": _spaces,
    "ellipsis": _ellipsis,
    "dashes": _dashes,
    "quotes": _quotes,
    "brackets": _brackets,
    "italics": lambda text, style, language: text,  # is about tags: see `mended`
}
"""In the order in which they are applied."""
WRONG = {
    "glyphs": "characters that are another's double, or not seen",
    "spaces": "a space too many",
    "ellipsis": "an ellipsis that is not {style.ellipsis}",
    "dashes": "turns of two speakers that do not open with {style.dash!r} ({style.dashed})",
    "quotes": "quotation marks that are not {style.quotes}",
    "brackets": "a sound that is not in {style.brackets}",
    "italics": "italics that are empty, open or not wanted",
}
"""What is wrong where a rule would change a text."""
