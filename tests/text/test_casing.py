"""Capitals and small letters of languages that have their own."""

from __future__ import annotations

import pytest

from subfit.text.casing import capitalised, capitals, in_capitals, small


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
