"""Entities in payloads: ``&quot;`` and ``&#39;`` read as the characters they stand for.

WebVTT has them by its specification. SubRip has no such rule, but its files are full of them, as
left behind by web pages and converters. A ``&`` is a plain character there (``Q&A``, ``AT&T;``), so
only what ends in a semicolon and is known to HTML counts. What is written has the characters, as
players show them, but where these would be read as an entity once more.
"""

from __future__ import annotations

import html
import re
from html.entities import html5

from subfit.subtitles.cues import FormatName

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def decoded(text: str, format: FormatName) -> str:
    """Return text of a payload, between its tags, with its entities as characters.

    Args:
        text: As the payload has it.
        format: The format of the file. Only WebVTT and SubRip have entities.
    """
    if format == "vtt":
        return html.unescape(text)
    return _ENTITY.sub(_character, text) if format == "srt" else text


def encoded(text: str, format: FormatName) -> str:
    """Return text with entities for what is no plain character in a payload; undone by `decoded`.

    Args:
        text: Plain text.
        format: The format to write. In SubRip only a ``&`` is concerned that begins an entity.
    """
    if format == "srt":
        return _ENTITY.sub(_guarded, text)
    if format != "vtt":
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\u200e", "&lrm;").replace("\u200f", "&rlm;")


def _character(entity: re.Match[str]) -> str:
    return html.unescape(entity[0]) if _is_known(entity[0]) else entity[0]


def _guarded(entity: re.Match[str]) -> str:
    return entity[0].replace("&", "&amp;", 1) if _is_known(entity[0]) else entity[0]


def _is_known(entity: str) -> bool:
    return entity[1] == "#" or entity[1:] in html5
