"""Both languages in every cue, each on lines of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from subfit.errors import UsageError
from subfit.subtitles.cues import FORMATS, FormatName, Track
from subfit.subtitles.markup.payload import plain_text

Bilingual = Literal["source-first", "target-first"]
"""Which language stands above the other."""

_OVERRIDES = re.compile(r"(?:\s*\{\\[^{}]*\})+\s*")
_STYLE = re.compile(r"\\([ibus])([01])(?=[\\}])")
"""What an override says of the words behind it: italics and the like, on or off."""
_TIMESTAMP = re.compile(r"<\d+(?::\d\d)+\.\d{3}>")
_OPENING = re.compile(r"<([A-Za-z]+)[^<>/]*>")


def bilingual_track(source: Track, target: Track, order: Bilingual) -> Track:
    """Return a translated track with the source in its cues as well.

    A cue whose translation reads as its source stands there once. Markup stays that of each
    language, but what can stand in a cue only once stays with the upper one: positions
    (``{\\an8}``), inline timestamps, and markup that is not closed.

    """
    texts = []
    for old, new in zip(source.cues, target.cues, strict=True):
        pair = (old.text, new.text) if order == "source-first" else (new.text, old.text)
        same = _words(old.text, source.format) == _words(new.text, source.format)
        texts.append(new.text if same else _stacked(*pair, source.format))
    return target.with_texts(texts)


def check_bilingual(formats: Iterable[FormatName]) -> None:
    """Check that both languages have room in a cue.

    Raises:
        UsageError: One has a line, or a row, for every sentence.
    """
    if not all(FORMATS[format].timed for format in formats):
        raise UsageError("--bilingual is for subtitles, .srt or .vtt")


def _words(payload: str, format: FormatName) -> list[str]:
    return plain_text(payload, format).split()


def _stacked(upper: str, lower: str, format: FormatName) -> str:
    """Two payloads in one, neither with blank lines."""
    if FORMATS[format].markup == "srt":
        lead = _OVERRIDES.match(lower)
        lower = _styles(lead[0], upper) + lower[lead.end() :] if lead else lower
    if FORMATS[format].markup == "vtt":
        lower = _TIMESTAMP.sub("", lower)
    opening = _OPENING.match(upper)
    if opening and f"</{opening[1]}" not in upper:
        lower = lower.removeprefix(opening[0])  # still open
    lines = [line for payload in (upper, lower) for line in payload.split("\n") if line.strip()]
    return "\n".join(lines)


def _styles(overrides: str, before: str) -> str:
    """What overrides say of the words behind them, but for what is still on from those before."""
    on = {name for name, value in _STYLE.findall(before) if value == "1"}
    on -= {name for name in on if before.rfind(f"\\{name}0") > before.rfind(f"\\{name}1")}
    styles = _STYLE.findall(overrides)
    return "".join(
        f"{{\\{name}{value}}}" for name, value in styles if value == "0" or name not in on
    )
