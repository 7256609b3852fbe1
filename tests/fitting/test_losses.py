"""What a shortened translation loses of the natural one, and which of the two is taken."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from subfit.cli.main import run
from subfit.condensing import Condensation
from subfit.decoding.hypotheses import FREE, Hypothesis
from subfit.fitting.losses import Loss, losses_of
from subfit.fitting.settings import DEFAULT_SETTINGS
from subfit.fitting.state import Candidate
from subfit.fitting.task import Task
from subfit.limits.budget import LengthBudget, LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Localization, Options, localize
from subfit.reporting.verdicts import CueVerdict
from subfit.subtitles.formats import parse_track
from subfit.subtitles.sentences import Part, Sentence
from subfit.text.alignment import Word
from subfit.text.negation import is_negated
from tests.scripted import ScriptedTranslator

TOY = replace(DEFAULT_SETTINGS, much_shorter=math.inf, lost_words=math.inf)
"""Settings for toy translations, to see one loss alone: names and numbers are words as well."""


class Known:
    """Knows a few words and what stands for each."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._words = words

    def scores(
        self, source: str, source_words: Sequence[Word], target: str, target_words: Sequence[Word]
    ) -> list[list[float]]:
        return [
            [float(other.text in self._words.get(one.text, ())) for other in target_words]
            for one in source_words
        ]


def candidate(text: str, score: float = -0.2, *, closing: float = -0.1, **known: Any) -> Candidate:
    hypothesis = Hypothesis(text, float(len(text)), score, score, closing=closing)
    return Candidate(hypothesis, FREE, **known)


def lost(
    source: str,
    natural: str | Candidate,
    short: str | Candidate,
    language: str = "de",
    words: Mapping[str, Sequence[str]] | None = None,
    **settings: float,
) -> set[str]:
    """What a translation loses; length and words only if the settings say from when on."""
    task = Task(
        Sentence((Part(0, 0, source),)),
        (LengthBudget(),),
        words=None if words is None else Known(words),
    )
    pair = [candidate(one) if isinstance(one, str) else one for one in (short, natural)]
    return set(losses_of(task, *pair, language, replace(TOY, **settings)))


@pytest.mark.parametrize(
    ("language", "natural", "without", "kept"),
    [
        ("de", "Ich möchte heute nicht gehen.", "Ich möchte heute gehen.", "Ich mag nicht gehen."),
        ("es", "Hoy no quiero ir a casa.", "Hoy quiero ir a casa.", "No quiero ir a casa."),
        ("fr", "Je ne veux pas y aller.", "Je veux y aller.", "Je veux pas y aller."),
        ("it", "Oggi non voglio andare via.", "Oggi voglio andare via.", "Non voglio andarci."),
    ],
)
def test_a_denial_that_is_lost(language: str, natural: str, without: str, kept: str) -> None:
    source = "I don't want to go today."
    assert lost(source, natural, without, language) == {Loss.NEGATION}
    assert not lost(source, natural, kept, language)


@pytest.mark.parametrize(
    ("language", "natural", "denying", "stating"),
    [
        ("de", "Ich gehe heute wieder hin.", "Ich gehe nicht hin.", "Ich gehe wieder hin."),
        ("es", "Hoy vuelvo a ir allí.", "No vuelvo a ir allí.", "Vuelvo a ir allí."),
        ("fr", "J'y retourne aujourd'hui.", "Je n'y retourne pas.", "J'y retourne."),
        ("it", "Oggi ci torno di nuovo.", "Non ci torno oggi.", "Oggi ci torno."),
    ],
)
def test_a_denial_that_is_gained(language: str, natural: str, denying: str, stating: str) -> None:
    source = "I will go there again today."
    assert lost(source, natural, denying, language) == {Loss.NEGATION}
    assert not lost(source, natural, stating, language)


def test_where_a_denial_is_said_in_another_way_nothing_tells() -> None:
    """The natural translation says it without a word that denies: so may a shorter one."""
    assert not lost("He did not stay.", "Er ist ja wieder gegangen.", "Er ist gegangen.")
    assert not lost("I don't know.", "Ik weet het niet zeker.", "Ik weet het.", "nl")


@pytest.mark.parametrize(
    ("language", "natural", "without", "mangled", "kept"),
    [
        (
            "de",
            "Gestern sah ich Doria am Kai.",
            "Gestern sah ich sie.",
            "Ich sah Dor.",
            "Ich sah Doria.",
        ),
        (
            "es",
            "Ayer vi a Doria en el muelle.",
            "Ayer la vi.",
            "Ayer vi a Dor.",
            "Ayer vi a Doria.",
        ),
        (
            "fr",
            "Hier, j'ai vu Doria à quai.",
            "Hier, je l'ai vue.",
            "J'ai vu Dor.",
            "J'ai vu Doria.",
        ),
        (
            "it",
            "Ieri ho visto Doria al molo.",
            "Ieri l'ho vista.",
            "Ho visto Dor.",
            "Ho visto Doria.",
        ),
    ],
)
def test_a_name_that_is_lost_or_mangled(
    language: str, natural: str, without: str, mangled: str, kept: str
) -> None:
    source = "I saw Doria at the quay yesterday."
    assert lost(source, natural, without, language) == {Loss.NAME}
    assert lost(source, natural, mangled, language) == {Loss.NAME}
    assert not lost(source, natural, kept, language)


def test_a_name_that_is_translated_or_a_function_word_is_no_name() -> None:
    assert not lost("We left Vienna by ship.", "Wir fuhren per Schiff aus Wien ab.", "Wir fuhren.")
    assert not lost("In May he came.", "In jenem Mai kam er.", "Er kam im Mai.")


@pytest.mark.parametrize(
    ("language", "natural", "without", "kept"),
    [
        ("de", "Es sind noch 40 Meilen.", "Es ist noch weit.", "Noch 40 Meilen."),
        ("es", "Quedan todavía 40 millas.", "Queda mucho aún.", "Quedan 40 millas."),
        ("fr", "Il reste encore 40 milles.", "Il reste du chemin.", "Il reste 40 milles."),
        ("it", "Mancano ancora 40 miglia.", "Manca ancora molto.", "Mancano 40 miglia."),
    ],
)
def test_a_number_that_is_lost(language: str, natural: str, without: str, kept: str) -> None:
    source = "There are still 40 miles to go."
    assert lost(source, natural, without, language) == {Loss.NUMBER}
    assert not lost(source, natural, kept, language)


@pytest.mark.parametrize("kind", ["missing_terms", "missing_numbers"])
def test_a_term_or_a_number_in_words_that_is_lost(kind: str) -> None:
    source, natural, short = "Two ships came.", "Zwei Schiffe kamen an.", "Schiffe kamen."
    assert Loss.NUMBER in lost(source, natural, candidate(short, **{kind: 1}))
    both = candidate(natural, **{kind: 1}), candidate(short, **{kind: 1})
    assert not lost(source, *both)


def test_a_verb_that_is_lost() -> None:
    source, natural = "We must leave the old ship.", "Wir müssen das alte Schiff verlassen."
    words = {"must": ["müssen"], "leave": ["verlassen", "runter"], "ship": ["Schiff"]}
    assert Loss.VERB in lost(source, natural, "Das alte Schiff.", words=words)
    assert not lost(source, natural, "Das Schiff verlassen.", words=words)
    assert Loss.VERB not in lost(source, natural, "Das alte Schiff.")  # nothing is known of words


def test_words_of_meaning_that_are_lost() -> None:
    source = "Really, the captain saw a light in the harbour."
    natural = "Wirklich, der Kapitän sah ein Licht im Hafen."
    words = {
        "Really": ["Wirklich"],
        "captain": ["Kapitän"],
        "saw": ["sah"],
        "light": ["Licht"],
        "harbour": ["Hafen"],
    }
    assert lost(
        source, natural, "Wirklich, der Kapitän sah ein Licht.", words=words, lost_words=0.5
    ) == {Loss.WORDS}
    assert not lost(
        source, natural, "Der Kapitän sah ein Licht im Hafen.", words=words, lost_words=0.5
    )
    # The natural translation lacks it too.
    natural = "Wirklich, der Kapitän sah da ein Licht."
    assert not lost(source, natural, "Der Kapitän sah ein Licht.", words=words, lost_words=0.5)


def left_out(source: str, words: str) -> Condensation:
    start = source.index(words)
    return Condensation(source.replace(words, ""), 1.0, ((start, start + len(words)),))


@pytest.mark.parametrize(
    ("words", "losses"),
    [
        (" well", set()),
        (", you know", set()),
        (" behind the lighthouse", {Loss.PART}),
        (" of the lighthouse", {Loss.PART}),  # what it is of belongs to it
        (", Mrs. Hill", set()),  # spoken to
        (", Anna Hill", {Loss.PART}),
    ],
)
def test_a_part_that_says_more_than_can_be_spared(words: str, losses: set[Loss]) -> None:
    source = f"We saw the keeper{words}."
    short = candidate("Wir sahen den Wärter.", condensation=left_out(source, words))
    assert lost(source, "Wir sahen den Wärter hinter dem Leuchtturm.", short) == losses


def test_an_end_where_the_model_would_go_on() -> None:
    source, natural = "He waits at the bridge.", "Er wartet dort an der Brücke."
    cut = "Er wartet an der."
    assert lost(source, natural, candidate(cut, closing=-3.1)) == {Loss.END}
    assert not lost(source, natural, candidate(cut, closing=-2.9))


def test_what_is_far_less_likely() -> None:
    source, natural = "He waits there.", "Er wartet dort auf uns."
    assert lost(source, natural, candidate("Er harrt.", -0.7)) == {Loss.LIKELIHOOD}
    assert not lost(source, natural, candidate("Er harrt.", -0.5))


def test_what_is_much_shorter_must_lack_something() -> None:
    source, natural = "I do think so.", "Das glaube ich auch so."  # 23 characters
    settings = {"much_shorter": DEFAULT_SETTINGS.much_shorter}
    assert lost(source, natural, "Das meine ich", **settings) == set()  # 13
    assert lost(source, natural, "Ich auch.", **settings) == {Loss.LENGTH}
    assert not lost(source, natural, "Das glaube ich auch.", **settings)
    source = "I do think so, my dear old friend."
    spared = left_out(source, ", my dear friend".replace("dear friend", "dear old friend"))
    natural = "Das glaube ich auch so, mein lieber alter Freund."
    short = candidate("Das glaube ich auch so.", condensation=spared)
    assert Loss.LENGTH not in lost(source, natural, short, **settings)


def test_what_is_not_shorter_loses_nothing() -> None:
    source, natural = "I do not know Doria.", "Doria kenne ich nicht."
    other = candidate("Ich kenne sie sehr gut.", -9.0, closing=-9.0)
    assert not lost(source, natural, other)
    assert lost(source, natural, candidate("Ich kenne sie.", -9.0, closing=-9.0)) == {
        Loss.END,
        Loss.LIKELIHOOD,
        Loss.NAME,
        Loss.NEGATION,
    }


CASES = [
    (
        Loss.NEGATION,
        "I do not want to see the captain.",
        "Ich will den Kapitän nicht sehen.",
        "Ich will den Kapitän sehen.",
    ),
    (
        Loss.NAME,
        "Tell Doria that the ship sails.",
        "Sag Doria, dass das Schiff fährt.",
        "Sag, dass das Schiff fährt.",
    ),
    (
        Loss.NUMBER,
        "Bring 9 lamps to the old quay.",
        "Bring 9 Lampen zum alten Kai mit.",
        "Bring Lampen zum alten Kai.",
    ),
    (
        Loss.END,
        "We wait for you at the harbour.",
        "Wir warten im Hafen hier auf dich.",
        "Wir warten im Hafen auf.",
    ),
]


class Ending(ScriptedTranslator):
    """Holds an end behind a preposition unlikely."""

    def rate(self, texts: Any, nbest: Any, formalities: Any = ()) -> Any:
        return [
            [replace(one, closing=-4.0 if one.text.endswith("auf.") else -0.1) for one in each]
            for each in nbest
        ]


def fitted(source: str, natural: str, short: str, **options: Any) -> Localization:
    """Translate a line under a ceiling that only the short translation keeps."""
    track = parse_track(f"{source}\n".encode(), name="scene.txt", format="txt")
    ratio = LengthRatio(maximum=(len(natural) - 1) / len(source))
    asked = Options(length_ratio=ratio, condense=False, **options)
    translator = cast(Any, Ending({source: [natural, short]}))
    return localize(track, translator, Guideline.load("none", "de"), asked)


def verdict_of(done: Localization) -> CueVerdict:
    (verdict,) = done.report.cues
    return verdict


@pytest.mark.parametrize(("loss", "source", "natural", "short"), CASES)
def test_what_loses_something_is_no_fit(loss: Loss, source: str, natural: str, short: str) -> None:
    done = fitted(source, natural, short)
    cue = verdict_of(done).outcome
    assert (cue.target, cue.status) == (natural, "overflow")
    assert loss in cue.withheld and not cue.losses
    assert not done.report.clean
    assert (done.report.totals["withheld"], done.report.totals["losing"]) == (1, 0)
    assert short in [each.text for each in cue.alternatives]


@pytest.mark.parametrize(("loss", "source", "natural", "short"), CASES)
def test_unless_the_budget_is_strict(loss: Loss, source: str, natural: str, short: str) -> None:
    done = fitted(source, natural, short, strict_budget=True)
    cue = verdict_of(done).outcome
    assert (cue.target, cue.status) == (short, "fits")
    assert loss in cue.losses and not cue.withheld
    assert cue.doubtful is (loss is Loss.END)
    assert done.report.clean and verdict_of(done).suspect
    assert (done.report.totals["withheld"], done.report.totals["losing"]) == (0, 1)
    assert done.report.to_dict()["cues"][0]["losses"] == list(cue.losses)


def test_what_says_the_thing_is_a_fit() -> None:
    source, natural = "I do not want to see the captain.", "Ich will den Kapitän nicht sehen."
    for strict in (False, True):
        cue = verdict_of(
            fitted(source, natural, "Ich mag den Kapitän nicht.", strict_budget=strict)
        ).outcome
        assert (cue.target, cue.status) == ("Ich mag den Kapitän nicht.", "fits")
        assert (cue.losses, cue.withheld) == ((), ())


def test_a_shorter_one_that_loses_nothing_goes_before_a_better_one_that_does() -> None:
    source, natural = "I do not want to see the captain.", "Ich will den Kapitän nicht sehen."
    both = ["Ich will den Kapitän sehen.", "Ich mag den Kapitän nicht."]
    track = parse_track(f"{source}\n".encode(), name="scene.txt", format="txt")
    ratio = LengthRatio(maximum=(len(natural) - 1) / len(source))
    for strict in (False, True):
        options = Options(length_ratio=ratio, condense=False, strict_budget=strict)
        translator = cast(Any, Ending({source: [natural, *both]}))
        done = localize(track, translator, Guideline.load("none", "de"), options)
        assert verdict_of(done).outcome.target == both[1]


def test_what_fits_as_it_is_keeps_what_a_shorter_one_would_lose() -> None:
    for _, source, natural, short in CASES:
        track = parse_track(f"{source}\n".encode(), name="scene.txt", format="txt")
        translator = cast(Any, Ending({source: [natural, short]}))
        cue = localize(track, translator, Guideline.load("none", "de")).outcomes[0]
        assert (cue.target, cue.losses, cue.withheld) == (natural, (), ())


HURRIED = """\
1
00:00:01,000 --> 00:00:01,500
I really do not think that this is a good idea at all.

2
00:00:05,000 --> 00:00:06,200
Did you see Margaret at the old harbour yesterday?

3
00:00:10,000 --> 00:00:12,000
Frankly, I like your new house.
"""


def test_the_model_that_comes_along_keeps_whole_what_has_no_room(tmp_path: Path) -> None:
    source, report = tmp_path / "scene.srt", tmp_path / "scene.json"
    source.write_text(HURRIED, encoding="utf-8")
    asked = [str(source), "-t", "de", "--report", str(report), "-q"]
    assert run(["translate", *asked, "-o", str(tmp_path / "out.srt")]) == 3
    idea, harbour, house = json.loads(report.read_text(encoding="utf-8"))["files"][0]["cues"]
    assert idea["status"] == "overflow" and is_negated(idea["target"], "de")
    assert idea["withheld"] and not idea["losses"]
    assert harbour["status"] == "overflow" and "Margaret" in harbour["target"]
    assert harbour["withheld"] and not harbour["losses"]
    assert house["status"] == "fits" and house["characters"] < house["natural_characters"]
    assert not house["withheld"] and not house["losses"]
