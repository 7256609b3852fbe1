"""One form of address through a film."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.errors import UsageError
from subfit.fitting import address as address_of_films
from subfit.fitting.address import UNASKED_EVIDENCE, check_formality, source_forms
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.reporting.wording import address_of
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.formality import Address
from tests.scripted import ScriptedTranslator

SCRIPT = {
    "Can you help me?": "Kannst du mir helfen?",
    "Are you well?": "Geht es Ihnen gut?",
    "Have you seen this?": "Hast du das gesehen?",
    "I will wait here.": "Ich warte hier.",
    "Yes, sir.": "Jawohl.",
}


class Obedient(ScriptedTranslator):
    """Knows both forms, and what it was asked for."""

    language = "de"
    formalities = ("formal", "informal")

    def __init__(self, script: dict[str, str]) -> None:
        super().__init__(script)
        self.forms: list[str | None] = []

    def translate(self, requests: Sequence[Request], on_done=None) -> list[list[Hypothesis]]:
        self.forms += [each.formality for each in requests]
        return super().translate(requests, on_done)

    def rate(self, texts, nbest, formalities=()):
        return nbest


class Searching(Obedient):
    """Its search keeps to a form."""

    bars_words = True


def addressed(film: Sequence[Task], translator, wish: str | None):
    """The sentences of one film with their form, and what was decided."""
    (one,) = address_of_films.addressed([film], translator, wish)
    return one


def decided(sources: Sequence[str], translator, language: str = "en") -> Address:
    """What is decided for one film."""
    (one,) = address_of_films.decided([sources], translator, [language])
    return one


def tasks(*texts: str) -> list[Task]:
    return [Task(Sentence((Part(0, 0, text),)), (LengthBudget(),)) for text in texts]


@pytest.mark.parametrize(
    ("source", "forms"),
    [
        ("Yes, sir.", ["formal"]),
        ("Mr. Hill is waiting.", ["formal"]),
        ("Where are you, mom?", ["informal"]),
        ("My mom told her.", []),  # nobody is spoken to
        ("Can you hear me, Anna?", ["informal"]),
        ("Surely you know.", []),
    ],
)
def test_sources_tell_how_people_know_each_other(source, forms):
    assert source_forms(source) == forms


def test_the_form_of_most_translations_is_taken():
    address = decided([each for each in SCRIPT if "sir" not in each], Obedient(SCRIPT))
    assert address.taken == "informal"
    assert (address.natural_formal, address.natural_informal) == (1, 2)


def test_sources_outweigh_translations():
    sources = [*SCRIPT, "Mrs. Hill!", "Thank you, your honor."]
    script = {**SCRIPT, "Thank you, your honor.": "Danke.", "Mrs. Hill!": "Frau Hill!"}
    assert decided(sources, Obedient(script)).taken == "formal"


def test_nothing_is_taken_where_nobody_is_spoken_to():
    address = decided(["I will wait here."], Obedient(SCRIPT))
    assert address.taken is None
    assert address_of(address.to_dict()) == "none asked for: nobody is spoken to"


def test_all_sentences_get_the_form_asked_for():
    told, address = addressed(tasks(*SCRIPT), Obedient(SCRIPT), "formal")
    assert {task.formality for task in told} == {"formal"}
    assert address == Address("formal", "formal")
    assert address_of(address.to_dict()) == "formal, as asked for"


def test_whoever_is_called_sir_is_addressed_politely():
    script = {**SCRIPT, "Do you hear?": "Hörst du?", "Are you in?": "Bist du da?"}
    told, address = addressed(tasks(*script), Obedient(script), "auto")
    forms = {task.sentence.text: task.formality for task in told}
    assert forms.pop("Yes, sir.") == "formal"
    assert set(forms.values()) == {"informal"}
    assert address is not None and address.exceptions == 1
    assert "1 sentence otherwise" in address_of(address.to_dict())


def test_without_a_wish_one_form_is_kept_where_several_sentences_address_somebody():
    told, address = addressed(tasks(*SCRIPT), Searching(SCRIPT), None)
    assert address == decided(list(SCRIPT), Searching(SCRIPT))
    assert {task.formality for task in told} == {"formal"}
    lines = {f"Can you help me at {hour}?": "Kannst du mir helfen?" for hour in range(100)}
    searching = Searching(lines)
    addressed(tasks(*lines), searching, None)
    assert len(searching.forms) <= UNASKED_EVIDENCE
    silent = {"Can you swim?": "Schwimmen?", "Can you run?": "Laufen?"}
    assert addressed(tasks(*silent), Searching(silent), None)[1] is None  # no form in them
    alone, address = addressed(tasks("Can you help me?", "I will wait here."), Searching({}), None)
    assert address is None
    assert {task.formality for task in alone} == {None}


def test_each_film_has_its_own_form_and_all_are_looked_at_together():
    polite = {"Are you well?": "Geht es Ihnen gut?", "Can you hear?": "Hören Sie mich?"}
    searching = Searching({**SCRIPT, **polite})
    calls: list[int] = []
    plain = searching.translate
    searching.translate = lambda requests, on_done=None: (  # type: ignore[method-assign]
        calls.append(len(requests)) or plain(requests, on_done)
    )
    films = [tasks("Can you help me?", "Have you seen this?"), tasks(*polite), tasks("Well.")]
    found = address_of_films.addressed(films, searching, None)
    assert [address and address.taken for _, address in found] == ["informal", "formal", None]
    assert [{task.formality for task in told} for told, _ in found] == [
        {"informal"},
        {"formal"},
        {None},
    ]
    assert calls == [4]


def test_without_a_wish_models_that_are_told_in_words_are_asked_for_nothing():
    told, address = addressed(tasks("Can you help me?", "Are you well?"), Obedient(SCRIPT), None)
    assert address is None
    assert {task.formality for task in told} == {None}


def test_as_it_comes_only_whoever_is_called_sir_is_addressed_politely():
    told, address = addressed(tasks(*SCRIPT), Searching(SCRIPT), "any")
    assert address is None
    forms = {task.sentence.text: task.formality for task in told}
    assert forms.pop("Yes, sir.") == "formal"
    assert set(forms.values()) == {None}


def test_whoever_is_called_sir_is_let_be_by_models_that_cannot_be_asked():
    class Deaf(Obedient):
        formalities = ()
        bars_words = False

    told, _ = addressed(tasks(*SCRIPT), Deaf(SCRIPT), None)
    assert {task.formality for task in told} == {None}


def test_a_film_is_translated_in_its_form_and_the_report_tells():
    script = {**SCRIPT, "Do you hear?": "Hörst du?", "Are you in?": "Bist du da?"}
    cues = tuple(
        Cue(1000 + 4000 * number, 4000 + 4000 * number, text) for number, text in enumerate(script)
    )
    translator = Obedient(script)
    guideline = Guideline.load("netflix", "de")
    found = localize(Track(cues, "srt"), translator, guideline, Options(formality="auto"))
    totals = found.report.to_dict()["totals"]
    assert totals["address"]["taken"] == "informal"
    assert set(translator.forms[-len(script) :]) == {"formal", "informal"}
    plain = localize(Track(cues, "srt"), Obedient(script), guideline)
    assert "address" not in plain.report.to_dict()["totals"]


def test_a_model_without_tokens_says_so_in_one_line():
    class Plain(Obedient):
        name = "plain"
        formalities = ()

    check_formality(Plain(SCRIPT), None)
    with pytest.raises(UsageError, match="plain cannot be asked for a form of address"):
        check_formality(Plain(SCRIPT), "auto")


def test_a_language_without_known_forms_is_refused():
    class Dutch(Obedient):
        language = "nl"

    with pytest.raises(UsageError, match="de, es, fr, it, not of nl"):
        check_formality(Dutch(SCRIPT), "formal")


SAID = {
    "de": """
        Können Sie mir helfen? | formal
        Kannst du mir helfen? | informal
        Ich komme mit Ihnen. | formal
        Gib mir dein Boot. | informal
        Setzen Sie sich, bitte. | formal
        Komm rein! | informal
        Jawohl, Herr Kommissar. | formal
        Guten Tag, Frau Berger. | formal
        Gnädige Frau, bitte. | formal
        Eure Majestät! | formal
        Ja, Mama. | informal
        Na, Schatz? | informal
        Papa, wo bist du? | informal
        Es regnet. |
        Sie sind krank. |
        Seid ihr bereit? |
        Herr Keller ist tot. |
        Wer war es? Mama. |
        Seid ihr da, Papa? |
    """,
    "es": """
        ¿Puede usted ayudarme? | formal
        ¿Puedes ayudarme? | informal
        Siéntese, por favor. | formal
        Dame tu barco. | informal
        Venga conmigo. | formal
        Ven conmigo. | informal
        Sí, señor. | formal
        Buenos días, señora Ruiz. | formal
        Don Walter, pase. | formal
        Señoría, protesto. | formal
        Mira, papá. | informal
        ¿Qué tal, cariño? | informal
        Oye, tío. | informal
        Está lloviendo. |
        El señor Ruiz murió. |
        ¿Estáis listos? |
        ¡Venga! |
        Entre tú y yo, sí. | informal
    """,
    "fr": """
        Pouvez-vous m'aider ? | formal
        Peux-tu m'aider ? | informal
        C'est votre bateau. | formal
        Donne-moi ton bateau. | informal
        Attendez ici. | formal
        Oui, monsieur. | formal
        Bonjour madame Leroy. | formal
        Monsieur le juge, j'objecte. | formal
        Non, mademoiselle. | formal
        Maman, regarde ! | informal
        Salut, mon pote. | informal
        Ma chérie, viens. | informal
        Il pleut. |
        Monsieur Leroy est mort. |
        Vous êtes tous là ? |
        Vous êtes prêts ? |
        Chez moi, il pleut. |
    """,
    "it": """
        Mi dica, signora. | formal
        Puoi aiutarmi? | informal
        Parlo con Lei. | formal
        Dammi la tua barca. | informal
        Venga con me. | formal
        Vieni con me. | informal
        Sì, signore. | formal
        Buongiorno, signora Rossi. | formal
        Signor giudice, mi oppongo. | formal
        Grazie, dottore. | formal
        Mamma, guarda! | informal
        Ehi, tesoro! | informal
        Papà, dove sei? | informal
        Piove. |
        Il signor Rossi è morto. |
        Siete pronti? |
        La mamma dorme. |
    """,
}
ROWS = [
    (language, *(part.strip() for part in row.split("|")))
    for language, rows in SAID.items()
    for row in rows.strip().splitlines()
]


@pytest.mark.parametrize(("language", "source", "form"), ROWS)
def test_sources_with_forms_of_their_own_say_theirs(language, source, form):
    assert source_forms(source, language) == ([form] if form else [])


@pytest.mark.parametrize("language", SAID)
def test_every_source_language_has_a_dozen_cases(language):
    assert sum(row[0] == language for row in ROWS) >= 12


@pytest.mark.parametrize(("language", "source", "form"), ROWS)
@pytest.mark.parametrize("wish", ["formal", "informal", "auto"])
def test_a_wish_goes_before_what_the_source_says(language, source, form, wish):
    task = Task(Sentence((Part(0, 0, source),), language), (LengthBudget(),))
    ((told,), address) = addressed([task], Obedient({source: "Ja."}), wish)
    assert told.formality == (wish if wish != "auto" else form or None)
    assert address is not None and address.asked == wish


def test_auto_follows_the_forms_of_a_source_that_has_them():
    script = {
        "Pouvez-vous m'aider ?": "Kannst du mir helfen?",
        "C'est votre bateau.": "Das ist dein Boot.",
        "Tu dors, Anna ?": "Schläfst du, Anna?",
        "Il pleut.": "Es regnet.",
    }
    several = [Task(Sentence((Part(0, 0, text),), "fr"), (LengthBudget(),)) for text in script]
    told, address = addressed(several, Obedient(script), "auto")
    assert [task.formality for task in told] == ["formal", "formal", "informal", "formal"]
    assert address is not None and (address.taken, address.exceptions) == ("formal", 1)
    assert (address.source_formal, address.source_informal) == (2, 1)
