"""Names and German nouns get their capitals back where a text had nothing but capitals."""

from __future__ import annotations

import pytest

from subfit.subtitles.joining import join_cues
from subfit.subtitles.sentences import parse_cues
from subfit.text.recasing import names_in, recased
from tests.subtitles.test_joining import cues_of


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


@pytest.mark.parametrize(
    ("language", "known", "shouted", "spoken"),
    [
        ("en", "We like Finch.", "WHERE IS FINCH?", "Where is Finch?"),
        ("en", "They like finch.", "WHERE IS FINCH?", "Where is finch?"),
        ("es", "Nos gusta Ruiz.", "¿DÓNDE ESTÁ RUIZ?", "¿Dónde está Ruiz?"),
        ("fr", "On aime Finch.", "OÙ EST FINCH ?", "Où est Finch ?"),
        ("fr", "C'est à Anna.", "C'EST À D'ANNA !", "C'est à d'Anna !"),
        ("it", "Ci piace Finch.", "DOV'È FINCH?", "Dov'è Finch?"),
        ("de", "Wir mögen Kellermann.", "WO IST KELLERMANN, MANN?", "Wo ist Kellermann, Mann?"),
        ("de", "Das ist der Quastenflosser.", "EIN QUASTENFLOSSER!", "Ein Quastenflosser!"),
    ],
)
def test_what_a_file_has_in_small_letters_tells_names(language, known, shouted, spoken) -> None:
    cues = cues_of(known, shouted)
    for across in (True, False):
        *_, last = join_cues(cues, parse_cues(cues, "srt"), language=language, across_cues=across)
        assert last.spoken == spoken
