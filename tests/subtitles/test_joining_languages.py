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
        Das war z. B. | gestern so. | +
        Das war z.B. | Walter. | +
        Es sind ca. | 12 Meilen. | +
        Äpfel, Birnen usw. | sind in der Kiste. | +
        Äpfel, Birnen usw. | Sie sind gut. | -
        Ich habe es ihr gesagt, | Walter weiß es. | +
        Ich dachte, du... | ...schläfst noch. | +
        Ich dachte, dass… | du noch schläfst. | +
        Ich dachte... | Ach, egal. | -
        Ich wollte -- | Hör auf! | -
        Ich sagte | - nichts! | -
        Sie wurde im Jahr | 1902 gebaut. | +
        ANNA: Ich sagte | WALTER: nichts! | -
        - Wer ist da?\\n- Ich sagte, | dass niemand kam. | +
        „Wer ist da?“ | „niemand“ | -
        Er rief „halt, | sofort stehen!“ | +
        Er sagte | (leise) nichts. | -
        Wir schließen bald | den alten Turm. | +
    """,
    "es": """
        Tengo que ver al Sr. | Ruiz hoy. | +
        Pregunta por la Dra. | Ana Vega. | +
        Mira la pág. | 5 del libro. | +
        Son aprox. | 12 millas. | +
        La verdad está en la pág. | Nadie vino. | -
        Peras, manzanas, etc. | Están aquí. | -
        Vive en EE.UU. | desde hace años. | +
        Se lo di a | Walter. | +
        Creí que tú... | ...dormías. | +
        - ¿Quién es?\\n- Dije | que nadie vino. | +
        «¿Quién es?» | «nadie» | -
        Pero ¿por qué | no has venido? | +
        Si llueve, | ¿qué hacemos? | +
        Vamos a cerrar | el faro este mes. | +
    """,
    "fr": """
        Je dois voir M. | Finch aujourd'hui. | +
        Voyez le Dr. | Keller. | +
        Voir p. | 5 du livre. | +
        Il y a env. | 12 milles. | +
        Des poires, des pommes, etc. | Elles sont là. | -
        Je l'ai donné à | Walter. | +
        Je croyais que tu... | ...dormais. | +
        ANNA : J'ai dit | WALTER : rien ! | -
        - Qui est là ?\\n- J'ai dit | que personne n'est venu. | +
        « Qui est là ? » | « personne » | -
        Il a crié « arrête | tout de suite ! » | +
        Il a dit ceci : | reste ici. | -
        Tu viens ? | demain peut-être | -
        On va fermer | le phare ce mois-ci. | +
    """,
    "it": """
        Devo vedere il sig. | Finch oggi. | +
        Chieda al dott. | Bianchi. | +
        È nato a S. | Remo, sai. | +
        Vedi pag. | 5 del libro. | +
        Sono ca. | 12 miglia. | +
        Pere, mele, ecc. | Sono qui. | -
        L'ho dato a | Walter. | +
        Pensavo che tu... | ...dormissi. | +
        - Chi è?\\n- Ho detto | che nessuno è venuto. | +
        «Chi è?» | «nessuno» | -
        Gridò «fermo, | subito!» | +
        Ha detto questo: | resta qui. | -
        Sì, lo so, | Walter me l'ha detto. | +
        Stiamo per chiudere | il faro questo mese. | +
    """,
}


def rows_of(table: dict[str, str]) -> list[tuple[str, ...]]:
    """The rows of a table, each with its language."""
    return [
        (language, *(part.strip().replace("\\n", "\n") for part in row.split(" | ")))
        for language, rows in table.items()
        for row in rows.strip().splitlines()
    ]


@pytest.mark.parametrize(("language", "first", "second", "one"), rows_of(CASES))
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
        Wir mögen das Meer. | Er wohnt bei | Doria am Hafen. | +
        Wir mögen Doria. | Gestern rief | Doria wieder an. | +
        Wir mögen das Meer. | Das ist die kleine | Schwester von Anna. | +
        Wir mögen das Meer. | Ich brauche mehr | Zeit dafür. | +
        Wir mögen das Meer. | Wir sahen ihn | Er war alt. | -
        Wir mögen das Meer. | Ich bleibe hier | Und du gehst. | -
        Wir mögen das Meer. | Das Haus ist leer. | Turm und Hof auch. | -
    """,
    "es": """
        Nos gusta Ruiz. | Vimos al viejo | Ruiz allí. | +
        Nos gusta el mar. | Vimos al viejo | Ruiz allí. | -
        Nos gusta el mar. | Vive con | Doria en el puerto. | +
        Nos gusta Doria. | Ayer llamó | Doria otra vez. | +
        Nos gusta el mar. | Es la hermana de | Ana Vega. | +
        Nos gusta el mar. | Los vimos allí | Era tarde. | -
        Nos gusta el mar. | Me quedo aquí | Tú te vas. | -
    """,
    "fr": """
        On aime Finch. | On a vu le vieux | Finch là-bas. | +
        On aime la mer. | On a vu le vieux | Finch là-bas. | -
        On aime la mer. | Elle vit avec | Doria au port. | +
        On aime Doria. | Hier, il y avait | Doria aussi. | +
        On aime la mer. | C'est la sœur de | Jeanne Moreau. | +
        On aime la mer. | On les a vus | Il était tard. | -
        On aime la mer. | Je reste ici | Tu t'en vas. | -
    """,
    "it": """
        Ci piace Finch. | Abbiamo visto il vecchio | Finch laggiù. | +
        Ci piace il mare. | Abbiamo visto il vecchio | Finch laggiù. | -
        Ci piace il mare. | Abita con | Doria al porto. | +
        Ci piace Doria. | Ieri chiamò | Doria di nuovo. | +
        Ci piace il mare. | È la sorella di | Anna Rossi. | +
        Ci piace il mare. | Li abbiamo visti | Era tardi. | -
        Ci piace il mare. | Io resto qui | Tu vai via. | -
    """,
}


@pytest.mark.parametrize(("language", "known", "first", "second", "one"), rows_of(NAMES))
def test_a_capital_goes_on_where_it_may_be_a_name(language, known, first, second, one) -> None:
    found = joined(*FILLER[language], known, first, second, language=language)
    assert ((5, 6) in found) == (one == "+")


CAPITALS = {
    "de": """
        Als der Sturm kam, | Wir gingen hinein. | wir gingen hinein.
        Ich glaube, | Dass er lügt. | dass er lügt.
        Das ist das Haus, | In dem wir wohnten. | in dem wir wohnten.
        Am Abend, | Im Hafen am Meer. | im Hafen am Meer.
        Er ging, | Weil es spät war. | weil es spät war.
        Er ging, | Ohne ein Wort. | ohne ein Wort.
        Wir sahen Boote, | Inseln und Vögel. | Inseln und Vögel.
        Ich glaube, | Sie haben recht. | Sie haben recht.
    """,
    "es": """
        Cuando llegó la tormenta, | Nosotros entramos. | nosotros entramos.
        Si quieres, | Puedes venir. | puedes venir.
        Yo creo, | Que miente. | que miente.
        Es la casa, | En la que vivíamos. | en la que vivíamos.
        Por la noche, | En el puerto de mar. | en el puerto de mar.
        Se fue, | Porque era tarde. | porque era tarde.
        Se fue, | Sin una palabra. | sin una palabra.
        Vino Ana, | Walter y Eva. | Walter y Eva.
    """,
    "fr": """
        Quand l'orage est venu, | Nous sommes rentrés. | nous sommes rentrés.
        C'est la maison, | Dans laquelle on vivait. | dans laquelle on vivait.
        Le soir, | Au port de pêche. | au port de pêche.
        On a pris du pain, | Du fromage et du vin. | du fromage et du vin.
        Il est parti, | Parce qu'il était tard. | parce qu'il était tard.
        Il est parti, | Sans un mot. | sans un mot.
        Bon, | J'arrive tout de suite. | j'arrive tout de suite.
        Écoute, | L’heure tourne. | l’heure tourne.
        On a vu Anna, | Walter et Eva. | Walter et Eva.
    """,
    "it": """
        Quando venne la tempesta, | Noi entrammo. | noi entrammo.
        Credo, | Che menta. | che menta.
        È la casa, | In cui vivevamo. | in cui vivevamo.
        La sera, | Nel porto di mare. | nel porto di mare.
        Se ne andò, | Perché era tardi. | perché era tardi.
        Se ne andò, | Senza una parola. | senza una parola.
        Dimmi, | C'è qualcuno? | c'è qualcuno?
        Credo, | Lei abbia ragione. | Lei abbia ragione.
        Vidi Anna, | Walter ed Eva. | Walter ed Eva.
    """,
}


@pytest.mark.parametrize(("language", "first", "second", "rest"), rows_of(CAPITALS))
def test_a_capital_given_to_every_cue_is_taken_off_within_a_sentence(language, first, second, rest):
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


@pytest.mark.parametrize("language", CALM)
def test_a_file_in_capitals_is_joined_by_its_marks_alone(language) -> None:
    first, second, _ = CASES[language].strip().splitlines()[-1].split(" | ")
    shouted = [each.upper() for each in (*FILLER[language], CALM[language], first, second)]
    assert joined(*shouted, language=language)[-1] == (5, 6)
    bare = [each.rstrip(".") for each in shouted]
    assert joined(*bare, language=language) == [(n,) for n in range(7)]
