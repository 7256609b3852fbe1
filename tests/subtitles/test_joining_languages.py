"""Which cues are one sentence in German, Spanish, French and Italian, whose marks differ."""

from __future__ import annotations

import pytest

from tests.subtitles.test_joining import joined

CASES = {
    "de": """
        Ich spreche mit Dr. | Keller darüber. | +
        Ich kenne Hr. | Finke gut. | +
        Siehe Nr. | 5 auf der Liste. | +
        Die Antwort ist Nr. | Niemand kam. | -
        Wir fahren am 3. | Mai nach Kiel. | +
        Das war z.B. | gestern so. | +
        Äpfel, Birnen usw. | sind in der Kiste. | +
        Äpfel, Birnen usw. | Sie sind gut. | -
        Er hat gestern ein | Haus gekauft. | +
        Ich habe es ihr gesagt, | Walter weiß es. | +
        Ich dachte, du... | ...schläfst noch. | +
        Ich dachte, dass… | du noch schläfst. | +
        Ich dachte... | Ach, egal. | -
        Sie wurde im Jahr | 1902 gebaut. | +
        ANNA: Ich sagte | WALTER: nichts! | -
        Ich sagte | - nichts! | -
        - Wer ist da?\\n- Ich sagte, | dass niemand kam. | +
        „Wer ist da?“ | „niemand“ | -
        Er rief „halt, | sofort stehen!“ | +
        Ich wollte -- | Hör auf! | -
        Er sagte | (leise) nichts. | -
        Wir schließen den Turm. | er ist alt | -
        Wir schließen bald | den alten Turm. | +
    """,
    "es": """
        Tengo que ver al Sr. | Ruiz hoy. | +
        Pregunta por la Dra. | Ana Vega. | +
        Mira la pág. | 5 del libro. | +
        La verdad está en la pág. | Nadie vino. | -
        Peras, manzanas, etc. | están en la caja. | +
        Peras, manzanas, etc. | Están aquí. | -
        Vive en EE.UU. | desde hace años. | +
        Se lo di a | Walter. | +
        Se construyó en | 1902. | +
        Creí que tú... | ...dormías. | +
        Creí que… | tú dormías. | +
        Creí... | Da igual. | -
        ANA: Yo dije | WALTER: ¡nada! | -
        Yo dije | - ¡nada! | -
        - ¿Quién es?\\n- Dije | que nadie vino. | +
        «¿Quién es?» | «nadie» | -
        Pero ¿por qué | no has venido? | +
        Si llueve, | ¿qué hacemos? | +
        Quería -- | ¡Para ya! | -
        Cerramos el faro. | es viejo | -
        Vamos a cerrar | el faro este mes. | +
    """,
    "fr": """
        Je dois voir M. | Finch aujourd'hui. | +
        Demandez Mme. | Anna Okoye. | +
        Voyez le Dr. | Keller. | +
        Voir p. | 5 du livre. | +
        Des poires, des pommes, etc. | sont dans la caisse. | +
        Des poires, des pommes, etc. | Elles sont là. | -
        Je l'ai donné à | Walter. | +
        Il fut construit en | 1902. | +
        Je croyais que tu... | ...dormais. | +
        Je croyais que… | tu dormais. | +
        Je croyais... | Peu importe. | -
        ANNA : J'ai dit | WALTER : rien ! | -
        J'ai dit | - rien ! | -
        - Qui est là ?\\n- J'ai dit | que personne n'est venu. | +
        « Qui est là ? » | « personne » | -
        Il a crié « arrête | tout de suite ! » | +
        Je voulais -- | Arrête ! | -
        Il a dit ceci : | reste ici. | -
        On ferme le phare. | il est vieux | -
        On va fermer | le phare ce mois-ci. | +
        Tu viens ? | demain peut-être | -
    """,
    "it": """
        Devo vedere il sig. | Finch oggi. | +
        Chieda al dott. | Bianchi. | +
        È nato a S. | Remo, sai. | +
        Vedi pag. | 5 del libro. | +
        Pere, mele, ecc. | sono nella cassa. | +
        Pere, mele, ecc. | Sono qui. | -
        L'ho dato a | Walter. | +
        Fu costruito nel | 1902. | +
        Pensavo che tu... | ...dormissi. | +
        Pensavo che… | tu dormissi. | +
        Pensavo... | Non importa. | -
        ANNA: Ho detto | WALTER: niente! | -
        Ho detto | - niente! | -
        - Chi è?\\n- Ho detto | che nessuno è venuto. | +
        «Chi è?» | «nessuno» | -
        Gridò «fermo, | subito!» | +
        Volevo -- | Smettila! | -
        Ha detto questo: | resta qui. | -
        Chiudiamo il faro. | è vecchio | -
        Stiamo per chiudere | il faro questo mese. | +
        Sì, lo so, | Walter me l'ha detto. | +
    """,
}
ROWS = [
    (language, *(part.strip().replace("\\n", "\n") for part in row.split(" | ")))
    for language, rows in CASES.items()
    for row in rows.strip().splitlines()
]


@pytest.mark.parametrize(("language", "first", "second", "one"), ROWS)
def test_what_ends_a_sentence(language: str, first: str, second: str, one: str) -> None:
    assert ((0, 1) in joined(first, second, language=language)) == (one == "+")


@pytest.mark.parametrize("language", CASES)
def test_every_language_has_a_dozen_cases(language: str) -> None:
    assert sum(row[0] == language for row in ROWS) >= 12


FILLER = {
    "de": ("Wir segelten weiter.", "Niemand sprach.", "Es war kalt.", "Dann kam Regen."),
    "es": ("Seguimos navegando.", "Nadie habló.", "Hacía frío.", "Luego llovió."),
    "fr": ("On a continué.", "Personne ne parlait.", "Il faisait froid.", "Puis il a plu."),
    "it": ("Continuammo.", "Nessuno parlava.", "Faceva freddo.", "Poi piovve."),
}


@pytest.mark.parametrize(
    ("language", "known", "cues", "one"),
    [
        ("es", "Nos gusta Ruiz.", ("Vimos al viejo", "Ruiz allí."), True),
        ("es", "Nos gusta el mar.", ("Vimos al viejo", "Ruiz allí."), False),
        ("fr", "On aime Finch.", ("On a vu le vieux", "Finch là-bas."), True),
        ("fr", "On aime la mer.", ("On a vu le vieux", "Finch là-bas."), False),
        ("it", "Ci piace Finch.", ("Abbiamo visto il vecchio", "Finch laggiù."), True),
        ("it", "Ci piace il mare.", ("Abbiamo visto il vecchio", "Finch laggiù."), False),
        # Every noun has a capital in German: one tells of no new sentence.
        ("de", "Wir mögen das Meer.", ("Wir sahen den alten", "Turm dort."), True),
        ("de", "Wir mögen das Meer.", ("Wir sahen ihn", "Er war alt."), False),
    ],
)
def test_a_capital_goes_on_where_it_may_be_a_name(language, known, cues, one) -> None:
    found = joined(*FILLER[language], known, *cues, language=language)
    assert ((5, 6) in found) == one
