"""Labels of sounds and speakers in other languages, or taken out."""

from __future__ import annotations

from importlib.resources import files

import pytest
import yaml

from subfit.text.sound_labels import (
    LANGUAGES,
    translated,
    translated_labels,
    without_labels,
)

LABELS: dict[str, dict[str, list[str]]] = yaml.safe_load(
    files("subfit.text").joinpath("sound_labels.yaml").read_text(encoding="utf-8")
)
TARGETS = LANGUAGES[1:]
"""All but English."""
CASES = {
    "[DOOR SLAMS]": ("[TÜR KNALLT]", "[PORTAZO]", "[UNE PORTE CLAQUE]", "[PORTA SBATTUTA]"),
    "[sighs] I know.": (
        "[seufzt] I know.",
        "[suspira] I know.",
        "[soupire] I know.",
        "[sospira] I know.",
    ),
    "MAN (ON PHONE): Hello?": (
        "MANN (AM TELEFON): Hello?",
        "HOMBRE (AL TELÉFONO): Hello?",
        "HOMME (AU TÉLÉPHONE): Hello?",
        "UOMO (AL TELEFONO): Hello?",
    ),
    "DR. O'NEIL (OVER RADIO): Help.": (
        "DR. O'NEIL (ÜBER FUNK): Help.",
        "DR. O'NEIL (POR RADIO): Help.",
        "DR. O'NEIL (PAR RADIO): Help.",
        "DR. O'NEIL (VIA RADIO): Help.",
    ),
    "[Woman 2]: Yes.": ("[Frau 2]: Yes.", "[Mujer 2]: Yes.", "[Femme 2]: Yes.", "[Donna 2]: Yes."),
    "(LAUGHS, COUGHS)": (
        "(LACHT, HUSTET)",
        "(RÍE, TOSE)",
        "(RIT, TOUSSE)",
        "(RIDE, TOSSISCE)",
    ),
    "[MAN COUGHS]": ("[MANN HUSTET]", "[HOMBRE TOSE]", "[HOMME TOUSSE]", "[UOMO TOSSISCE]"),
    "<i>[Phone rings]</i>": (
        "<i>[Telefon klingelt]</i>",
        "<i>[Suena el teléfono]</i>",
        "<i>[Le téléphone sonne]</i>",
        "<i>[Squilla il telefono]</i>",
    ),
    "- NARRATOR: Once.\n- [GUNSHOT]": (
        "- ERZÄHLER: Once.\n- [SCHUSS]",
        "- NARRADOR: Once.\n- [DISPARO]",
        "- NARRATEUR: Once.\n- [COUP DE FEU]",
        "- NARRATORE: Once.\n- [SPARO]",
    ),
    "I see. [DOG BARKS] Run!": (
        "I see. [HUND BELLT] Run!",
        "I see. [LADRA UN PERRO] Run!",
        "I see. [UN CHIEN ABOIE] Run!",
        "I see. [ABBAIA UN CANE] Run!",
    ),
    "{\\an8}[SIGHS AND LAUGHS]": (
        "{\\an8}[SEUFZT UND LACHT]",
        "{\\an8}[SUSPIRA Y RÍE]",
        "{\\an8}[SOUPIRE ET RIT]",
        "{\\an8}[SOSPIRA E RIDE]",
    ),
    "John (whispering): Go.": (
        "John (flüsternd): Go.",
        "John (susurrando): Go.",
        "John (en chuchotant): Go.",
        "John (sussurrando): Go.",
    ),
}


@pytest.mark.parametrize("source", CASES)
def test_labels_that_are_known_are_translated(source):
    for language, wanted in zip(TARGETS, CASES[source], strict=True):
        assert translated_labels(source, language).text == wanted


@pytest.mark.parametrize(
    "source",
    [
        "[JOHN LAUGHS]",
        "[Berlin, 1945]",
        "[XYLOPHONE GLISSANDO]",
        "I know (as far as I can tell) all.",
        "[SIGHS, THEN WALKS OFF]",
        "John: No.",
        "Note: it is late.",
        "[<b>SIGHS</b>]",
    ],
)
def test_what_is_not_known_stays_and_is_told(source):
    for language in TARGETS:
        done = translated_labels(source, language)
        assert done.text == source and not done.labels
    brackets = source.startswith("[") and "<" not in source
    assert bool(translated_labels(source, "de").kept) == (brackets or "(" in source)
    assert translated_labels("[SIGHS]", "nl").kept == ("[SIGHS]",)


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("[DOOR SLAMS]", ""),
        ("<i>[THUNDER]</i>", ""),
        ("- [DOOR SLAMS]\n- Who's there?", "Who's there?"),
        ("[SIGHS] I know. [SOBS] Go home. (coughs)", "I know. Go home."),
        ("MAN: Hi.\nWOMAN: Hello.", "- Hi.\n- Hello."),
        ("- JOHN: Hi.\n- [MAN] Hello.", "- Hi.\n- Hello."),
        ("<i>[MAN]\nHello</i>", "<i>Hello</i>"),
        ("DR. O'NEIL (OVER RADIO): We need help.", "We need help."),
        ("John: I know.", "I know."),
        ("{\\an8}[Man 2]: Go on.", "{\\an8}Go on."),
        ("[DOOR\nSLAMS]", ""),
        (">> [SIREN] Hello.", "Hello."),
        ("(Ida) Go on.\n(Tom Hill) No.", "- Go on.\n- No."),
        ("-[Ida] Yes. -[Tom] No.", "-Yes. -No."),
        ("I said it (Tom did not) to her.", "I said it (Tom did not) to her."),
        ("(Perhaps.)", "(Perhaps.)"),
        ("He is (as far as I know) away.", "He is (as far as I know) away."),
        ("Note: it is late.", "Note: it is late."),
        ("WARNING: KEEP OUT", "WARNING: KEEP OUT"),
        ("♪ La la ♪", "♪ La la ♪"),
    ],
)
def test_labels_are_taken_out_and_speech_stays(source, wanted):
    done = without_labels(source)
    assert done.text == wanted
    assert bool(done.labels) == (source != wanted)


@pytest.mark.parametrize("target", LANGUAGES)
@pytest.mark.parametrize("source", LANGUAGES)
def test_labels_of_every_language_are_known_in_every_other(source, target):
    """What an English label is in one language is in another what it is there, or as good."""
    rows = [
        dict(zip(LANGUAGES, (label, *words), strict=True))
        for kind in LABELS.values()
        for label, words in kind.items()
    ]
    for row in rows:
        words = translated(row[source], target, source)
        alike = {other[target].lower() for other in rows if same(other[source], row[source])}
        assert words is not None
        assert words.lower() in alike


def same(one: str, other: str) -> bool:
    return one.lower() == other.lower()


@pytest.mark.parametrize(
    ("source", "label", "english"),
    [
        ("de", "[TÜR KNALLT]", "[DOOR SLAMS]"),
        ("de", "[seufzt] Ja.", "[sighs] Ja."),
        ("de", "MANN (AM TELEFON): Ja?", "MAN (ON PHONE): Ja?"),
        ("de", "[Mann hustet und lacht]", "[Man coughs and laughs]"),
        ("es", "[DISPARO]", "[GUNSHOT]"),
        ("es", "(RÍE, TOSE)", "(LAUGHS, COUGHS)"),
        ("es", "NARRADOR: Érase.", "NARRATOR: Érase."),
        ("fr", "[LE TÉLÉPHONE SONNE]", "[PHONE RINGS]"),
        ("fr", "FEMME 2 : Oui.", "WOMAN 2 : Oui."),
        ("fr", "[soupire et rit]", "[sighs and laughs]"),
        ("it", "[Squilla il telefono]", "[Phone rings]"),
        ("it", "UOMO (ALLA RADIO): Sì.", "MAN (ON RADIO): Sì."),
        ("it", "[il cane di Gino]", "[il cane di Gino]"),
    ],
)
def test_labels_of_other_languages_into_english(source, label, english):
    assert translated_labels(label, "en-GB", source).text == english
