"""Slips of finished texts are mended, and what they have more or less than their source is told."""

from __future__ import annotations

import pytest

from subfit.terms.checked import added_numbers, mended, said_again
from subfit.terms.glossary import missing_from
from subfit.terms.protected import find_placeables


def lacking(source: str, translation: str, language: str):
    """What of an English source a translation has not."""
    return missing_from(translation, find_placeables(source, "en", language))


@pytest.mark.parametrize(
    ("text", "source", "mended_text"),
    [
        ("Nun,, da sind wir.", "Well, here we are.", "Nun, da sind wir."),
        ("Steh auf!, bitte.", "Get up, please.", "Steh auf! bitte."),
        ('"Steh auf,", sagte sie.', '"Get up," she said.', '"Steh auf", sagte sie.'),
        ("„Es ist spät.", "'Tis late.", "Es ist spät."),
        ("« Regarde-moi.", "'Scuse me.", "Regarde-moi."),
        ("Klasse von „85“.", "Class of '85.", "Klasse von „85“."),
        ('Was ist das "" hier?', "What is this here?", "Was ist das hier?"),
        ("Dov [bleep] 'è?", "Where is [bleep] he?", "Dov'è [bleep]?"),
        ("c [bleep] 'est ça", "what the [bleep] is this", "c'est [bleep] ça"),
        ("B-Bewertete Filme.", "Rated films.", "Bewertete Filme."),
        ("I-I filmati.", "R-rated films.", "I filmati."),
        ("S-Schade.", "P-pity.", "S-Schade."),
        ("E-Es war D-Day.", "It was D-Day.", "Es war D-Day."),
        ("Etwa 2.5% von Python 3.12", "About 2.5% of Python 3.12", "Etwa 2,5% von Python 3.12"),
        ('"Er sagte "ja", oder?', "\"He said 'yes', no?\"", '"Er sagte "ja", oder?"'),
        ("Chriss Auto", "Chris's car", "Chris' Auto"),
        ("Alexs Hund und Rosss Katze", "Alex's dog and Ross's cat", "Alex' Hund und Ross' Katze"),
        ("geschlossen", "CLOSED", "GESCHLOSSEN"),
        ("nein!", "NO!", "NEIN!"),
        ("BBC. Okay. Ich...", "BBC. OK. I...", "BBC. Okay. Ich..."),
        ("Was was was ist das?", "What is this?", "Was ist das?"),
        ("M. Herr Hill singt.", "Mr. Hill sings.", "Herr Hill singt."),
        ("das ist es.", "That is it.", "Das ist es."),
        ("[beep] wohin geht er?", "Where does he go?", "[beep] Wohin geht er?"),
        (
            "Er sagte <<nie,>> und ging.",
            "He said <<never>> and left.",
            "Er sagte <<nie>>, und ging.",
        ),
        ("iPhones sind da.", "iPhones are here.", "iPhones sind da."),
        ("ich weiß.", "I know.", "Ich weiß."),
        ("Der alte der Alte singt.", "The old man sings.", "Der alte singt."),
        ("Der der Alte singt.", "The old man sings.", "Der Alte singt."),
        ("He said 'Demarrer' to us.", "Il nous a dit « Démarrer ».", "He said 'Demarrer' to us."),
        ("Press the 's' key.", "Appuie sur s.", "Press the 's' key."),
        ("Wer ist ist das?", "Who is this?", "Wer ist das?"),
        ("Die Leute, die die Tür sahen", "Those who saw the door", "Die Leute, die die Tür sahen"),
        ("Ist das das Haus?", "Is that the house?", "Ist das das Haus?"),
        ("Um 5.30 Uhr.", "At 5.30.", "Um 5.30 Uhr."),
        ("Es ist 7.45.", "It's 7.45.", "Es ist 7.45."),
        ("Siehe Kapitel 3.2 dort.", "See chapter 3.2 there.", "Siehe Kapitel 3.2 dort."),
        ("Es sind 2.5 Grad.", "It is at 2.5 degrees.", "Es sind 2,5 Grad."),
        ("Sehr sehr kalt.", "Very very cold.", "Sehr sehr kalt."),
        ("Herr Herrn Hill singt.", "Mr. Hill sings.", "Herr Hill singt."),
        ("Frau Herr Hill singt.", "Mr. Hill sings.", "Herr Hill singt."),
        ("Frau Hill und Herr Bell", "Mrs. Hill and Mr. Bell", "Frau Hill und Herr Bell"),
        ("Das ist gut.", "That is good.", "Das ist gut."),
    ],
)
def test_slips_are_mended(text: str, source: str, mended_text: str) -> None:
    assert mended(text, source, "de") == mended_text


@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("fr", "L' UE a dit non.", "L'UE a dit non."),
        ("fr", "C 'est dit, jusqu 'à lundi.", "C'est dit, jusqu'à lundi."),
        ("it", "Quest 'anno cade dall 'alto.", "Quest'anno cade dall'alto."),
        ("it", "Disse un 'no' secco.", "Disse un 'no' secco."),
        ("en", "He had had enough.", "He had had enough."),
        ("tr", "Yavaş yavaş.", "Yavaş yavaş."),
        ("en", "They all 'know' it 's late.", "They all 'know' it's late."),
    ],
)
def test_elisions_are_joined_and_what_a_language_says_stays(language, text, written) -> None:
    assert mended(text, "Er sagt es.", language, "de") == written


@pytest.mark.parametrize(
    ("source", "translation", "added"),
    [
        ("3,000,000 copies", "3 3 000 000 Kopien", ()),
        ("3,000,000 copies", "33 3.000.000 Kopien", ("33",)),
        ("7.8 of 12", "7,8 von 12", ()),
        ("I was twelve in 1912.", "Ich war 1912 zwölf.", ()),
        ("12 men", "12 Männer und 12 Frauen", ()),
        ("It was late.", "Es war 1985.", ("1985",)),
        ("Since the 1970s.", "Seit '70.", ()),
        ("It is 1,125 miles.", "Es sind 1.125 Meilen, also 125.", ("125",)),
    ],
)
def test_numbers_that_no_source_has_are_told(source, translation, added) -> None:
    kept = find_placeables(source, "en", "de")
    assert added_numbers(source, translation, kept) == added


def test_what_a_translation_doubles_is_told_unless_it_stands_side_by_side() -> None:
    source = "The 25 men paid 25 dollars, and 1,500 more left."
    kept = find_placeables(source, "en", "de")
    told = said_again("1.500 gingen, 25 zahlten 25, und 1.500 mehr.", source, kept)
    assert [one.source for one in told] == ["1,500"]
    assert mended("Das sind 1.500 1.500 Leute.", "That is 1,500 people.", "de") == (
        "Das sind 1.500 Leute."
    )


@pytest.mark.parametrize(
    ("source", "text"),
    [("What is your name?", "Comment vous vous appelez ?"), ("We met.", "Nous nous voyons.")],
)
def test_french_pronouns_may_stand_side_by_side(source: str, text: str) -> None:
    assert mended(text, source, "fr") == text


@pytest.mark.parametrize(
    ("language", "text", "written"),
    [
        ("de", "Das sind 12.75 % davon.", "Das sind 12,75 % davon."),
        ("es", "Son 12.75 %, con Python 3.12.", "Son 12,75 %, con Python 3.12."),
        ("fr", "C'est 12.75 % de tout.", "C'est 12,75 % de tout."),
        ("it", "È il 12.75 % di tutto.", "È il 12,75 % di tutto."),
    ],
)
def test_a_decimal_point_is_the_languages_own(language: str, text: str, written: str) -> None:
    assert mended(text, "It is 12.75 % of it, with Python 3.12.", language) == written


@pytest.mark.parametrize("language", ["de", "es", "fr", "it"])
@pytest.mark.parametrize(
    "source",
    [
        "They never ™ came.",
        "Only 61% went.",
        "Use the % key.",
        "It took 1,000 days.",
        "Ring 555-2040 4:40 today.",
        "Take Pair<int> home.",
        "The U.S. told us.",
        "Print %s twice.",
    ],
)
def test_what_a_translation_lacks_or_says_twice_is_told(source: str, language: str) -> None:
    kept = find_placeables(source, "en", language)
    assert kept and missing_from("Nada de us.", kept)
    if kept[0].source not in ("Pair<int>", "%s"):
        return
    (one,) = kept
    assert said_again(f"{one.source} y {one.source}", source, kept) == (one,)


def test_what_a_source_has_twice_is_told_where_it_is_once() -> None:
    source = "See www.example.org now. I mean www.example.org here."
    once, twice = "Mira www.example.org.", "Mira www.example.org. Digo www.example.org."
    assert lacking(source, once, "es")
    assert not lacking(source, twice, "es")
    (one,) = lacking("It took 2 ¾ days, or ¾.", "2 ¾ jours", "fr")
    assert one.source == "¾"
    (one,) = lacking("Take ⅓ now, ⅓ later.", "Prends ⅓.", "fr")
    assert one.source == "⅓"


def test_lost_stars_and_numbers_in_groups_are_told() -> None:
    for source, text, told in (
        ("I *did* see it.", "Ich *habe es gesehen.", "*"),
        ("We lost 14 250 of them.", "Wir verloren 14 950.", "14 250"),
    ):
        (one,) = lacking(source, text, "de")
        assert one.source == told
        assert not lacking(source, source, "de")


def test_signs_may_stand_right_beside_words() -> None:
    kept = find_placeables("He said <<no>> and left.", "en", "es")
    assert not missing_from("Dijo <<no>> y se fue.", kept)
    assert missing_from("Dijo no y se fue.", kept) == kept


def test_three_noughts_in_a_row_are_no_slip() -> None:
    assert mended("Voici 2 000 000 raisons.", "Here are 2,000,000 reasons.", "fr") == (
        "Voici 2 000 000 raisons."
    )
