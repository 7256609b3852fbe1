"""Cues that are too long for the model: translated sentence by sentence, under one budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from subfit.fitting.long_texts import LongText
from subfit.fitting.outcomes import CueOutcome
from subfit.fitting.risk import risk_of
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Term, TermFinder
from subfit.text.sentence_ends import sentences_in
from tests.scripted import ScoredTranslator, ScriptedTranslator

SCRIPT = {
    "We met Mr. Bell there.": ["Wir trafen dort Herrn Bell.", "Wir trafen Bell."],
    "He was old and very tired.": ["Er war alt und sehr müde.", "Er war alt, müde."],
    "Why?": ["Warum?"],
}
TEXT = " ".join(SCRIPT)
NATURAL = "Wir trafen dort Herrn Bell. Er war alt und sehr müde. Warum?"
SHORT = "Wir trafen Bell. Er war alt, müde. Warum?"
FREE = Guideline("none", "de")
STRICT = Options(condense=False, strict_budget=True)


class ShortSighted(ScoredTranslator):
    """Takes no text of more than 30 characters."""

    def accepts(self, text: str) -> bool:
        return len(text) <= 30


def localized(
    text: str,
    guideline: Guideline = FREE,
    *,
    script: Mapping[str, str | Sequence[str]] = SCRIPT,
    following: Sequence[Cue] = (),
    **options: Any,
) -> Localization:
    track = Track((Cue(0, 3000, text), *following), "srt")
    translator = cast(Any, ShortSighted(script))
    return localize(
        track, translator, guideline, Options(condense=False, strict_budget=True, **options)
    )


def outcome_of(text: str, guideline: Guideline = FREE, **options: Any) -> CueOutcome:
    return localized(text, guideline, **options).outcomes[0]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (TEXT, tuple(SCRIPT)),
        (
            '"Go!" he said. "Now?" It was 3.5 m. long',
            ('"Go!" he said.', '"Now?"', "It was 3.5 m. long"),
        ),
        ("Well... I know. ♪", ("Well...", "I know. ♪")),
        ("Go on... and on; then: stop.", ("Go on... and on; then: stop.",)),
        ("好的。我来了！", ("好的。", "我来了！")),
        ("", ("",)),
    ],
)
def test_running_text_is_parted_at_the_ends_of_sentences(
    text: str, sentences: tuple[str, ...]
) -> None:
    assert sentences_in(text, "en") == sentences


def test_sentences_are_translated_one_by_one_and_put_together() -> None:
    done = outcome_of(f"[SIGHS] {TEXT}")
    assert (done.status, done.target) == ("fits", f"[SIGHS] {NATURAL}")
    assert done.natural == f"[SIGHS] {NATURAL}"


def test_all_of_them_keep_the_one_budget_of_their_cue() -> None:
    tight = Guideline("tight", "de", max_characters=len(NATURAL) - 1)
    done = outcome_of(TEXT, tight)
    assert (done.status, done.target, done.natural) == ("fits", SHORT, NATURAL)
    assert outcome_of(TEXT, Guideline("just", "de", max_characters=len(NATURAL))).target == NATURAL


def test_they_stand_in_the_lines_of_their_cue() -> None:
    done = outcome_of(TEXT, Guideline("lines", "de", cpl=24, lines=2))
    assert (done.status, done.target) == ("fits", "Wir trafen Bell.\nEr war alt, müde. Warum?")


def test_what_cannot_be_broken_into_the_lines_is_made_shorter_still() -> None:
    script = {
        "He saw apple trees there.": [
            "Er hat dort Apfelbäume angesehen.",
            "Er sah Apfelbäume da.",  # no break leaves 20 characters of this beside the next
            "Er sah Bäume dort.",
        ],
        "He was old and very tired.": [
            "Er war alt und auch so müde.",
            "Er war alt, müde.",
            "Er war müde.",
        ],
    }
    done = outcome_of(" ".join(script), Guideline("lines", "de", cpl=20, lines=2), script=script)
    assert (done.status, done.target) == ("fits", "Er sah Bäume dort.\nEr war müde.")


def test_with_far_too_little_room_nothing_is_shortened() -> None:
    done = outcome_of(TEXT, Guideline("hopeless", "de", max_characters=20))
    assert (done.status, done.target) == ("overflow", NATURAL)


def test_a_floor_is_reached_where_one_of_them_can_be_longer() -> None:
    script = {"One two three four five.": ["Eins.", "Eins zwei."], "Why is that so?": ["Wieso?"]}
    text = " ".join(script)
    long = outcome_of(text, script=script, length_ratio=LengthRatio(minimum=0.4))
    assert long.target == "Eins zwei. Wieso?"
    assert outcome_of(text, script=script).target == "Eins. Wieso?"


def test_more_time_is_taken_before_they_are_shortened() -> None:
    slow = Guideline("slow", "de", cps=len(NATURAL) / 4, out_slack=2000)
    assert outcome_of(TEXT, slow).target == SHORT
    done = outcome_of(TEXT, slow, timing="extend")
    assert (done.status, done.target) == ("fits", NATURAL)
    assert 3000 < done.written_end <= 5000


def test_terms_of_every_sentence_are_looked_for() -> None:
    terms = (Term(("Bell",), ("Bell",), "de"), Term(("tired",), ("schläfrig",), "de"))
    done = outcome_of(TEXT, terms=terms)
    assert [(each.source, each.placed) for each in done.terms] == [("Bell", True), ("tired", False)]


def test_a_sentence_that_is_too_long_itself_leaves_its_cue_as_it_is() -> None:
    endless = "and so on and on and on and on and on."
    done = localized(f"Why? {endless}", following=[Cue(4000, 6000, "Why?")])
    assert [each.status for each in done.outcomes] == ["untranslated", "fits"]
    assert done.track.cues[0].text == f"Why? {endless}"
    assert not done.report.clean


def test_a_sentence_without_a_translation_leaves_its_cue_as_it_is() -> None:
    done = outcome_of(f"{TEXT} What?", script={**SCRIPT, "What?": ()})
    assert (done.status, done.target) == ("untranslated", f"{TEXT} What?")


def test_lines_of_a_text_file_and_of_a_script_are_parted_too() -> None:
    # A row without times keeps about the length of its source.
    for format, words in (("txt", NATURAL), ("csv", SHORT)):
        data = f"Text\n{TEXT}\n" if format == "csv" else f"{TEXT}\n"
        track = parse_track(data.encode(), name=f"x.{format}", format=cast(Any, format))
        done = localize(track, cast(Any, ShortSighted(SCRIPT)), FREE, STRICT)
        assert done.track.cues[0].text == words


def test_their_risk_is_that_of_any_of_their_sentences() -> None:
    done = outcome_of(TEXT)
    assert len(done.risk_features) == len(NATURAL.split(".")) >= 2
    worst = max(map(risk_of, done.risk_features))
    assert done.risk is not None and worst < done.risk <= 1


@pytest.mark.parametrize(
    ("text", "term", "expected"),
    [
        ("One  two.  Three  four.  We saw the ship.", "ship", ("We saw the ship.", 11)),
        ("你好吗？我很好。今天天气很好。灯塔在山上。", "灯塔", ("灯塔在山上。", 0)),
    ],
)
def test_a_term_belongs_to_the_sentence_that_it_stands_in(
    text: str, term: str, expected: tuple[str, int]
) -> None:
    language = "en" if text.isascii() else "zh"
    terms = TermFinder([Term((term,), ("Wort",), "de")], "de", language).find(text)
    task = Task(Sentence((Part(0, 0, text),), language), (LengthBudget(),), terms)
    found = [
        (piece.sentence.text, each.start)
        for piece in LongText.of(task).pieces
        for each in piece.terms
    ]
    assert found == [expected]


CHAIN_SCRIPT = {
    "We moved to the old town when I was six.": "Wir zogen in die Stadt, als ich sechs war.",
    "My father worked in the mill and my mother sold bread.": (
        "Mein Vater arbeitete in der Mühle und meine Mutter verkaufte Brot."
    ),
    "Every day I carried water from the well and it was cold.": (
        "Jeden Tag trug ich Wasser vom Brunnen und es war kalt."
    ),
    "One day a tall man came to our door and sat down by the fire.": (
        "Eines Tages kam ein großer Mann an unsere Tür und setzte sich ans Feuer."
    ),
    "He told us a story that I still know.": "Er erzählte uns etwas, das ich noch weiß.",
}
CHAIN = (
    "We moved to the old town when I",
    "was six. My father worked in the",
    "mill and my mother sold bread. Every day I",
    "carried water from the well and it",
    "was cold. One day a tall man came to our",
    "door and sat down by the fire. He told us a",
    "story that I still know.",
)


def chained(guideline: Guideline, translator: ScriptedTranslator) -> Localization:
    """Cues of which none but the last ends where a sentence does."""
    cues = tuple(Cue(3000 * n, 3000 * n + 2900, text) for n, text in enumerate(CHAIN))
    options = Options(condense=False)
    return localize(Track(cues, "srt"), cast(Any, translator), guideline, options)


def test_a_chain_of_cues_is_translated_sentence_by_sentence():
    translator = ScriptedTranslator(CHAIN_SCRIPT)
    done = chained(Guideline.load("netflix", "de"), translator)
    assert {*translator.asked} == {*CHAIN_SCRIPT}
    assert all(outcome.status == "fits" for outcome in done.outcomes)
    shown = " ".join(" ".join(outcome.target.split()) for outcome in done.outcomes)
    assert shown == " ".join(CHAIN_SCRIPT.values())
    assert done.outcomes[0].joined == tuple(range(len(CHAIN)))


def test_every_sentence_of_a_chain_stands_about_where_it_is_said():
    done = chained(Guideline.load("netflix", "de"), ScriptedTranslator(CHAIN_SCRIPT))
    for word, cue in (("Wir", 0), ("Mühle", 2), ("Brunnen", 3), ("Feuer", 5), ("weiß", 6)):
        assert any(
            word in done.outcomes[near].target for near in (cue - 1, cue, cue + 1) if near < 7
        )


def test_a_chain_without_room_is_over_its_budgets_and_never_cut_in_mid_sentence():
    translator = ScriptedTranslator(CHAIN_SCRIPT)
    done = chained(Guideline("tight", "de", max_characters=20), translator)
    assert {*translator.asked} == {*CHAIN_SCRIPT}
    assert any(outcome.status == "overflow" for outcome in done.outcomes)


def test_every_cue_of_a_chain_has_the_risk_of_the_sentences_in_it():
    done = chained(Guideline.load("netflix", "de"), ScoredTranslator(CHAIN_SCRIPT))
    many = [len(cue.risk_features) for cue in done.outcomes]
    assert min(many) >= 1 and max(many) <= len(CHAIN_SCRIPT) and sum(many) >= len(CHAIN_SCRIPT)
