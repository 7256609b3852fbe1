"""Sources some of whose words are in the target language, as training shows them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from subfit.errors import RecipeError
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import load_checkpoint
from subfit.model.dictionary import Dictionary, Entry
from subfit.model.tokenizer import Tokenizer, TokenizerPair
from subfit.training.data.dataset import Dataset
from subfit.training.data.switching import CodeSwitching, Switcher, code_switching
from tests.places import EN_MULTI
from tests.tiny import RECIPE

ENTRIES = [
    Entry("lantern", ("Leuchte", "Laterne"), capital=False),
    Entry("parking lot", ("Parkplatz",), capital=False),
    Entry("wrote", ("geschrieben", "schrieb"), capital=False),
]


class Always(random.Random):
    """Draws whatever can be drawn."""

    def random(self) -> float:
        return 0.0


class Never(random.Random):
    """Draws nothing."""

    def random(self) -> float:
        return 0.99


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return load_checkpoint(str(EN_MULTI)).tokenizer


@pytest.fixture(scope="module")
def switcher(tokenizer: Tokenizer) -> Switcher:
    return Switcher(Dictionary.of(ENTRIES, tokenizer), tokenizer, "en")


def switched(tokenizer, switcher, source, target, chooser=None):
    pieces = switcher.of(tokenizer.encode(source), tokenizer.encode(target), chooser or Always())
    return tokenizer.decode(pieces)


@pytest.mark.parametrize(
    ("source", "target", "shown"),
    [
        # what the translation says of it, in the dictionary's form
        ("I see two lanterns.", "Ich sehe zwei Laternen.", "I see two lanterns."),
        ("Mind the lantern!", "Achte auf die Laternen!", "Mind the Laterne!"),
        ("Lantern, ahoy!", "Laterne, ahoi!", "Laterne, ahoy!"),
        ("The parking lot is full.", "Der Parkplatz ist voll.", "The Parkplatz is full."),
        ('"I wrote it."', "„Ich schrieb es.“", '"I schrieb it."'),
        ("A lantern on the parking lot.", "Eine Leuchte steht auf dem Parkplatz.",
         "A Leuchte on the Parkplatz."),
        # nothing of it
        ("Mind the lantern!", "Pass auf!", "Mind the lantern!"),
        ("It's late.", "Es ist spät.", "It's late."),
    ],
)  # fmt: skip
def test_words_are_given_as_the_translation_has_them(tokenizer, switcher, source, target, shown):
    assert switched(tokenizer, switcher, source, target) == shown
    assert switched(tokenizer, switcher, source, target, Never()) == source


def test_about_half_of_the_words_are_given(tokenizer, switcher):
    texts = ["The lantern is on the parking lot.", "Die Laterne steht auf dem Parkplatz."]
    shown = [switched(tokenizer, switcher, *texts, random.Random(seed)) for seed in range(300)]
    for word in ("Laterne", "Parkplatz"):
        assert 110 < sum(word in text for text in shown) < 190


def test_batches_have_a_share_of_their_sources_switched(tokenizer, switcher):
    model = load_checkpoint(str(EN_MULTI)).model
    pairs = [Pair("c", f"Mind lantern {n}!", f"Achte auf Laterne {n}!", "de") for n in range(200)]
    plain, shown = (
        Dataset(pairs, tokenizer, model.config, 128, switching=switching)
        for switching in (None, CodeSwitching({"de": switcher}, 0.6))
    )
    units = [(number,) for number in range(200)]
    laterne, *_ = Dictionary.of(ENTRIES[:1], tokenizer).look_up("lantern", opening=False)[1]
    assert not (plain.batch(units).source == laterne).any()
    counts = (shown.batch(units, seed=3).source == laterne).sum()
    assert 35 < counts < 85  # half of six in ten
    assert (shown.batch(units, seed=3).labels == plain.batch(units, seed=3).labels).all()


def test_a_model_without_dictionaries_switches_nothing(tokenizer, tmp_path):
    config = load_checkpoint(str(EN_MULTI)).model.config
    data = replace(RECIPE.data, switched=0.5, dictionary=str(tmp_path))
    with pytest.raises(RecipeError, match="subfit lexicon"):
        code_switching(replace(RECIPE, data=data), config, tokenizer)
    assert code_switching(RECIPE, config, tokenizer) is None


def test_sides_with_vocabularies_of_their_own_are_not_switched(tokenizer):
    config = load_checkpoint(str(EN_MULTI)).model.config
    data = replace(RECIPE.data, switched=0.5, dictionary=str(EN_MULTI))
    pair = TokenizerPair(tokenizer, tokenizer)
    with pytest.raises(RecipeError, match="one vocabulary"):
        code_switching(replace(RECIPE, data=data), config, pair)


def test_the_shipped_dictionaries_switch(tokenizer):
    config = load_checkpoint(str(EN_MULTI)).model.config
    train = {"de": ("a",), "it": ("b",)}
    dev = {"de": "c", "it": "d"}
    data = replace(RECIPE.data, train=train, dev=dev, switched=0.5, dictionary=str(EN_MULTI))
    recipe = replace(RECIPE, target_language=("de", "it"), data=data)
    switching = code_switching(recipe, config, tokenizer)
    assert switching is not None
    switchers = switching.switchers
    assert set(switchers) == {"de", "it"}
    german = switched(tokenizer, switchers["de"], "He sold the mansion.", "Er verkaufte die Villa.")
    assert german == "He sold the Villa."
