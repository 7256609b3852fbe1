"""What languages are called in prompts."""

from __future__ import annotations

from subfit.text.languages import closest_language, primary_language

_NAMES = dict(
    pair.split("=")
    for pair in (  # noqa: SIM905 - a page, with several a line
        """
    af=Afrikaans am=Amharic ar=Arabic az=Azerbaijani be=Belarusian bg=Bulgarian bn=Bengali
    bs=Bosnian ca=Catalan cs=Czech cy=Welsh da=Danish de=German el=Greek en=English eo=Esperanto
    es=Spanish et=Estonian eu=Basque fa=Persian fi=Finnish fr=French ga=Irish gl=Galician
    gu=Gujarati he=Hebrew hi=Hindi hr=Croatian hu=Hungarian hy=Armenian id=Indonesian is=Icelandic
    it=Italian ja=Japanese ka=Georgian kk=Kazakh km=Khmer kn=Kannada ko=Korean ky=Kyrgyz
    la=Latin lb=Luxembourgish lo=Lao lt=Lithuanian lv=Latvian mk=Macedonian ml=Malayalam
    mn=Mongolian mr=Marathi ms=Malay mt=Maltese my=Burmese nb=Norwegian ne=Nepali nl=Dutch
    nn=Nynorsk no=Norwegian oc=Occitan pa=Punjabi pl=Polish ps=Pashto pt=Portuguese ro=Romanian
    ru=Russian si=Sinhala sk=Slovak sl=Slovenian so=Somali sq=Albanian sr=Serbian sv=Swedish
    sw=Swahili ta=Tamil te=Telugu th=Thai tl=Filipino tr=Turkish uk=Ukrainian ur=Urdu uz=Uzbek
    vi=Vietnamese yi=Yiddish yo=Yoruba zh=Chinese zu=Zulu
    """
    ).split()
)
_VARIETIES = {
    "de-at": "Austrian German",
    "de-ch": "Swiss German (standard, with ss for ß)",
    "en-gb": "British English",
    "en-us": "American English",
    "es-419": "Latin American Spanish",
    "es-es": "European Spanish",
    "es-mx": "Mexican Spanish",
    "fr-ca": "Canadian French",
    "pt-br": "Brazilian Portuguese",
    "pt-pt": "European Portuguese",
    "sr-cyrl": "Serbian in Cyrillic letters",
    "sr-latn": "Serbian in Latin letters",
    "zh-cn": "Simplified Chinese",
    "zh-hans": "Simplified Chinese",
    "zh-hant": "Traditional Chinese",
    "zh-hk": "Traditional Chinese",
    "zh-tw": "Traditional Chinese",
}


def language_name(tag: str) -> str:
    """Return the English name of a language, as prompts have it.

    Args:
        tag: BCP 47. One whose name is not known here stands for itself.
    """
    variety = closest_language(tag, _VARIETIES)
    if variety is not None:
        return _VARIETIES[variety]
    return _NAMES.get(primary_language(tag) or "", tag)
