"""Pairs that a model makes: what is asked for, what is kept, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.decoding.hypotheses import Hypothesis, Request
from subfit.decoding.search_types import SearchSettings
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.model.checkpoint import load_checkpoint
from subfit.training.data import synthesis
from subfit.training.data.synthesis import (
    SynthesisSettings,
    choose_natural,
    choose_shorter,
    ending,
    fault,
    repeats,
    score,
    synthesize,
)
from tests.tiny import PAIRS


def hypothesis(text: str, score: float) -> Hypothesis:
    """A hypothesis of nine tokens and their end, of so many nats per token."""
    return Hypothesis(text, len(text), score, 10 * score, tuple(range(9)))


@pytest.mark.parametrize(
    ("source", "target", "wrong"),
    [
        ("It is late.", "Es ist spät.", ""),
        ("Is it late?", "Ist es spät?", ""),
        ('He said: "Go!"', "Er sagte: „Geh!“", ""),
        ("And then...", "Und dann…", ""),
        ("It is late", "Es ist spät", ""),
        ("It is late.", "Es ist spät", "another closing mark"),
        ("Is it late?", "Es ist spät.", "another closing mark"),
        ("It is late.", "...", "without words"),
        ("It is late.", "", "without words"),
        ("It cost 3,000.", "Es kostete 3.000.", ""),
        ("It cost 3,000.", "Es kostete 30.000.", "other numbers"),
        ("It cost 3.", "Es kostete drei.", "other numbers"),
        ("It is late.", "Es ist ist spät.", "repeats itself"),
        ("It is late.", "Es ist, es ist spät.", "repeats itself"),
        ("No, no, no!", "Nein, nein, nein!", ""),
        ("The old lighthouse.", "The old lighthouse!", "untranslated"),
        ("It is late.", "Es ist sehr spät und ich gehe nach Hause.", "too long or too short"),
        ("It is late and I am going home now, my dear.", "Ist spät.", "too long or too short"),
    ],
)
def test_what_is_wrong_with_a_translation(source, target, wrong):
    assert fault(source, target, SynthesisSettings()) == wrong


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Go!", "!"),
        ("Go…", "…"),
        ("Go...", "…"),
        ("« Va ! »", "!"),
        ("Go", ""),
        ("“Go.”", "."),
        ("", ""),
    ],
)
def test_the_mark_a_text_closes_with(text, mark):
    assert ending(text) == mark


@pytest.mark.parametrize(
    ("text", "twice"),
    [
        ("a b a b", True),
        ("one two three four one two three four", True),
        ("Die die", True),
        ("a b a", False),
        ("", False),
    ],
)
def test_a_phrase_said_twice_in_a_row(text, twice):
    assert repeats(text) == twice


def test_a_natural_translation_must_be_likely_and_without_fault():
    source = "It is late."
    good = hypothesis("Es ist spät.", -0.3)
    assert (
        choose_natural(source, [good, hypothesis("Es wird spät.", -0.4)], SynthesisSettings())
        == good
    )
    assert (
        choose_natural(source, [hypothesis("Es ist spät.", -0.9)], SynthesisSettings())
        == "too improbable"
    )
    assert (
        choose_natural(source, [hypothesis("Es 5.", -0.1)], SynthesisSettings()) == "other numbers"
    )
    assert choose_natural(source, [], SynthesisSettings()) == "no translation found"


SOURCE = "I have known Tom since I was a little boy."
NATURAL = hypothesis("Ich kenne Tom schon seit meiner Kindheit.", -0.3)


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([("Ich kenne Tom seit meiner Kindheit.", -0.4)], 0),
        ([("Ich kenne Tom seit meiner.", -0.9)], None),
        ([("Ich kenne Tim seit meiner Kindheit.", -0.4)], None),
        ([("Ich kenne Tom seit meiner Kindheit", -0.4)], None),
        ([("Ich kenne ihn seit meiner Kindheit.", -0.3), ("Tom kenne ich lange schon.", -0.4)], 1),
        ([("Tom kenne ich lange schon.", -0.45), ("Ich kenne Tom seit Langem.", -0.35)], 1),
        ([("Ich kenne Tom schon seit meiner lieben Kindheit.", -0.1)], None),
        ([], None),
    ],
)
def test_a_shorter_translation_must_be_nearly_as_likely_and_keep_names(found, kept):
    nbest = [hypothesis(*each) for each in found]
    chosen = choose_shorter(SOURCE, nbest, NATURAL, SynthesisSettings())
    assert chosen == (None if kept is None else nbest[kept])


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(load_checkpoint(tiny_model_folder), settings=SearchSettings(beams=2, nbest=2))


LENIENT = SynthesisSettings(lengths=(0.8, 0.5), least_score=-9.0, margin=9.0, max_ratio=9.0)


def test_what_is_kept_is_what_the_translator_finds(translator, monkeypatch):
    monkeypatch.setattr(synthesis, "CHUNK", 7)
    sources = [pair.source for pair in PAIRS]
    steps: list[tuple[int, int]] = []
    made = list(synthesize(sources, translator, LENIENT, lambda *done: steps.append(done)))
    assert [each.source for each in made] == sources
    assert steps == [(7, 30), (14, 30), (21, 30), (28, 30), (30, 30)]
    found = translator.translate([Request(source) for source in sources])
    kept = [(each, nbest[0]) for each, nbest in zip(made, found, strict=True) if each.targets]
    assert len(kept) > 10
    for each, natural in kept:
        assert each.targets[0] == natural.text
        assert not each.refused
        lengths = [len(target) for target in each.targets]
        assert lengths == sorted(set(lengths), reverse=True)
        assert len(lengths) <= 3
        assert all(len(shorter) <= 0.8 * natural.characters for shorter in each.targets[1:])
    assert any(len(each.targets) > 1 for each, _ in kept)
    assert all(each.refused for each in made if not each.targets)


def test_the_stricter_the_margin_the_fewer_are_kept(translator):
    sources = [pair.source for pair in PAIRS]
    strict = SynthesisSettings(lengths=(0.8, 0.5), least_score=-9.0, margin=0.0, max_ratio=9.0)
    kept = {
        policy: [set(each.targets) for each in synthesize(sources, translator, policy)]
        for policy in (strict, LENIENT)
    }
    assert all(few <= many for few, many in zip(kept[strict], kept[LENIENT], strict=True))
    assert sum(map(len, kept[strict])) < sum(map(len, kept[LENIENT]))


def test_texts_the_model_cannot_take_are_refused(translator):
    (made,) = synthesize(["ж" * 999], translator, LENIENT)
    assert made.targets == ()
    assert made.refused == "too long for the model"


def test_a_model_that_cannot_be_asked_gives_natural_translations_alone(tiny_marian_folder):
    plain = Translator(load_checkpoint(tiny_marian_folder))
    made = list(synthesize([pair.source for pair in PAIRS[:9]], plain, LENIENT))
    assert {len(each.targets) for each in made} <= {0, 1}


def test_a_model_that_must_be_asked_is_refused(translator, monkeypatch):
    monkeypatch.setattr(translator, "can_translate_freely", False)
    with pytest.raises(UsageError, match="must be asked for a length"):
        next(synthesize(["Who is there?"], translator, LENIENT))


def test_scores_are_nats_per_token():
    assert score(Hypothesis("x", 1, -99.0, -6.0, (1, 2, 3))) == -1.5
