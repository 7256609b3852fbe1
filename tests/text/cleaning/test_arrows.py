"""Arrows between the names of menus: found, read as a dash, and put back."""

from __future__ import annotations

import pytest

from subfit.text.cleaning.arrows import find_arrows
from subfit.text.cleaning.cleaning import clean
from subfit.text.cleaning.restoring import restore


@pytest.mark.parametrize(
    ("text", "arrows"),
    [
        ("Choose File -> Export.", ["->"]),
        ("Choose File --> Export.", ["-->"]),
        ("Choose File => Export.", ["=>"]),
        ("Choose File ==> Export.", ["==>"]),
        ("Choose File > Export.", [">"]),
        ("Choose File >> Export.", [">>"]),
        ("Choose File → Export.", ["→"]),
        ("Choose File ⇒ Export.", ["⇒"]),
        ("Choose File ➔ Export.", ["➔"]),
        ("Open Edit > Settings > Keys.", [">", ">"]),
        ('Go to "Layer" -> "New" -> "Group"...', ["->", "->"]),
        ("Ve a Archivo → Guardar.", ["→"]),
        ("I wait - and then -> I go.", []),  # which dash were whose?
        ("-> Next line", []),
        ("The end ->", []),
        ("x->y", []),
        ("If x > 3 we go.", []),
        ("Is 5 > 3?", []),
        ("Take a > b.", []),
        ("> Is this a quotation?", []),
        ("A well-known menu.", []),
    ],
)
def test_arrows_stand_free_between_words(text, arrows):
    found = list(find_arrows(text))
    assert [each.source for each in found] == arrows
    assert [text[each.start : each.end] for each in found] == arrows


@pytest.mark.parametrize("arrow", ["->", "=>", ">", "→"])
@pytest.mark.parametrize(
    ("language", "made", "written"),
    [
        ("de", "Wähle Datei - Speichern.", "Wähle Datei {} Speichern."),
        ("es", "Elige Archivo – Guardar.", "Elige Archivo {} Guardar."),
        ("fr", "Choisis Fichier — Enregistrer.", "Choisis Fichier {} Enregistrer."),
        ("it", "Scegli File - Salva-tutto.", "Scegli File {} Salva-tutto."),
    ],
)
def test_an_arrow_is_read_as_a_dash_and_written_as_it_was(arrow, language, made, written):
    cleaned = clean(f"Choose File {arrow} Save.", "en", language)
    assert cleaned.text == "Choose File - Save."
    assert restore(cleaned, made) == written.format(arrow)


def test_several_arrows_are_put_back_in_their_order():
    cleaned = clean("Open Edit > Settings -> Keys.", "en", "de")
    assert cleaned.text == "Open Edit - Settings - Keys."
    restored = restore(cleaned, "Öffne Bearbeiten - Einstellungen - Tasten.")
    assert restored == "Öffne Bearbeiten > Einstellungen -> Tasten."


def test_dashes_that_the_model_added_stay():
    cleaned = clean("Choose File -> Save, the other one.", "en", "de")
    restored = restore(cleaned, "Wähle Datei - Speichern – das andere.")
    assert restored == "Wähle Datei -> Speichern – das andere."


def test_an_arrow_that_the_model_left_out_is_known_to_be_missing():
    (arrow,) = clean("Choose File -> Save.", "en", "de").stand_ins
    assert arrow.targets == ("->",)
    assert restore(clean("Choose File -> Save.", "en", "de"), "Speichere.") == "Speichere."
