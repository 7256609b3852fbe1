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
CASES = r"""
    [DOOR SLAMS] | [TÜR KNALLT] | [PORTA SBATTUTA]
    [sighs] I know. | [seufzt] I know. | [sospira] I know.
    MAN (ON PHONE): Hello? | MANN (AM TELEFON): Hello? | UOMO (AL TELEFONO): Hello?
    DR. O'NEIL (OVER RADIO): Help. | DR. O'NEIL (ÜBER FUNK): Help. | DR. O'NEIL (VIA RADIO): Help.
    [Woman 2]: Yes. | [Frau 2]: Yes. | [Donna 2]: Yes.
    (LAUGHS, COUGHS) | (LACHT, HUSTET) | (RIDE, TOSSISCE)
    [MAN COUGHS] | [MANN HUSTET] | [UOMO TOSSISCE]
    <i>[Phone rings]</i> | <i>[Telefon klingelt]</i> | <i>[Squilla il telefono]</i>
    - NARRATOR: Once.\n- [GUNSHOT] | - ERZÄHLER: Once.\n- [SCHUSS] | - NARRATORE: Once.\n- [SPARO]
    I see. [DOG BARKS] Run! | I see. [HUND BELLT] Run! | I see. [ABBAIA UN CANE] Run!
    {\an8}[SIGHS AND LAUGHS] | {\an8}[SEUFZT UND LACHT] | {\an8}[SOSPIRA E RIDE]
    John (whispering): Go. | John (flüsternd): Go. | John (sussurrando): Go.
"""
"""A payload, and in German and Italian."""


@pytest.mark.parametrize("row", CASES.strip().splitlines())
def test_labels_that_are_known_are_translated(row):
    source, *translations = row.strip().replace(r"\n", "\n").split(" | ")
    for language, wanted in zip(("de", "it"), translations, strict=True):
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
        ("[man] Hello.\n[woman] Good day.", "- Hello.\n- Good day."),
        (">> Hello.\n>> Good day.", "- Hello.\n- Good day."),
        ("I *really* love the (UK).", "I *really* love the (UK)."),
        ("*coughs* Hello. (SIGHS)", "Hello."),
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


OTHERS = {
    "de": r"""
        [TÜR KNALLT] | [DOOR SLAMS] |
        <i>[DONNER]</i> | <i>[THUNDER]</i> |
        - [TÜR KNALLT]\n- Wer ist da? | - [DOOR SLAMS]\n- Wer ist da? | Wer ist da?
        [SEUFZT] Ja. (hustet) | [SIGHS] Ja. (coughs) | Ja.
        MANN: Hallo.\nFRAU: Tag. | MAN: Hallo.\nWOMAN: Tag. | - Hallo.\n- Tag.
        - JAN: Hallo.\n- [MANN] Tag. | - JAN: Hallo.\n- [MAN] Tag. | - Hallo.\n- Tag.
        <i>[MANN]\nHallo</i> | <i>[MAN]\nHallo</i> | <i>Hallo</i>
        DR. KELLER (ÜBER FUNK): Hilfe. | DR. KELLER (OVER RADIO): Hilfe. | Hilfe.
        Johann: Ich weiß. | Johann: Ich weiß. | Ich weiß.
        {\an8}[Mann 2]: Weiter. | {\an8}[Man 2]: Weiter. | {\an8}Weiter.
        [TÜR\nKNALLT] | [DOOR SLAMS] |
        >> [SIRENE] Hallo. | >> [SIREN] Hallo. | Hallo.
        Er ist (soweit ich weiß) weg. | = | =
        Hinweis: Es ist spät. | = | =
        ACHTUNG: ZUTRITT VERBOTEN | = | =
        ♪ La la ♪ | = | =
    """,
    "es": r"""
        [PORTAZO] | [DOOR SLAMS] |
        - [PORTAZO]\n- ¿Quién es? | - [DOOR SLAMS]\n- ¿Quién es? | ¿Quién es?
        [SUSPIRA] Sí. (tose) | [SIGHS] Sí. (coughs) | Sí.
        HOMBRE: Hola.\nMUJER: Sí. | MAN: Hola.\nWOMAN: Sí. | - Hola.\n- Sí.
        - JUAN: Hola.\n- [HOMBRE] Sí. | - JUAN: Hola.\n- [MAN] Sí. | - Hola.\n- Sí.
        DR. RUIZ (POR RADIO): Ayuda. | DR. RUIZ (OVER RADIO): Ayuda. | Ayuda.
        Juan: Lo sé. | Juan: Lo sé. | Lo sé.
        {\an8}[Hombre 2]: Siga. | {\an8}[Man 2]: Siga. | {\an8}Siga.
        [SUENA\nEL TELÉFONO] | [PHONE RINGS] |
        Está (que yo sepa) fuera. | = | =
        Nota: es tarde. | = | =
        ♪ La la ♪ | = | =
    """,
    "fr": r"""
        [UNE PORTE CLAQUE] | [DOOR SLAMS] |
        - [UNE PORTE CLAQUE]\n- Qui est là ? | - [DOOR SLAMS]\n- Qui est là ? | Qui est là ?
        [SOUPIRE] Oui. (tousse) | [SIGHS] Oui. (coughs) | Oui.
        HOMME : Salut.\nFEMME : Oui. | MAN : Salut.\nWOMAN : Oui. | - Salut.\n- Oui.
        - JEAN : Salut.\n- [HOMME] Oui. | - JEAN : Salut.\n- [MAN] Oui. | - Salut.\n- Oui.
        DR. MOREAU (PAR RADIO) : À l'aide. | DR. MOREAU (OVER RADIO) : À l'aide. | À l'aide.
        Jean : Je sais. | Jean : Je sais. | Je sais.
        {\an8}[Homme 2] : Continue. | {\an8}[Man 2] : Continue. | {\an8}Continue.
        [LE TÉLÉPHONE\nSONNE] | [PHONE RINGS] |
        Il est (que je sache) parti. | = | =
        Note : il est tard. | = | =
        ♪ La la ♪ | = | =
    """,
    "it": r"""
        [PORTA SBATTUTA] | [DOOR SLAMS] |
        - [PORTA SBATTUTA]\n- Chi è? | - [DOOR SLAMS]\n- Chi è? | Chi è?
        [SOSPIRA] Sì. (tossisce) | [SIGHS] Sì. (coughs) | Sì.
        UOMO: Ciao.\nDONNA: Sì. | MAN: Ciao.\nWOMAN: Sì. | - Ciao.\n- Sì.
        - GIANNI: Ciao.\n- [UOMO] Sì. | - GIANNI: Ciao.\n- [MAN] Sì. | - Ciao.\n- Sì.
        DOTT. ROSSI (VIA RADIO): Aiuto. | DOTT. ROSSI (OVER RADIO): Aiuto. | Aiuto.
        Gianni: Lo so. | Gianni: Lo so. | Lo so.
        {\an8}[Uomo 2]: Avanti. | {\an8}[Man 2]: Avanti. | {\an8}Avanti.
        [SQUILLA\nIL TELEFONO] | [PHONE RINGS] |
        È (che io sappia) via. | = | =
        Nota: è tardi. | = | =
        ♪ La la ♪ | = | =
    """,
}


def rows_of(language: str) -> list[tuple[str, ...]]:
    """The rows of a language; a cell with ``=`` says the same as the first one."""
    rows = []
    for row in OTHERS[language].strip().splitlines():
        first, *others = (cell.strip().replace(r"\n", "\n") for cell in row.split("|"))
        rows.append((language, first, *(first if cell == "=" else cell for cell in others)))
    return rows


ROWS = [row for language in OTHERS for row in rows_of(language)]


@pytest.mark.parametrize(("language", "payload", "english", "_left"), ROWS)
def test_labels_are_translated_into_english(language, payload, english, _left):
    assert translated_labels(payload, "en", language).text == english


@pytest.mark.parametrize(("language", "payload", "_english", "left"), ROWS)
def test_labels_are_taken_out(language, payload, _english, left):
    assert without_labels(payload, language).text == left
