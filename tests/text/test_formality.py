"""Forms of address, told by pronouns and verb forms."""

from __future__ import annotations

import pytest

from subfit.text.formality import (
    formality_of,
    gives_away,
    speaks_to_one,
    speaks_to_several,
)

CASES = {
    "de": """
        Hast du den Schlüssel? > informal | Das ist dein Mantel. > informal
        Komm sofort her! > informal | Weißt schon, was ich meine. > informal
        Haben Sie den Schlüssel? > formal | Ich danke Ihnen, Frau Berg. > formal
        Wo ist Ihr Wagen? > formal | Sie haben den Schlüssel. > none
        Du meine Güte, ist das kalt! > none | Habt ihr den Schlüssel? > none
        Verzeiht, Ihr habt recht. > none | Der Schlüssel ist weg. > none
        WO IST IHR WAGEN? > none | Wenn du magst, helfe ich Ihnen. > none
    """,
    "es": """
        ¿Tienes la llave? > informal | Te espero aquí. > informal | Mañana lo verás. > informal
        ¿Usted tiene la llave? > formal | Siéntese, por favor. > formal
        Perdone, ¿qué hora es? > formal | ¿Tenéis la llave? > none
        ¿Ustedes tienen la llave? > none | Está triste y detrás de la puerta. > none
    """,
    "fr": """
        Tu as la clé ? > informal | Je t’attends ici. > informal | Assieds-toi ! > informal
        Vous avez la clé ? > formal | C’est votre manteau. > formal
        Ne parle pas sur un ton pareil. > none | Vous deux, restez ici. > none
        Où est la clé ? > none
    """,
    "it": """
        Hai la chiave? > informal | Ti aspetto qui. > informal | Sei in ritardo. > informal
        Ci vediamo alle sei. > none | Le ragazze sono quasi sei. > none
        Come sta Lei oggi? > formal | Scusi, che ore sono? > formal | Avete la chiave? > none
    """,
    "de-AT": """
        Hast du den Schlüssel? > informal
    """,
    "sv": """
        Har du nyckeln? > none
    """,
}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (language, *cell.strip().split(" > "))
        for language, cells in CASES.items()
        for cell in cells.replace("\n", " | ").split(" | ")
        if cell.strip()
    ],
)
def test_text_alone(language: str, text: str, expected: str) -> None:
    assert (formality_of(text, language) or "none") == expected


WITH_SOURCE = [
    ("de", "You have the key.", "Sie haben den Schlüssel.", "formal"),
    ("de", "They have the key.", "Sie haben den Schlüssel.", None),
    ("de", "Did she tell you?", "Sie hat es gesagt.", None),
    ("es", "Is this your coat?", "¿Es este su abrigo?", "formal"),
    ("es", "Is this his coat?", "¿Es este su abrigo?", None),
    ("es", "Did you see the film?", "¿Vio la película?", "formal"),
    ("fr", "Can you wait?", "Pouvez patienter ?", "formal"),
    ("it", "Have you seen the film?", "Ha visto il film?", "formal"),
    ("it", "Has Anna seen the film?", "Ha visto il film?", None),
    ("it", "Your brother is here.", "Suo fratello è qui.", "formal"),
    ("fr", "Are you two ready?", "Vous êtes prêts ?", None),
    ("fr", "Ladies and gentlemen, welcome!", "Je vous souhaite la bienvenue !", None),
]


@pytest.mark.parametrize(("language", "source", "text", "expected"), WITH_SOURCE)
def test_source_settles_what_the_text_leaves_open(language, source, text, expected):
    assert formality_of(text, language, source) == expected


TO_ONE = {
    "en": "Do you know? + | You're late. + | Do you know her? - | I know. -",
    "de": """
        Kannst du kommen? + | Haben Sie Zeit? + | Ich danke Ihnen. + | Wo ist dein Hut? +
        Komm her! + | Darf ich Sie stören? + | Habt ihr Zeit? - | Es regnet. - | Ich gehe jetzt. -
        Sie ist krank. - | Ihr Bruder war hier. - | Euer Boot ist weg. -
    """,
    "es": """
        ¿Puedes venir? + | ¿Tiene usted tiempo? + | Te espero. + | ¿Dónde está tu sombrero? +
        Siéntese. + | Ayúdame. + | ¿Tenéis tiempo? - | Llueve. - | Ya me voy. - | Está enferma. -
        Su hermano estuvo aquí. - | Ustedes lo saben. -
    """,
    "fr": """
        Tu peux venir ? + | Vous avez le temps ? + | Je t'attends. + | Où est ton chapeau ? +
        Asseyez-vous. + | Aide-moi, toi. + | Vous deux, venez. - | Il pleut. - | Je m'en vais. -
        Elle est malade. - | Son frère était là. - | Messieurs, vous savez. -
    """,
    "it": """
        Puoi venire? + | Mi scusi. + | Ti aspetto. + | Dov'è il tuo cappello? + | Si accomodi. +
        Aiutami. + | Avete tempo? - | Piove. - | Me ne vado. - | È malata. -
        Suo fratello era qui. - | Voi lo sapete. -
    """,
}


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (language, cell.strip()[:-2], cell.strip()[-1] == "+")
        for language, rows in TO_ONE.items()
        for cell in rows.replace("\n", " | ").split(" | ")
        if cell.strip()
    ],
)
def test_who_a_source_speaks_to_in_other_languages(language, source, expected):
    assert speaks_to_one(source, language) is expected


@pytest.mark.parametrize(
    ("source", "several"),
    [
        ("You two are late.", True),
        ("I told you three!", True),
        ("You two always fight.", True),
        ("You three clowns, come here.", True),
        ("I wrote you three letters.", False),
        ("They gave you two days.", False),
        ("It cost you three hundred crowns.", False),
        ("I can lend you two more.", False),
    ],
)
def test_numbers_behind_you_may_count_other_things(source: str, several: bool) -> None:
    assert speaks_to_several(source) is several


SEVERAL = [
    ("de", "Seid ihr bereit?"),
    ("es", "¿Estáis listos?"),
    ("fr", "Vous êtes tous prêts ?"),
    ("it", "Siete pronti?"),
]


@pytest.mark.parametrize(("source_language", "source"), SEVERAL)
@pytest.mark.parametrize(
    ("language", "text"), [("de", "Sind Sie denn bereit?"), ("fr", "Vous voilà !")]
)
def test_a_translation_of_what_is_said_to_several_has_no_label(
    source_language: str, source: str, language: str, text: str
) -> None:
    assert formality_of(text, language) == "formal"
    assert formality_of(text, language, source, source_language) is None


KINDS = ("informal", "formal", "formal_if_you", "plural", "orders_formal", "orders_informal")


@pytest.mark.parametrize("language", ["de", "es", "fr", "it"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_pattern_matches_nothing_at_all(language: str, kind: str) -> None:
    """Or every text would have that form."""
    assert not gives_away("", language, kind)
    assert not gives_away("12:30.", language, kind)


@pytest.mark.parametrize(
    ("language", "kind", "text", "given"),
    [
        ("es", "informal", "¿Tú lo sabes?", True),
        ("fr", "informal", "C'est ton bateau.", True),
        ("it", "informal", "Tu lo sai?", True),
        ("de", "informal", "Der Dudelsack ist laut.", False),
        ("es", "informal", "El túnel está cerrado.", False),
        ("fr", "informal", "La tulipe est rouge.", False),
        ("it", "informal", "Il tuono è forte.", False),
        ("de", "formal", "Sie lesen ein Buch, die Kinder.", False),
    ],
)
def test_forms_are_known_by_whole_words(language: str, kind: str, text: str, given: bool) -> None:
    assert gives_away(text, language, kind) is given
