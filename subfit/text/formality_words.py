"""What gives away how German, Spanish, French and Italian address somebody.

Patterns are matched against texts as `subfit.model.tokenizer.normalize` leaves them. Those that are
sure by themselves stand under ``formal`` and ``informal``; ``formal_if_you`` only counts where the
source says "you" and speaks of nobody else, since the same form also means "she", "they" or "his".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import regex

_START = r"(?:^|(?<=[.!?…:;¿¡«»„“”\"(–—-])\s?|(?<=[.!?…] ))(?:[¿¡\"«„“(–-]\s?)*"
"""Where a sentence, or a clause behind a dash or an opening mark, begins."""

_MIDDLE = r"(?<=[\p{L}\d,;’'%)] )"
"""Behind another word of the sentence, where a capital means something."""


@dataclass(frozen=True)
class Form:
    """What gives away one form of address."""

    expression: str
    cased: bool
    """Whether capitals matter; otherwise the expression is in small letters."""

    def in_text(self, text: str, lowered: str) -> bool:
        """Tell whether a text has it; ``lowered`` is the text in small letters."""
        return self._pattern.search(text if self.cased else lowered) is not None

    @cached_property
    def _pattern(self) -> regex.Pattern[str]:
        """Compiled when it is needed: most runs ask for no form of address."""
        return regex.compile(self.expression)


_NOTHING = Form(r"(?!)", cased=False)


@dataclass(frozen=True, slots=True)
class Marks:
    """The forms of one language."""

    informal: Form
    """One person who is addressed familiarly."""
    formal: Form
    """Somebody who is addressed politely, whatever the source says."""
    formal_if_you: Form
    """Likewise, where the source says "you" and speaks of nobody else."""
    plural: Form
    """Several people, or an address that is neither: such texts have no label."""
    orders_formal: Form = _NOTHING
    """Orders that open sentences of a source to one who is addressed politely."""
    orders_informal: Form = _NOTHING
    """Likewise, familiarly."""


def _words(words: str) -> str:
    return rf"(?<![\p{{L}}’'-])(?:{'|'.join(words.split())})(?![\p{{L}}’'])"


def _opening(words: str) -> str:
    """Words at the start of a sentence, where they are imperatives or have no subject."""
    return rf"{_START}(?:{'|'.join(words.split())})(?![\p{{L}}’'-])"


def _any(*patterns: str) -> Form:
    return Form("|".join(patterns), cased=True)


def _loose(*patterns: str) -> Form:
    """Patterns in small letters, for which capitals do not matter."""
    return Form("|".join(patterns), cased=False)


_GERMAN = Marks(
    informal=_any(
        r"\b[Dd]u\b(?! (?:meine Güte|lieber|liebe Güte|heiliger))",
        _words(r"[Dd]ich [Dd]ir [Dd]ein(?:e[mnrs]?)? [Dd]eins [Dd]einetwegen"),
        _words("bist hast kannst willst musst darfst weißt wirst warst hattest könntest würdest")
        + r"(?! (?:es )?wohl)",
        _opening("Bist Hast Kannst Willst Musst Darfst Weißt Magst Siehst Kommst Könntest Würdest"),
        _opening(
            "Komm Geh Sieh Schau Hör Gib Nimm Hilf Sag Mach Sei Bleib Vergiss Iss Lies Sprich Lass"
            " Versuch Pass Wirf Zeig Erzähl Fahr Lauf Setz Beeil Warte Öffne Schließe Wähle Klicke"
            " Drücke Erstelle Füge Ziehe Verschiebe Speichere Verwende Benutze"
        )
        + r"(?! (?:ich|er|sie|es|wir|man|du)\b)",
    ),
    formal=_any(
        _MIDDLE + r"(?:Sie|Ihnen|Ihre[mnrs]?|Ihrerseits|Ihretwegen)(?!\p{L})",
        _MIDDLE + r"Ihr(?!\p{L})(?! (?:\p{Ll}+[^n]t|seid|habt|könnt|sollt|wollt|werdet)\b)",
    ),
    formal_if_you=_any(
        _opening("Sie") + r"(?! (?:ist|hat|war|wird|kann|muss|will|soll|darf|mag|\p{Ll}+[^n]t)\b)",
        _opening("Ihnen Ihre[mnrs]?"),
    ),
    plural=_any(
        _words(r"[Ee]uch [Ee]uer [Ee]ure[mnrs]? [Ee]urem"),
        _words(r"[Ii]hr")
        + r" (?:seid|habt|könnt|sollt|wollt|werdet|müsst|dürft|wart|\p{Ll}+[^n]t)\b",
        r"(?i)\b(?:seid|habt|könnt|sollt|wollt|werdet|müsst|dürft|wart|wisst) ihr\b",
    ),
)

SPANISH_VERBS = """
eres estás tienes puedes quieres sabes vas has haces crees piensas dices debes necesitas vienes ves
conoces entiendes hablas vives trabajas sientes oyes recuerdas pareces bebes comes lees escribes
duermes vuelves juegas encuentras pones sigues pierdes compras opinas prefieres llegas quedas
mientes olvidas ayudas odias amas importas mereces supones imaginas atreves sueles puedas
estés tengas hagas vayas quieras sepas digas vengas hayas seas veas pienses creas hables olvides
preocupes vuelvas muevas dejes toques estabas tenías ibas hacías sabías querías podías decías habías
creías pensabas podrías deberías querrías tendrías harías dirías irías serías estarías habrías
sabrías vendrías hiciste fuiste dijiste viniste pudiste quisiste estuviste tuviste supiste pusiste
"""

_SPANISH = Marks(
    informal=_loose(
        _words("tú tu tus te ti tuy[oa]s? contigo"),
        _words(SPANISH_VERBS),
        r"\b\p{L}+(?:[aei]|[dbr])rás\b",
        _words(
            "dime dame déjame ayúdame escúchame mírame perdóname créeme ven(?=[,!]) vete cállate"
            " siéntate levántate quédate cálmate tranquilízate acuérdate fíjate espérame cuídate"
        ),
        r"(?<!\p{L})\p{L}{2,}(?<!tr|ex|ch|ins|cons|res|pers|as|cont?r|desg|v|des|p|b|g|qu|emb|subs)"
        r"(?:aste|iste)(?!\p{L})(?<!aplaste)(?<!arrastraste)",
    ),
    formal=_loose(
        _words(r"usted ud\. vd\."),
        _words(
            "siéntese cállese váyase levántese dígame déjeme perdóneme discúlpeme espéreme ayúdeme"
            " créame escúcheme permítame tranquilícese cálmese quédese acérquese asegúrese sírvase"
            " preocúpese discúlpeme deme"
        ),
        _opening("perdone disculpe oiga espere mire"),
    ),
    formal_if_you=_loose(
        _words("su sus suy[oa]s?"),
        r"\bya (?:sabe|ve)\b",
        _opening(
            "ha sabe puede cree quiere tiene está es debe piensa podría va conoce necesita le había"
            " recuerda sabía opina entiende cómo.está vio fue quién.es"
            " qué.(?:hace|quiere|cree|opina|piensa|dice|tiene|prefiere|le)"
        ),
    ),
    plural=_loose(
        _words(r"vosotr[oa]s vuestr[oa]s? os ustedes uds\. vds\. vos"), r"\p{L}+[áé]is\b"
    ),
    orders_formal=_loose(
        _opening("pase tome traiga ponga salga suba siga abra cierre beba coma escuche")
        + r"(?! (?:lo que|él|ella)\b)",
        _opening("venga vaya") + r" (?:con|a|aquí|por|conmigo)\b",
    ),
    orders_informal=_loose(_opening("ven") + r" (?:con|a|aquí|por|conmigo)\b"),
)

_FRENCH = Marks(
    informal=_loose(
        _words("tu te toi tien(?:ne)?s? tes ta"),
        r"(?<![\p{L}’'-])t[’'](?=[\p{L}])",
        r"(?<!\b(?:le|un|du|de|bon|ce|quel|haut|au|même) )(?<![\p{L}’'-])ton(?![\p{L}’'-])",
        r"-(?:toi|tu)\b",
        _opening(
            "viens va attends fais sois regarde écoute laisse prends reviens vas donne tiens dis"
        )
        + r"(?! (?:il|elle|on|je)\b)",
    ),
    formal=_loose(_words("vous votre vos vôtres?"), r"-vous\b"),
    formal_if_you=_loose(r"(?<![\p{L}’'-])(?!chez\b|assez\b|rez\b|nez\b)\p{L}{2,}ez\b"),
    plural=_loose(
        r"\bvous (?:\p{L}+ )?(?:tous|toutes|deux|trois|quatre|autres)\b",
        r"\bvous êtes (?:\p{L}+és|prêts|seuls|fous|amis|perdus|venus|partis)\b",
        r"\b(?:mesdames|messieurs|les (?:gars|enfants|filles|garçons|amis))\b",
        r"\bmes (?:amie?s|enfants|frères)\b",
        r"\bl’un (?:l’autre|de vous)\b|\bvous-mêmes\b",
    ),
    orders_formal=_loose(_START + r"(?!chez\b|assez\b|nez\b|rez\b|allez\b)\p{L}{2,}ez(?![\p{L}])"),
)

ITALIAN_VERBS = """
hai puoi vuoi sai devi vai fai stai vieni dici credi capisci vedi senti conosci vivi bevi leggi
scrivi dormi prendi metti tieni finisci preferisci rimani perdi scegli
potresti dovresti vorresti saresti avresti faresti diresti andresti verresti sapresti
avevi facevi dicevi potevi volevi dovevi sapevi andavi stavi eri potrai dovrai avrai sarai farai
andrai vedrai saprai vorrai dirai verrai fosti avessi fossi facessi
"""

_ITALIAN_VERBS_IN_ARE = (
    r"(?:pensi|parli|lavori|mangi|trovi|cerchi|ricordi|torni|resti|giochi|guardi|aspetti)"
)
"""Familiar behind a question word; by themselves also polite imperatives."""

_ITALIAN = Marks(
    informal=_loose(
        _words(r"tu te ti tuo tua tuoi tue"),
        _words(ITALIAN_VERBS),
        rf"\b(?:cosa|come|dove|quando|perché|chi) (?:ne )?{_ITALIAN_VERBS_IN_ARE}\b",
        r"(?<!\b(?:le|alle|delle|dalle|i|gli|di|da|per|in|quasi|circa|e|a) )"
        r"(?<![\p{L}’'-])sei(?![\p{L}’'])"
        r"(?! (?:anni|ore|mesi|giorni|settimane|minuti|volte|e|del|di|persone|milioni|mila))",
        _words(
            "dimmi dammi fammi lasciami aiutami ascoltami guardami scusami vattene calmati siediti"
        ),
        r"\b\p{L}{2,}[ai]ti\b(?=!)|\bt[’'](?=\p{L})",
    ),
    formal=_any(
        _MIDDLE + r"(?:Lei|Suo|Sua|Suoi|Sue|Le|La)(?!\p{L})(?! \p{Lu})",
        r"\b(?:[Mm]i (?:dica|dia|scusi)|[Ss]i (?:accomodi|calmi|sieda)|[Ss]cusi)\b",
    ),
    formal_if_you=_loose(
        _words("lei suo sua suoi sue"),
        _opening(
            "ha può sa deve pensa vuole crede potrebbe è conosce dovrebbe sta va vede capisce le"
            " aveva"
            " cosa.(?:ne.)?(?:pensa|fa|vuole|preferisce|dice) che.cosa.(?:ne.)?pensa qual.è"
        ),
        r"(?<=\p{L},? )sa(?=[,.?])",
    ),
    plural=_loose(
        _words(r"voi vi vostr[oaie] siete avete fate potete volete dovete sapete andate"),
        r"\bv[’']\p{L}",
    ),
    orders_formal=_loose(
        _opening("venga prenda senta entri esca stia faccia vada tenga legga")
        + r"(?! (?:pure )?(?:lui|lei che|chi)\b)"
    ),
    orders_informal=_loose(_opening("vieni prendi senti vai stai tieni leggi")),
)

MARKS: Mapping[str, Marks] = MappingProxyType(
    {"de": _GERMAN, "es": _SPANISH, "fr": _FRENCH, "it": _ITALIAN}
)
"""By language."""

SECOND_PERSON: regex.Pattern[str] = regex.compile(
    r"(?i)\b(?:you|your|yours|yourself|ya|you[’'](?:re|ve|ll|d))\b"
)
"""The source speaks to somebody."""

THIRD_PERSON: regex.Pattern[str] = regex.compile(
    r"(?i)\b(?:he|she|they|him|her|hers|his|them|their|theirs|its|himself|herself|themselves|"
    r"they[’'](?:re|ve|ll|d)|s?he[’'](?:s|ll|d)|one[’']s)\b"
)
"""The source also speaks of somebody."""

_PEOPLE = "guy|boy|girl|kid|sister|brother|friend|lovebird|idiot|fool|clown"
_THINGS = rf"(?!(?:{_PEOPLE}|alway|sometime)s\b)\p{{L}}{{2,}}[^s\P{{L}}]s"
_COUNTED = f"more|hundred|thousand|million|{_THINGS}"
"""What numbers behind "you" may count, as in "I wrote you three letters"."""
SEVERAL_PEOPLE: regex.Pattern[str] = regex.compile(
    r"(?i)\b(?:you (?:all|guys|both|people|lot|boys|girls|kids|men|folks)|y[’']all|"
    rf"you (?:two|three)(?! (?:{_COUNTED})\b)|"
    r"(?:both|all|each|some|two|many|most|none|any|one) of you|yourselves|ladies and gentlemen|"
    r"my friends|comrades)\b"
)
"""The source speaks to more than one."""
