"""Language tags (BCP 47): which of several languages a tag means."""

from __future__ import annotations

import re
from collections.abc import Iterable

CAPITALISED = frozenset(["de", "lb"])
"""Languages that write every noun with a capital."""
_TAG = re.compile(r"([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|[0-9]{3}))?", re.IGNORECASE)


def _words(text: str) -> list[str]:
    return text.split()


_TWO_LETTERS = frozenset(
    _words("""
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv
    cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho
    hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku
    kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm
    sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi
    vo wa wo xh yi yo za zh zu
    """)
)
# ISO 639-2 and 639-3 codes that disc and streaming rips carry, with their two-letter equals.
_THREE_LETTERS = dict(
    pair.split("=")
    for pair in _words("""
    afr=af amh=am ara=ar aze=az bel=be ben=bn bos=bs bul=bg cat=ca ces=cs chi=zh cym=cy
    cze=cs dan=da deu=de dut=nl ell=el eng=en epo=eo est=et eus=eu baq=eu fas=fa per=fa
    fil=tl fin=fi fra=fr fre=fr ger=de gle=ga glg=gl gre=el guj=gu hat=ht hau=ha heb=he
    hin=hi hrv=hr hun=hu hye=hy arm=hy ice=is isl=is ind=id ita=it jav=jv jpn=ja kan=kn
    kat=ka geo=ka kaz=kk khm=km kir=ky kor=ko kur=ku lao=lo lat=la lav=lv lit=lt ltz=lb
    mac=mk mkd=mk mal=ml mar=mr may=ms msa=ms mlt=mt mon=mn mya=my bur=my nep=ne nld=nl
    nno=nn nob=nb nor=no pan=pa pol=pl por=pt pus=ps ron=ro rum=ro rus=ru sin=si slk=sk
    slo=sk slv=sl som=so spa=es sqi=sq alb=sq srp=sr swa=sw swe=sv tam=ta tel=te tgk=tg
    tgl=tl tha=th tuk=tk tur=tr ukr=uk urd=ur uzb=uz vie=vi yid=yi yor=yo zho=zh zul=zu
    cmn=zh yue=zh
    """)
)


def closest_language(tag: str, known: Iterable[str]) -> str | None:
    """Return the one of several languages that a tag means.

    That is the tag itself, else the tag without its region and variants: ``es-419`` is served by
    ``es``, as ``spa`` is. A script is never left off: ``sr-Latn`` is not written like ``sr``.

    Args:
        tag: A language tag; case, and ``_`` for ``-``, make no difference.
        known: The languages there are.
    """
    by_tag = {_normal(language): language for language in known}
    return by_tag.get(_normal(tag), by_tag.get(_without_region(tag)))


def primary_language(tag: str) -> str | None:
    """Return the two-letter language of a BCP 47 tag or three-letter code; None if it is none."""
    match = _TAG.fullmatch(tag)
    if match is None:
        return None
    code = match[1].lower()
    if code in _TWO_LETTERS:
        return code
    return _THREE_LETTERS.get(code)


def three_letters(tag: str) -> str:
    """Return the three-letter code (ISO 639-2) of a tag's language; ``und`` if it has none."""
    language = primary_language(tag) or tag
    found = (code for code, equal in _THREE_LETTERS.items() if equal == language)
    return next(found, language if len(language) == 3 else "und")


def same_language(one: str, other: str) -> bool:
    """Whether two tags differ in region, variant or spelling at most: ``en-GB`` and ``eng``."""
    return _without_region(one) == _without_region(other)


def _normal(tag: str) -> str:
    return tag.replace("_", "-").lower()


def _without_region(tag: str) -> str:
    language, *others = _normal(tag).split("-")
    script = [other for other in others[:1] if len(other) == 4 and other.isalpha()]
    return "-".join([_THREE_LETTERS.get(language, language), *script])
