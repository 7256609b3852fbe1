"""Numbers as they are said."""

from __future__ import annotations

import pytest

from subfit.speech.spoken_numbers import number_syllables

SAID = {
    "de": """
        21 ein-und-zwan-zig | 100 ein-hun-dert | 7 sie-ben | 16 sech-zehn | 30 drei-ßig | 0 null
        1984 ein-tau-send-neun-hun-dert-vier-und-acht-zig | 75 fünf-und-sieb-zig | 12 zwölf
        2019 zwei-tau-send-neun-zehn | 99 neun-und-neun-zig | 007 null-null-sie-ben
    """,
    "en": """
        17 se-ven-teen | 342 three-hun-dred-for-ty-two | 7 se-ven | 21 twen-ty-one | 30 thir-ty
        100 one-hun-dred | 75 se-ven-ty-five | 0 ze-ro | 12 twelve | 11 e-le-ven | 99 nine-ty-nine
        2019 two-thou-sand-nine-teen
    """,
    "es": """
        16 die-ci-séis | 1000 mil | 7 sie-te | 21 vein-tiu-no | 22 vein-ti-dós | 30 trein-ta
        31 trein-tay-u-no | 75 se-ten-tay-cin-co | 100 cien | 101 cien-to-u-no | 500 qui-nien-tos
        521 qui-nien-tos-vein-tiu-no | 2019 dos-mil-die-ci-nue-ve | 0 ce-ro | 100000 cien-mil
    """,
    "fr": """
        75 soi-xante-quinze | 98 qua-tre-vingt-dix-huit | 100 cent | 7 sept | 16 seize | 30 trente
        21 vingt-et-un | 71 soi-xante-et-onze | 80 qua-tre-vingts | 101 cent-un | 1000 mille
        2019 deux-mille-dix-neuf | 0 zé-ro | 81 qua-tre-vingt-un | 121 cent-vingt-et-un
    """,
    "it": """
        0 ze-ro | 2019 du-e-mi-la-di-cian-no-ve | 7 set-te | 16 se-di-ci | 21 ven-tu-no | 30 tren-ta
        28 ven-tot-to | 75 set-tan-ta-cin-que | 99 no-van-ta-no-ve | 100 cen-to | 101 cen-to-u-no
        500 cin-que-cen-to | 1000 mil-le | 12 do-di-ci
    """,
}
ROWS = [
    (language, *number.split())
    for language, rows in SAID.items()
    for row in rows.strip().splitlines()
    for number in row.split(" | ")
]


@pytest.mark.parametrize(("language", "digits", "said"), ROWS)
def test_numbers_are_said_as_words(language: str, digits: str, said: str) -> None:
    assert number_syllables(digits, language) == said.count("-") + 1


@pytest.mark.parametrize("language", SAID)
def test_every_language_has_a_dozen_numbers(language: str) -> None:
    assert sum(row[0] == language for row in ROWS) >= 12
