"""How many syllables a word has by the script it is written in, if that is not Latin.

Three kinds of script tell: those that write every vowel (Cyrillic, Greek, Armenian, Georgian),
those whose signs are syllables or morae (Han, kana, Hangul), and those whose consonants have a
vowel of their own unless a sign says otherwise (of India and South East Asia, and Ethiopic). Arabic
and Hebrew leave out most vowels, and Thai and Lao do not show where syllables end; there the
letters are counted, and divided by what a syllable has on average.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial

import regex

_LETTER = r"[[\p{L}--[\p{Latin}\p{Common}\p{Inherited}]]ーｰﾞﾟ]"
WORD = regex.compile(rf"(?V1)(?:{_LETTER}[\p{{M}}\p{{Join_Control}}]*(?:['’](?={_LETTER}))?)+")
"""Matches words, or runs of words without spaces, that are not in Latin letters."""

CYRILLIC_VOWELS = "аеёиоуыэюяіїєѐѝәөүұӣӯӑӗӱӓӧ"
_CYRILLIC = regex.compile(f"[{CYRILLIC_VOWELS}]")
_BULGARIAN = regex.compile("[аеиоуъюяѝ]")
_LONG = regex.compile(r"([аеёиоуыэюяөү])\1")
"""Long vowels, where they are written twice."""
_SYLLABIC = regex.compile("(?<![аеиоу])р(?![аеиоу])")
"""r that is a syllable: Serbian прст."""
_DIGRAPH = "α[ιίυύ]|ε[ιίυύ]|ο[ιίυύ]|υ[ιί]|η[υύ]"
# Before a vowel with the accent i is a glide (παιδιά), and so it is in a word that has no accent:
# none is written where there is but one syllable (ποιος).
_GREEK = regex.compile(
    rf"(?:(?:ει|οι|[ιυ])(?=[άέήόώ]|[αεο][ίύ]))?(?:{_DIGRAPH}|[αεηιουωάέήίόύώϊΐϋΰ])"
)
_GREEK_UNACCENTED = regex.compile(rf"(?:(?:ει|οι|[ιυ])(?=[αεοω]))?(?:{_DIGRAPH}|[αεηιουωϊϋ])")
_ACCENT = regex.compile("[άέήίόύώΐΰ]")
# Between consonants that begin a word a vowel is said that is not written.
_ARMENIAN = regex.compile(r"ու|[աեէըիոօև]|^[^աեէըիոօևյվ](?=[^աեէըիոօևուհյվ])")
_GEORGIAN = regex.compile("[აეიოუ]")
_SMALL_KANA = regex.compile("[ぁぃぅぇぉゃゅょゎァィゥェォャュョヮｧ-ｮﾞﾟ]")
_MORAE_OF_KANJI = 1.8
"""Most have two (コウ, ガク, やま), and many stems of verbs one (み-る)."""

_CONSONANT = r"\p{InSC=Consonant}[\p{InSC=Nukta}\p{InSC=Consonant_Medial}\p{InSC=Tone_Mark}]*"
# v: a vowel that is written; k: a consonant without one; a: one with its own.
_SHAPES = regex.compile(
    rf"(?P<k>{_CONSONANT}[\p{{InSC=Virama}}\p{{InSC=Pure_Killer}}\p{{InSC=Invisible_Stacker}}])"
    rf"|(?P<v>{_CONSONANT}[\p{{InSC=Vowel_Dependent}}\p{{InSC=Bindu}}\p{{InSC=Visarga}}]"
    r"|\p{InSC=Vowel_Independent})"
    rf"|(?P<a>{_CONSONANT})"
)
_SIXTH_ORDER = 5
"""Column of the Ethiopic letters that are said with a faint vowel or none."""
_UNSAID = regex.compile(r"[ก-ฮ][ิุ]?์|[\u0e48-\u0e4e\u0ec8-\u0ecc]")
"""Thai letters that are silent; marks of tone, of Lao too."""
_LETTERS_ELSEWHERE = 2.7
"""Letters of a syllable, in the languages whose rate is known."""
_WITHOUT_VOWELS = 1.75
"""Letters of a syllable: nearly all begin with one consonant, and some end in one or are long."""
_WITHOUT_VOWELS_IRANIAN = 2.2
"""The same number in Persian, Urdu and others, more of whose syllables end in consonants."""
_POINTS = regex.compile("[\u05b1-\u05bb\u05c7\u064b-\u0650\u0670]|ו\u05bc")
"""Vowels of Hebrew and Arabic, where they are written."""


def syllables_of(word: str, language: str) -> int:
    """Return the syllables of a word; of Japanese the morae.

    Args:
        word: What `WORD` matches, in NFC.
        language: Primary language tag, for letters that not all languages say alike.

    Returns:
        0 for a single Cyrillic consonant, such as the Russian prepositions, else 1 at least.
    """
    word = word.lower()
    counts = [_RULES.get(script or "", _by_letters)(run, language) for script, run in _runs(word)]
    is_consonant = len(word) == 1 and script_of(word) == "Cyrillic"
    return max(round(sum(counts)), 0 if is_consonant else 1)


def writes_sounds(word: str) -> bool:
    """Whether the letters of a word are sounds, so that more of them make syllables longer."""
    return script_of(word[0]) in ("Cyrillic", "Greek", "Armenian", "Georgian")


def guessed_scripts(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the scripts in texts for which there is no rule, so that syllables are but guessed."""
    letters = {letter for text in texts for word in WORD.findall(text) for letter in word}
    unknown = (letter for letter in letters if letter.isalpha() and script_of(letter) is None)
    return tuple(
        sorted({unicodedata.name(letter, "?").split()[0].capitalize() for letter in unknown})
    )


@cache
def script_of(letter: str) -> str | None:
    """Return the script of a letter, if there is a rule for it; of what several share, one."""
    return next((name for name in _RULES if regex.match(rf"\p{{scx={name}}}", letter)), None)


def _runs(word: str) -> Iterator[tuple[str | None, str]]:
    """Part a run of letters where the script changes; marks go with their letter."""
    run, script = "", None
    for char in word:
        own = script_of(char) if char.isalpha() else script
        if run and own != script:
            yield script, run
            run = ""
        run, script = run + char, own
    yield script, run


def _letters(word: str) -> int:
    return sum(map(str.isalpha, word))


def _each(word: str, _: str) -> float:
    """Every letter is one."""
    return _letters(word)


def _one(_word: str, _: str) -> float:
    """Tibetan parts syllables by a mark."""
    return 1


def _cyrillic(word: str, language: str) -> float:
    if language in ("ky", "mn"):
        word = _LONG.sub(r"\1", word)
    sung = len(_SYLLABIC.findall(word)) if language in ("mk", "sr") else 0
    return sung + len((_BULGARIAN if language == "bg" else _CYRILLIC).findall(word))


def _greek(word: str, _: str) -> float:
    word = _monotonic(word)
    return len((_GREEK if _ACCENT.search(word) else _GREEK_UNACCENTED).findall(word))


def _monotonic(word: str) -> str:
    """A Greek word with today's one accent for all those of old, and without breathings."""
    apart = regex.sub("[\u0300\u0342]", "\u0301", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", regex.sub("(?![\u0301\u0308])\\p{M}", "", apart))


def _vowels(pattern: regex.Pattern[str], word: str, _: str) -> float:
    return len(pattern.findall(word))


def _han(word: str, language: str) -> float:
    return _letters(word) * (_MORAE_OF_KANJI if language == "ja" else 1)


def _kana(word: str, _: str) -> float:
    """Morae: also ん, っ and ー, but a small vowel or y is one with the kana before."""
    return _letters(_SMALL_KANA.sub("", word))


def _shape(word: str) -> str:
    return "".join(str(match.lastgroup) for match in _SHAPES.finditer(word))


def _ethiopic_shape(word: str) -> str:
    return "".join(
        "a" if ord(letter) % 8 == _SIXTH_ORDER else "v" for letter in word if letter.isalpha()
    )


def _inherent(word: str, _: str) -> float:
    """Every consonant has a vowel, but where a sign takes it away."""
    return len(_shape(word).replace("k", ""))


def _fading(word: str, language: str, *, shape_of: Callable[[str], str], inside: bool) -> float:
    """Every consonant has a vowel but where a sign takes it away, or at the end of a word.

    Nor does one inside have it, between two syllables, from the right (Ohala 1983: a schwa
    of Hindi falls in VC_CV). Sanskrit says them all.
    """
    shape = list(shape_of(word))
    if language != "sa":
        if len(shape) > 1 and shape[-1] == "a" and shape[-2] != "k":
            shape[-1] = "k"
        for at in range(len(shape) - 2 if inside else 0, 0, -1):
            if shape[at] == "a" and shape[at - 1] != "k" and shape[at + 1] != "k":
                shape[at] = "k"
    return len(shape) - shape.count("k")


def _by_letters(word: str, _: str, letters: float = _LETTERS_ELSEWHERE) -> float:
    """Count syllables by letters and the marks on them, which are vowels."""
    return len(_UNSAID.sub("", word)) / letters


def _unvowelled(word: str, language: str) -> float:
    """Count syllables by the points, if the word has them; else by its consonants."""
    points, letters = len(_POINTS.findall(word)), _letters(word)
    if 3 * points >= letters:
        return points
    semitic = script_of(word[0]) == "Hebrew" or language not in _IRANIAN
    return letters / (_WITHOUT_VOWELS if semitic else _WITHOUT_VOWELS_IRANIAN)


_IRANIAN = ("ckb", "fa", "ku", "ps", "sd", "ug", "ur")
_HINDI = partial(_fading, shape_of=_shape, inside=True)

_RULES: dict[str, Callable[[str, str], float]] = {
    "Cyrillic": _cyrillic,
    "Greek": _greek,
    "Armenian": partial(_vowels, _ARMENIAN),
    "Georgian": partial(_vowels, _GEORGIAN),
    "Han": _han,
    "Hiragana": _kana,
    "Katakana": _kana,
    "Hangul": _each,
    "Yi": _each,
    "Cherokee": _each,
    "Tibetan": _one,
    **dict.fromkeys(("Devanagari", "Gujarati", "Gurmukhi", "Khmer"), _HINDI),
    "Bengali": partial(_fading, shape_of=_shape, inside=False),
    "Ethiopic": partial(_fading, shape_of=_ethiopic_shape, inside=True),
    **dict.fromkeys(
        ("Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Myanmar"), _inherent
    ),
    "Arabic": _unvowelled,
    "Hebrew": _unvowelled,
    "Thai": partial(_by_letters, letters=2.75),
    "Lao": partial(_by_letters, letters=2.5),
}
"""The rules by script, as Unicode calls it."""
