"""Guessing the 8-bit and double-byte encodings that subtitle files had before UTF-8.

Detectors see too little text in a subtitle file: both common ones take French in Windows-1252 for
something else. The language of the text, which the user of a translator knows, decides most cases;
what remains is decided by how implausible the decoded words look.
"""

from __future__ import annotations

import unicodedata

_Prior = tuple[tuple[str, ...], frozenset[str]]
"""Encodings, likely ones first, and the scripts of the language's letters."""

_LATIN = frozenset({"LATIN"})
_CJK = frozenset({"CJK", "FULLWIDTH", "IDEOGRAPHIC"})
_JAPANESE = _CJK | {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
_KOREAN = _CJK | {"HANGUL"}

_WESTERN = (("cp1252",), _LATIN)
_CENTRAL = (("cp1250", "iso8859-2"), _LATIN)
_BALTIC = (("cp1257",), _LATIN)
_CYRILLIC = (("cp1251", "koi8-r", "cp866", "iso8859-5"), frozenset({"CYRILLIC"}))
_ARABIC = (("cp1256", "iso8859-6"), frozenset({"ARABIC"}))


def _for(languages: str, prior: _Prior) -> dict[str, _Prior]:
    return dict.fromkeys(languages.split(), prior)


_PRIORS: dict[str, _Prior] = {
    **_for("en fr de es it pt nl sv da no nb nn fi is ca eu gl ga af id ms", _WESTERN),
    **_for("pl cs sk hu sl hr ro bs sq", _CENTRAL),
    **_for("et lv lt", _BALTIC),
    **_for("ru uk be bg mk sr kk ky mn tg tt", _CYRILLIC),
    **_for("ar fa ur", _ARABIC),
    "el": (("cp1253", "iso8859-7"), frozenset({"GREEK"})),
    "tr": (("cp1254",), _LATIN),
    "az": (("cp1254",), _LATIN),
    "he": (("cp1255", "iso8859-8"), frozenset({"HEBREW"})),
    "vi": (("cp1258",), _LATIN),
    "th": (("cp874",), frozenset({"THAI"})),
    "ja": (("cp932", "euc-jp"), _JAPANESE),
    "zh": (("gb18030", "big5"), _CJK),
    "ko": (("cp949",), _KOREAN),
}
# Traditional characters are written in Taiwan and Hong Kong.
_BIG5_TAGS = {"zh-hant", "zh-tw", "zh-hk", "zh-mo"}
_STRANGER = 0.2
"""How much better another encoding than the language's own must look."""
_ODD_SIGNS = {"Cc": 1.0, "Co": 1.0, "Cn": 1.0, "Sk": 1.0, "So": 0.6, "Sm": 0.6, "No": 0.3}
_USUAL = "ȘșȚț€™♪♫"
_SAMPLE = 30_000
"""Bytes that are looked at; more would not decide better, only slower."""


def guess_legacy_encoding(data: bytes, language: str | None) -> str:
    """Return the most plausible encoding of bytes that are not UTF-8."""
    candidates, scripts = _prior(language)
    sample = data[:_SAMPLE]
    scored = [
        (_implausibility(text, scripts) + (rank >= len(candidates)) * _STRANGER, rank, candidate)
        for rank, candidate in enumerate([*candidates, *_detected(sample), "cp1252"])
        if (text := _decoded(sample, candidate)) is not None
    ]
    return min(scored)[2] if scored else "latin-1"


def is_usual(char: str, language: str | None) -> bool:
    """Whether a character beyond ASCII is one that texts of a language have, or texts of any.

    Hardly any two or three characters of an 8-bit encoding come to one of these when they are read
    as UTF-8: French ``É”`` does not, nor does ``è »`` with its no-break space.
    """
    if "\xa0" <= char < "\u0180" or "\u2010" <= char <= "\u203a" or char in _USUAL:
        return True
    script, scripts = _script(char), _prior(language)[1] or _LATIN
    return script in scripts and (script != "LATIN" or char >= "\u1e00")


def _prior(language: str | None) -> tuple[tuple[str, ...], frozenset[str] | None]:
    tag = (language or "").lower().replace("_", "-")
    if any(tag == big5 or tag.startswith(f"{big5}-") for big5 in _BIG5_TAGS):
        return ("big5", "gb18030"), _CJK
    return _PRIORS.get(tag.split("-")[0], ((), None))


def _detected(sample: bytes) -> list[str]:
    from charset_normalizer import from_bytes

    return [match.encoding.replace("_", "-") for match in from_bytes(sample)][:5]


def _decoded(sample: bytes, encoding: str) -> str | None:
    """Decode a sample, whose last character may be cut; None if it is not in the encoding."""
    for cut in range(4):
        try:
            return sample[: len(sample) - cut].decode(encoding)
        except UnicodeDecodeError as error:
            if len(sample) < _SAMPLE or error.start < len(sample) - 4:
                return None
    return None


def _implausibility(text: str, scripts: frozenset[str] | None) -> float:
    """Return how wrong the characters beyond ASCII look: 0 for fine, about 1 for nonsense."""
    looked_at = [at for at, char in enumerate(text) if char > "\x7f"]
    if not looked_at:
        return 0.0
    padded = f" {text} "
    return sum(
        _oddity(padded[at], padded[at + 1], padded[at + 2], scripts) for at in looked_at
    ) / len(looked_at)


def _oddity(before: str, char: str, after: str, scripts: frozenset[str] | None) -> float:
    if not char.isalpha():
        inside_word = before.isalpha() and after.isalpha() and char in "¡¿«»„“”‹›¦§©®°¶"
        return 1.0 if inside_word else _ODD_SIGNS.get(unicodedata.category(char), 0.0)
    script = _script(char)
    if scripts is not None and script not in scripts:
        return 1.0
    neighbours = [near for near in (before, after) if near.isalpha()]
    if script == "LATIN":
        # "Ïðèâåò" is Cyrillic in disguise: Latin words have their accents apart.
        crowded = sum(near > "\x7f" for near in neighbours) / 2 if scripts is None else 0.0
        return crowded + (0.5 if before.islower() and char.isupper() else 0.0)
    if script == "CJK":
        return 0.0 if _is_common(char) else 0.3
    if script == "HALFWIDTH":
        return 0.6
    mixed = any(_script(near) == "LATIN" for near in neighbours) and script not in _JAPANESE
    return 1.0 if mixed or (before.islower() and char.isupper()) else 0.0


def _is_common(hanzi: str) -> bool:
    """Whether a character is in the first, common level of GB 2312 or Big5."""
    simplified, traditional = hanzi.encode("gb2312", "ignore"), hanzi.encode("big5", "ignore")
    return b"\xb0" <= simplified[:1] <= b"\xd7" or b"\xa4" <= traditional[:1] <= b"\xc6"


def _script(char: str) -> str:
    return unicodedata.name(char, "?").split(" ")[0]
