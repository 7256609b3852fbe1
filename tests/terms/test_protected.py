"""Addresses, names of things and numbers are found, kept in translations, and told when lost."""

from __future__ import annotations

import pytest

from subfit.terms.glossary import Occurrence, TermFinder, disjoint, name
from subfit.terms.protected import find_placeables


def found(text: str, language: str = "de", source_language: str = "en") -> list[str]:
    return [each.source for each in find_placeables(text, source_language, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is all on www.example.org/films.", ["www.example.org/films"]),
        ("See https://example.org/a?b=1&c=2!", ["https://example.org/a?b=1&c=2"]),
        ("Write to anna.b@mail.example.org, please.", ["anna.b@mail.example.org"]),
        ("Follow @subfit and #subtitles.", ["@subfit", "#subtitles"]),
        ("Open config.yaml, then call get_text.", ["config.yaml", "get_text"]),
        ("PyTorch, iPhones and McCarthy's MP3", ["PyTorch", "iPhones", "McCarthy", "MP3"]),
        ("At www.example.org's page", ["www.example.org"]),
        ("In 2003: chaos.", ["2003"]),
        ("GPT-4 flew in an F-16 to the M25.", ["GPT-4", "F-16", "M25"]),
        ("Platform 17, in 2003, at 100%, for $40.", ["17", "2003", "100%", "$40"]),
        ("It took 3.5 of 12,500 hours.", ["3.5", "12,500"]),
        ("That is $1,250.50 or 20% less.", ["$1,250.50", "20%"]),
        ("Be there at 7:30, or 10 p.m., or 11am.", ["7:30", "10 p.m.", "11am"]),
        ("from 10 to 11 p.m.", ["11 p.m"]),  # the last dot closes the sentence
        ("She is 5'10\" tall and has 3 cats, we're #1!", ["5'10\"", "3", "1"]),
        ("It weighs 12 kg at 20°C, 60 mph", ["12 kg", "20°C", "60 mph"]),
        ("We 👨‍👩‍👧 say 你好 ♪", ["👨‍👩‍👧", "你好"]),
        ("Version 2.1.1 of 3,000,000.", ["2.1.1", "3,000,000"]),
        ("a 12-hour shift, 17 and 17", ["12", "17"]),
        ("20 000 people, 12 500 of them; in 2020 400 more", ["20 000", "12 500", "2020", "400"]),
        ("What the h*** is a *really* bad d*mn day?", ["h***", "*", "d*mn"]),
        ("They *sighs* went on *gasps* and on.", ["*sighs*", "*gasps*"]),
        ("Call 555-0142 or (212) 555-0142.", ["555-0142", "(212) 555-0142"]),
    ],
)
def test_what_has_to_be_kept_is_found(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "at 3.30",
        "the 1990s, the 1990's, the 21st, two F-16s",  # an ending that is a word's
        "24/7, 9/11, 1914-1918, 1914–18, 12-2000, 1-5550, 7-Eleven",
        "A PhD? Two PhDs, the WiFi, WW2, mRNA.",
        "#When I was young",
        "Two dozen, T-shirt, NATO, O'Brien, don't.",
        "mid-1990, pre-2000",
        "He lives in Berlin. Why not? ...",
        "",
    ],
)
def test_what_may_be_said_otherwise_is_left_to_the_model(text):
    assert found(text) == []


def forms(text: str, language: str, source_language: str = "en") -> tuple[str, ...]:
    return find_placeables(text, source_language, language)[0].targets


def test_numbers_may_be_written_as_the_target_language_has_it():
    assert forms("12,500 people", "de-AT")[0] == "12.500"
    assert forms("12,500 people", "fr")[0] == "12 500"
    assert "12500" in forms("12,500 people", "es-419")
    assert forms("$1,250.50", "de")[0] == "1.250,50\u00a0$"
    assert "12,500" in forms("12,500 people", "es-MX")
    assert "12,500" not in forms("12,500 people", "es-ES")
    assert "12.500" not in forms("12,500 people", "fr")  # which is twelve and a half there
    assert forms("$1,250.50", "es-MX")[0] == "$1,250.50"
    assert not any("$1,250.50" in forms("$1,250.50", each) for each in ("de", "es", "fr", "it"))
    assert {"3", "drei"} <= {*forms("3 cats", "de")}
    assert {"2", "ambos"} <= {*forms("2 cats", "es")}
    assert "12'500" in forms("12,500 people", "de-CH")
    assert forms("3.5 seconds", "it") == ("3,5", "3.5")
    (occurrence,) = find_placeables("12,500 people", "en", "fr")
    assert occurrence.is_in("Environ 12\u202f500 personnes")
    assert not occurrence.is_in("Environ 12 personnes sur 500")


def test_separators_are_left_alone_where_their_meaning_is_not_known():
    assert found("12,500 and 3.5 of 17", language="ja") == ["17"]
    assert found("12,500 och 3.5 av 17", source_language="sv", language="it") == ["17"]
    assert found("Klockan 22. 12 500 personer", source_language="sv", language="it") == ["22"]
    assert found("www.example.org has 17", language="ja", source_language="ko") == [
        "www.example.org",
        "17",
    ]


OTHERS = {
    "de": """
        Alles steht auf www.example.org/filme. | www.example.org/filme
        Schreib an anna.b@mail.example.org. | anna.b@mail.example.org
        Öffne config.yaml, dann get_text. | config.yaml ; get_text
        PyTorch, iPhones und McCarthys MP3 | PyTorch ; iPhones ; McCarthys ; MP3
        GPT-4 flog eine F-16. | GPT-4 ; F-16
        Gleis 17, im Jahr 2003, zu 100 %. | 17 ; 2003 ; 100 %
        Es dauerte 3,5 von 12.500 Stunden. | 3,5 ; 12.500
        Das sind 1.250,50 € oder 20 % weniger. | 1.250,50 € ; 20 %
        Sei um 7:30 da, oder um 22 Uhr. | 7:30 ; 22 Uhr
        Sie hat 3 Katzen. | 3
        Es wiegt 12 kg bei 20 °C. | 12 kg ; 20 °C
        Wir 👨‍👩‍👧 sagen 你好 | 👨‍👩‍👧 ; 你好
        Version 2.1.1 von 3.000.000. | 2.1.1 ; 3.000.000
        Sie zählte zweiundneunzig Schafe. | zweiundneunzig
        Ruf 030 1234567 an. | 030 1234567
        Ruf 0171/2345678 an. | 0171/2345678
        Tel. (030) 123456, bitte. | (030) 123456
        Aus dem Ausland +49 30 123456. | +49 30 123456
    """,
    "es": """
        Andén 17, en 2003, al 100 %. | 17 ; 2003 ; 100 %
        Tardó 3,5 de 12.500 horas. | 3,5 ; 12.500
        Son 1.250,50 € o un 20 % menos. | 1.250,50 € ; 20 %
        Ven a las 7:30 o a las 22 h. | 7:30 ; 22 h
        Tiene 3 gatos. | 3
        Pesa 12 kg a 20 °C. | 12 kg ; 20 °C
        Contó noventa y dos ovejas. | noventa y dos
        Llama al 612 34 56 78. | 612 34 56 78
        Llama al 91 345 67 89. | 91 345 67 89
        Es el 612 345 678. | 612 345 678
        Desde fuera, +34 612 345 678. | +34 612 345 678
    """,
    "fr": """
        Quai 17, en 2003, à 100 %. | 17 ; 2003 ; 100 %
        Il a fallu 3,5 des 12 500 jours. | 3,5 ; 12 500
        Ça fait 1 250,50 € ou 20 % de moins. | 1 250,50 € ; 20 %
        Viens à 7h30, ou à 22h. | 7h30 ; 22h
        Elle a 3 chats. | 3
        Ça pèse 12 kg à 20 °C. | 12 kg ; 20 °C
        Elle a compté quatre-vingt-douze moutons. | quatre-vingt-douze
        Appelle le 06 12 34 56 78. | 06 12 34 56 78
        Appelle le 01.23.45.67.89. | 01.23.45.67.89
        C'est le 0612345678. | 0612345678
        De l'étranger, +33 6 12 34 56 78. | +33 6 12 34 56 78
    """,
    "it": """
        Binario 17, nel 2003, al 100%. | 17 ; 2003 ; 100%
        Ci vollero 3,5 delle 12.500 ore. | 3,5 ; 12.500
        Fanno 1.250,50 € o il 20% in meno. | 1.250,50 € ; 20%
        Vieni alle 7:30, o alle ore 22. | 7:30 ; 22
        Ha 3 gatti. | 3
        Pesa 12 kg a 20 °C. | 12 kg ; 20 °C
        Contò novantadue pecore. | novantadue
        Chiama il 333 1234567. | 333 1234567
        Chiama lo 06 1234567. | 06 1234567
        Il mio è 347 123 4567. | 347 123 4567
        Dall'estero, +39 333 1234567. | +39 333 1234567
    """,
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (language, *(part.strip() for part in row.split(" | ")))
        for language, rows in OTHERS.items()
        for row in rows.strip().splitlines()
    ],
)
def test_what_has_to_be_kept_is_found_in_other_sources(language, text, expected):
    assert found(text, "en", language) == expected.split(" ; ")


LEFT = {
    "de": """
        Am 3.10.2024 | die GmbH | LehrerInnen | die StVO | 24/7 | 1914-1918
        die 90er | Er hat zwei. | T-Shirt | NATO | WLAN
    """,
    "es": """
        El 3.10.2024 | 24/7 | 1914-1918 | los 90s
        EE.UU. | OTAN
        Tiene dos. | ex-marido | físico-químico | De Madrid a Sevilla. | mil gracias
    """,
    "fr": """
        Le 3.10.2024 | 24/7 | 1914-1918 | les 90s
        Il en a deux. | peut-être | OTAN | L'ONU | qu'il d'Anna | mille mercis
    """,
    "it": """
        Il 3.10.2024 | 24/7 | 1914-1918 | gli anni '90 | la NATO
        Ne ha due. | ex-marito | L'ONU | dell'isola | mille grazie | Sei qui?
    """,
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (language, text.strip())
        for language, texts in LEFT.items()
        for line in texts.strip().splitlines()
        for text in line.split(" | ")
    ],
)
def test_what_may_be_said_otherwise_is_left_to_the_model_in_other_sources(language, text):
    assert found(text, "en", language) == []


def test_numbers_of_other_sources_are_written_as_the_target_has_them():
    assert forms("12.500 Leute", "en", "de")[0] == "12,500"
    assert forms("12 500 personnes", "en-GB", "fr")[0] == "12,500"
    assert forms("12.500 personas", "fr", "es")[0] == "12 500"
    assert forms("1.250,50 davon", "en", "de")[0] == "1,250.50"
    assert forms("3,5 secondi", "en", "it") == ("3.5", "3,5")
    assert forms("3.5 segundos", "en", "es-MX") == ("3.5",)
    assert "12.500" not in forms("12.500 Leute", "en", "de")  # which is twelve and a half there
    assert {"3", "three", "third"} <= {*forms("am 3. Mai", "en", "de")}
    assert {"2", "both", "twice"} <= {*forms("2 Katzen", "en", "de")}


@pytest.mark.parametrize(
    ("source", "text", "there"),
    [
        ("17", "Gleis 17.", True),
        ("17", "Gleis 170.", False),
        ("17", "Gleis 1,7.", False),
        ("17", "Gleis 3.17.", False),
        ("17", "Gleis 17,5.", False),
        ("17", "彼は17歳です。", True),
        ("17", "عمره ١٧ عاما", True),
        ("17", "eine 17jährige", True),
        ("config.yaml", "Config.yaml ist offen.", True),
        ("PyTorch", "INSTALLIEREN SIE PYTORCH", True),
        ("PyTorch", "PyTorchをインストール", True),
        ("PyTorch", "Installieren Sie PyTorFlow", False),
        ("PyTorch", "Installieren Sie PyTorchFlow", False),
    ],
)
def test_a_translation_has_it_as_it_is(source, text, there):
    assert Occurrence(source, 0, (source,), placeable=True).is_in(text) is there


def test_names_of_things_may_be_spelt_a_little_otherwise():
    for source, target in (
        ("McCarthy's house", "McCarthys Haus"),
        ("two iPhones", "zwei iPhone"),
        ("COVID-19 is here", "Covid19 ist da"),
        ("the G20", "der G-20"),
    ):
        (occurrence,) = find_placeables(source, "en", "de")
        assert occurrence.is_in(target)


def test_a_term_goes_before_a_placeable_in_its_place():
    text = "Install PyTorch on channel 17 of 7-Eleven 2000."
    terms = TermFinder([name("channel 17")], "de").find(text)
    both = disjoint([*terms, *find_placeables(text, "en", "de")])
    assert [(each.source, each.placeable) for each in both] == [
        ("PyTorch", True),
        ("channel 17", False),
        ("2000", True),
    ]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("It cost 15.12 $1,500 then.", ["15.12", "$1,500"]),
        ("I paid 1 000 000 euros and 12 more.", ["1 000 000", "12"]),
        ('The tag is <div class="box">.', ['<div class="box">']),
        ("The sign ` is on it.", ["`"]),
        ("The U.K. left, and so did the F.B.I.", ["U.K.", "F.B.I."]),
        ("He said <<no>> and left.", ["<<", ">>"]),
        ("Verse 1:3-5 is short.", ["1:3-5"]),
        ("Ada (sighs) left.", ["(sighs)"]),  # the model reads it; told where it is lost
    ],
)
def test_what_stands_beside_other_signs_stays(text: str, kept: list[str]) -> None:
    assert found(text) == kept


def test_a_score_is_no_number() -> None:
    assert not find_placeables("The same label and score for the first text", "en", "fr")
