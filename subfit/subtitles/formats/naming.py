"""The name of a translation: ``movie.en.srt`` becomes ``movie.de.srt``.

Players and those who fetch subtitles (Bazarr, Plex, Jellyfin, mpv) write the language before the
suffix, with what kind of subtitles these are, or a number, behind it: ``movie.en.hi.srt``,
``movie.eng.forced.2.srt``, ``movie.English.SDH.srt``, ``movie.en(sdh).srt``.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePath

from subfit.text.languages import primary_language

_MARK = r"(?:sdh|cc|hi|forced|foreign|default|full|signs?|songs?|commentary|ai|\d{1,2})"
"""What may stand behind the language; ``hi`` alone is Hindi, ``hi`` behind a language is not."""
_TAG = r"[a-zA-Z]{2,3}(?:[-_][A-Za-z0-9]+)*?"
_NAMES = {
    "arabic": "ar", "chinese": "zh", "czech": "cs", "danish": "da", "dutch": "nl", "english": "en",
    "finnish": "fi", "french": "fr", "german": "de", "deutsch": "de", "greek": "el", "hindi": "hi",
    "italian": "it", "italiano": "it", "japanese": "ja", "korean": "ko", "norwegian": "no",
    "polish": "pl", "portuguese": "pt", "russian": "ru", "spanish": "es", "español": "es",
    "swedish": "sv", "turkish": "tr", "français": "fr",
}  # fmt: skip
"""What languages are called in files' names."""
_STEM = re.compile(
    rf"(?P<before>.*?)(?P<tag>(?:^|(?<=\.))(?:{_TAG}|{'|'.join(_NAMES)}))"
    rf"(?P<marks>(?:[._-]{_MARK}|[ ]?[(\[]{_MARK}[)\]])*)",
    re.IGNORECASE,
)


def _parts(path: PurePath) -> tuple[str, str, str] | None:
    """What stands before the language of a file's name, the language, and what stands behind it."""
    for at in [0, *(match.end() for match in re.finditer(r"\.", path.stem))]:
        match = _STEM.fullmatch(path.stem[at:])
        if match and not match["before"] and _language(match["tag"]):
            return path.stem[:at], match["tag"], match["marks"]
    return None


def _language(tag: str) -> str | None:
    return _NAMES.get(tag.lower()) or primary_language(tag)


def named_language(path: PurePath) -> str | None:
    """Return the language that a file's name says before its suffix, ``de`` for ``movie.de.srt``.

    Returns:
        The tag, or None where the name says none: ``Kill.It.srt`` is a film.
    """
    parts = _parts(path)
    if parts is None or not parts[0]:
        return None
    name = _NAMES.get(parts[1].lower())
    return name or (parts[1] if parts[1][:2].islower() else None)


def output_path(source: Path, target_language: str, source_language: str | None = None) -> Path:
    """Return the name of the translation of a file, beside it.

    A language before the suffix is replaced: the source language if it is given, else whatever
    looks like a language. What players read after the language stays: ``movie.en.sdh.srt``
    becomes ``movie.de.sdh.srt``.
    """
    before, tag, marks = _parts(source) or ("", "", "")
    language = _language(tag) if tag else None
    wanted = primary_language(source_language) if source_language else None
    # "en.srt" in a folder of languages is English; "it.srt" alone may be a film of that name.
    if language is not None and (language == wanted or (before and wanted is None)):
        return source.with_name(f"{before}{target_language}{marks}{source.suffix}")
    flags = re.search(rf"(?:(?<=.)\.{_MARK})*$", source.stem, re.IGNORECASE)
    stem, flags_of = source.stem, flags[0] if flags and not flags[0][1:].isdigit() else ""
    return source.with_name(
        f"{stem.removesuffix(flags_of)}.{target_language}{flags_of}{source.suffix}"
    )
