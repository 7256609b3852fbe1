"""The name of a translation: ``movie.en.srt`` becomes ``movie.de.srt``."""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from subfit.text.languages import primary_language

_FLAGS = {"sdh", "cc", "forced", "default"}
"""What players read after the language; ``hi`` is not among them: it is Hindi."""


_LOWER = re.compile(r"[a-z]{2,3}([-_]\w+)*")
"""A tag as it stands in names; ``Kill.It.srt`` is a film."""


def named_language(path: PurePath) -> str | None:
    """Return the language that a file's name says before its suffix, ``de`` for ``movie.de.srt``.

    Returns:
        The tag, or None where the name says none.
    """
    parts = path.stem.split(".")
    while len(parts) > 1 and parts[-1].lower() in _FLAGS:
        parts.pop()
    tag = parts[-1]
    return tag if len(parts) > 1 and _LOWER.fullmatch(tag) and primary_language(tag) else None


def marked_path(source: Path, mark: str) -> Path:
    """Return the name of another version of a file, beside it, in the same language.

    The mark stands before the language, which players look for last: ``movie.en.sdh.srt`` becomes
    ``movie.condensed.en.sdh.srt``.
    """
    parts = source.stem.split(".")
    at = len(parts)
    while at > 1 and parts[at - 1].lower() in _FLAGS:
        at -= 1
    at -= named_language(source) is not None
    return source.with_name(".".join([*parts[:at], mark, *parts[at:]]) + source.suffix)


def output_path(source: Path, target_language: str, source_language: str | None = None) -> Path:
    """Return the name of the translation of a file, beside it.

    A language before the suffix is replaced: the source language if it is given, else whatever
    looks like a language. What players read after the language stays: ``movie.en.sdh.srt``
    becomes ``movie.de.sdh.srt``.
    """
    parts = source.stem.split(".")
    flags: list[str] = []
    while len(parts) > 1 and parts[-1].lower() in _FLAGS:
        flags.insert(0, parts.pop())
    language = primary_language(parts[-1])
    wanted = primary_language(source_language) if source_language else None
    if len(parts) == 1:
        # "en.srt" in a folder of languages is English; "it.srt" alone may be a film of that name.
        replace = language is not None and language == wanted
    else:
        replace = language is not None and wanted in (None, language)
    kept = parts[:-1] if replace else parts
    return source.with_name(".".join([*kept, target_language, *flags]) + source.suffix)
