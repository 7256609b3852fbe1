"""Names that a title tells, and that stay as they are."""

from __future__ import annotations

import pytest

from subfit.terms.names import FileNames

TITLED = {
    "en": """
        Mr. Finch is expecting you. > Finch | Are you Mrs. Lindqvist? > Lindqvist
        Dr. Okonkwo will see you now. > Okonkwo | Captain Rourke, we found her. > Rourke
        Ask Detective Rose Kimura. > Rose Kimura | Mr. O'Neil never called. > O'Neil
        Mrs. Smith-Jones lives upstairs. > Smith-Jones | Mr. and Mrs. Hill left. > Hill
        Mr. President, the car is here. > | Yes, Captain. Aye. > | I miss Paris. >
        He's Mr. Right. > | Yes, Inspector General. >
    """,
    "de": """
        Herr Fink erwartet Sie. > Fink | Sind Sie Frau Lindqvist? > Lindqvist
        Fragen Sie Herrn Wolf. > Wolf | Dr. Sommer kommt gleich. > Sommer
        Das ist Tante Marlies. > Marlies | Ich sprach mit Frau Karla Stein. > Karla Stein
        Wenn meine Frau Angst hat, singt sie. > | Herr Kommissar, hier! >
        Wie die Frau Kinder liebt! >
    """,
    "es": """
        El señor Pinzón le espera. > Pinzón | ¿Es usted la señora Luna? > Luna
        La Sra. Campos vive arriba. > Campos | El Dr. Ríos viene. > Ríos
        Mi tía Rosa no vino. > Rosa | El capitán Toro murió. > Toro | Sí, señor Presidente. >
        Un agente. Corre. >
    """,
    "fr": """
        M. Pinson vous attend. > Pinson | Vous êtes Mme Lune ? > Lune
        Le docteur Blanc arrive. > Blanc | Le capitaine Roux est là. > Roux
        L'inspecteur Marchand enquête. > Marchand | Bonjour, monsieur Juge. >
        Madame est servie. >
    """,
    "it": """
        Il signor Fringuelli la aspetta. > Fringuelli | Lei è la signora Luna? > Luna
        Il dottor Bianchi arriva. > Bianchi | Chiedi al Dott. Verdi. > Verdi
        L'ispettore Greco indaga. > Greco | Sì, signor Presidente. > | Una signora entra. >
    """,
}
"""What a file says, and the names that it tells."""


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        (language, *(part.strip() for part in cell.split(">")))
        for language, cells in TITLED.items()
        for cell in cells.replace("\n", " | ").split(" | ")
        if cell.strip()
    ],
)
def test_a_title_tells_a_name(language, text, names):
    target = "en" if language != "en" else "de"
    found = FileNames([text], language, target).find(text)
    assert [occurrence.source.rpartition(" ")[2] for occurrence in found] == names.split()
    assert all(occurrence.placeable and occurrence.held for occurrence in found)


FILE = ["There is Mr. White.", "Dr. Gray!"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Did you see White?", ["White"]),
        ("White! Come here!", ["White"]),
        ("White's car is gone.", ["White"]),
        ("White wine, please.", []),
        ("A white horse.", []),
        ("Well, Gray, what now?", ["Gray"]),
        ("- Who? - Gray.", ["Gray"]),
        ("Gray clouds came.", []),
    ],
)
def test_it_is_one_elsewhere_in_the_file_where_nothing_else_is_meant(text, names):
    found = FileNames([*FILE, text], "en", "de").find(text)
    assert [occurrence.source.rpartition(" ")[2] for occurrence in found] == names


def test_german_nouns_are_no_names_without_their_title():
    names = FileNames(["Herr Wolf ist da."], "de", "en")
    assert not names.find("Da steht ein Wolf.")


def test_german_names_may_have_their_genitive():
    [found] = FileNames(["Mr. Finch's hat"], "en", "de").find("Mr. Finch's hat")
    assert found.is_in("Herrn Finchs Hut")
    assert not found.is_in("Herrn Finks Hut")


@pytest.mark.parametrize("target", ["pl", "ja", "ru"])
def test_languages_that_write_names_otherwise_keep_none(target):
    assert not FileNames(["Finch"], "en", target).find("Mr. Finch")


def test_nothing_is_known_of_other_sources():
    assert not FileNames(["Pan Finch"], "pl", "de").find("Pan Finch")


def test_a_word_that_two_sentences_have_as_a_name_is_kept_all_through() -> None:
    names = FileNames(["Good night, Scales.", "Get him, Scales!", "Scales?"], "en", "de")
    for text in ("Scales?", "Scales Project presents"):
        assert [one.source for one in names.find(text)] == ["Scales"]
    assert not names.find("Scales fell from my eyes.")


@pytest.mark.parametrize(
    "texts",
    [
        ("On Monday we left for London.", "I hate Monday, and London."),  # said otherwise elsewhere
        ("We saw Rose, the rose.", "Come, Rose."),  # a word as well
        ("Good night, Scales.",),  # once
        ("I hate the Germans.", "You know Germans.", "Ask Germans."),
        ("We saw the Dragon.", "Come, Dragon."),
        ("He fought in the First World War.", "In World War II, and the Second World War."),
        ("He works at the White House.", "I saw White House staff."),
        ("Yes, Your Honor.", "Well, Honor, no.", "No, Grandma.", "Yes, Grandma."),
    ],
)
def test_words_that_may_be_no_names_are_left_to_the_model(texts: tuple[str, ...]) -> None:
    names = FileNames(texts, "en", "fr")
    assert not [found for text in texts for found in names.find(text)]


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", ("Herrn Amsel", "Frau Amsel")),
        ("es", ("señor Amsel", "señora Amsel")),
        ("fr", ("M. Amsel", "Mme Amsel")),
        ("it", ("signor Amsel", "signora Amsel")),
    ],
)
def test_a_man_stays_a_man_and_a_woman_a_woman(language: str, forms: tuple[str, str]) -> None:
    text = "Ask Mr. Amsel first, then Mrs. Amsel."
    for title, form, other in zip(("Mr.", "Mrs."), forms, forms[::-1], strict=True):
        (found,) = FileNames([f"{title} Amsel is here."], "en", language).find(f"{title} Amsel is.")
        assert found.is_in(f"x {form} x") and not found.is_in(f"x {other} x")
    assert FileNames([text], "en", language).find(text)
