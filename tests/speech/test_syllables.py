from __future__ import annotations

import pytest

from subfit.speech.syllables import LANGUAGES, count_syllables

WORDS = [
    # Hyphenation alone misses the syllables of one letter: A-bend, O-fen.
    (
        "de",
        "A-bend O-fen Leucht-turm Häu-ser schau-en Mu-se-um The-a-ter See Knie üb-rig Na-ti-on"
        " I-dee Kaf-fee neu-e Ei Au-ge wei-ter ge-hen Stra-ße",
    ),
    (
        "en",
        "light-house need-ed walked hou-ses ta-ble a-go on-ly you beau-ti-ful cof-fee"
        " some-thing the knee",
    ),
    (
        "es",
        "a-gua pa-ís ciu-dad muy que gui-ta-rra ha-cí-a le-er bue-no rey a-yu-da rí-o ca-er"
        " vein-te ciu-da-da-no a-é-re-o a-hí guar-dia ba-úl",
    ),
    (
        "fr",
        "é-té table mai-son thé-âtre eau oui na-tion quand u-sine ou-vri-er crie fé-vri-er"
        " homme fille a-é-ro-port pois-son femme pied chien cli-ent",
    ),
    (
        "it",
        "a-mi-co mi-o cia-o giu-sto po-e-ta fa-mi-glia per-ché più au-to scia-re zi-o buo-no"
        " a-ve-re o-re cit-tà guai ma-e-stro quin-di i-de-a",
    ),
]


@pytest.mark.parametrize(("language", "words"), WORDS)
def test_words_have_the_syllables_they_are_said_with(language: str, words: str) -> None:
    for word in words.split():
        said = word.replace("-", "")
        assert count_syllables(said, language) == word.count("-") + 1, word


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("Dr. Bell", "de", "Dok-tor Bell"),
        ("Hr. Bell", "de", "Herr Bell"),
        ("Nr. 5", "de", "Num-mer fünf"),
        ("usw.", "de", "und so wei-ter"),
        ("z. B. jetzt", "de", "zum Bei-spiel jetzt"),
        ("USA", "de", "U S A"),
        ("1.000 Euro", "de", "ein-tau-send Eu-ro"),
        ("50 %", "de", "fünf-zig Pro-zent"),
        ("5 km", "de", "fünf Ki-lo-me-ter"),
        ("3 kg", "de", "drei Ki-lo-gramm"),
        ("MACH DIE TÜR ZU", "de", "MACH DIE TÜR ZU"),
        ("bzw.", "de", "be-zie-hungs-wei-se"),
        ("die BBC", "en", "die B B C"),
        ("No.", "en", "No"),
        ("Mr. Hill", "en", "Mis-ter Hill"),
        ("5 km", "en", "five ki-lo-me-ters"),
        ("Sr. Ruiz", "es", "se-ñor Ruiz"),
        ("Sra. Ruiz", "es", "se-ño-ra Ruiz"),
        ("Srta. Ruiz", "es", "se-ño-ri-ta Ruiz"),
        ("Dra. Ruiz", "es", "doc-to-ra Ruiz"),
        ("etc.", "es", "et-cé-te-ra"),
        ("EE. UU.", "es", "Es-ta-dos U-ni-dos"),
        ("EE.UU.", "es", "Es-ta-dos U-ni-dos"),
        ("Ud.", "es", "us-ted"),
        ("50 %", "es", "cin-cuen-ta por cien-to"),
        ("5 km", "es", "cin-co ki-ló-me-tros"),
        ("pág. 5", "es", "pá-gi-na cin-co"),
        ("el DNI", "es", "el de e-ne i"),
        ("M. Roy", "fr", "mon-sieur Roy"),
        ("Mme Roy", "fr", "ma-dame Roy"),
        ("Mlle Roy", "fr", "mad-moi-selle Roy"),
        ("Dr Roy", "fr", "doc-teur Roy"),
        ("etc.", "fr", "et ce-te-ra"),
        ("50 %", "fr", "cin-quante pour cent"),
        ("le TGV", "fr", "le T G V"),
        ("l'ADN", "fr", "l'A D N"),
        ("p. ex.", "fr", "par e-xemple"),
        ("5 km", "fr", "cinq ki-lo-mètres"),
        ("AU SECOURS, VITE", "fr", "au se-cours vite"),
        ("… !", "fr", ""),
        ("sig. Rossi", "it", "si-gnor Ros-si"),
        ("sig.ra Rossi", "it", "si-gno-ra Ros-si"),
        ("dott. Rossi", "it", "dot-tor Ros-si"),
        ("Dr. Rossi", "it", "dot-tor Ros-si"),
        ("prof. Rossi", "it", "pro-fes-sor Ros-si"),
        ("ecc.", "it", "ec-ce-te-ra"),
        ("pag. 5", "it", "pa-gi-na cin-que"),
        ("50%", "it", "cin-quan-ta per cen-to"),
        ("l'FBI", "it", "l'ef-fe bi i"),
        ("5 km", "it", "cin-que chi-lo-me-tri"),
        ("1.000 euro", "it", "mil-le eu-ro"),
        ("l'amico", "it", "l'a-mi-co"),
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_dozen_words(language: str) -> None:
    (own,) = (words for tag, words in WORDS if tag == language)
    assert len(own.split()) >= 12
