"""Capitals and small letters of languages that have their own."""

from __future__ import annotations

import pytest

from subfit.subtitles.sentences import join_cues, parse_cues
from subfit.text.casing import capitalised, capitals, in_capitals, names_in, recased, small
from tests.subtitles.test_joining import cues_of


@pytest.mark.parametrize(
    ("language", "text", "loud"),
    [
        ("de", "Straße über", "STRASSE ÜBER"),
        ("fr", "été à l'île", "ÉTÉ À L'ÎLE"),
        ("fr", "Cœur d’Anna, ça naît où ?", "CŒUR D’ANNA, ÇA NAÎT OÙ ?"),
        ("es", "¿Qué niño, pingüino?", "¿QUÉ NIÑO, PINGÜINO?"),
        ("es-MX", "él y la 1ª", "ÉL Y LA 1ª"),
        ("it", "È già così, perché no?", "È GIÀ COSÌ, PERCHÉ NO?"),
        ("it", "dell’isola, un po'", "DELL’ISOLA, UN PO'"),
        ("tr", "iyi ışık", "İYİ IŞIK"),
        ("tur", "iyi", "İYİ"),
        ("az-Latn-AZ", "iki qız", "İKİ QIZ"),
        ("en", "iyi ışık", "IYI IŞIK"),
        ("el", "Πού είναι ο φάρος;", "ΠΟΥ ΕΙΝΑΙ Ο ΦΑΡΟΣ;"),
        # Without its accent the first vowel would make a diphthong of both.
        ("el", "νεράιδα, Μάιος, προϊόν, ταΐζω", "ΝΕΡΑΪΔΑ, ΜΑΪΟΣ, ΠΡΟΪΟΝ, ΤΑΪΖΩ"),
        ("el", "η μέρα ή η νύχτα", "Η ΜΕΡΑ Ή Η ΝΥΧΤΑ"),
        ("el", "στο café", "ΣΤΟ CAFÉ"),
        ("ka", "გამარჯობა, Anna", "გამარჯობა, ANNA"),
        ("hr", "ǆep", "ǄEP"),
        ("ja", "灯台です", "灯台です"),
    ],
)
def test_capitals(language: str, text: str, loud: str) -> None:
    assert capitals(text, language) == loud


@pytest.mark.parametrize(
    ("language", "text", "quiet"),
    [
        ("tr", "İYİ IŞIK", "iyi ışık"),
        ("tr", "I\u0307YI\u0307", "iyi"),
        ("de", "ÄPFEL UND ÜBERMUT", "äpfel und übermut"),
        ("es", "¿QUÉ NIÑO?", "¿qué niño?"),
        ("fr", "L'ÉTÉ, CŒUR ÉPRIS", "l'été, cœur épris"),
        ("it", "C'È L’ISOLA", "c'è l’isola"),
        ("en", "I SEE İSTANBUL", "i see istanbul"),
        ("el", "Ο ΦΑΡΟΣ ΜΑΣ", "ο φαρος μας"),
    ],
)
def test_small_letters(language: str, text: str, quiet: str) -> None:
    assert small(text, language) == quiet


@pytest.mark.parametrize(
    ("language", "text", "begun"),
    [
        ("en", "iron", "Iron"),
        ("tr", "iyi", "İyi"),
        ("tr", "ışık", "Işık"),
        ("nl", "ijs", "IJs"),
        ("hr", "ǆep", "ǅep"),
        ("ka", "გამარჯობა", "გამარჯობა"),
        ("el", "ήλιος", "Ήλιος"),
        ("de", "", ""),
        ("de", "über", "Über"),
        ("es", "él", "Él"),
        ("fr", "œuvre", "Œuvre"),
        ("it", "è", "È"),
    ],
)
def test_a_capital_begins_a_sentence(language: str, text: str, begun: str) -> None:
    assert capitalised(text, language) == begun


@pytest.mark.parametrize(
    ("text", "loud"), [("DIE STRAßE", True), ("ß", False), ("ABc", False), ("გემი", False)]
)
def test_a_sharp_s_stands_among_capitals(text: str, loud: bool) -> None:
    assert in_capitals(text) is loud


@pytest.mark.parametrize(
    ("shouted", "cased"),
    [
        ("der mann ist tot.", "der Mann ist tot."),
        ("wo ist die polizei?", "wo ist die Polizei?"),
        ("du hast mein leben zerstört.", "du hast mein Leben zerstört."),
        ("wir wollen das essen und leben.", "wir wollen das essen und leben."),
        ("am morgen kommen die kleinen kinder.", "am Morgen kommen die kleinen Kinder."),
        ("heute und morgen", "heute und morgen"),
        ("achtung, die haustür ist offen!", "Achtung, die Haustür ist offen!"),
        ("ich habe angst vor der dunkelheit.", "ich habe Angst vor der Dunkelheit."),
        ("die verhandlungen sind gelungen.", "die Verhandlungen sind gelungen."),
        ("wir haben gesungen, die jungen leute.", "wir haben gesungen, die jungen Leute."),
        ("jemand muss ihnen sagen, dass sie gehen.", "jemand muss ihnen sagen, dass sie gehen."),
        ("ist das ernst? ja, anna.", "ist das ernst? ja, Anna."),
        ("er kommt jederzeit zum bahnhof.", "er kommt jederzeit zum Bahnhof."),
        ("die feuerwehr löscht den polizeiwagen.", "die Feuerwehr löscht den Polizeiwagen."),
    ],
)
def test_german_nouns_have_capitals(shouted: str, cased: str) -> None:
    assert recased(shouted, "de") == cased
    assert recased(shouted, "de-CH") == cased
    assert recased(shouted, "nl") == shouted


def test_names_are_what_a_file_has_with_a_capital_and_never_without() -> None:
    texts = ["We saw Finch and Rose.", "I like Mary-Ann, Tom.", "A rose, THE BOSS and I.", "Then."]
    assert names_in(texts) == {"Finch", "Mary-Ann", "Tom"}


SHOUTED = {
    "en": """
        We like Finch. | WHERE IS FINCH? | Where is Finch?
        They like finch. | WHERE IS FINCH? | Where is finch?
    """,
    "de": """
        Wir mögen Kellermann. | WO IST KELLERMANN, MANN? | Wo ist Kellermann, Mann?
        Das ist der Quastenflosser. | EIN QUASTENFLOSSER! | Ein Quastenflosser!
        Er wohnt in Köln. | WIR FAHREN NACH KÖLN. | Wir fahren nach Köln.
        Ich sah Anna-Lena. | ANNA-LENA, KOMM! | Anna-Lena, komm!
        Frag doch Jürgen. | JÜRGEN IST DA. | Jürgen ist da.
        Es ist spät. | WO IST DIE POLIZEI? | Wo ist die Polizei?
        Es ist spät. | DAS IST MEIN HAUS. | Das ist mein Haus.
        Es ist spät. | DIE KINDER SCHLAFEN. | Die Kinder schlafen.
    """,
    "es": """
        Nos gusta Ruiz. | ¿DÓNDE ESTÁ RUIZ? | ¿Dónde está Ruiz?
        No hay nadie. | ¿DÓNDE ESTÁ RUIZ? | ¿Dónde está ruiz?
        Vive en Toledo. | VAMOS A TOLEDO. | Vamos a Toledo.
        Vi a María José. | ¡MARÍA, VEN! | ¡María, ven!
        Llamé a Ana-Luz. | ANA-LUZ, CALLA. | Ana-Luz, calla.
        Una rosa, y Rosa. | LA ROSA ES ROJA. | La rosa es roja.
        Viene con Óscar. | ¡ÓSCAR, CORRE! | ¡Óscar, corre!
        La ciudad es Cádiz. | DE CÁDIZ A SEVILLA | De Cádiz a sevilla
    """,
    "fr": """
        On aime Finch. | OÙ EST FINCH ? | Où est Finch ?
        Il n'y a personne. | OÙ EST FINCH ? | Où est finch ?
        C'est à Anna. | C'EST À D'ANNA ! | C'est à d'Anna !
        J'ai vu Jean-Luc. | JEAN-LUC, VIENS ! | Jean-Luc, viens !
        C'est pour Élise. | ÉLISE, COURS ! | Élise, cours !
        Une rose, et Rose. | LA ROSE EST LÀ. | La rose est là.
        Le bateau d'Hélène. | C'EST HÉLÈNE ! | C'est Hélène !
        On part de Nice. | DE NICE À LYON | De Nice à lyon
    """,
    "it": """
        Ci piace Finch. | DOV'È FINCH? | Dov'è Finch?
        Non c'è nessuno. | DOV'È FINCH? | Dov'è finch?
        Ho visto Anna Maria. | ANNA, VIENI! | Anna, vieni!
        Chiama Pier-Luigi. | PIER-LUIGI, ZITTO. | Pier-Luigi, zitto.
        È per Niccolò. | NICCOLÒ, CORRI! | Niccolò, corri!
        Una rosa, e Rosa. | LA ROSA È ROSSA. | La rosa è rossa.
        Parto da Roma. | DA ROMA A PISA | Da Roma a pisa
        La barca dell’Elba. | ANDIAMO ALL'ELBA! | Andiamo all'Elba!
    """,
}
ROWS = [
    (language, *(part.strip() for part in row.split(" | ")))
    for language, rows in SHOUTED.items()
    for row in rows.strip().splitlines()
]


@pytest.mark.parametrize(("language", "known", "shouted", "spoken"), ROWS)
def test_what_a_file_has_in_small_letters_tells_names(language, known, shouted, spoken) -> None:
    cues = cues_of(known, shouted)
    for across in (True, False):
        *_, last = join_cues(cues, parse_cues(cues, "srt"), language=language, across_cues=across)
        assert last.spoken == spoken
