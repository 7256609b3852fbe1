"""How long lines in German, Spanish, French and Italian take, beside what they mean in English."""

from __future__ import annotations

import pytest

from subfit.limits.dubbing_budgets import Dubbing, speaking_time
from subfit.speech.speaking import estimate_seconds
from subfit.subtitles.cues import Cue

ENGLISH = [
    "The last boat left an hour ago.",
    "Did you see the keeper at the harbour yesterday?",
    "My sister lives in the old lighthouse.",
    "I have known him for thirty-five years.",
    "Wait, I am not ready yet!",
    "We must be back before the storm comes.",
    "She wrote me three letters from the island.",
    "Nobody knows why the lamp went out.",
    "In 1984 there were no roads here.",
    "Dr. Keller is waiting for you outside.",
    "It is 5 km from here to the next village.",
    "Close the door. It is cold, and I am tired.",
]
LINES = {
    "de": [
        "Das letzte Boot ist vor einer Stunde abgefahren.",
        "Hast du gestern den Wärter am Hafen gesehen?",
        "Meine Schwester wohnt im alten Leuchtturm.",
        "Ich kenne ihn seit fünfunddreißig Jahren.",
        "Warte, ich bin noch nicht so weit!",
        "Wir müssen vor dem Sturm zurück sein.",
        "Sie hat mir von der Insel drei Briefe geschrieben.",
        "Niemand weiß, warum die Lampe ausgegangen ist.",
        "1984 gab es hier noch keine Straßen.",
        "Dr. Keller wartet draußen auf Sie.",
        "Von hier sind es 5 km bis zum nächsten Dorf.",
        "Mach die Tür zu. Es ist kalt, und ich bin müde.",
    ],
    "es": [
        "El último barco salió hace una hora.",
        "¿Viste ayer al farero en el puerto?",
        "Mi hermana vive en el viejo faro.",
        "Lo conozco desde hace treinta y cinco años.",
        "¡Espera, todavía no estoy lista!",
        "Tenemos que volver antes de la tormenta.",
        "Me escribió tres cartas desde la isla.",
        "Nadie sabe por qué se apagó la lámpara.",
        "En 1984 aquí no había carreteras.",
        "El Dr. Keller le espera fuera.",
        "De aquí al próximo pueblo hay 5 km.",
        "Cierra la puerta. Hace frío, y estoy cansado.",
    ],
    "fr": [
        "Le dernier bateau est parti il y a une heure.",
        "Tu as vu le gardien au port hier ?",
        "Ma sœur habite dans le vieux phare.",
        "Je le connais depuis trente-cinq ans.",
        "Attends, je ne suis pas encore prête !",
        "Il faut rentrer avant que l'orage arrive.",
        "Elle m'a écrit trois lettres depuis l'île.",
        "Personne ne sait pourquoi la lampe s'est éteinte.",
        "En 1984, il n'y avait pas de routes ici.",
        "Le Dr Keller vous attend dehors.",
        "D'ici au prochain village, il y a 5 km.",
        "Ferme la porte. Il fait froid, et je suis fatigué.",
    ],
    "it": [
        "L'ultima barca è partita un'ora fa.",
        "Hai visto il guardiano al porto ieri?",
        "Mia sorella abita nel vecchio faro.",
        "Lo conosco da trentacinque anni.",
        "Aspetta, non sono ancora pronta!",
        "Dobbiamo tornare prima della tempesta.",
        "Mi ha scritto tre lettere dall'isola.",
        "Nessuno sa perché la lampada si è spenta.",
        "Nel 1984 qui non c'erano strade.",
        "Il dott. Keller la aspetta fuori.",
        "Da qui al prossimo villaggio ci sono 5 km.",
        "Chiudi la porta. Fa freddo, e sono stanco.",
    ],
}
ROWS = [
    (language, line, english)
    for language, lines in LINES.items()
    for line, english in zip(lines, ENGLISH, strict=True)
]


@pytest.mark.parametrize(("language", "line", "english"), ROWS)
def test_a_line_takes_about_as_long_as_in_english(language: str, line: str, english: str) -> None:
    source, target = estimate_seconds(line, language), estimate_seconds(english, "en")
    assert 0.55 < source / target < 1.8


@pytest.mark.parametrize("language", LINES)
def test_a_scene_takes_about_as_long_as_in_english(language: str) -> None:
    source = sum(estimate_seconds(line, language) for line in LINES[language])
    target = sum(estimate_seconds(line, "en") for line in ENGLISH)
    assert source == pytest.approx(target, rel=0.25)


@pytest.mark.parametrize(("language", "line", "_english"), ROWS)
def test_a_slot_is_measured_by_the_language_of_the_source(
    language: str, line: str, _english: str
) -> None:
    """A translation need not fill more of a long slot than its source, said in its language."""
    time = speaking_time(Cue(0, 10_000, line), line, Dubbing(source_language=language), "en")
    assert time is not None
    seconds = estimate_seconds(line, language)
    assert time.shortest == pytest.approx(seconds / 1.2)
    assert [time.sync(seconds / factor) for factor in (1.19, 1.21)] == ["ok", "under"]
