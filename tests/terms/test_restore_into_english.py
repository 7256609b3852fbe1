"""Tables of what is brought into a form that models know in German, Spanish, French and Italian.

Each row of ``tests/data/cleaning/into_english`` has a source, what the model reads of it, an
English translation of that, and what is to be written; ``~`` stands for a no-break space. Nothing
is known of which words translate each other, as of most models of others: what only that would tell
stays plain.
"""

from __future__ import annotations

from functools import cache

import pytest
import yaml

from subfit.terms.checked import mended
from subfit.terms.protected import find_spans
from subfit.terms.restore import clean, restore
from tests.places import DATA
from tests.terms.test_restore_tables import LANGUAGES


@cache
def table(language: str) -> dict[str, list[list[str]]]:
    """The rows of a source language, by kind."""
    path = DATA / "cleaning" / "into_english" / f"{language}.yaml"
    found: dict[str, list[list[str]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


ROWS = [
    pytest.param(language, *row, id=f"{language}-{kind}-{number}")
    for language in LANGUAGES
    for kind, rows in table(language).items()
    for number, row in enumerate(rows, 1)
]


@pytest.mark.parametrize(("language", "source", "read", "made", "written"), ROWS)
def test_what_is_put_back_counts_as_kept(language, source, read, made, written):
    text = written.replace("~", "\u00a0")
    for each in find_spans(source, language, "en"):
        assert any(target in text for target in each.targets)


NOTHING = {
    "de": """Gib mir 20 Euro, um zwölf. | Ich bin 17, geboren 2003, auf Gleis 4.
        Er las Johannes 3:16. | Das T-Shirt, die E-Mail, die U-Bahn und der S-Bahnhof.
        Der BND rief die NATO an. | ARD und ZDF zeigen das auf DVD.
        Die GmbH, das StGB und ein LKW. | Die Schifffahrt und der Schlammmeister.
        Saal 5, 12-2000, um 3 Uhr. | Ludwig XVIII. und der Zweite Weltkrieg.
        Also... was? Nein! Ja. | Er sagte (soweit ich weiß) nichts.
        Es steht 3:2 für uns. | Sie heißt Aaron und kommt aus Saarbrücken.""",
    "es": """Dame 20 euros, a mediodía. | Tengo 17 años, nací en 2003, andén 4.
        Leyó Juan 3:16 y ganó. | La ONU, la OTAN y la UE.
        Vive en EE.UU. con su DNI. | El IVA, el ADN y la RAE.
        La sala 5, 12-2000, a las 3. | Alfonso XIII y Juan Carlos I.
        Pues... ¿qué? ¡No! Sí. | Tardó (que yo sepa) veinte minutos.
        Cree que lee y coopera. | La perra, el carro y la llave.
        ¿Vienes o no vienes? | Un ex-marido anti-todo.""",
    "fr": """Donne-moi 20 euros, à midi. | J'ai 17 ans, né en 2003, quai 4.
        Il a lu Jean 3:16. | La SNCF, la RATP et le TGV.
        Va-t-il venir ? A-t-elle dit oui ? | L'ONU et l'OTAN sont d'accord.
        Il a dormi pendant 2h30. | Il y a 1h30 de route.
        La salle 5, 12-2000, à 3 heures. | Louis XVIII et la Seconde Guerre mondiale.
        Bon... quoi ? Non ! Oui. | Il a mis (que je sache) vingt minutes.
        Elle a créé une idée. | Un ex-mari est là-bas.""",
    "it": """Dammi 20 euro, a mezzogiorno. | Ho 17 anni, nato nel 2003, binario 4.
        Lesse Giovanni 3:16. | La RAI, la FIAT e la NATO.
        L'ONU e l'UE sono d'accordo. | Il DNA, l'IVA e la TV.
        La sala 5, 12-2000, alle 3. | Luigi XVIII e la Seconda guerra mondiale.
        Beh... cosa? No! Sì. | Ci ha messo (che io sappia) venti minuti.
        La zia è una zoologa. | Un ex-marito è laggiù.
        Vorrei 3,5 di quelli. | Ha vinto 3 a 2.""",
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (language, text.strip())
        for language, texts in NOTHING.items()
        for line in texts.splitlines()
        for text in line.split(" | ")
    ],
)
def test_nothing_else_is_touched(language, text):
    assert clean(text, language, "en").text == text


@pytest.mark.parametrize(
    ("tag", "written"),
    [
        ("en", "3:30~p.m."),
        ("en-US", "3:30~p.m."),
        ("en-GB", "15:30"),
        ("en-IE", "15:30"),
        ("en-AU", "3:30~p.m."),
    ],
)
@pytest.mark.parametrize(
    ("language", "source"),
    [("de", "um 15 Uhr 30"), ("es", "a las 15:30"), ("fr", "à 15h30"), ("it", "alle 15.30")],
)
def test_times_follow_the_clock_of_the_region(language, source, tag, written):
    (found,) = find_spans(source, language, tag)
    assert found.written.replace("\u00a0", "~") == written


def test_the_half_of_the_day_is_left_open_where_the_source_does():
    assert [each.written for each in find_spans("um 3:30 Uhr", "de", "en")] == ["3:30"]
    assert [each.written for each in find_spans("um 03:30 Uhr", "de", "en-US")] == [
        "3:30\u00a0a.m."
    ]


def test_one_dot_closes_both_the_time_and_the_sentence():
    source = "Er kommt um 15:30 Uhr."
    for tag, time in (("en", "3:30\u00a0p.m."), ("en-GB", "15:30.")):
        for made in ("He comes at 9 a.m.", "He comes at 9."):
            text = mended(restore(clean(source, "de", tag), made), source, tag, "de")
            assert text == f"He comes at {time}"


@pytest.mark.parametrize(
    ("language", "figure", "written"),
    [
        ("de", "1.234", "€1,234"),
        ("de", "1,234", "€1.234"),
        ("de-CH", "1’234.50", "€1,234.50"),
        ("es", "1.234,5", "€1,234.5"),
        ("es-MX", "1,234.50", "€1,234.50"),
        ("es-MX", "1,234", "€1,234"),
        ("es", "4.50", "€4.50"),
        ("fr", "12 500", "€12,500"),
        ("fr", "1\u202f234,50", "€1,234.50"),
        ("fr", "1.500", "€1,500"),
        ("it", "2.500.000", "€2,500,000"),
        ("it", "0,99", "€0.99"),
    ],
)
def test_separators_mean_what_they_mean_where_the_source_is_from(language, figure, written):
    assert [each.written for each in find_spans(f"{figure} €", language, "en")] == [written]


@pytest.mark.parametrize(
    ("language", "target", "source", "written"),
    [
        ("de", "fr", "Es kostet 1.234,50 € um 15:30 Uhr.", ["1~234,50~€", "15~h~30"]),
        ("fr", "de", "C'est 1,5 M€ à 15h30.", ["1,5~Millionen~Euro", "15:30~Uhr"]),
        ("es", "it", "Son 20 € a las 15:30.", ["20~€", "15:30"]),
        ("it", "es", "Alle 15.30, per 2 miliardi di €.", ["15:30", "2~mil~millones~de~euros"]),
    ],
)
def test_pairs_without_english_have_their_figures_too(language, target, source, written):
    found = [each.written.replace("\u00a0", "~") for each in find_spans(source, language, target)]
    assert sorted(found) == sorted(written)


ABBREVIATED = [
    ("de", "Ich sah Hrn. Keller. Er kam.", "I saw Mr. Keller.| He came."),
    ("de", "Am 3. Mai kam er. Sie ging.", "He came on 3 May.| She left."),
    ("de", "Er ist z. B. 17. Er kam.", "He is 17, for example.| He came."),
    ("es", "Vi a la Srta. Ruiz. Vino.", "I saw Miss Ruiz.| She came."),
    ("es", "Mira la pág. 5. Vino.", "Look at page 5.| He came."),
    ("fr", "J'ai vu M. Roy. Il vint.", "I saw Mr. Roy.| He came."),
    ("fr", "« Viens ! » Il vint.", '"Come!"| He came.'),
    ("it", "Vidi il sig. Rossi. Venne.", "I saw Mr. Rossi.| He came."),
    ("it", "Vedi pag. 5. Venne.", "See page 5.| He came."),
]


@pytest.mark.parametrize(("language", "source", "marked"), ABBREVIATED)
def test_what_was_taken_out_goes_back_between_the_same_sentences(language, source, marked):
    """Where a source's abbreviations end none."""
    before, _, last = source.rpartition(". " if "!" not in source else "» ")
    mark = source[len(before) : -len(last)]
    noted = clean(f"{before}{mark}[lacht] {last}", language, "en")
    assert noted.text == source and len(noted.spans) == 1
    made = marked.replace("|", "")
    assert restore(noted, made) == marked.replace("|", " [lacht]")


def test_a_text_in_its_own_language_keeps_its_figures():
    assert find_spans("It cost $20 at 5:30 p.m.", "en-US", "en-GB") == ()
