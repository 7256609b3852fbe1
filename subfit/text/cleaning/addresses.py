"""Addresses of the web and of mail, domain and file names, hashtags and handles: never altered."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from subfit.text.cleaning.stand_ins import StandIn

_ENDINGS = (
    "aac|apk|avi|bat|bmp|c|cfg|conf|cpp|css|csv|dll|docx?|exe|gif|gz|html?|ini|iso|jar|java|jpe?g|"
    "js|json|log|md|mkv|mov|mp[34]|ods|odt|pdf|php|png|pptx?|psd|py|rar|rb|rtf|sh|sql|srt|svg|sys|"
    "tar|tex|tiff?|ts|txt|vtt|wav|webm|xlsx?|xml|ya?ml|zip"
)
_DOMAINS = "com|org|net|gov|edu|info|biz|io|ai|app|dev|tv|eu|de|fr|ch|co\\.uk|ac\\.uk|org\\.uk|uk"
_ADDRESS = regex.compile(
    r"(?P<web>(?:https?://|ftp://|www\.)[^\s<>\"'“”„«»]*[\w/])"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    rf"|(?P<domain>(?<![\w@./-])(?:[\w-]+\.){{1,20}}(?:{_DOMAINS})\b(?:/[^\s<>\"'“”]*[\w/])?(?![\w-]))"
    rf"|(?P<file>(?<![\w./-])[\w-]+(?:\.[\w-]+){{0,20}}\.(?:{_ENDINGS})(?![\w-]))"
    r"|(?P<handle>(?<![\w.])@\w[\w.]*\w)"
    r"|(?P<tag>(?<=\s)#(?=\d*[^\W\d])\w+)"
)
_PERSONS = ("Peter", "Anna", "Tom", "Robert")
_PLACES = ("Google", "Facebook", "Twitter", "Amazon", "BMW")
"""Names that models keep as they are, in any language."""


def find_addresses(text: str) -> Iterator[StandIn]:
    """Yield the addresses and the like in a text."""
    free = {
        group: [name for name in names if name.casefold() not in text.casefold()]
        for group, names in (("persons", _PERSONS), ("places", _PLACES))
    }
    for match in _ADDRESS.finditer(text):
        names = free["persons" if match["mail"] or match["handle"] else "places"]
        if names:
            name, source = names.pop(0), match[0]
            yield StandIn("address", source, match.start(), name, rf"{name}s?", name, source)
