"""Every check accepts what is as it should be, and refuses what is not."""

from __future__ import annotations

import pytest

from benchmarks.challenge.cases import Case, Value
from benchmarks.challenge.checks import ALWAYS, CHECKS, Answer, complaints
from benchmarks.challenge.texts import ending_of, opening_of, repeats_of, speakers_of

BY_NAME = {**CHECKS, **{check.__name__: check for check in ALWAYS}}


def answer(source: str, target: str, language: str = "de", *, fits: bool = True) -> Answer:
    case = Case("id", "category", tuple(source.split(" | ")), {language: {}})
    return Answer(case, language, tuple(target.split(" | ")), fits)


# Check, value, language, source, translations that are as they should be, others that are not.
ROWS: list[tuple[str, Value, str, str, list[str], list[str]]] = [
    ("keeps", ("Will",), "de", "Ask Will.", ["Frag Will.", "FRAG WILL."], ["Frag den Willen!", ""]),
    ("keeps", ("17",), "fr", "Room 17.", ["Chambre 17."], ["Chambre 71.", "Chambre."]),
    ("has", ("*tür*",), "de", "The door.", ["Die Tür.", "Die Haustüren."], ["Das Tor.", ""]),
    ("has", ("tür*|tor",), "de", "The door.", ["Türen!", "Das Tor."], ["Die Haustür.", "Motor"]),
    ("has", ("a", "b"), "it", "A, B", ["a b"], ["a", "b"]),
    ("has", ("l'eau",), "fr", "Water.", ["L’eau."], ["Le beau."]),
    ("lacks", ("Hunde*",), "de", "It rains.", ["Es schüttet."], ["Es regnet Hunde."]),
    ("says", ("Danke|Danke schön",), "de", "Ta.", ["Danke!", "Danke schön."], ["Danke dir", ""]),
    ("negated", True, "de", "Not me.", ["Ich nicht.", "Niemand."], ["Ich.", "Die Nichte."]),
    ("negated", True, "es", "Not me.", ["Yo no.", "Nadie."], ["Yo.", "Nota."]),
    ("negated", True, "fr", "Not me.", ["Pas moi.", "Je n'ai rien."], ["Moi.", "Passons."]),
    ("negated", True, "it", "Not me.", ["Non io.", "Nessuno."], ["Io.", "Nonna."]),
    ("asks", True, "de", "Who?", ["Wer?"], ["Wer.", "Wer? Wo?", "¿Wer?"]),
    ("asks", True, "es", "Who?", ["¿Quién?", "¡¿Quién?!"], ["Quién?", "¿Quién", "¿Quién!"]),
    ("exclaims", True, "fr", "Run!", ["Cours !", "Cours ! Vite !"], ["Cours.", "Cours ?"]),
    ("exclaims", True, "es", "Run!", ["¡Corre!", "¡Corre! ¡Ya!"], ["Corre!", "¡Corre! Ya!"]),
    ("closes", True, "de", "Go.", ["Geh.", "Geh!"], ["Geh", "Geh?", "Geh …", "Geh,"]),
    ("closes", True, "de", "Go!", ["Geh!"], ["Geh.", "Geh"]),
    ("closes", True, "de", "Go", ["Geh"], ["Geh.", "Geh!"]),
    ("closes", True, "de", "If he...", ["Wenn er...", "Wenn er…"], ["Wenn er.", "Wenn er"]),
    ("closes", True, "de", "If he--", ["Wenn er –", "Wenn er..."], ["Wenn er.", "Wenn er"]),
    ("opens", True, "de", "...and go.", ["...und geh.", "… geh."], ["Und geh.", "- geh."]),
    ("opens", True, "de", "Go.", ["Geh."], ["...geh.", "- Geh."]),
    ("dashes", True, "de", "- A?\n- B.", ["- A?\n- B.", "-A?\n-B."], ["A? - B.", "- A?\nB."]),
    ("caps", True, "de", "STOP", ["HALT", "STRAßE 5"], ["Halt", "HALT jetzt"]),
    ("tags", True, "de", "<i>No.</i>", ["<i>Nein.</i>"], ["Nein.", "<i></i> Nein.", "<b>N.</b>"]),
    ("tags", True, "de", "{\\an8}No.", ["{\\an8}Nein."], ["Nein.", "{\\an2}Nein."]),
    ("labels", True, "de", "[low] Go.", ["[leise] Geh."], ["Geh.", "Geh [leise].", "leise Geh."]),
    ("speakers", True, "de", "MAN: Go.", ["MANN: Geh."], ["Geh.", "Mann: Geh.", "MANN Geh."]),
    ("kept", True, "de", "♪ La ♪", ["♪ La ♪"], ["♪ Das ♪", "La", ""]),
    ("address", "formal", "de", "You?", ["Sie?"], ["Du?", "Ich mag dich."]),
    ("address", "informal", "de", "You?", ["Du?", "Sie kam."], ["Kommen Sie?", "Wir Ihnen?"]),
    ("address", "formal", "es", "You?", ["¿Usted?"], ["¿Tú?", "¿Te vas?"]),
    ("address", "informal", "fr", "You?", ["Et toi ?"], ["Et vous ?", "Votre ami ?"]),
    ("address", "formal", "it", "You?", ["E Lei?", "Prego."], ["E tu?", "Ti prego."]),
    ("address", "informal", "it", "You?", ["E tu?"], ["E Lei?"]),
    ("filled", True, "de", "A | B", ["A | B"], ["A | ", "... | B", "<i></i> | B"]),
    ("single", True, "de", "Go home.", ["Geh heim."], ["Geh geh heim.", "Geh heim, geh heim."]),
    ("single", True, "de", "No, no.", ["Nein, nein."], []),
    ("single", True, "de", "Those who go.", ["Die, die gehen."], ["Die gehen gehen."]),
    ("language", True, "de", "He is in it.", ["Er ist in ihm."], ["He is in it.", "Il est ici."]),
    ("language", True, "it", "He is there.", ["Lui è lì."], ["He is there.", "Él está en casa."]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "language", "source", "good", "bad"), ROWS)
def test_a_check_tells_good_from_bad(name, value, language, source, good, bad):
    verdicts = {
        target: BY_NAME[name](answer(source, target, language), value) for target in good + bad
    }
    assert [target for target, complaint in verdicts.items() if complaint is None] == good


def test_a_text_over_its_budget_is_refused() -> None:
    assert BY_NAME["within"](answer("Go.", "Geh."), True) is None
    assert BY_NAME["within"](answer("Go.", "Geh.", fits=False), True)


def test_every_check_has_refused_something() -> None:
    assert {row[0] for row in ROWS if row[5]} == {*BY_NAME} - {"within"}


def test_what_is_kept_by_rule_need_not_be_translated() -> None:
    case = Case("id", "songs", ("♪ La la ♪",), {"de": {"kept": True}})
    assert complaints(Answer(case, "de", ("♪ La la ♪",))) == ()
    assert [each.property for each in complaints(Answer(case, "de", ("♪ Das ♪",)))] == ["kept"]


def test_a_property_that_is_false_is_not_asked_for() -> None:
    case = Case("id", "songs", ("Go.",), {"de": {"closes": False}})
    assert complaints(Answer(case, "de", ("Geh",))) == ()


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("Ja.", "."),
        ("Ja", ""),
        ("Ja?!", "?"),
        ("„Ja!“", "!"),
        ("Oui !", "!"),
        ("«\u00a0Oui.\u00a0»", "."),
        ("Ja...", "…"),
        ("♪ Ja, ♪", ","),
        ("Ja --", "–"),
        ("[ja]", ""),
    ],
)
def test_ending(text: str, ending: str) -> None:
    assert ending_of(text) == ending


@pytest.mark.parametrize(
    ("text", "opening"), [("Ja", ""), ("...ja", "…"), ("¿... sí?", "…"), ("- Ja", "–")]
)
def test_opening(text: str, opening: str) -> None:
    assert opening_of(text) == opening


def test_repeats_are_words_or_phrases_that_follow_themselves() -> None:
    assert repeats_of("so so, wie du, wie du willst. Willst du?") == ["so", "wie du"]
    assert repeats_of("Er sah sahnig aus. Aus.") == []


def test_speakers_stand_in_capitals_before_a_colon() -> None:
    text = "MARLOWE: Los!\n- ALTE FRAU: Ja.\nEr sagt: Nein.\nUM 7:30 Uhr"
    assert len(speakers_of(text)) == 2
