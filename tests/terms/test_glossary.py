"""Terms found in sources and recognised in translations."""

import pytest

from subfit.terms.glossary import (
    Occurrence,
    Term,
    TermFinder,
    missing_from,
    name,
    plain_characters,
)

TERMS = (
    Term(("lighthouse", "lighthouses"), ("Leuchtturm", "Leuchttürme"), "de"),
    Term(("old lighthouse",), ("Alter Turm",), "de"),
    Term(("Polish",), ("Polnisch",), "de", case=True),
    Term(("don't",), ("bloß nicht",), "de"),
    Term(("C++",), ("C++",), "de"),
    Term(("lighthouse",), ("phare",), "fr"),
    name("Anna"),
    name("New York"),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lighthouse is dark.", ["lighthouse"]),
        ("Lighthouses are dark.", ["Lighthouses"]),
        ("The lighthouse's lamp", ["lighthouse"]),
        ("A lighthousekeeper, an unlighthouse", []),
        ("The old lighthouse is dark.", ["old lighthouse"]),
        ("The old lighthouse and the lighthouse", ["old lighthouse", "lighthouse"]),
        ("A lighthouse, no, two lighthouses!", ["lighthouse"]),
        ("You polish it. I speak Polish.", ["Polish"]),
        ("You polish it.", []),
        ("I DON’T SPEAK POLISH", ["DON'T", "POLISH"]),
        ("We use C++, not C.", ["C++"]),
        ("Anna's in New  York.", ["Anna", "New  York"]),
        ("Anna  saw the lighthouse \n ", ["Anna", "lighthouse"]),
        ("anna in new york", []),
        ("", []),
    ],
)
def test_whole_words_are_found_and_the_longest_counts(text, found):
    assert [each.source for each in TermFinder(TERMS, "de").find(text)] == found


@pytest.mark.parametrize(
    ("language", "form", "text", "found"),
    [
        # No spaces: a term may stand anywhere between two characters, also where a line was broken.
        ("zh", "灯塔", "他在灯塔里。", "灯塔"),
        ("zh", "灯塔", "他在灯 塔 里。", "灯 塔"),
        ("zh", "灯塔", "他在塔灯里。", None),
        ("zh", "Linux", "他使用Linux系统。", "Linux"),
        ("ja", "灯台", "古い灯台です", "灯台"),
        ("ja", "キ", "キャットです", None),
        ("th", "เรียน", "ที่โรงเรียนนี้", "เรียน"),
        ("th", "นี", "ที่โรงเรียนนี้", None),
        ("th", "โรงเรียน", "ที่โรง\u200bเรียนนี้", "โรงเรียน"),
        ("ko", "등대", "등대 하나", "등대"),
        ("ko", "등대", "등대지기", None),
        # Marks belong to their letter.
        ("hi", "किताब", "यह किताब है", "किताब"),
        ("hi", "किताब", "ये किताबें हैं", None),
        ("hi", "क", "यह किताब है", None),
        ("he", "שָׁלוֹם", "אָמַר שָׁלוֹם, וְהָלַךְ", "שָׁלוֹם"),
        ("he", "ש", "שָׁלוֹם", None),
        # Points may be written or not.
        ("ar", "بيت", "هٰذا بيتٌ كبير", "بيتٌ"),
        ("ar", "بيت", "بيتنا", None),
        ("he", "שָׁלוֹם", "אמר שלום", "שלום"),
        ("he", "שלום", "אָמַר שָׁלוֹם", "שָׁלוֹם"),
        # Capitals.
        ("de", "Straße", "DIE STRASSE IST LANG", "STRASSE"),
        ("de", "Straße", "die strasse ist lang", "strasse"),
        ("de", "Strasse", "Die Straße ist lang", "Straße"),
        ("de", "Stras", "Die Straße ist lang", None),
        ("de", "Groß Strehlitz", "GROSS STREHLITZ, GROß", "GROSS STREHLITZ"),
        ("tr", "ışık", "IŞIK VAR", "IŞIK"),
        ("tr", "iskele", "İSKELE VAR", "İSKELE"),
        ("tr", "sınır", "sinir oldu", None),
        ("el", "φάρος", "Ο ΦΑΡΟΣ ΜΑΣ", "ΦΑΡΟΣ"),
        ("el", "Μάιος", "ο μάιος", "μάιος"),
        ("el", "νόμος", "ο νομός", None),
        ("ru", "маяк", "МАЯК!", "МАЯК"),
        ("fr", "œuvre", "UNE ŒUVRE", "ŒUVRE"),
    ],
)
def test_terms_of_any_script_are_found(language, form, text, found):
    terms = TermFinder([Term((form,), ("x",), "de")], "de", language).find(text)
    assert [each.source for each in terms] == ([found] if found else [])
    assert all(text[each.start :].startswith(found[:2]) for each in terms)


SOURCES = {
    "de": """
        Leuchtturm | Der Leuchtturm ist dunkel. | Leuchtturm
        Leuchtturm | DER LEUCHTTURM BRENNT! | LEUCHTTURM
        Leuchtturm | der Leuchtturm-Wärter | Leuchtturm
        Leuchtturm | die Leuchtturmwärterin |
        Leuchtturm | des Leuchtturms |
        über | über uns | über
        Straße | die Strasse | Strasse
        =Anna | Annas Boot | Annas
        =Anna | ANNAS BOOT | ANNAS
        =Anna | Anna's Boot | Anna
        =Jonas | Jonas’ Boot | Jonas
        =Anna | die Annahme |
        =Jonas | jonas |
    """,
    "es": """
        faro | ¿El faro? | faro
        faro | ¡FARO! | FARO
        faro | los faros |
        farol | el faro |
        niño | niño | niño
        niño | ¡NIÑO, VEN! | NIÑO
        nino | El niño |
        sí, señor | ¡Sí,  señor! | Sí,  señor
        =Ana | ¿Ana? ¡Ana! | Ana
        =Ana | anatomía, ana |
        =Ana | ANA VINO | ANA
        =San Juan | en San Juan | San Juan
    """,
    "fr": """
        arche | L'arche est là. | arche
        arche | Quelle ARCHE ! | ARCHE
        arche | les arches |
        arche | la marche |
        œuvre | l’œuvre | œuvre
        œuvre | UNE ŒUVRE | ŒUVRE
        œuvre | une oeuvre | oeuvre
        au-delà | au‑delà | au-delà
        aujourd'hui | aujourd’hui | aujourd'hui
        =Anna | le bateau d'Anna | Anna
        =Anna | QU'ANNA VIENNE | ANNA
        =Anna | Annabelle |
    """,
    "it": """
        amico | L’amico di Ugo | amico
        amico | AMICO MIO | AMICO
        amico | gli amici |
        faro | È un faro. | faro
        faro | farò |
        città | la città | città
        perché | PERCHÉ | PERCHÉ
        un po' | un po’ | un po'
        =Anna | la barca d'Anna | Anna
        =Anna | dell’Anna | Anna
        =Anna | annata |
        =San Remo | a San Remo | San Remo
    """,
}


@pytest.mark.parametrize(
    ("language", "form", "text", "found"),
    [
        (language, *(cell.strip() for cell in row.split("|")))
        for language, rows in SOURCES.items()
        for row in rows.strip().splitlines()
    ],
)
def test_terms_and_names_of_other_sources_are_found(language, form, text, found):
    """``=``: a name, which in German may have its genitive s."""
    term = name(form[1:]) if form.startswith("=") else Term((form,), ("x",), "en")
    terms = TermFinder([term], "en", language).find(text)
    assert [each.source for each in terms] == ([plain_characters(found)] if found else [])


def test_of_equally_long_terms_the_first_counts():
    polish, shine = Term(("Polish",), ("a",), "de", case=True), Term(("polish",), ("b",), "de")
    for terms, first in (((polish, shine), "a"), ((shine, polish), "b")):
        (found, *_) = TermFinder(terms, "de").find("Polish it.")
        assert found.targets == (first,)


def test_a_term_is_found_where_it_is_though_folding_makes_texts_longer():
    text = "ßßß, İİ: das Große im Hafen"
    (found,) = TermFinder([Term(("hafen",), ("port",), "fr")], "fr", "de").find(text)
    assert text[found.start : found.start + len(found.source)] == "Hafen"


def test_each_language_has_its_own_terms_and_all_the_names():
    (found, anna) = TermFinder(TERMS, "fr").find("The old lighthouse, Anna!")
    assert (found.source, found.targets) == ("lighthouse", ("phare",))
    assert anna.targets == ("Anna",)


def test_a_name_may_have_its_genitive_in_german():
    def forms(text: str, language: str) -> tuple[str, ...]:
        return TermFinder([name(text)], language).find(text)[0].targets

    assert forms("Anna", "de") == ("Anna", "Annas")
    assert forms("Anna", "de-AT") == ("Anna", "Annas")
    assert forms("Anna", "it") == ("Anna",)
    assert forms("Lukas", "de") == ("Lukas",)


@pytest.mark.parametrize(
    ("form", "text", "there"),
    [
        ("Leuchtturm", "Der Leuchtturm.", True),
        ("Leuchtturm", "„Leuchtturm“", True),
        ("Leuchtturm", "Der Leuchtturm-Wärter", True),
        ("Leuchtturm", "Die Leuchtturmwärterin", False),
        ("Leuchtturm", "Des Leuchtturms", False),
        ("Leuchtturm*", "Des Leuchtturms", True),
        ("Leuchtturm", "der leuchtturm", False),
        ("Leuchtturm", "DER LEUCHTTURM BRENNT", True),
        ("Leuchtturm", "Der Leuchtturm  brennt.", True),
        ("geradeaus", "Geradeaus!", True),
        ("l'arche", "Voici l’arche.", True),
        ("New York", "New\u00a0York", True),
        ("Straße", "DIE STRASSE", True),
        ("über", "u\u0308ber", True),
    ],
)
def test_a_form_is_recognised_as_a_whole_word(form, text, there):
    assert Occurrence("x", 0, ("nothing", form)).is_in(text) is there


@pytest.mark.parametrize(
    ("language", "form", "text", "there"),
    [
        ("zh", "灯塔", "他在灯塔里。", True),
        ("zh", "灯塔", "他在灯\n塔里。", True),
        ("ja", "キ", "キャットです", False),
        ("hi", "किताब", "ये किताबें हैं", False),
        ("hi", "किताब*", "ये किताबें हैं", True),
        ("de", "Straße", "DIE STRAßE", True),
        ("de", "Straße", "DIE STRAẞE", True),
        ("he", "שלום", "אָמַר שָׁלוֹם", True),
        ("he", "שָׁלוֹם", "אמר שלום", True),
        ("tr", "iskele", "İskele orada", True),
        ("tr", "iskele", "ISKELE", False),
        ("tr", "ışık", "IŞIK VAR", True),
        ("el", "φάρος", "Ο ΦΑΡΟΣ", True),
        ("ka", "გემი", "დიდი გემი", True),
    ],
)
def test_a_form_of_any_script_is_recognised(language, form, text, there):
    assert Occurrence("x", 0, (form,), language=language).is_in(text) is there


def test_what_is_missing():
    terms = TermFinder(TERMS, "de").find("Anna, the lighthouse!")
    assert [each.source for each in missing_from("Anna, der Turm!", terms)] == ["lighthouse"]
    assert not missing_from("Anna! Leuchttürme!", terms)
