"""Letters of other scripts that look like Latin ones: the first one of ``сharacter`` is Cyrillic.

Nobody sees them, and a model that knows no such letter leaves it out.
"""

from __future__ import annotations

import regex

_CYRILLIC = "АаВЕеЅѕІіЈјКМНОоРрСсТУуХхԁԛԝһ", "AaBEeSsIiJjKMHOoPpCcTYyXxdqwh"
_GREEK = "ΑΒΕΖΗΙΚΜΝΟοΡΤΥΧν", "ABEZHIKMNOoPTYXv"
_LATIN = str.maketrans(_CYRILLIC[0] + _GREEK[0], _CYRILLIC[1] + _GREEK[1])
_OTHER = regex.compile(r"[\p{Cyrillic}\p{Greek}]")
_MIXED = regex.compile(
    r"\p{L}*(?:\p{Latin}[\p{Cyrillic}\p{Greek}]|[\p{Cyrillic}\p{Greek}]\p{Latin})\p{L}*"
)


def in_latin_letters(text: str) -> str:
    """Return a text whose Latin words have no letters of other scripts that look like theirs.

    Words that are in another script as a whole stay, and so does a text that has any.
    """
    if not _OTHER.search(text):
        return text
    latin: str = _MIXED.sub(lambda match: match[0].translate(_LATIN), text)
    return text if _OTHER.search(latin) else latin
