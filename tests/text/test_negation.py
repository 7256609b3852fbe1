"""Whether a text denies something, by its words."""

from __future__ import annotations

import pytest

from subfit.text.doubts import is_negated

DENYING = {
    "en": """
        I do not know him. | She won't come. | We can’t stay. | Nobody saw it. | There is no bread.
        He left without a word. | Never! | Neither you nor I. | It is nowhere. | NOTHING HAPPENED
        I can hardly see. | You cannot stay.
    """,
    "de": """
        Ich kenne ihn nicht. | Keinen Schritt weiter! | Das war nie so. | NIEMAND WEISS DAS.
        Ohne dich geht es. | Ich habe nichts gesagt. | Weder du noch ich. | Das stimmt kaum.
        Ich sehe nirgends Land. | Nix da. | Keiner kommt. | Nein, danke. | Nö. | Niemals!
    """,
    "es": """
        No lo sé. | Nadie vino. | Tampoco hay ningún barco. | Nunca más. | No hay nada. | Jamás.
        Ni hablar. | Sin pan. | Apenas se ve. | Ninguna casa. | En absoluto. | NUNCA LO DIJE
    """,
    "fr": """
        Je ne sais pas. | Ce n'est rien. | Ce n’est rien. | Jamais ! | J'sais pas. | Sans pain.
        Personne n'est venu. | Qui ? Personne. | Aucun bateau. | Ni toi ni moi. | Non merci.
        Il n'a guère dormi. | Nulle part. | Pas un pas de plus. | JE SAIS PAS
    """,
    "it": """
        Non lo so. | Nessun'altra nave. | Nessuno è venuto. | Né tu né io. | Niente da fare.
        Mai più. | Senza pane. | Neanche io. | Nemmeno lui. | Neppure lei. | Mica male.
        No, grazie. | Nulla di fatto. | NON LO SO
    """,
}
STATING = {
    "en": """
        I know him. | Note the knot in the north. | The notary had a nap at noon. | Now we go.
        A knock at noon. | Another one came. | He nodded. | Norma is here. | The hard road.
        They withdrew. | The nun knelt. | Noted.
    """,
    "de": """
        Der Kenner nickte. | Die Nichte kniet im Nebel. | Ein kleiner Keim. | Er nieste. | Nimm das.
        Die Nische ist leer. | Einer kommt. | Knie nieder. | Das Nest. | Die Oma ist da. | Nun gut.
        Nur wir zwei. | Oh, nett!
    """,
    "es": """
        Noto una nota. | Notas altas. | Ninfas del mar. | La nieve. | El nido. | Apenado llegó.
        Noche clara. | El nieto. | La niña ríe. | Sinceramente sí. | Nos vamos. | Nace un niño.
    """,
    "fr": """
        Neuf passants riaient. | Le navire est niché là. | Un pas en avant. | Il a fait un faux pas.
        La personne est là. | Une personne attend. | Le passé. | Net et clair. | Nous rions.
        La nonne prie. | Le nid. | J'entends ses pas. | Avance à grands pas.
    """,
    "it": """
        La nonna nota il nodo. | Il mais matura senz'altro. | Nevica nel Nord. | Il maiale.
        La noia. | Nove anni. | La notte. | Il nonno. | Nel mare. | La nave.
        Niccolò ride. | I nodi.
    """,
}


def rows_of(table: dict[str, str]) -> list[tuple[str, str]]:
    """The texts of a table, each with its language."""
    return [
        (language, text.strip())
        for language, texts in table.items()
        for line in texts.strip().splitlines()
        for text in line.split(" | ")
    ]


@pytest.mark.parametrize(("language", "text"), rows_of(DENYING))
def test_words_that_deny(language: str, text: str) -> None:
    assert is_negated(text, language) is True


@pytest.mark.parametrize(("language", "text"), rows_of(STATING))
def test_words_that_only_look_like_them(language: str, text: str) -> None:
    assert is_negated(text, language) is False


def test_of_other_languages_nothing_is_known() -> None:
    assert is_negated("Ik weet het niet.", "nl") is None
