from __future__ import annotations

import pytest

from subfit.speech.syllables import count_syllables


@pytest.mark.parametrize(
    ("language", "words"),
    [
        # Hyphenation alone misses the syllables of one letter: A-bend, O-fen.
        (
            "de",
            "A-bend O-fen Leucht-turm Häu-ser schau-en Mu-se-um The-a-ter See Knie üb-rig",
        ),
        ("en", "light-house need-ed walked hou-ses ta-ble a-go on-ly you beau-ti-ful"),
        ("es", "a-gua pa-ís ciu-dad muy que gui-ta-rra ha-cí-a le-er bue-no rey a-yu-da"),
        ("fr", "é-té table mai-son thé-âtre eau oui na-tion quand u-sine"),
        ("it", "a-mi-co mi-o cia-o giu-sto po-e-ta fa-mi-glia per-ché più au-to scia-re"),
    ],
)
def test_words_have_the_syllables_they_are_said_with(language: str, words: str) -> None:
    for word in words.split():
        said = word.replace("-", "")
        assert count_syllables(said, language) == word.count("-") + 1, word


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Dr. Bell", "de", "Dok-tor Bell"),
        ("z. B. jetzt", "de", "zum Bei-spiel jetzt"),
        ("USA", "de", "U S A"),
        ("die BBC", "en", "die B B C"),
        ("1.000 Euro", "de", "ein-tau-send Eu-ro"),
        ("50 %", "de", "fünf-zig Pro-zent"),
        ("MACH DIE TÜR ZU", "de", "MACH DIE TÜR ZU"),
        ("l'amico", "it", "l'a-mi-co"),
        ("No.", "en", "No"),
        ("… !", "fr", ""),
    ],
)
def test_what_is_written_short_counts_as_it_is_read(text: str, language: str, said: str) -> None:
    assert count_syllables(text, language) == len(said.replace("-", " ").split())


def test_a_language_without_rules_counts_its_vowels() -> None:
    assert count_syllables("dobry wieczór", "pl") == 4


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("pl", "są cię wą-ska bę-dę dzień"),
        ("tr", "kı-zım ı-şık gü-zel kö-prü"),
        ("hu", "ő nő tű hű-tő kér-dés"),
        ("cs", "děv-če dům ú-těk bý-val"),
        ("ro", "ma-să sunt mân-că pă-mânt"),
        ("vi", "đường phở cũng biển"),
        ("lt", "są ės-ti į ū-kis"),
        ("lv", "mā-te ū-dens zē-ni"),
    ],
)
def test_vowels_count_with_whatever_marks_they_have(language: str, words: str) -> None:
    for word in words.split():
        said = word.replace("-", "")
        assert count_syllables(said, language) == word.count("-") + 1, word
    assert count_syllables("Hallo Welt", "de-AT") == count_syllables("Hallo Welt", "de")
