"""What a person must decide: each rule yields the cues it is about, and what is wrong there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import regex
from rapidfuzz.distance import OSA

from subfit.limits.guideline import Style
from subfit.text.casing import in_capitals

Told = Iterator[tuple[int, str]]
"""A cue's place from 0, and what is wrong."""

# Nothing that counts how many: times, scores, units, money, ordinals, versions, and lists of them.
_SMALL = regex.compile(
    r"(?<![\p{L}\d.,:/$€£¥#+*=×_-])(\d{1,4})(?![\p{L}\d%‰°€$£/*=×_-]|[.,:]\d|[ \u00a0-]?(?:%|€|\$|°"
    r"|(?:[kmcd]?[mglbt]|mm|km|kg|mph|am|pm|a\.m|p\.m|Uhr|h|ft|in|lbs?|GB|MB|Hz|fps)\b))"
)
_LABELLED = regex.compile(
    r"(?i)\b(?:number|no|nr|nº|page|chapter|room|channel|gate|flight|route|level|part|season|episode"
    r"|act|scene|seite|kapitel|zimmer|teil|folge|staffel|página|capítulo|chapitre|capitolo|pagina"
    r"|numéro|número|numero|nummer)\.?[ \u00a0]$"
)
_BEFORE_SENTENCE = regex.compile(r"(?:^|[.!?…][\"”»]? )[-–— ]*[\"“„«¿¡]*$")
_UNSHOWN = regex.compile(
    r"[\p{Cn}\p{Co}\ufffd]|[\p{Cc}--[\n\t]]|(?![©®™‼⁉♀♂#*0-9])\p{Extended_Pictographic}", regex.V1
)
_QUOTE = regex.compile(r"(?<!\d)[\"“”„‟«»]")
_CUES_OF_A_QUOTATION = 8
_DASHED = regex.compile(r"[-–—] ?[^\s\d–—-]")
_LABEL = regex.compile(r"^\p{Lu}[\p{Lu}\d .'’#]*:|\[[^\]]*\]|\([^)]*\)|[♪♫].*")
_NAME = regex.compile(r"(?<=[\p{Ll},;] )\p{Lu}\p{Ll}{3,}")
_FEW, _MANY = 2, 3


def numbers(texts: Sequence[str], style: Style) -> Told:
    """Numbers in digits that are to be words; a cue with several is a count, a score or a date."""
    for cue, text in enumerate(texts):
        joined = text.replace("\n", " ")
        found = [
            one
            for one in _SMALL.finditer(joined)
            if not _LABELLED.search(joined[: one.start()]) and style.numbers_to is not None
        ]
        if len(found) != 1 or len(regex.findall(r"\d+", joined)) > 1:
            continue
        value, begins = int(found[0][1]), _BEFORE_SENTENCE.search(joined[: found[0].start()])
        if 1 <= value <= (style.numbers_to or 0):
            yield cue, f"{value} is to be a word, as all numbers to {style.numbers_to}"
        elif begins and joined.strip(" -–—.!?") != found[0][1]:
            yield cue, f"{value} begins a sentence, and is to be words"


def glyphs(texts: Sequence[str], style: Style) -> Told:
    """Characters that players have no picture for, and pictures."""
    for cue, text in enumerate(texts):
        if style.glyphs and (found := dict.fromkeys(_UNSHOWN.findall(text))):
            yield cue, "not to be shown: " + ", ".join(f"U+{ord(char):04X}" for char in found)


def quotes(texts: Sequence[str], style: Style) -> Told:
    """Quotation marks without their other one, in the cue or in the next few."""
    odd = [cue for cue, text in enumerate(texts) if len(_QUOTE.findall(text)) % 2]
    while odd and style.quotes is not None:
        cue, *odd = odd
        if odd and odd[0] - cue <= _CUES_OF_A_QUOTATION:
            odd = odd[1:]
        else:
            yield cue, "a quotation mark without its other one"


def brackets(texts: Sequence[str], style: Style) -> Told:
    """Brackets without their other one, in the cue or beside it."""
    if style.brackets is None:
        return
    texts = [regex.sub(r"[:;]-?[()\[\]]|\b\w\)", "", text) for text in texts]  # :-) and a)
    for left, right in ("()", "[]"):
        open_at: int | None = None
        for cue, text in enumerate(texts):
            depth = text.count(left) - text.count(right)
            if depth == -1 and open_at == cue - 1 and cue:
                open_at = None
                continue
            if open_at is not None and open_at < cue:
                yield open_at, f"{left} without {right}"
                open_at = None
            if depth > 0:
                open_at = cue
            elif depth < 0:
                yield cue, f"{right} without {left}"
        if open_at is not None:
            yield open_at, f"{left} without {right}"


def dashes(texts: Sequence[str], style: Style) -> Told:
    """A dash of a speaker where there is only one, or more speakers than lines."""
    for cue, text in enumerate(texts):
        lines = text.split("\n")
        turns = [bool(_DASHED.match(line)) for line in lines]
        if style.dash is not None and turns[0] and not any(turns[1:]):
            yield cue, "a dash, and one speaker"
        elif style.dash is not None and any(
            regex.search(r"[.!?…] [-–—] ?\p{Lu}", line) for line in lines
        ):
            yield cue, "two speakers in one line"


def capitals(texts: Sequence[str], sources: Sequence[str | None], style: Style) -> Told:
    """Text on screen, which is in capitals, beside speech, or in small letters."""
    for cue, (text, source) in enumerate(zip(texts, sources, strict=True)):
        if not style.capitals:
            return
        lines = [_LABEL.sub("", line).strip(" -–—") for line in text.split("\n")]
        loud = [in_capitals(line) for line in lines if sum(map(str.isalpha, line)) > 3]
        if len(loud) > 1 and len(set(loud)) == 2 and not any(map(_DASHED.match, lines)):
            yield cue, "text on screen and speech in one cue"
        elif text and source and _is_title(source) and text.upper() != text:
            yield cue, "its source is in capitals, as text on screen is"


def _is_title(text: str) -> bool:
    sound = text.startswith(("[", "(", "♪"))
    return sum(map(str.isalpha, text)) > 3 and in_capitals(text) and not sound


def names(texts: Sequence[str], style: Style) -> Told:
    """A name that another one differs from in a letter, where one is said far more often."""
    if not style.names:
        return
    where: dict[str, list[int]] = {}
    for cue, text in enumerate(texts):
        for name in _NAME.findall(text.replace("\n", " ")):
            where.setdefault(name, []).append(cue)
    small = Counter(word for text in texts for word in regex.findall(r"\b\p{Ll}+", text))
    known = [name for name in where if not small[name.lower()]]
    for one, other in combinations(sorted(known), 2):
        rare, common = sorted((one, other), key=lambda name: len(where[name]))
        likely = len(where[rare]) <= _FEW and len(where[common]) >= _MANY * len(where[rare])
        ending = common.startswith(rare) or rare.startswith(common)  # Anna, Annas
        alike = OSA.distance(rare, common) == 1 and rare[:-2] != common[:-2]
        if likely and not ending and alike and min(len(rare), len(common)) > 4:
            for cue in where[rare]:
                yield cue, f"{rare}, and {common} {len(where[common])} times elsewhere"


def profanity(texts: Sequence[str], words: Sequence[str]) -> Told:
    """Words of a list; one that ends in ``*`` stands for all that begin so."""
    if not words:
        return
    parts = [
        regex.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "") for word in words
    ]
    listed = regex.compile(rf"(?i)\b(?:{'|'.join(parts)})\b")
    for cue, text in enumerate(texts):
        if found := listed.findall(text.replace("\n", " ")):
            yield cue, ", ".join(dict.fromkeys(found))
