"""What shortened English translations of German, Spanish, French and Italian sources lose."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from subfit.fitting.losses import Loss, losses_of
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.subtitles.sentences import Part, Sentence
from tests.fitting.test_losses import candidate

TOY = replace(DEFAULT_SETTINGS, much_shorter=math.inf, lost_words=math.inf)

CASES = {
    "de": """
        Ich will heute nicht gehen. | I don't want to go today. | I want to go today. | negation
        Er kommt nie wieder hierher. | He will never come back here. | He will come back. | negation
        Ich habe keine Zeit dafür. | I have no time for that. | I have time for it. | negation
        Niemand hat mir geholfen. | Nobody has helped me then. | They have helped me. | negation
        Ich komme heute wieder. | I will come back today. | I won't come back. | negation
        Ich sah Doria am Kai. | I saw Doria at the quay. | I saw her there. | name
        Ich sah Doria am Kai. | I saw Doria at the quay. | I saw Dor. | name
        Frau Keller und Anna warten. | Mrs. Keller and Anna are waiting. | Keller is waiting. | name
        Annas Boot ist weg. | Anna's boat is gone now. | The boat is gone. |
        Gib mir den Ring da. | Give me that ring over there. | Give me that. |
        Wir sind 17 Leute hier. | There are 17 of us here. | We are here. | number
        Es kamen 12.500 Leute. | 12,500 people came then. | People came. | number
        Ich komme heute wieder. | I will come back today. | I'll be back. |
        Ich will heute nicht gehen. | I don't want to go today. | I won't go today. |
    """,
    "es": """
        Hoy no quiero ir. | I don't want to go today. | I want to go today. | negation
        Nunca volverá aquí. | He will never come back here. | He will come back. | negation
        Nadie me ayudó. | Nobody has helped me then. | They have helped me. | negation
        No hay nada que hacer. | There is nothing to be done. | It can be done. | negation
        Hoy vuelvo. | I will come back today. | I won't come back. | negation
        Vi a Doria en el muelle. | I saw Doria at the quay. | I saw her there. | name
        Vi a Doria en el muelle. | I saw Doria at the quay. | I saw Dor. | name
        La señora Ruiz y Ana esperan. | Mrs. Ruiz and Ana are waiting. | Ruiz is waiting. | name
        El barco de Ana no está. | Ana's boat isn't there now. | Ana's boat isn't. |
        Aquí somos 17 personas. | There are 17 of us here. | We are here. | number
        Hoy vuelvo. | I will come back today. | I'll be back. |
        Hoy no quiero ir. | I don't want to go today. | I won't go today. |
    """,
    "fr": """
        Je ne veux pas y aller. | I don't want to go today. | I want to go today. | negation
        Il ne reviendra jamais. | He will never come back here. | He will come back. | negation
        J'ai pas le temps. | I have no time for that. | I have time for it. | negation
        Il n'y a rien à faire. | There is nothing to be done. | It can be done. | negation
        Je reviens aujourd'hui. | I will come back today. | I won't come back. | negation
        J'ai vu Doria à quai. | I saw Doria at the quay. | I saw her there. | name
        J'ai vu Doria à quai. | I saw Doria at the quay. | I saw Dor. | name
        C'est le bateau d'Anna. | That is Anna's boat there. | That is her boat. | name
        Mme Keller et Anna attendent. | Mrs. Keller and Anna wait. | Keller waits. | name
        Qu'Anna vienne tout de suite. | Let Anna come at once. | Let her come. | name
        Nous sommes 17 ici. | There are 17 of us here. | We are here. | number
        Je reviens aujourd'hui. | I will come back today. | I'll be back. |
        Je ne veux pas y aller. | I don't want to go today. | I won't go today. |
    """,
    "it": """
        Oggi non voglio andare. | I don't want to go today. | I want to go today. | negation
        Non tornerà mai qui. | He will never come back here. | He will come back. | negation
        Nessuno mi ha aiutato. | Nobody has helped me then. | They have helped me. | negation
        Non c'è niente da fare. | There is nothing to be done. | It can be done. | negation
        Oggi torno. | I will come back today. | I won't come back. | negation
        Ho visto Doria al molo. | I saw Doria at the quay. | I saw her there. | name
        Ho visto Doria al molo. | I saw Doria at the quay. | I saw Dor. | name
        È la barca d'Anna. | That is Anna's boat there. | That is her boat. | name
        La signora Rossi e Anna aspettano. | Mrs. Rossi and Anna wait. | Rossi waits. | name
        Qui siamo in 17 persone. | There are 17 of us here. | We are here. | number
        Oggi torno. | I will come back today. | I'll be back. |
        Oggi non voglio andare. | I don't want to go today. | I won't go today. |
    """,
}
ROWS = [
    (language, *(part.strip() for part in row.split("|")))
    for language, rows in CASES.items()
    for row in rows.strip().splitlines()
]


@pytest.mark.parametrize(("language", "source", "natural", "short", "loss"), ROWS)
def test_what_is_lost_in_english(
    language: str, source: str, natural: str, short: str, loss: str
) -> None:
    task = Task(Sentence((Part(0, 0, source),), language), (LengthBudget(),))
    lost = losses_of(task, candidate(short), candidate(natural), "en", TOY)
    assert {*lost} == ({Loss(loss)} if loss else set())


@pytest.mark.parametrize("language", CASES)
def test_every_source_language_has_a_dozen_cases(language: str) -> None:
    assert sum(row[0] == language for row in ROWS) >= 12
