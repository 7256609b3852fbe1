"""Verbs of dictionaries, shown in sentences."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from subfit.evaluation.corpus import Pair
from subfit.training.data.dictionary import FRAMES, in_sentence
from subfit.training.train import dataset_of
from tests.tiny import RECIPE


class First(random.Random):
    """Draws the first of all choices, and a number given."""

    def __init__(self, number: float) -> None:
        super().__init__(0)
        self.number = number

    def random(self) -> float:
        return self.number

    def choice(self, seq):
        return seq[0]


SHOWN = [
    ("de", "to haunt", "spuken", ("I want to haunt.", "Ich will spuken.")),
    ("de", "to give up", "aufgeben", ("I want to give up.", "Ich will aufgeben.")),
    ("es", "to sing", "cantar", ("I want to sing.", "Quiero cantar.")),
    ("fr", "to sing", "chanter", ("I want to sing.", "Je veux chanter.")),
    ("it", "to sing", "cantare", ("I want to sing.", "Voglio cantare.")),
    ("de", "to be ashamed", "sich schämen", None),  # would want another pronoun
    ("de", "to the left", "links", None),
    ("de", "to Berlin", "nach Berlin", None),
    ("de", "ghost", "Geist", None),
    ("nl", "to sing", "zingen", None),
]


@pytest.mark.parametrize(("language", "source", "target", "expected"), SHOWN)
def test_verbs_are_framed(language, source, target, expected):
    assert in_sentence(Pair("words", source, target), language, First(0.9)) == expected


def test_some_only_lose_their_to():
    pair = Pair("words", "to haunt", "spuken")
    assert in_sentence(pair, "de", First(0.0)) == ("haunt", "spuken")


def test_every_frame_has_one_place_for_the_verb():
    assert all(one.count("{}") == 1 for each in FRAMES.values() for pair in each for one in pair)


def test_only_the_dictionaries_named_are_framed(tokenizer, config):
    pairs = [Pair("words", "to haunt", "spuken"), Pair("toy", "to haunt", "spuken")]
    recipe = replace(RECIPE, data=replace(RECIPE.data, framed={"words": 1.0}))
    dataset = dataset_of(pairs, tokenizer, config, recipe, training=True)
    batches = [dataset.batch([(0,), (1,)], seed=seed).characters for seed in range(20)]
    assert {tuple(each[1].tolist()) for each in batches} == {(len("to haunt"), len("spuken"))}
    assert len({tuple(each[0].tolist()) for each in batches}) > 3
