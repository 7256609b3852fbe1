"""British and American spelling of English translations, where the tag says which is wanted.

``en-GB`` (and Ireland, Australia, New Zealand, South Africa, India) has "colour" and "realise",
``en-US`` "color" and "realize"; ``en`` alone and other regions keep what the model wrote. Only
words that differ in nothing but their spelling are changed, and none that a capital within a
sentence makes a name ("Pearl Harbor").
"""

from __future__ import annotations

from functools import cache

import regex

_BRITISH = frozenset(["au", "gb", "ie", "in", "nz", "za"])
_AMERICAN = frozenset(["us"])
_NOUN = ("", "s")
_VERB = ("", "s", "ed", "ing")
_STEMS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    *(
        (f"{stem}or", f"{stem}our", (*_VERB, "ful", "less", "er", "ers"))
        for stem in ("col", "harb", "hon", "lab", "fav", "neighb", "hum", "rum", "flav")
    ),
    *(
        (f"{stem}or", f"{stem}our", _NOUN)
        for stem in ("arm", "behavi", "endeav", "od", "parl", "savi", "splend", "vap", "vig")
    ),
    ("honorable", "honourable", ("",)),
    ("favorite", "favourite", _NOUN),
    ("favorable", "favourable", ("",)),
    ("neighborhood", "neighbourhood", _NOUN),
    ("dishonor", "dishonour", (*_VERB, "able")),
    *((f"{stem}er", f"{stem}re", _NOUN) for stem in ("cent", "theat", "fib", "somb", "lit")),
    ("kilometer", "kilometre", _NOUN),
    ("centimeter", "centimetre", _NOUN),
    ("millimeter", "millimetre", _NOUN),
    ("defense", "defence", (*_NOUN, "less")),
    ("offense", "offence", _NOUN),
    ("pretense", "pretence", _NOUN),
    *(
        (f"{stem}l{end}", f"{stem}ll{end}", ("",))
        for stem in ("trave", "cance", "quarre", "signa", "labe", "leve", "fue", "dia", "mode")
        for end in ("ed", "ing")
    ),
    ("traveler", "traveller", _NOUN),
    ("counselor", "counsellor", _NOUN),
    ("marvelous", "marvellous", ("", "ly")),
    ("jewelry", "jewellery", ("",)),
    ("woolen", "woollen", _NOUN),
    ("skillful", "skilful", ("", "ly")),
    ("willful", "wilful", ("", "ly")),
    ("fulfill", "fulfil", ("", "s", "ment")),
    ("enroll", "enrol", ("", "s", "ment")),
    *(
        (f"{stem}ize", f"{stem}ise", ("", "s", "d", "r", "rs"))
        for stem in (
            *("real", "recogn", "organ", "apolog", "critic", "memor", "emphas", "sympath"),
            *("symbol", "author", "civil", "special", "final", "hypnot", "util"),
            *("agon", "colon", "general", "harmon", "hospital", "ideal", "jeopard", "minim"),
            *("mobil", "monopol", "neutral", "penal", "pressur", "privat", "stabil"),
            *("summar", "terror", "traumat", "vandal", "visual", "familiar", "fantas"),
        )
    ),
    *(
        (f"{stem}izing", f"{stem}ising", ("",))
        for stem in ("real", "recogn", "organ", "apolog", "critic", "memor", "special", "terror")
    ),
    *((f"{stem}ization", f"{stem}isation", _NOUN) for stem in ("organ", "civil", "real", "colon")),
    # "Analyses" and "paralyses" are plurals as well.
    ("analyze", "analyse", ("", "d", "r")),
    ("paralyze", "paralyse", ("", "d")),
    ("gray", "grey", ("", "s", "er", "ish")),
    ("mold", "mould", ("", "s", "y")),
    ("molt", "moult", _VERB),
    ("mustache", "moustache", ("", "s", "d")),
    ("plow", "plough", _VERB),
    ("pajama", "pyjama", _NOUN),
    ("skeptic", "sceptic", ("", "s", "al", "ally", "ism")),
    ("aluminum", "aluminium", ("",)),
    ("cozy", "cosy", ("",)),
    ("maneuver", "manoeuvre", _NOUN),
    ("smolder", "smoulder", _VERB),
    ("mom", "mum", _NOUN),
)
"""American and British stem, and what either may end in."""
_WORD = regex.compile(r"\p{L}+")
_STARTS = regex.compile(r"(?:^|[.!?…:]\s+|[\"“‘'(\[–—-]\s*)$")
_LOOK_BACK = 12
_CALLED = ("mom", "moms", "mum", "mums")
"""Have a capital as names have, and are none."""
_SURNAMES = ("gray", "grey", "center", "plow", "plough")


def respelt(text: str, language: str, *, longer: bool) -> str:
    """Return an English text as its region spells it.

    Args:
        text: Plain text.
        language: Its tag; of languages other than English, and without a region that settles it,
            nothing is changed.
        longer: Whether words may get longer by it; otherwise only those are changed that do not.
    """
    words = _words_for(language)
    if not words:
        return text

    def spelt(match: regex.Match[str]) -> str:
        word = str(match[0])
        other = words.get(word.lower())
        if other is None or (len(other) > len(word) and not longer):
            return word
        if word.isupper() and len(word) > 1:
            return other.upper()
        if not word[0].isupper():
            return other if word.islower() else word
        begins = _STARTS.search(text[max(0, match.start() - _LOOK_BACK) : match.start()])
        changed = word.lower() in _CALLED or (begins and word.lower() not in _SURNAMES)
        return other[0].upper() + other[1:] if changed else word

    return str(_WORD.sub(spelt, text))


def _words_for(language: str) -> dict[str, str]:
    """Words by those that are to be changed into them; none where nothing is."""
    primary, *others = language.replace("_", "-").lower().split("-")
    regions = {other for other in others if len(other) == 2}
    if primary not in ("en", "eng"):
        return {}
    if regions & _BRITISH:
        return _table(british=True)
    return _table(british=False) if regions & _AMERICAN else {}


@cache
def _table(*, british: bool) -> dict[str, str]:
    pairs = {american + end: other + end for american, other, ends in _STEMS for end in ends}
    return pairs if british else {other: american for american, other in pairs.items()}
