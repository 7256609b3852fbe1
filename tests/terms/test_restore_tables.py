"""Tables of what is brought into a form that models know, and put back in four languages.

Each row of ``tests/data/cleaning`` has a source, what the model reads of it, and per language a
translation of that with what is to be written; ``~`` stands for a no-break space. The words that
stand for each other are those of the lexical table of the model that comes with subfit.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

import pytest
import yaml

from subfit.decoding.translator import Translator
from subfit.terms.checked import mended
from subfit.terms.protected import find_spans
from subfit.terms.restore import clean, restore
from subfit.text.alignment import WordScores
from subfit.text.typography import Style, complete, typeset
from tests.conftest import load_once
from tests.places import DATA, EN_MULTI

LANGUAGES = ("de", "es", "fr", "it")
KINDS = (
    *("addresses", "amounts", "asides", "drawn_out", "marks"),
    *("measures", "shouting", "stutters", "times"),
)


@cache
def table(kind: str) -> list[dict[str, Any]]:
    """The rows of a kind."""
    return list(yaml.safe_load((DATA / "cleaning" / f"{kind}.yaml").read_text(encoding="utf-8")))


@cache
def words(language: str) -> WordScores | None:
    """What the model knows of the words of a language."""
    return Translator(load_once(str(EN_MULTI)), target_language=language).word_scores


def rows(*kinds: str) -> list[Any]:
    """All rows of kinds, as parameters of a test."""
    return [
        pytest.param(row, id=f"{kind}-{number}")
        for kind in kinds
        for number, row in enumerate(table(kind), 1)
    ]


@pytest.mark.parametrize("row", rows(*KINDS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_put_back_as_the_language_writes_it(row, language):
    made, written = row[language]
    text = restore(clean(row["source"], "en", language), made, words(language))
    text = mended(text, row["source"], language)
    text = complete(typeset(text, language, Style()), language, Style())
    assert text.replace("\u00a0", "~") == written


@pytest.mark.parametrize("row", rows("addresses", "amounts", "measures", "times"))
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_put_back_counts_as_kept_and_an_address_is_never_altered(row, language):
    written = row[language][1].replace("~", "\u00a0")
    for each in find_spans(row["source"], "en", language):
        assert any(target in written for target in each.targets)
        assert each.kind != "address" or each.source in written


@pytest.mark.parametrize(
    "text",
    [
        "Give me 20 quid, at noon.",
        "I'm 17, born in 2003, on platform 4.",
        "He read John 3:16 and won 24/7.",
        "A T-shirt, an e-mail, D-Day and X-rays.",
        "The FBI called the US about a DVD on TV.",
        "NASA and IBM sent a VIP.",
        "Formats are NEF, SRF, MRW, JPEG and CR, sent with RCPT TO.",
        "The PPP link of the KKK.",
        "Turn the light ON or OFF, as e-Europe asks.",
        "The National Institute (NIST) has a fixed (static) address.",
        "World War III, the XVIIIth, YYYY-MM-DD, www, Aaron, a committee.",
        "Well... what? No! Yes.",
        "Room 5, 12-2000, 3.5 of 12,500 hours.",
        "It took 20 minutes (as far as I know) to go.",
        "«Nein», sagte er.",
        "",
    ],
)
def test_nothing_else_is_touched(text):
    for language in LANGUAGES:
        cleaned = clean(text, "en", language)
        assert cleaned.text == text and not cleaned.changed
        assert restore(cleaned, "Etwas anderes, 20.", None) == "Etwas anderes, 20."


def test_other_languages_have_their_figures_left_to_the_model():
    text = "It cost $20 at 5:30 p.m., see www.example.org!!"
    assert clean(text, "en", "ja").text == "It cost $20 at 5:30 p.m., see Google!"
    polish = "To kosztuje $20 o 17:30."
    assert clean(polish, "pl", "en").text == polish


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("de-AT", "$\u00a020.000"),
        ("de-CH", "$\u00a020’000"),
        ("es-MX", "$20,000"),
        ("fr-CA", "20\u00a0000\u00a0$"),
        ("pt-PT", None),
    ],
)
def test_regions_have_their_own_figures(language, written):
    found = [each.written for each in find_spans("It was $20,000.", "en", language)]
    assert found == ([] if written is None else [written])


def test_what_the_model_lost_is_not_put_anywhere():
    cleaned = clean("It cost $20 at 5:30 p.m.", "en", "de")
    assert restore(cleaned, "Das war teuer.") == "Das war teuer."


def test_two_of_a_kind_come_back_in_their_order():
    cleaned = clean("Either $20 or £20, from 5:30 to 6:45.", "en", "de")
    assert cleaned.text == "Either 20 dollars or 20 dollars, from 9 o'clock to 8 o'clock."
    made = "Entweder 20 Dollar oder 20 Dollar, von neun Uhr bis 8 Uhr."
    wanted = "Entweder 20~$ oder 20~£, von 5:30~Uhr bis 6:45~Uhr."
    assert restore(cleaned, made).replace("\u00a0", "~") == wanted


@pytest.mark.parametrize(
    ("language", "made", "written"),
    [("es", "Ven a las 9.", "Ven a la 1:30."), ("it", "Vieni alle nove.", "Vieni all'1:30.")],
)
def test_times_around_one_have_the_article_of_one(language, made, written):
    source = "Come at 1:30 a.m."
    assert mended(restore(clean(source, "en", language), made), source, language) == written


def test_a_ceiling_counts_what_is_put_back():
    cleaned = clean("See www.example.com/help.", "en", "de")
    assert cleaned.growth == len("www.example.com/help") - len("Google")
    assert clean("It cost $20.", "en", "de").growth == len("20 $") - len("20 Dollar")


@pytest.mark.parametrize(
    "figure", ["9" * 30, "1" + ",000" * 12 + ".55", "7" * 5000, "0" * 5000, "3." + "1" * 300]
)
@pytest.mark.parametrize("form", ["${}", "${}k", "${} million", "{} km", "{}°F", "{}mph"])
def test_no_digit_of_an_endless_number_is_lost(figure, form):
    found = find_spans(f"It is {form.format(figure)} now.", "en", "de")
    digits = [char for char in figure if char.isdigit()]
    for each in found:
        assert digits == [char for char in each.written if char.isdigit()][: len(digits)] or (
            set(digits) == {"0"} or "k" in form
        )


def test_thousands_of_amounts_take_no_square_of_time():
    found = find_spans("$5 and 3 km at 5:30 p.m. " * 1000, "en", "de")
    assert len(found) > 2000
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("text", "read", "said", "written"),
    [
        ("*Make way!*", "Make way!", "Platz da!", "*Platz da!*"),
        ("*MAKE WAY!*", "Make way!", "Platz da!", "*PLATZ DA!*"),
        ("*Wait?!* ", "*Wait?* ", "*Warte?* ", "*Warte?!* "),  # not around all of it
        ("_Who is there?_", "Who is there?", "Wer ist da?", "_Wer ist da?_"),
        ("*Who* is *there?*", "*Who* is *there?*", "*Wer* ist *da?*", "*Wer* ist *da?*"),
        ("* 5 * 3 *", "* 5 * 3 *", "* 5 * 3 *", "* 5 * 3 *"),
        ("**", "**", "**", "**"),
    ],
)
def test_marks_around_all_of_a_text_are_not_read(text, read, said, written):
    cleaned = clean(text, "en", "de")
    assert cleaned.text == read
    assert restore(cleaned, said) == written
    assert cleaned.growth >= len(written) - len(said)
