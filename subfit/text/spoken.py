"""Words as somebody says them: stuttered (S-sorry), drawn out (nooooo), shouted (STOP); marks too.

A small model spells what it never saw, so it reads the plain word and one mark of several ("?!");
in its translation what stands for them gets the same look again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

import regex

from subfit.text.casing import in_capitals, is_german_noun
from subfit.text.languages import CAPITALISED, closest_language, primary_language
from subfit.text.linebreak_lists import packaged, word_lists

LANGUAGES = ("de", "en", "es", "fr", "it")
"""Whose words are known."""
_TOKEN = regex.compile(r"\p{L}+(?:-\p{L}+)*(?:['’]\p{L}+)*")
_CONSONANTS = "bcdfghjklmnpqrstvwxyz"
_STUTTER = regex.compile(
    rf"(?P<begun>\p{{L}}|[{_CONSONANTS}]{{2,3}}|qu)-(?:(?P=begun)-)*(?=(?P=begun))", regex.I
)
_NO_STUTTERS = regex.compile(
    r"(?:b-b(?:oy|all)|d-day|h-hour|r-rated|([ekt])-\1|[mhn]+-[mhn]+)s?", regex.I
)
_TRAILING = regex.compile(r"(?<=(\p{L}))(?:(?:-\1+){2,}|-\1+(?![\p{L}-]))", regex.I)
"""Noo-o-o, ye-e-es: drawn out, with hyphens; not co-op."""
_LONG = regex.compile(r"(\p{L})\1{2,}", regex.I)
_MOST_TRIED = 8
"""Most letters drawn out in a word that are tried as meant twice."""
_LOOK_BACK = 40
"""Characters that tell whether a word begins a sentence."""
_COMPOUND = regex.compile(r"(?<=\p{L}{3})([befhlmnprst])\1\1(?!\1)(?=\p{L}{3})", regex.I)
"""Schifffahrt: three letters in a row that are no drawn-out one."""
_NUMERAL = regex.compile(r"(?<!\p{L})(?:[IVXLC]{3,}|(\p{Lu})\1+(?!\p{L}))|^w+$")
"""XVIII, PPP, www."""
_VOWELS = "aeiouyäöüáéíóúàèìòùâêîôûïë"
_MUTE = {"en": r"(?<=[^e])e$", "fr": r"(?<![éè])es?$"}
_MOST_DRAWN = 4
_MOST_LETTERS = 9
"""Longer words are not drawn out: nobody would read them."""
_SIGN_LETTERS = 4
"""A word in capitals that is all of a text is a sign, from so many letters on."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """One word of a text, and what is plain of it."""

    start: int
    source: str
    """The word as the text has it."""
    plain: str
    """What the model reads."""
    stutter: int = 0
    """How often its beginning is said before it."""
    drawn: int = 0
    """How often a letter of it stands in a row; 0 if it is not drawn out."""
    shouted: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.source)


def spoken_words(text: str, language: str = "en") -> list[Spoken]:
    """Return the words of a text, stutters, drawn-out letters and capitals taken off.

    Args:
        text: Plain text.
        language: Its tag; of other languages than `LANGUAGES` words are left as they are.
    """
    known = closest_language(language, LANGUAGES)
    tokens = (match for match in _TOKEN.finditer(text) if not _in_code(text, match))
    words = [Spoken(match.start(), match[0], match[0]) for match in tokens]
    if known is None:
        return words
    words = [_undrawn(_unstuttered(word), known) for word in words]
    if len(words) == 1 and len(words[0].plain) >= _SIGN_LETTERS and text.isupper():
        return words if _is_acronym(words[0].plain, known) else [_quietened(words[0], "", known)]
    if len(words) >= 3 and not regex.search(r"\p{Ll}", text):
        return words
    return _quiet(words, text, known)


def is_loud(text: str, language: str) -> bool:
    """Whether a text is in capitals throughout, and has more than acronyms: not ``OK. BBC.``"""
    known = closest_language(language, LANGUAGES)
    acronyms = _lists(known)["acronyms"] if known else frozenset()
    words = regex.findall(r"\p{L}{2,}", text)
    return in_capitals(text) and any(word.lower() not in acronyms for word in words)


def _unstuttered(word: Spoken) -> Spoken:
    match = _STUTTER.match(word.source)
    if match is None or _NO_STUTTERS.fullmatch(word.source):
        return word
    rest = word.source[match.end() :]
    if match[0][0].islower() and rest[0].isupper():  # e-Europe
        return word
    if match[0][0].isupper() and not word.source.isupper():
        rest = rest[0].upper() + rest[1:]
    return replace(word, plain=rest, stutter=match[0].count("-"))


def _undrawn(word: Spoken, language: str) -> Spoken:
    whole = _TRAILING.sub(lambda match: match[1] * match[0].count(match[1]), word.plain)
    runs = [len(match[0]) for match in _LONG.finditer(whole)]
    none = [_NO_STUTTERS.fullmatch(word.source), _NUMERAL.search(word.plain)]
    none.append(_COMPOUND.search(word.plain) if language == "de" else None)
    if not runs or any(none):
        return word
    return replace(word, plain=_shortened(whole, language), drawn=max(runs))


def _shortened(word: str, language: str) -> str:
    """A drawn-out word with each such letter once, or twice where that is a word."""
    known = _lists(language)["doubled"]
    places = [match.start() for match in islice(_LONG.finditer(word), _MOST_TRIED)]
    options = [
        str(_LONG.sub(lambda match, at=at: match[0][: 1 + (match.start() == at)], word))
        for at in places
    ]
    options.append(str(_LONG.sub(lambda match: match[0][:2], word)))
    single = str(_LONG.sub(lambda match: match[1], word))
    return next((option for option in options if option.lower() in known), single)


def _quiet(words: Sequence[Spoken], text: str, language: str) -> list[Spoken]:
    """Words with those in capitals in small letters that are no names for all that is known."""
    quiet = list(words)
    for run in _runs(words, text, _lists(language)["acronyms"]):
        own = [words[at].plain.lower().replace("’", "'") for at in run]
        for at in run if _is_shouted(own, language) else ():
            if len(run) > 2 or not _is_acronym(words[at].plain, language):
                before = words[at - 1].plain.lower() if at else ""
                quiet[at] = _quietened(words[at], before, language, text)
    return quiet


def _is_acronym(word: str, language: str) -> bool:
    lists = _lists(language)
    return word.lower() in lists["acronyms"] - lists["shouted"] or not regex.search(
        "[AEIOUYÄÖÜ]", word
    )


def _quietened(word: Spoken, before: str, language: str, text: str = "") -> Spoken:
    """A word in capitals as it stands within a sentence."""
    plain = word.plain.lower()
    keeps = language == "en" and regex.match(r"i(?:['’]|$)", plain)
    head = text[max(0, word.start - _LOOK_BACK) : word.start].rstrip(" \"'“‘¿¡([-–—♪")
    begins = not head or head[-1] in ".!?…:"
    if keeps or begins or (language == "de" and is_german_noun(plain, before)):
        plain = plain[0].upper() + plain[1:]
    return replace(word, plain=plain, shouted=True)


def _is_shouted(words: Sequence[str], language: str) -> bool:
    """Whether words in capitals in a row are usual ones, and not but a name with a preposition."""
    usual, weak = _lists(language)["shouted"], _lists(language)["weak"]
    parts = (word.partition("'") for word in words)
    elided = word_lists(language).elided
    bare = (c if b and a in elided and a + b + c not in usual else a + b + c for a, b, c in parts)
    known = [one for one in bare if one in usual or (language == "de" and is_german_noun(one))]
    return any(word not in weak for word in known) or (len(words) > 2 and len(known) > 1)


_CODE_BEFORE = regex.compile(r"[/\\_@]$|(?<![\p{L}\s])-$|\d$")
_CODE_BEHIND = regex.compile(r"[/\\_@]|[.\d][\p{L}\d]")


def _in_code(text: str, token: regex.Match[str]) -> bool:
    """Whether a word is part of a path, an option or the like."""
    before = text[max(0, token.start() - 2) : token.start()]
    return bool(_CODE_BEFORE.search(before) or _CODE_BEHIND.match(text, token.end()))


def _runs(words: Sequence[Spoken], text: str, acronyms: frozenset[str]) -> Iterator[range]:
    """Yield rows of words in capitals, of which one has two letters at least and is no name."""
    start = 0
    for at in range(len(words) + 1):
        loud = at < len(words) and words[at].plain.isupper()
        between = text[words[at - 1].end : words[at].start] if loud and at else ""
        if loud and (at == start or not regex.search(r"[.!?…\d:()\[\]]", between)):
            continue
        plain = (word.plain for word in words[start:at])
        if any(len(word) > 1 and word.lower() not in acronyms for word in plain):
            yield range(start, at)
        start = at if loud else at + 1


@cache
def _lists(language: str) -> Mapping[str, frozenset[str]]:
    """The words of a language by what they tell; see ``spoken_words/en.yaml``.

    Of languages without a list of words that tell no shouting by themselves, these are articles,
    prepositions and conjunctions.
    """
    words = packaged("subfit.text", "spoken_words", f"{language}.yaml")
    lists = {name: frozenset(own.split()) for name, own in words.items()}
    if "weak" not in lists:
        words = word_lists(language)
        little = words.articles | words.prepositions | words.conjunctions
        lists["weak"] = little - lists["shouted"]
        usual = words.pronouns | words.auxiliaries | words.negations | words.determiners
        lists["shouted"] |= little | usual
    return lists


def with_look(target: str, word: Spoken, language: str) -> str:
    """Return a word of a translation with the look of the word that it stands for.

    Args:
        target: The word of the translation.
        word: The word as it is said in the source.
        language: Tag of the target language.
    """
    new, behind = target, _STUTTER.sub("", word.source)
    if word.drawn:
        same = target.casefold() == word.plain.casefold()
        new = behind if same else _drawn_out(target, word.drawn, primary_language(language))
        if target.islower():
            new = new.lower()
    if not word.stutter:
        return new
    small, rest = behind[:1].islower() and word.source[:1].isupper(), new  # S-sorry
    kept = primary_language(language) in CAPITALISED or (
        primary_language(language) == "en" and regex.match(r"I(?:['’]|$)", new)
    )
    if small and new[:1].isupper() and not kept:
        rest = new[:1].lower() + new[1:]
    return f"{new[:1]}-" * word.stutter + rest


def _drawn_out(word: str, times: int, language: str | None) -> str:
    """A word drawn out at a vowel, or as it is if it has none or is long.

    German words begin with their stress, those of Romance languages end with it; the mute e of
    French and English is not said.
    """
    mute = _MUTE.get(language or "", "(?!)")
    said = regex.sub(rf"(?<=[{_VOWELS}].*[^{_VOWELS}])[{_VOWELS}]*?{mute}", "", word)
    vowels = [match.start() for match in regex.finditer(f"[{_VOWELS}]", said, regex.I)]
    if not vowels or len(word) > _MOST_LETTERS:
        return word
    at = vowels[0 if language == "de" else -1]
    letter = word[at] if word.isupper() and len(word) > 1 else word[at].lower()
    return word[: at + 1] + letter * (min(times, _MOST_DRAWN) - 1) + word[at + 1 :]


_DOUBLED = regex.compile(r"[?!](?:\s?[?!])+(?:\.{2,}|…)?|[?!](?:\.{2,}|…)")


def doubled_marks(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield where marks are doubled (?!, !!, !..), what the model reads, and what is written.

    Dots behind such a mark are no other language's.
    """
    for match in _DOUBLED.finditer(text):
        written = "".join(regex.findall(r"[?!]+", match[0]))
        yield match.start(), match.end(), "?" if "?" in written else "!", written


def mark_places(cleaned: str, ats: Sequence[int], translation: str) -> list[tuple[int, int] | None]:
    """Return where in a translation the marks at places of its source stand.

    Args:
        cleaned: The source as the model read it.
        ats: Places in it of marks that were doubled.
        translation: What the model made of it.

    Returns:
        For each of them a range of the translation; None where that cannot be told.
    """
    ours, theirs = (
        [match.span() for match in regex.finditer(r"[?!]+(?![\p{L}\p{N}/=&_])", text)]
        for text in (cleaned, translation)
    )
    known = dict(enumerate(theirs)) if len(ours) == len(theirs) else {}
    if theirs and not translation[theirs[-1][1] :].strip("\"'“‘”’»«)"):
        known[len(ours) - 1] = theirs[-1]
    numbers = (next((n for n, (a, b) in enumerate(ours) if a <= at < b), None) for at in ats)
    return [None if number is None else known.get(number) for number in numbers]
