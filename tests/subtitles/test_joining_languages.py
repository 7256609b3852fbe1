"""Which cues are one sentence in German, Spanish, French and Italian, whose marks differ."""

from __future__ import annotations

import pytest

from subfit.subtitles.sentences import join_cues, parse_cues
from tests.subtitles.test_joining import cues_of, joined

CASES = {
    "de": """
        Ich spreche mit Dr. | Keller darüber. | +
        Ich kenne Hr. | Finke gut. | +
        Siehe Nr. | 5 auf der Liste. | +
        Die Antwort ist Nr. | Niemand kam. | -
        Wir fahren am 3. | Mai nach Kiel. | +
        Das war z.B. | gestern so. | +
        Das war z. B. | gestern so. | +
        Das war z.B. | Walter. | +
        Es sind ca. | 12 Meilen. | +
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
        Son aprox. | 12 millas. | +
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
        Il y a env. | 12 milles. | +
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
        Sono ca. | 12 miglia. | +
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


FILLER = {
    "de": ("Wir segelten weiter.", "Niemand sprach.", "Es war kalt.", "Dann kam Regen."),
    "es": ("Seguimos navegando.", "Nadie habló.", "Hacía frío.", "Luego llovió."),
    "fr": ("On a continué.", "Personne ne parlait.", "Il faisait froid.", "Puis il a plu."),
    "it": ("Continuammo.", "Nessuno parlava.", "Faceva freddo.", "Poi piovve."),
}
NAMES = {
    # Every noun has a capital in German: one tells of no new sentence.
    "de": """
        Wir mögen das Meer. | Wir sahen den alten | Turm dort. | +
        Wir mögen das Meer. | Sie kaufte zwei | Brote und Käse. | +
        Wir mögen das Meer. | Er wohnt bei | Doria am Hafen. | +
        Wir mögen Doria. | Gestern rief | Doria wieder an. | +
        Wir mögen das Meer. | Das ist die kleine | Schwester von Anna. | +
        Wir mögen das Meer. | Ich brauche mehr | Zeit dafür. | +
        Wir mögen das Meer. | Wir sahen ihn | Er war alt. | -
        Wir mögen das Meer. | Ich kenne sie | Sie heißt Anna. | -
        Wir mögen das Meer. | Ich bleibe hier | Und du gehst. | -
        Wir mögen das Meer. | Das war es | Wir gehen jetzt. | -
        Wir mögen das Meer. | Komm her | Ich warte. | -
        Wir mögen das Meer. | Das Haus ist leer. | Turm und Hof auch. | -
    """,
    "es": """
        Nos gusta Ruiz. | Vimos al viejo | Ruiz allí. | +
        Nos gusta el mar. | Vimos al viejo | Ruiz allí. | -
        Nos gusta el mar. | Vive con | Doria en el puerto. | +
        Nos gusta el mar. | Se lo dimos a | Walter ayer. | +
        Nos gusta Doria. | Ayer llamó | Doria otra vez. | +
        Nos gusta el mar. | Ayer llamó | Doria otra vez. | -
        Nos gusta el mar. | Es la hermana de | Ana Vega. | +
        Nos gusta el mar. | Los vimos allí | Era tarde. | -
        Nos gusta el mar. | No la conozco | Se llama Ana. | -
        Nos gusta el mar. | Me quedo aquí | Tú te vas. | -
        Nos gusta el mar. | Ven aquí | Te espero. | -
        Nos gusta Walter. | Pregunta al pobre | Walter mañana. | +
    """,
    "fr": """
        On aime Finch. | On a vu le vieux | Finch là-bas. | +
        On aime la mer. | On a vu le vieux | Finch là-bas. | -
        On aime la mer. | Elle vit avec | Doria au port. | +
        On aime la mer. | On l'a donné à | Walter hier. | +
        On aime Doria. | Hier, il y avait | Doria aussi. | +
        On aime la mer. | Il a vu passer | Doria hier. | -
        On aime la mer. | C'est la sœur de | Jeanne Moreau. | +
        On aime la mer. | On les a vus | Il était tard. | -
        On aime la mer. | Je la connais | Elle est d'ici. | -
        On aime la mer. | Je reste ici | Tu t'en vas. | -
        On aime la mer. | Viens ici | Je t'attends. | -
        On aime Walter. | Demande au pauvre | Walter demain. | +
    """,
    "it": """
        Ci piace Finch. | Abbiamo visto il vecchio | Finch laggiù. | +
        Ci piace il mare. | Abbiamo visto il vecchio | Finch laggiù. | -
        Ci piace il mare. | Abita con | Doria al porto. | +
        Ci piace il mare. | L'abbiamo dato a | Walter ieri. | +
        Ci piace Doria. | Ieri chiamò | Doria di nuovo. | +
        Ci piace il mare. | Ieri chiamò | Doria di nuovo. | -
        Ci piace il mare. | È la sorella di | Anna Rossi. | +
        Ci piace il mare. | Li abbiamo visti | Era tardi. | -
        Ci piace il mare. | La conosco bene | Si chiama Anna. | -
        Ci piace il mare. | Io resto qui | Tu vai via. | -
        Ci piace il mare. | Vieni qui | Ti aspetto. | -
        Ci piace Walter. | Chiedi al povero | Walter domani. | +
    """,
}


def rows_of(table: dict[str, str]) -> list[tuple[str, ...]]:
    """The rows of a table, each with its language."""
    return [
        (language, *(part.strip() for part in row.split(" | ")))
        for language, rows in table.items()
        for row in rows.strip().splitlines()
    ]


@pytest.mark.parametrize(("language", "known", "first", "second", "one"), rows_of(NAMES))
def test_a_capital_goes_on_where_it_may_be_a_name(language, known, first, second, one) -> None:
    found = joined(*FILLER[language], known, first, second, language=language)
    assert ((5, 6) in found) == (one == "+")


CAPITALS = {
    "de": """
        Als der Sturm kam, | Wir gingen hinein. | wir gingen hinein.
        Ich glaube, | Dass er lügt. | dass er lügt.
        Ich weiß nicht, | Ob er kommt. | ob er kommt.
        Das ist das Haus, | In dem wir wohnten. | in dem wir wohnten.
        Am Abend, | Im Hafen am Meer. | im Hafen am Meer.
        Nach dem Essen, | Aber vor dem Tanz. | aber vor dem Tanz.
        Er ging, | Weil es spät war. | weil es spät war.
        Er ging, | Ohne ein Wort. | ohne ein Wort.
        Wir sahen Boote, | Inseln und Vögel. | Inseln und Vögel.
        Wir kauften Brot, | Käse und Wein. | Käse und Wein.
        Ich glaube, | Sie haben recht. | Sie haben recht.
        Ich hoffe, | Ihnen geht es gut. | Ihnen geht es gut.
    """,
    "es": """
        Cuando llegó la tormenta, | Nosotros entramos. | nosotros entramos.
        Si quieres, | Puedes venir. | puedes venir.
        Yo creo, | Que miente. | que miente.
        No sé, | Si viene. | si viene.
        Es la casa, | En la que vivíamos. | en la que vivíamos.
        Por la noche, | En el puerto de mar. | en el puerto de mar.
        Se fue, | Porque era tarde. | porque era tarde.
        Se fue, | Sin una palabra. | sin una palabra.
        Él vino, | Pero ella no. | pero ella no.
        Salió, | Y no volvió. | y no volvió.
        Vino Ana, | Walter y Eva. | Walter y Eva.
        Fuimos a Roma, | Madrid y París. | Madrid y París.
    """,
    "fr": """
        Quand l'orage est venu, | Nous sommes rentrés. | nous sommes rentrés.
        Si tu veux, | Tu peux venir. | tu peux venir.
        C'est la maison, | Dans laquelle on vivait. | dans laquelle on vivait.
        Le soir, | Au port de pêche. | au port de pêche.
        On a pris du pain, | Du fromage et du vin. | du fromage et du vin.
        Il est parti, | Parce qu'il était tard. | parce qu'il était tard.
        Il est parti, | Sans un mot. | sans un mot.
        Il est venu, | Mais pas elle. | mais pas elle.
        Bon, | J'arrive tout de suite. | j'arrive tout de suite.
        Écoute, | L’heure tourne. | l’heure tourne.
        Dis-moi, | C'est vrai ? | c'est vrai ?
        On a vu Anna, | Walter et Eva. | Walter et Eva.
    """,
    "it": """
        Quando venne la tempesta, | Noi entrammo. | noi entrammo.
        Se vuoi, | Puoi venire. | puoi venire.
        Credo, | Che menta. | che menta.
        È la casa, | In cui vivevamo. | in cui vivevamo.
        La sera, | Nel porto di mare. | nel porto di mare.
        Se ne andò, | Perché era tardi. | perché era tardi.
        Se ne andò, | Senza una parola. | senza una parola.
        Lui venne, | Ma lei no. | ma lei no.
        Dimmi, | C'è qualcuno? | c'è qualcuno?
        Guarda, | L’ora è tarda. | l’ora è tarda.
        Credo, | Lei abbia ragione. | Lei abbia ragione.
        Vidi Anna, | Walter ed Eva. | Walter ed Eva.
    """,
}


@pytest.mark.parametrize(("language", "first", "second", "rest"), rows_of(CAPITALS))
def test_a_capital_given_to_every_cue_is_taken_off_within_a_sentence(
    language: str, first: str, second: str, rest: str
) -> None:
    """But for names, German nouns, and the polite "you" of German and Italian."""
    cues = cues_of(*FILLER[language], CALM[language], first, second)
    *_, last = join_cues(cues, parse_cues(cues, "srt"), language=language)
    assert last.text == f"{first} {rest}"


CALM = {
    "de": "Das Meer war ruhig.",
    "es": "El mar estaba en calma.",
    "fr": "La mer était calme.",
    "it": "Il mare era calmo.",
}
WITHOUT_STOPS = {
    "de": ("Hier haben wir ein Boot", "Ich zeige dir die Segel", "Zieh hier", "Schau hinauf"),
    "es": ("Aquí tenemos un barco", "Te enseño las velas", "Tira de aquí", "Mira arriba"),
    "fr": ("Ici on a un bateau", "Je te montre les voiles", "Tire dessus", "Regarde en haut"),
    "it": ("Qui abbiamo una barca", "Ti mostro le vele", "Tira qui", "Guarda in alto"),
}


@pytest.mark.parametrize("language", WITHOUT_STOPS)
def test_a_file_without_full_stops_is_not_glued_together(language: str) -> None:
    lines = WITHOUT_STOPS[language]
    alone = [(number,) for number in range(20)]
    assert joined(*lines * 5, language=language) == alone
    small = [line[0].lower() + line[1:] for line in lines]  # German nouns keep their capitals
    assert joined(*small * 5, language=language) == alone


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("de", "Wir schließen bald", "den alten Turm."),
        ("es", "Vamos a cerrar", "el faro este mes."),
        ("fr", "On va fermer", "le phare ce mois-ci."),
        ("it", "Stiamo per chiudere", "il faro questo mese."),
    ],
)
def test_a_file_in_capitals_is_joined_by_its_marks_alone(language, first, second) -> None:
    shouted = [each.upper() for each in (*FILLER[language], CALM[language], first, second)]
    assert joined(*shouted, language=language)[-1] == (5, 6)
    bare = [each.rstrip(".") for each in shouted]
    assert joined(*bare, language=language) == [(n,) for n in range(7)]
