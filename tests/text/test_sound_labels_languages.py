"""Labels of German, Spanish, French and Italian files: in English, and taken out."""

from __future__ import annotations

import pytest

from subfit.text.sound_labels import translated_labels, without_labels

CASES = {
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
        <i>[TRUENO]</i> | <i>[THUNDER]</i> |
        - [PORTAZO]\n- ¿Quién es? | - [DOOR SLAMS]\n- ¿Quién es? | ¿Quién es?
        [SUSPIRA] Sí. (tose) | [SIGHS] Sí. (coughs) | Sí.
        HOMBRE: Hola.\nMUJER: Sí. | MAN: Hola.\nWOMAN: Sí. | - Hola.\n- Sí.
        - JUAN: Hola.\n- [HOMBRE] Sí. | - JUAN: Hola.\n- [MAN] Sí. | - Hola.\n- Sí.
        <i>[HOMBRE]\nHola</i> | <i>[MAN]\nHola</i> | <i>Hola</i>
        DR. RUIZ (POR RADIO): Ayuda. | DR. RUIZ (OVER RADIO): Ayuda. | Ayuda.
        Juan: Lo sé. | Juan: Lo sé. | Lo sé.
        {\an8}[Hombre 2]: Siga. | {\an8}[Man 2]: Siga. | {\an8}Siga.
        [SUENA\nEL TELÉFONO] | [PHONE RINGS] |
        >> [SIRENA] Hola. | >> [SIREN] Hola. | Hola.
        Está (que yo sepa) fuera. | = | =
        Nota: es tarde. | = | =
        ATENCIÓN: NO PASAR | = | =
        ♪ La la ♪ | = | =
    """,
    "fr": r"""
        [UNE PORTE CLAQUE] | [DOOR SLAMS] |
        <i>[TONNERRE]</i> | <i>[THUNDER]</i> |
        - [UNE PORTE CLAQUE]\n- Qui est là ? | - [DOOR SLAMS]\n- Qui est là ? | Qui est là ?
        [SOUPIRE] Oui. (tousse) | [SIGHS] Oui. (coughs) | Oui.
        HOMME : Salut.\nFEMME : Oui. | MAN : Salut.\nWOMAN : Oui. | - Salut.\n- Oui.
        - JEAN : Salut.\n- [HOMME] Oui. | - JEAN : Salut.\n- [MAN] Oui. | - Salut.\n- Oui.
        <i>[HOMME]\nSalut</i> | <i>[MAN]\nSalut</i> | <i>Salut</i>
        DR. MOREAU (PAR RADIO) : À l'aide. | DR. MOREAU (OVER RADIO) : À l'aide. | À l'aide.
        Jean : Je sais. | Jean : Je sais. | Je sais.
        {\an8}[Homme 2] : Continue. | {\an8}[Man 2] : Continue. | {\an8}Continue.
        [LE TÉLÉPHONE\nSONNE] | [PHONE RINGS] |
        >> [SIRÈNE] Salut. | >> [SIREN] Salut. | Salut.
        Il est (que je sache) parti. | = | =
        Note : il est tard. | = | =
        ATTENTION : DANGER | = | =
        ♪ La la ♪ | = | =
    """,
    "it": r"""
        [PORTA SBATTUTA] | [DOOR SLAMS] |
        <i>[TUONO]</i> | <i>[THUNDER]</i> |
        - [PORTA SBATTUTA]\n- Chi è? | - [DOOR SLAMS]\n- Chi è? | Chi è?
        [SOSPIRA] Sì. (tossisce) | [SIGHS] Sì. (coughs) | Sì.
        UOMO: Ciao.\nDONNA: Sì. | MAN: Ciao.\nWOMAN: Sì. | - Ciao.\n- Sì.
        - GIANNI: Ciao.\n- [UOMO] Sì. | - GIANNI: Ciao.\n- [MAN] Sì. | - Ciao.\n- Sì.
        <i>[UOMO]\nCiao</i> | <i>[MAN]\nCiao</i> | <i>Ciao</i>
        DOTT. ROSSI (VIA RADIO): Aiuto. | DOTT. ROSSI (OVER RADIO): Aiuto. | Aiuto.
        Gianni: Lo so. | Gianni: Lo so. | Lo so.
        {\an8}[Uomo 2]: Avanti. | {\an8}[Man 2]: Avanti. | {\an8}Avanti.
        [SQUILLA\nIL TELEFONO] | [PHONE RINGS] |
        >> [SIRENA] Ciao. | >> [SIREN] Ciao. | Ciao.
        È (che io sappia) via. | = | =
        Nota: è tardi. | = | =
        ATTENZIONE: PERICOLO | = | =
        ♪ La la ♪ | = | =
    """,
}


def rows_of(language: str) -> list[tuple[str, ...]]:
    """The rows of a language; a cell with ``=`` says the same as the first one."""
    rows = []
    for row in CASES[language].strip().splitlines():
        first, *others = (cell.strip().replace(r"\n", "\n") for cell in row.split("|"))
        rows.append((language, first, *(first if cell == "=" else cell for cell in others)))
    return rows


ROWS = [row for language in CASES for row in rows_of(language)]


@pytest.mark.parametrize(("language", "payload", "english", "_left"), ROWS)
def test_labels_are_translated_into_english(language, payload, english, _left):
    assert translated_labels(payload, "en", language).text == english


@pytest.mark.parametrize(("language", "payload", "_english", "left"), ROWS)
def test_labels_are_taken_out(language, payload, _english, left):
    assert without_labels(payload, language).text == left


@pytest.mark.parametrize("language", CASES)
def test_every_language_has_a_dozen_labels(language):
    assert sum(row[0] == language and row[1] != row[3] for row in ROWS) >= 12
