"""Numbers in words, in sources of five languages."""

from __future__ import annotations

import pytest

from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.placeables import find_placeables
from subfit.text.number_words import in_digits, number_forms
from subfit.text.spelt_numbers import find_spelt_numbers

FOUND = {
    "de": {
        "Wir haben drei Hunde.": [("drei", 3)],
        "Fünfunddreißig Grad im Schatten!": [("Fünfunddreißig", 35)],
        "Sie ist einundzwanzig.": [("einundzwanzig", 21)],
        "Es waren zweihundert Leute, achtzehn davon Kinder.": [
            ("zweihundert", 200),
            ("achtzehn", 18),
        ],
        "Das kostet zehntausend Euro.": [("zehntausend", 10_000)],
        "VIER MANN NACH VORN": [("VIER", 4)],
        "– Sieben? – Acht.": [("Sieben", 7), ("Acht", 8)],
        "in neunundneunzig Tagen": [("neunundneunzig", 99)],
        "Er ist seit zwölf Jahren tot.": [("zwölf", 12)],
        "Sechshundert Schafe, elf Hirten.": [("Sechshundert", 600), ("elf", 11)],
        "Bring acht Lampen mit.": [("acht", 8)],
        "Wir waren zu fünft, jetzt vier.": [("vier", 4)],
    },
    "es": {
        "Tengo treinta y cinco años.": [("treinta y cinco", 35)],
        "Quedan veintiún días y tres noches.": [("veintiún", 21), ("tres", 3)],
        "Había doscientas personas.": [("doscientas", 200)],
        "Son diez mil euros.": [("diez mil", 10_000)],
        "¿Cuatro? ¡Cinco!": [("Cuatro", 4), ("Cinco", 5)],
        "dieciséis de nosotros": [("dieciséis", 16)],
        "CIENTO UNA VECES": [("CIENTO UNA", 101)],
        "treinta y una chicas": [("treinta y una", 31)],
        "Murió hace doce años.": [("doce", 12)],
        "Seiscientas ovejas, once pastores.": [("Seiscientas", 600), ("once", 11)],
        "Trae ocho lámparas.": [("ocho", 8)],
        "los tres hermanos": [("tres", 3)],
    },
    "fr": {
        "Quatre-vingt-dix-neuf ballons.": [("Quatre-vingt-dix-neuf", 99)],
        "Il a vingt et un ans.": [("vingt et un", 21)],
        "deux cent trente-cinq pages": [("deux cent trente-cinq", 235)],
        "Ils sont cinq mille.": [("cinq mille", 5000)],
        "dans trois heures": [("trois", 3)],
        "quatre-vingts euros": [("quatre-vingts", 80)],
        "trente-et-un jours": [("trente-et-un", 31)],
        "Six hommes et sept femmes": [("Six", 6), ("sept", 7)],
        "Il est mort il y a douze ans.": [("douze", 12)],
        "Six cents moutons, onze bergers.": [("Six cents", 600), ("onze", 11)],
        "Apporte huit lampes.": [("huit", 8)],
        "Il reste à trois kilomètres.": [("trois", 3)],
    },
    "it": {
        "Ho trentacinque anni.": [("trentacinque", 35)],
        "Mancano ventuno giorni e tre notti.": [("ventuno", 21), ("tre", 3)],
        "Erano duecento persone.": [("duecento", 200)],
        "Costa duemila euro.": [("duemila", 2000)],
        "Quattro? No, cinque.": [("Quattro", 4), ("cinque", 5)],
        "ventitré ragazzi": [("ventitré", 23)],
        "SETTE UOMINI": [("SETTE", 7)],
        "novantanove volte": [("novantanove", 99)],
        "È morto da dodici anni.": [("dodici", 12)],
        "Seicento pecore, undici pastori.": [("Seicento", 600), ("undici", 11)],
        "Porta otto lampade.": [("otto", 8)],
        "i tre fratelli": [("tre", 3)],
    },
    "en": {"Thirty-five of us.": [("Thirty-five", 35)]},
}
LEFT_OUT = {
    "de": [
        "Um drei Uhr.",
        "halb vier",
        "neun eins eins",
        "Gib Acht!",
        "drei Viertel",
        "Vierzig-Stunden-Woche",
        "Viertel nach sieben",
        "die Achtziger",
        "zum dritten Mal",
        "drei Komma fünf",
        "heute in acht Tagen",
        "die Sieben Zwerge",
        "Punkt zwölf",
    ],
    "es": [
        "a las tres",
        "uno dos tres",
        "tres cuartos",
        "mil gracias",
        "cien veces",
        "las cinco y media",
        "el siglo veinte",
        "tres y medio",
        "tres coma cinco",
        "en mil novecientos ochenta",
        "en dos mil tres",
        "los años ochenta",
        "dentro de quince días",
    ],
    "fr": [
        "un livre neuf",
        "trois heures et demie",
        "cent fois",
        "un deux trois",
        "trois quarts",
        "à trois heures",
        "il est huit heures",
        "trois virgule cinq",
        "en mille neuf cent quatre-vingts",
        "en deux mille trois",
        "les années quatre-vingt",
        "dans quinze jours",
    ],
    "it": [
        "Sei qui?",
        "alle tre",
        "mille grazie",
        "uno due tre",
        "tre quarti",
        "le cinque e mezza",
        "sono le otto",
        "tre e mezzo",
        "tre virgola cinque",
        "gli anni ottanta",
        "tra quindici giorni",
        "il terzo giorno",
    ],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, rows in FOUND.items() for text in rows]
)
def test_numbers_in_words_are_found(language, text):
    found = [(each.text, each.value) for each in find_spelt_numbers(text, language)]
    assert found == FOUND[language][text]
    assert all(
        text[each.start :].startswith(each.text) for each in find_spelt_numbers(text, language)
    )


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, rows in FOUND.items() for text in rows]
)
def test_numbers_that_a_translation_lacks_are_asked_for_in_digits(language, text):
    target = "de" if language == "en" else "en"
    sentence = Sentence((Part(0, 0, text),), language)
    task = Task(sentence, (LengthBudget(),), find_placeables(text, language, target))
    wanted = text.lower()
    for words, value in FOUND[language][text]:
        wanted = wanted.replace(words.lower(), in_digits(value, language), 1)
    assert task.spoken_instead("–").lower() == wanted != text.lower()


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, rows in LEFT_OUT.items() for text in rows]
)
def test_what_may_be_something_else_is_left_out(language, text):
    assert list(find_spelt_numbers(text, language)) == []


def test_every_language_has_a_dozen_cases():
    for language in ("de", "es", "fr", "it"):
        assert len(FOUND[language]) >= 12 and len(LEFT_OUT[language]) >= 12


def test_of_other_languages_nothing_is_known():
    assert list(find_spelt_numbers("drie honden", "nl")) == []


@pytest.mark.parametrize("language", ["de", "es", "fr", "it"])
@pytest.mark.parametrize("value", [3, 16, 21, 35, 71, 80, 92, 235, 999, 12_000])
def test_a_number_is_found_in_its_own_words(language, value):
    words = number_forms(value, language)[0]
    (found,) = find_spelt_numbers(f"… {words} …", language)
    assert found.value == value


@pytest.mark.parametrize(
    ("value", "forms"),
    [
        (35, {"thirty-five", "thirty five", "35"}),
        (105, {"one hundred and five", "a hundred and five", "one hundred five", "105"}),
        (12, {"twelve", "dozen", "12"}),
        (12_500, {"12,500", "twelve thousand, five hundred"}),
    ],
)
def test_english_has_its_ways_to_write_them(value, forms):
    assert forms <= set(number_forms(value, "en-GB"))


@pytest.mark.parametrize(
    ("language", "digits"), [("en", "12,500"), ("de", "12.500"), ("fr", "12 500"), ("es", "12.500")]
)
def test_digits_are_those_of_the_language(language, digits):
    assert in_digits(12_500, language) == digits
    assert in_digits(92, language) == "92"


def test_a_german_number_is_to_be_kept_in_english():
    (kept,) = find_placeables("Wir haben fünfunddreißig Hunde.", "de", "en")
    assert (kept.source, kept.digits) == ("fünfunddreißig", "35")
    assert {"thirty-five", "35"} <= set(kept.targets)
