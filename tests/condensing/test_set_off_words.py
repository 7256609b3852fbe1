"""Fillers and whom somebody speaks to are left out of German, Spanish, French and Italian."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.condensing import condensations
from subfit.condensing.set_off_words import is_set_off_word
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.subtitles.cues import Cue, Track
from tests.scripted import ScriptedTranslator

SPARED = {
    "de": """
        Na ja, ich weiß es nicht genau. | Ich weiß es nicht genau.
        Also, na ja, wir gehen jetzt. | Wir gehen jetzt.
        Mama, kannst du kommen? | Kannst du kommen?
        Kommst du, Schatz? | Kommst du?
        Guten Tag, Frau Berger. | Guten Tag.
        Ich weiß es nicht, ehrlich gesagt. | Ich weiß es nicht.
        Sag mal, wo ist er? | Wo ist er?
        Er kommt nicht, weißt du. | Er kommt nicht.
        Ach, Papa. Ich gehe jetzt. | Ich gehe jetzt.
        Tja. Dann gehen wir eben. | Dann gehen wir eben.
        Walter, kannst du das halten? | Kannst du das halten?
        „Na ja, ich komme“, sagte er. | „Ich komme“, sagte er.
        NA JA, ICH GEHE JETZT. | ICH GEHE JETZT.
        Herr Doktor, es geht ihr schlecht. | Es geht ihr schlecht.
    """,
    "es": """
        Bueno, pues, no lo sé. | No lo sé.
        Mamá, ¿dónde estás? | ¿Dónde estás?
        ¿Dónde estás, mamá? | ¿Dónde estás?
        Oye, ¿qué quieres? | ¿Qué quieres?
        No está aquí, señora Ruiz. | No está aquí.
        Ven aquí, Walter. | Ven aquí.
        Pues nada. Nos vamos ya. | Nos vamos ya.
        No lo sé, la verdad. | No lo sé.
        Vale, tío, nos vamos. | Nos vamos.
        ¿Me oyes, Ana? | ¿Me oyes?
        Hombre, ¡ven de una vez! | ¡Ven de una vez!
        En fin, chicos, hasta mañana. | Hasta mañana.
    """,
    "fr": """
        Enfin, bon, on verra demain. | On verra demain.
        Tu viens, maman ? | Tu viens ?
        Eh bien, monsieur, il est parti. | Il est parti.
        Dis donc, où est-il ? | Où est-il ?
        Je ne sais pas, tu sais. | Je ne sais pas.
        Bon. On y va. | On y va.
        Viens ici, Walter. | Viens ici.
        Mon Dieu, les gars, regardez ça. | Regardez ça.
        Ça va, quoi. | Ça va.
        « Bref, on part », dit-il. | « On part », dit-il.
        À vrai dire, je l’aime. | Je l’aime.
        Il est là, madame Leroy ! | Il est là !
    """,
    "it": """
        Allora, insomma, vedremo domani. | Vedremo domani.
        Vieni, mamma? | Vieni?
        Beh, signore, è partito. | È partito.
        Senti, dov'è finito? | Dov'è finito?
        Non lo so, sai. | Non lo so.
        Ecco. Adesso andiamo. | Adesso andiamo.
        Vieni qui, Walter. | Vieni qui.
        Dio mio, ragazzi, guardate. | Guardate.
        Dai, tesoro, andiamo via. | Andiamo via.
        Be’, l’hai visto? | L’hai visto?
        È tardi, dottor Rossi. | È tardi.
        A dire il vero, lo amo. | Lo amo.
    """,
}
KEPT = {
    "de": """
        Hör mal, wie das klingt. | Weißt du, wo er ist? | Gib mir das Messer, Salz, Brot.
        Ich habe, na ja, verloren. | Na ja, Mama. | Der Papa kommt heute.
        Also gehen wir. | Herr Keller ist tot. | Walter, Anna und Eva kommen. | Danke, gut.
        Das Boot, Leute, sinkt. | Wir waren in Kiel, Anna.
    """,
    "es": """
        Mira, qué bonito. | Vive en Madrid, España. | El mejor puerto, Cádiz. | ¡Ay, Dios mío!
        Mi mamá viene hoy. | Entonces voy. | Bien, gracias. | No, Ana. | Vino mamá con Ana.
        El señor Ruiz murió. | El barco, chicos, se hunde. | Vinieron Ana, Eva y Walter.
    """,
    "fr": """
        Écoute, comment c'est beau. | Il vit à Lyon, France. | Bon, monsieur. | Non, Anna.
        Ma maman vient demain. | Enfin libre ! | Alors on y va. | Le bateau, les gars, coule.
        Monsieur Leroy est mort. | Bon, bon. | Anna, Ève et Walter viennent. | Le plus beau, Brest.
    """,
    "it": """
        Guarda, che bello. | Abita a Roma, Italia. | Beh, signore. | No, Anna. | Bene, grazie.
        La mia mamma viene. | Allora vado. | Il signor Rossi è morto. | La barca, ragazzi, affonda.
        Anna, Eva e Walter vengono. | Il più bello, Genova. | Ecco, ecco.
    """,
}


def shortened(text: str, language: str) -> list[str]:
    found = [condensations(text, share, language, most=50) for share in (0.95, 0.8, 0.6, 0.4)]
    return [each.text for one in found for each in one]


@pytest.mark.parametrize(
    ("language", "text", "rest"),
    [
        (language, *(cell.strip() for cell in row.split(" | ")))
        for language, rows in SPARED.items()
        for row in rows.strip().splitlines()
    ],
)
def test_what_says_nothing_is_spared(language: str, text: str, rest: str) -> None:
    found = shortened(text, language)
    assert rest in found and min(map(len, found)) == len(rest)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (language, text.strip())
        for language, texts in KEPT.items()
        for line in texts.strip().splitlines()
        for text in line.split(" | ")
    ],
)
def test_all_else_is_kept(language: str, text: str) -> None:
    assert shortened(text, language) == []


def test_every_language_has_a_dozen_cases() -> None:
    for language in ("de", "es", "fr", "it"):
        assert len(SPARED[language].strip().splitlines()) >= 12
        assert sum(len(line.split(" | ")) for line in KEPT[language].strip().splitlines()) >= 12


def test_terms_and_names_that_must_be_kept_are() -> None:
    assert not condensations("Komm her, Anna.", 0.8, "de", kept=["Anna"])
    assert condensations("Komm her, Anna.", 0.8, "de", kept=["Otto"])
    assert not condensations("Nou ja, ik kom eraan.", 0.8, "nl")


@pytest.mark.parametrize(
    ("language", "words", "nothing"),
    [
        ("de", "Na ja, Mama,", True),
        ("de", ", Frau Berger", True),
        ("es", "Bueno, pues,", True),
        ("fr", "Eh bien, mon vieux,", True),
        ("it", "Allora,", True),
        ("de", ", gestern", False),
        ("fr", ", madame Leroy et lui", False),
        ("nl", "Nou ja,", False),
    ],
)
def test_what_was_left_out_says_nothing(language: str, words: str, nothing: bool) -> None:
    assert is_set_off_word(words, language) is nothing


WORDS = "na ja also Mama Herr Berger ich du kommst wie „ “ , . ! ? … – Anna bueno ¿ qué bon"


@given(
    st.lists(st.sampled_from(WORDS.split()), max_size=16),
    st.floats(0.2, 0.99),
    st.sampled_from(["de", "es", "fr", "it"]),
)
def test_only_what_is_told_is_missing(words: list[str], share: float, language: str) -> None:
    text = re.sub(r" (?=[,.!?…])", "", " ".join(words))
    for each in condensations(text, share, language):
        rest, at = "", 0
        for start, end in each.omitted:
            assert at <= start < end <= len(text)
            rest, at = rest + text[at:start], end
        assert re.findall(r"\w+", each.text.lower()) == re.findall(
            r"\w+", (rest + text[at:]).lower()
        )
        assert any(map(str.isalnum, each.text))


class Knowing(ScriptedTranslator):
    """Translates what its script has, and nothing else."""

    def _answers(self, request):
        return super()._answers(request) if request.text in self._script else []


CUES = {
    "de": ("Also, na ja, Mama, er ist nicht da.", "Er ist nicht da."),
    "es": ("Bueno, pues, mamá, no está aquí.", "No está aquí."),
    "fr": ("Enfin, bon, maman, il n'est pas là.", "Il n'est pas là."),
    "it": ("Allora, mamma, non è qui.", "Non è qui."),
}


@pytest.mark.parametrize("language", CUES)
def test_a_cue_without_room_is_fitted_without_its_fillers_and_loses_nothing(language: str) -> None:
    whole, rest = CUES[language]
    script = {whole: "Mom, he is not here.", rest: "He is not here."}
    guideline = Guideline("short", "en", max_characters=16)
    track = Track((Cue(0, 4000, whole),), "srt")
    options = Options(source_language=language)
    translator = Knowing(script)
    translator.source_language = language
    (cue,) = localize(track, translator, guideline, options).outcomes
    assert (cue.target, cue.status, cue.losses) == ("He is not here.", "fits", ())
    assert cue.omitted
    kept = Options(source_language=language, condense=False)
    (cue,) = localize(track, translator, guideline, kept).outcomes
    assert cue.status == "overflow" and not cue.omitted
