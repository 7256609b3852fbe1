"""What stands in subtitles beside words, from file to file in every target language."""

from __future__ import annotations

import re
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.limits.guideline import Guideline, override
from subfit.localization import localize
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track, render_track
from subfit.text.counting import count_characters
from tests.properties import examples
from tests.scripted import ScriptedTranslator

LANGUAGES = ("de", "es", "fr", "it")


def localized(
    payload: str, script: dict[str, Any], language: str, *, duration: int = 6000, **limits: Any
) -> str:
    """Translate one cue under Netflix's limits and return its payload as a file has it."""
    track = Track((Cue(0, duration, payload),), "srt")
    guideline = override(Guideline.load("netflix", language), **limits)
    done = localize(track, cast(Any, ScriptedTranslator(script)), guideline)
    written = parse_track(render_track(done.track), name="-", format="srt")
    return written.cues[0].text.replace("\u00a0", "~")


QUESTION = {
    "de": "Wo warst du? Nein!",
    "es": "¿Dónde estabas? ¡No!",
    "fr": "Où étais-tu ? Non !",
    "it": "Dov'eri? No!",
}
ANSWER = {"de": "Äh, im Büro.", "es": "Eh, en la oficina.", "fr": "Au bureau.", "it": "In ufficio."}
SET = {**QUESTION, "fr": "Où étais-tu~? Non~!"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dash", ["- ", "-", "– "])
def test_the_dashes_of_two_speakers(language: str, dash: str) -> None:
    script = {"Where were you? No!": QUESTION[language], "Uh, at work.": ANSWER[language]}
    payload = f"{dash}Where were you? No!\n{dash}Uh, at work."
    wanted = f"{dash}{SET[language]}\n{dash}{ANSWER[language]}"
    assert localized(payload, script, language) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_capitals_keep_their_accents(language: str) -> None:
    words = {"de": "Größer.", "es": "¡Mañana él, aquí!", "fr": "Ça, l'été !", "it": "È perché sì."}
    capitals = {
        "de": "GRÖSSER.",
        "es": "¡MAÑANA ÉL, AQUÍ!",
        "fr": "ÇA, L'ÉTÉ~!",
        "it": "È PERCHÉ SÌ.",
    }
    script = {"As it is.": words[language]}
    assert localized("AS IT IS.", script, language) == capitals[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_italics_over_lines(language: str) -> None:
    script = {"Where were you? No!": QUESTION[language]}
    for payload in ("<i>Where were you?\nNo!</i>", "<i>Where were you?</i>\n<i>No!</i>"):
        assert localized(payload, script, language) == f"<i>{SET[language]}</i>"


def test_italics_never_begin_at_a_mark() -> None:
    script = {"You? Here, now?": "Toi ? Ici ?"}
    placed = localized("You? <i>Here, now</i>?", script, "fr")
    assert placed == "Toi~? <i>Ici</i>~?"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "payload",
    ["♪ Where were you? ♪", "♪ Where\n♪ were you?", "[DOOR SLAMS]", "(sighs)", "♪", "# La #"],
)
def test_songs_and_sounds_are_kept(language: str, payload: str) -> None:
    assert localized(payload, {}, language) == payload


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("before", "after"), [("...", ""), ("", "..."), ("…", "…"), ("", "…?")])
def test_ellipses_at_either_end(language: str, before: str, after: str) -> None:
    source, target = f"{before}of 1,000{after}", f"{before}de 1.000{after}"
    wanted = target.replace("…?", "…~?") if language == "fr" else target
    assert localized(source, {source: target}, language) == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_entities_are_read_as_characters_and_written_so(language: str) -> None:
    script = {'"Where were you?" & no!': f'"{QUESTION[language]}" & AT&T;'}
    placed = localized("&quot;Where were you?&quot; &amp; no!", script, language)
    assert placed == f'"{SET[language]}" & AT&T;'
    song = "♪ Rock &amp; roll &#39;n&#39; me ♪"  # not translated, so not touched
    assert localized(song, {}, language) == song


def test_french_marks_begin_no_line_and_no_cue() -> None:
    text = "Je me demande bien ce que tu fais là maintenant : est-ce que tu viens ?"
    lines = localized("What now?", {"What now?": text}, "fr", cpl=36).split("\n")
    assert len(lines) == 2
    assert not any(line[0] in "?!:;»~" or line[-1] in "«~" for line in lines)
    cues = (Cue(0, 1000, "Why did you"), Cue(1100, 2500, "go away from there?"))
    script = {
        "Why did you go away from there?": "Pourquoi partir ?",
        "Why did you": "Pourquoi",
        "go away from there?": "partir ?",
    }
    done = localize(
        Track(cues, "srt"), cast(Any, ScriptedTranslator(script)), Guideline.load("netflix", "fr")
    )
    assert [cue.text for cue in done.track.cues] == ["Pourquoi", "partir\u00a0?"]


@pytest.mark.parametrize(("characters", "wanted"), [(6, "Quoi~?"), (5, "Quoi?")])
def test_a_space_is_only_added_where_the_budget_has_room(characters: int, wanted: str) -> None:
    duration = characters * 100
    assert localized("What?", {"What?": "Quoi?"}, "fr", duration=duration, cps=10) == wanted


def test_spanish_questions_are_opened_whatever_the_budget() -> None:
    assert localized("What?", {"What?": "Qué?"}, "es", duration=400, cps=10) == "¿Qué?"


def test_a_no_break_space_is_one_character_to_a_check() -> None:
    track = Track((Cue(0, 1000, "Quoi\u00a0? Où\u202f!"),), "srt")
    limits = override(Guideline.load("netflix", "fr"), cps=11, cpl=11)
    assert not check_track(track, limits).violations
    assert check_track(track, override(limits, cpl=10)).violations


@pytest.mark.parametrize(
    ("language", "source", "target", "wanted"),
    [
        ("fr", "I’m her friend.", "Je suis l'ami d'Anna.", "Je suis l’ami d’Anna."),
        ("it", "I'm her friend.", "Sono l’amico.", "Sono l'amico."),
        ("de", 'He said "no".', "Er sagte „nein“.", 'Er sagte "nein".'),
        ("de", "He said “no”.", 'Er sagte "nein".', "Er sagte „nein“."),
        ("fr", "He said “no”.", 'Il dit "non".', "Il dit «~non~»."),
    ],
)
def test_quotes_and_apostrophes_are_the_sources(language, source, target, wanted):
    read = source.replace("“", '"').replace("”", '"')  # models make dashes of others
    assert localized(source, {read: target}, language) == wanted


WORDS = st.sampled_from(
    [
        *("Quoi", "¿", "Qué", "?", "«", "»", "Ah", ":", "…"),
        *("...", "50", "%", "l’eau", '"', "Ñu", "!", ";"),
    ]
)
ANSWERS = st.lists(st.tuples(WORDS, st.sampled_from([" ", ""])), min_size=1, max_size=14).map(
    lambda words: " ".join("".join(word + glue for word, glue in words).split())
)


def said_once(text: str) -> list[str]:
    """The words of a text in their order, of one or two in a row that are said again only one."""
    words: list[str] = []
    for word in re.findall(r"\w+", text.casefold()):
        words.append(word)
        for size in (1, 2):
            if words[-size:] == words[-2 * size : -size]:
                del words[-size:]
    return words


@examples(150)
@given(
    ANSWERS, st.integers(3, 40), st.sampled_from([*LANGUAGES, "fr-CA"]), st.sampled_from(["'", "’"])
)
def test_whatever_is_answered_keeps_its_budget_and_its_marks(
    answer: str, characters: int, language: str, apostrophe: str
) -> None:
    source = f'It{apostrophe}s "so"...'
    limits = override(Guideline.load("netflix", language), cps=10, cpl=20)
    track = Track((Cue(0, characters * 100, source),), "srt")
    done = localize(track, cast(Any, ScriptedTranslator({source: answer})), limits)
    (outcome,) = done.outcomes
    if outcome.status == "untranslated":
        assert not any(each.isalnum() for each in answer)
        return
    lines = outcome.target.split("\n")
    assert outcome.target == done.track.cues[0].text
    # a sentence may be given its capital, and what is said twice in a row be said once
    assert said_once(outcome.target) == said_once(answer)
    assert not any(line.split(" ")[0] in tuple("?!:;%»") for line in lines[1:])
    assert not any(line.split(" ")[-1] in tuple("«¿") for line in lines[:-1])
    if outcome.status == "fits":
        assert count_characters(outcome.target) <= characters
        assert len(lines) <= 2 and all(count_characters(line) <= 20 for line in lines)
    else:
        assert count_characters(answer) > min(characters, 20)
