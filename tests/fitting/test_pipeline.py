"""The passes, through the door: what is asked for, and what is taken."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, cast

import pytest

from subfit.cli.commands.translate import translate
from subfit.cli.options import FIELDS
from subfit.decoding.hypotheses import FREE, Hypothesis, Request
from subfit.fitting.options import DEFAULT_OPTIONS, Options
from subfit.fitting.task import Task, place_in
from subfit.limits.budget import LengthBudget, LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, localize
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import Part, Sentence
from subfit.terms.glossary import Occurrence
from tests.scripted import ScriptedTranslator

NETFLIX = Guideline.load("netflix", "de")


class Asked(ScriptedTranslator):
    """Has translations by the text and by whether a length is limited; notes what it is asked."""

    def __init__(self, natural: dict[str, str], short: dict[str, str], score: float = -0.2) -> None:
        super().__init__({})
        self.natural, self.short, self.score = natural, short, score
        self.batches: list[list[int]] = []

    def translate(self, requests, on_done=None):
        self.batches.append([request.asked for request in requests])
        return super().translate(requests, on_done)

    def _answers(self, request: Request) -> list[Hypothesis]:
        free = request.asked == FREE and request.ceiling > 1e6
        said = (self.natural if free else self.short).get(request.text)
        if said is None or len(said) > request.ceiling:
            return []
        return [Hypothesis(said, len(said), self.score, self.score * 5)]


def fitted(
    translator: Any, *cues: str, seconds: int = 1, tell: Any = None, **options: Any
) -> Localization:
    blocks = [
        f"{n + 1}\n00:00:{2 * n:02},000 --> 00:00:{2 * n + seconds:02},000\n{text}\n"
        for n, text in enumerate(cues)
    ]
    track = parse_track("\n".join(blocks).encode(), name="scene.srt", format="srt")
    return localize(track, cast(Any, translator), NETFLIX, Options(**options), tell)


WAIT = "Wait at the bridge!"
"""It has a second, which is 17 characters."""


def test_what_fits_as_it_is_is_taken_and_nothing_else_is_searched_for() -> None:
    translator = Asked({WAIT: "Warte hier!"}, {WAIT: "Hier!"})
    (cue,) = fitted(translator, WAIT).outcomes
    assert (cue.target, cue.status, cue.losses) == ("Warte hier!", "fits", ())
    assert translator.batches == [[FREE]]


def test_not_all_is_done_before_the_last_search() -> None:
    translator = Asked({WAIT: "Warte an der Brücke!", "Go!": "Los!"}, {WAIT: "Wart bei Brücke!"})
    told: list[tuple[int, int, int]] = []
    fitted(translator, WAIT, "Go!", tell=lambda *one: told.append((len(translator.batches), *one)))
    last = len(translator.batches)
    assert last > 1 and told[-1] == (last, 2, 2)
    assert told == sorted(told) and all(done < 2 for searches, done, _ in told if searches < last)


def test_what_does_not_fit_is_shortened_if_that_says_all() -> None:
    translator = Asked({WAIT: "Warte an der Brücke!"}, {WAIT: "Wart bei Brücke!"})
    (cue,) = fitted(translator, WAIT).outcomes
    assert (cue.target, cue.natural) == ("Wart bei Brücke!", "Warte an der Brücke!")
    assert cue.status == "fits"
    assert translator.batches == [[FREE], [17, 15]]  # the budget and a little less of it


def test_what_loses_something_is_taken_under_strict_budgets_only() -> None:
    natural, short = {WAIT: "Warte an der Brücke, du!"}, {WAIT: "Warte dort!"}
    (cue,) = fitted(Asked(natural, short), WAIT).outcomes
    assert (cue.status, cue.withheld) == ("overflow", ("words",))
    assert cue.target.replace("\n", " ") == natural[WAIT]
    (cue,) = fitted(Asked(natural, short), WAIT, strict_budget=True).outcomes
    assert (cue.target, cue.status, cue.losses) == ("Warte dort!", "fits", ("words",))


@pytest.mark.parametrize("strict", [False, True])
def test_a_text_that_was_made_shorter_and_is_over_even_so_is_never_taken(strict: bool) -> None:
    class TooLong(Asked):
        def _answers(self, request: Request) -> list[Hypothesis]:
            text = "Warte an der Brücke!" if request.ceiling > 1e6 else "Warte an der Brück"
            return [Hypothesis(text, len(text), -0.1, -0.5)]

    (cue,) = fitted(TooLong({}, {}), WAIT, strict_budget=strict).outcomes
    assert (cue.target, cue.status) == ("Warte an der Brücke!", "overflow")


def test_what_is_shorter_than_is_wished_is_searched_for_longer() -> None:
    longer = "Warte an der Brücke!"
    translator = Asked({WAIT: "Warte da!"}, {WAIT: longer})
    wish = LengthRatio.parse("0.9:1.1")
    (cue,) = fitted(translator, WAIT, seconds=2, length_ratio=wish).outcomes
    assert (cue.target, cue.natural, cue.status) == (longer, "Warte da!", "fits")


@pytest.mark.parametrize("where", ["the bridge", "fifty-three bridges"])
def test_at_most_five_searches_are_asked_for(where: str) -> None:
    text = f"Well, wait at {where}, Captain!"  # a number that is lacking is searched for, too
    translator = Asked({text: "Nun, warten Sie an der Brücke, Kapitän!"}, {})
    fitted(translator, text, seconds=2, strict_budget=True)
    asked = [length for batch in translator.batches for length in batch]
    assert 4 <= len(asked) <= 5 and len(translator.batches) == 2


CUES = ("I came home. And then we", "went to bed.")


def test_sentences_that_do_not_end_with_their_cues_are_translated_one_by_one() -> None:
    script = {
        "I came home.": "Ich kam heim.",
        "And then we went to bed.": "Dann gingen wir schlafen.",
    }
    translator = Asked(script, {})
    done = fitted(translator, *CUES, seconds=2)
    texts = [cue.target.replace("\n", " ") for cue in done.outcomes]
    assert " ".join(texts) == "Ich kam heim. Dann gingen wir schlafen."
    assert [cue.joined for cue in done.outcomes] == [(0, 1), (0, 1)]


def test_cues_by_themselves_are_taken_where_they_fit_better() -> None:
    script = {
        "I came home.": "Ich bin gerade erst nach Hause gekommen, endlich.",
        "And then we went to bed.": "Und dann sind wir auch schon schlafen gegangen.",
        CUES[0]: "Heim kam ich. Wir",
        CUES[1]: "gingen ins Bett.",
    }
    done = fitted(Asked(script, {}), *CUES)
    assert [cue.target for cue in done.outcomes] == ["Heim kam ich. Wir", "gingen ins Bett."]
    assert [cue.joined for cue in done.outcomes] == [(), ()]


LONG = ("I came home", "and we went to bed", "in the old house.")


@pytest.mark.parametrize(
    ("last", "joined"), [("im Haus.", ()), ("in dem alten, ach so sehr alten Haus.", (0, 1, 2))]
)
def test_of_a_sentence_over_three_cues_these_are_tried_first(
    last: str, joined: tuple[int, ...]
) -> None:
    script = {
        " ".join(LONG): "Ich kam heim und wir schliefen im alten Haus.",
        **dict(zip(LONG, ("Ich kam heim", "und wir schliefen", last), strict=True)),
    }
    translator = Asked(script, {})
    done = fitted(translator, *LONG, seconds=2)
    assert [cue.joined for cue in done.outcomes] == [joined] * 3
    assert len(translator.batches[0]) == 3


def test_cues_that_end_before_their_noun_are_joined_first() -> None:
    cues = ("They come", "like bees to a", "honeypot.")
    translator = Asked({" ".join(cues): "Sie kommen wie Bienen zum Honigtopf."}, {})
    done = fitted(translator, *cues, seconds=2)
    assert [cue.joined for cue in done.outcomes] == [(0, 1, 2)] * 3
    assert translator.batches == [[FREE]]


def test_what_no_translation_is_found_for_stays() -> None:
    (cue,) = fitted(Asked({}, {}), WAIT).outcomes
    assert (cue.status, cue.target) == ("untranslated", WAIT)


OVER_TWO = Task(
    Sentence((Part(0, 0, "We save the moon"), Part(1, 0, "with Mrs. Owl."))),
    (LengthBudget(20, floor=6), LengthBudget(14, floor=5)),
    (Occurrence("moon", 12, ("Mond",)), Occurrence("Owl", 27, ("Eule",))),
)


def test_a_task_has_the_room_of_all_its_cues_and_a_space_between() -> None:
    assert (OVER_TWO.ceiling, OVER_TWO.floor, OVER_TWO.least) == (35, 11, 11)
    assert OVER_TWO.reaches("Mond, Eule!")
    assert not OVER_TWO.reaches("Mond, Uhu!")


def test_its_cues_have_the_terms_that_begin_in_them() -> None:
    first, second = OVER_TWO.separated()
    assert [term.source for term in first.terms] == ["moon"]
    assert [(term.source, term.start) for term in second.terms] == [("Owl", 10)]
    assert (first.budgets, second.budgets) == (OVER_TWO.budgets[:1], OVER_TWO.budgets[1:])
    assert place_in(OVER_TWO.sentence, OVER_TWO.terms[1].start) == (1, 10)


def test_a_term_that_a_translation_lacks_is_missing() -> None:
    assert [term.source for term in OVER_TWO.missing("Wir retten den Mond.")] == ["Owl"]
    assert OVER_TWO.missing("Wir retten den Mond mit Frau Eule.") == ()


def test_numbers_are_digits_where_room_is_scarce_or_a_translation_lacks_them():
    text = "We have thirty-one cats and nine dogs."
    terms = (
        Occurrence("thirty-one", 8, ("31", "einunddreißig"), placeable=True, digits="31"),
        Occurrence("nine", 28, ("9", "neun"), placeable=True, digits="9"),
    )
    task = Task(Sentence((Part(0, 0, text),)), (LengthBudget(40),), terms)
    assert task.with_digits(text) == "We have 31 cats and nine dogs."
    lacking = task.with_digits(text, "Wir haben 31 Katzen und Hunde.")
    assert lacking == "We have thirty-one cats and 9 dogs."


ELSEWHERE = {"dubbing": "dub_budget", "terms": "glossary", "people": "persons"}
"""Fields that are filled by options of other names, or found out where they are not given."""
PARAMETERS = {parameter.name: parameter for parameter in translate.params}


@pytest.mark.parametrize("name", [field.name for field in fields(Options)])
def test_every_field_has_its_option(name: str) -> None:
    option = ELSEWHERE.get(name, FIELDS.get(name, name))
    assert option in PARAMETERS


@pytest.mark.parametrize(
    "name",
    [
        *("sdh", "join", "alternatives", "strict_budget"),
        *("scene", "timing", "formality", "length_ratio"),
    ],
)
def test_the_command_s_default_is_the_library_s(name: str) -> None:
    command, values = translate, PARAMETERS[name]
    with command.make_context("translate", ["film.srt", "-t", "de"]) as context:
        assert context.params[values.name] == getattr(DEFAULT_OPTIONS, name)
