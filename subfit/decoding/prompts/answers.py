"""What of an answer in a conversation is the translation: chatter, quotes and fences are not."""

from __future__ import annotations

import regex

from subfit.text.counting import count_characters

LONGEST = 4.0
"""An answer is no translation if it has more than this many times the source's characters, beside
`SPARE`."""
SPARE = 40

_THOUGHT = regex.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", regex.DOTALL | regex.I)
_FENCE = regex.compile(r"```[\w-]*[ \t]*\n?(.*?)(?:```|\Z)", regex.DOTALL)
# "Sure, here is the translation:", "Here's a shorter version:", "Translation:", "German:"
_OPENER = regex.compile(
    r"(?:sure|certainly|of course|okay|ok|here(?:[’']s| is| are)|the translation|translation"
    r"|translated (?:text|subtitle)|subtitle|shorter version|answer|output)\b[^\n:]{0,80}:",
    regex.I,
)
_ASIDE = regex.compile(
    r"\(?(?:note|explanation|notes|comment|literally|alternativ\w+)\b.*", regex.I
)
_LIST_MARK = regex.compile(r"(?:[-*•]|\d{1,2}[.)])[ \t]+")
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "「": "」", "'": "'"}
_BOLD = regex.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


def translation_in(answer: str, source: str, language: str = "") -> str | None:
    """Return the translation in an answer.

    Args:
        answer: What the model said.
        source: The one line that it was asked to translate.
        language: English name of the language of the translation, as a label may have it.

    Returns:
        One line; None if the answer has no words, or far too many to be a translation.
    """
    text = _THOUGHT.sub("", answer).replace("\r\n", "\n").strip()
    if fenced := _FENCE.search(text):
        text = fenced[1].strip() or _FENCE.sub("", text).strip()
    text = _without_label(text, source, language)
    lines = _first_paragraph(text)
    line = " ".join(_without_mark(line, source) for line in lines)
    line = _unquoted(_BOLD.sub(r"\2", " ".join(line.split())), source)
    if any(map(str.isalnum, source)) and not any(map(str.isalnum, line)):
        return None
    if line.endswith(":") and not source.rstrip().endswith(":"):  # "Here it is:", and no more
        return None
    if not line or count_characters(line) > LONGEST * count_characters(source) + SPARE:
        return None
    return line


def _without_label(text: str, source: str, language: str) -> str:
    """The text behind "Sure, here is the translation:", unless the source has such words too."""
    labels = [_OPENER]
    if language:
        labels.append(regex.compile(rf"{regex.escape(language)}(?: translation)?:", regex.I))
    for label in labels:
        if opener := label.match(text):
            rest = text[opener.end() :]
            if rest.strip() and (":" not in source or rest.lstrip(" ").startswith("\n")):
                text = rest.strip()
    return text


def _first_paragraph(text: str) -> list[str]:
    """The lines before an empty one or a note; a translation may be broken into lines."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and (not line.strip() or _ASIDE.match(line.strip())):
            break
        if line.strip():
            lines.append(line.strip())
    return lines


def _without_mark(line: str, source: str) -> str:
    """A line without the mark of a list, if its source has none."""
    return line if _LIST_MARK.match(source) else _LIST_MARK.sub("", line, count=1)


def _unquoted(line: str, source: str) -> str:
    """A line without quotation marks around all of it, if its source has none."""
    closing = _QUOTES.get(line[:1])
    whole = closing is not None and line[-1] in closing and line[1:-1].strip()
    if closing is None or not whole or source[:1] in _QUOTES:
        return line
    inner = line[1:-1]
    return line if set(inner) & {line[0], *closing} and line[0] != "'" else inner.strip()
