"""Batches: what is in them, in which order, and that only the seed decides."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import torch

from subfit.decoding.hypotheses import Request
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import Checkpoint
from subfit.model.config import ModelConfig
from subfit.model.tokenizer import Tokenizer
from subfit.training.dataset import Dataset, Example, Shown, draw, epoch
from subfit.training.pairs import are_short, formality_labels, script_share, scripts_of
from subfit.training.sections import Data
from subfit.training.start import config_for
from subfit.training.train import dataset_of
from tests.tiny import PAIRS, RECIPE, tiny_model
from tests.training.runs import sides

MANY = tuple(
    Pair(
        ("half", "twice", "once")[number % 3], f"{pair.source} {number}", f"{pair.target} {number}"
    )
    for number in range(200)
    for pair in (PAIRS[number % len(PAIRS)],)
)


@pytest.fixture(scope="module")
def dataset(tokenizer: Tokenizer, config: ModelConfig) -> Dataset:
    return Dataset(MANY, tokenizer, config, 128)


def data(**changes) -> Data:
    return Data(train=("a",), dev="b", **changes)


def drawn(order) -> Counter[int]:
    return Counter(index for batch in order for unit in batch for index in unit)


@pytest.mark.parametrize("join", [0.0, 0.5, 1.0])
def test_an_epoch_shows_every_pair_once_whatever_is_joined(dataset, join):
    order = epoch(dataset, 1, data(join=join), 300)
    assert drawn(order) == Counter(range(len(MANY)))
    joined = sum(len(unit) == 2 for batch in order for unit in batch)
    assert (joined > 10) == (join > 0)


def test_weights_draw_a_share_or_several_copies(dataset):
    counts = drawn(epoch(dataset, 1, data(weights={"half": 0.3, "twice": 2.0}), 300))
    by_corpus = Counter(dict.fromkeys(("half", "twice", "once"), 0))
    for index, count in counts.items():
        by_corpus[dataset.examples[index].corpus] += count
    sizes = Counter(example.corpus for example in dataset.examples)
    assert by_corpus["once"] == sizes["once"]
    assert by_corpus["twice"] == 2 * sizes["twice"]
    assert by_corpus["half"] == pytest.approx(0.3 * sizes["half"], abs=10)
    assert 0 < by_corpus["half"] < sizes["half"]


@pytest.mark.parametrize("batch_tokens", [1, 60, 300])
def test_batches_keep_to_their_size_and_hold_texts_of_like_length(dataset, batch_tokens):
    for units in epoch(dataset, 1, data(join=0.3), batch_tokens):
        batch = dataset.batch(units)
        sources, targets = sides(batch)
        assert len(units) == 1 or max(map(len, targets)) * len(targets) <= batch_tokens
        assert len(units) == 1 or max(map(len, sources)) * len(units) <= batch_tokens + len(units)
        assert batch.target_tokens == sum(map(len, targets))


def test_a_batch_holds_what_its_pairs_say(dataset, tokenizer, config):
    batch = dataset.batch([(0,), (1, 2)])
    first, joined = MANY[0], (MANY[1], MANY[2])
    assert batch.asked.tolist() == [
        len(first.target),
        len(f"{joined[0].target} {joined[1].target}"),
    ]
    for row, source, target in (
        (0, first.source, first.target),
        (1, f"{joined[0].source} {joined[1].source}", f"{joined[0].target} {joined[1].target}"),
    ):
        tokens, labels = (side[row] for side in sides(batch))
        length_class = config.class_for(len(target) / len(source))
        assert tokens[0] == length_class.token_id
        assert tokens[-1] == labels[-1] == tokenizer.eos_id
        assert tokenizer.decode(tokens) == source
        assert tokenizer.decode(labels) == target


def test_a_class_may_begin_the_target_in_place_of_the_decoders_start(tokenizer):
    length = replace(RECIPE.length, class_side="target", encodings=())
    config = config_for(replace(RECIPE, length=length), tokenizer)
    pairs = [Pair("", "who is there", "wer ist da"), Pair("", "Yes.", "Natürlich.")]
    batch = Dataset(pairs, tokenizer, config, 128).batch([(0,), (1,)])
    (source, _), (labels, _) = sides(batch)
    fed = batch.target[: batch.target_bounds[1]].tolist()
    assert fed == [config.class_named("short").token_id, *labels[:-1]]
    assert not {one.token_id for one in config.classes} & {*source, *labels}
    model = Translator(Checkpoint("", tiny_model(tokenizer, length=length), tokenizer))
    asked = [Request("who is there", length_class=name) for name in ("short", "long")]
    short, long = model.translate(asked)
    assert [one.text for one in short] != [one.text for one in long]
    assert model.translate([Request("who is there", asked=30)]) == [long]


def test_noise_stays_in_its_window_and_uses_all_of_it(dataset):
    units = [(index,) for index in range(150)]
    exact = dataset.batch(units).asked
    shifts = dataset.batch(units, seed=3, noise=2).asked - exact
    assert set(shifts.tolist()) == {-2, -1, 0, 1, 2}
    counts = Counter(shifts.tolist())
    assert min(counts.values()) > 12
    assert torch.equal(dataset.batch(units, seed=3, noise=2).asked, exact + shifts)


def test_pairs_that_are_empty_or_too_long_for_the_model_are_left_out(tokenizer, config):
    pairs = [Pair("", "", "x"), Pair("", "x", ""), Pair("", "ж" * 40, "x"), Pair("", "x", "y")]
    kept = Dataset(pairs, tokenizer, config, 64)
    assert [example.source_characters for example in kept.examples] == [1]


VARIED = {"unpunctuated": 0.5, "emphasis": 0.3}


def shown(batch, tokenizer) -> list[tuple[str, str]]:
    return [
        (tokenizer.decode(source), tokenizer.decode(target))
        for source, target in zip(*sides(batch), strict=True)
    ]


def test_a_batch_shows_varied_texts_and_asks_for_their_lengths(tokenizer, config):
    dataset = Dataset(PAIRS, tokenizer, config, 128, Shown(VARIED))
    units = [*((index,) for index in range(20)), (20, 21)]
    batch = dataset.batch(units, seed=3)
    plain = Dataset(PAIRS, tokenizer, config, 128).batch(units)
    texts, wholes = shown(batch, tokenizer), shown(plain, tokenizer)
    changed = [(text, whole) for text, whole in zip(texts, wholes, strict=True) if text != whole]
    assert 5 < len(changed) < 20
    for text, whole in changed:
        unpunctuated = tuple(side[:-1] for side in whole)
        assert text == unpunctuated or [side.lower() for side in text] == [
            side.lower() for side in whole
        ]
    assert batch.characters.tolist() == [[len(one), len(other)] for one, other in texts]
    assert batch.asked.tolist() == [len(target) for _, target in texts]
    classes = [config.class_for(len(other) / len(one)).token_id for one, other in texts]
    assert [source[0] for source in sides(batch)[0]] == classes
    assert shown(dataset.batch(units, seed=3), tokenizer) == texts
    assert shown(dataset.batch(units, seed=4), tokenizer) != texts


def test_only_training_pairs_are_varied(tokenizer, config):
    recipe = replace(RECIPE, data=replace(RECIPE.data, variations={"stutter": 1.0}))
    units = [(index,) for index in range(30)]
    texts = [(pair.source, pair.target) for pair in PAIRS]
    dev = dataset_of(PAIRS, tokenizer, config, recipe)
    assert shown(dev.batch(units), tokenizer) == texts
    training = dataset_of(PAIRS, tokenizer, config, recipe, training=True)
    assert all(
        one != other
        for one, other in zip(shown(training.batch(units), tokenizer), texts, strict=True)
    )


def several(tokenizer: Tokenizer) -> ModelConfig:
    """The configuration of a model of two target languages."""
    files = {"de": ("a",), "it": ("b",)}
    data = Data(train=files, dev={"de": "a", "it": "b"})
    return config_for(replace(RECIPE, target_language=("de", "it"), data=data), tokenizer)


def test_tokens_for_language_and_class_stand_before_the_source(tokenizer):
    config = several(tokenizer)
    pairs = [Pair("", "who is there", "wer ist da", "de"), Pair("", "Yes.", "Sì.", "it")]
    dataset = Dataset(pairs, tokenizer, config, 128)
    source = sides(dataset.batch([(0,), (1,)]))[0]
    short = config.class_for(10 / 12).token_id
    tokens = config.language_tokens
    assert (source[0][:2], source[1][:2]) == ([tokens["de"], short], [tokens["it"], short])
    assert tokenizer.decode(source[0][2:]) == "who is there"
    assert dataset.batch([(0,)], free=1.0).source[0] == tokens["de"]


def test_known_forms_of_address_are_told_in_a_share_of_the_texts(tokenizer):
    recipe = replace(RECIPE, data=replace(RECIPE.data, formality=0.5))
    config = config_for(recipe, tokenizer)
    formal, informal = (config.formality_tokens[each] for each in ("formal", "informal"))
    pairs = [
        Pair("toy", "Can you help me?", "Können Sie mir helfen?"),
        Pair("toy", "Can you help me?", "Kannst du mir helfen?"),
        Pair("toy", "The door is open.", "Die Tür ist offen."),
    ]
    told = Counter()
    dataset = dataset_of(pairs, tokenizer, config, recipe, training=True)
    for seed in range(100):
        sources, _ = sides(dataset.batch([(0,), (1,), (2,)], seed=seed))
        for row, tokens in enumerate(sources):
            told.update((row, token) for token in tokens if token in (formal, informal))
    assert 35 < told[0, formal] < 65 and 35 < told[1, informal] < 65
    assert (0, informal) not in told and (1, formal) not in told
    assert 3 < told[2, formal] + told[2, informal] < 20  # where nobody is addressed it is no matter
    joined = sides(dataset.batch([(0, 1), (1, 2)], seed=1))[0]
    assert formal not in joined[0] and informal not in joined[0]  # which contradict each other


NUMBERED = tuple(Pair("", "a" * (number % 9 + 1), "b" * (number % 9 + 2)) for number in range(300))
"""Targets of 2 to 10 characters, and of 5 to 21 where two are joined."""


def test_no_text_that_is_joined_has_a_length_that_is_to_be_unseen(tokenizer, config):
    recipe = replace(RECIPE, data=replace(RECIPE.data, join=1.0, unseen_characters=(11, 15, 20)))
    dataset = dataset_of(NUMBERED, tokenizer, config, recipe, training=True)
    units = [unit for batch in epoch(dataset, 1, recipe.data, 300) for unit in batch]
    lengths = {int(length) for length in dataset.batch(units).asked}
    assert max(lengths) > 20  # they are joined all the same
    assert lengths & {10, 12, 14, 16, 19, 21} == {10, 12, 14, 16, 19, 21}
    assert not lengths & {11, 15, 20}
    assert drawn([units]) == Counter(range(len(NUMBERED)))


def test_batches_are_of_texts_that_are_as_long_as_they_are_shown(tokenizer, config):
    """One that stutters has more pieces: among others of its former length it would pad all."""
    dataset = Dataset(MANY, tokenizer, config, 128, Shown({"stutter": 0.3}))
    for units in epoch(dataset, 7, data(), 200):
        batch = dataset.batch(units, seed=3, drawn=7)
        targets = sides(batch)[1]
        assert max(map(len, targets)) * len(targets) <= 200
        again = dataset.batch(units, seed=4, drawn=7)
        assert shown(again, tokenizer) == shown(batch, tokenizer)
    texts = [
        text
        for units in epoch(dataset, 7, data(), 200)
        for text in shown(dataset.batch(units, drawn=7), tokenizer)
    ]
    stuttered = sum("-" in target for _, target in texts)
    assert 0.1 < stuttered / len(texts) < 0.5


LENGTHS = (10, 10, 10, 10, 14, 20)
"""Of the translations of one source; the others have one translation each."""
EXAMPLES = [
    *(Example("a", [5], [6], 8, length, "de", 0) for length in LENGTHS),
    *(Example("a", [5], [6], 8, 9, "de", group) for group in range(1, 10)),
]


def test_no_source_has_more_targets_than_allowed_and_the_others_have_theirs():
    for most in (1, 2, 5, 6, 9):
        drawn = draw(EXAMPLES, data(targets_per_source=most), random.Random(1))
        counts = Counter(EXAMPLES[index].group for index in drawn)
        assert counts == {0: min(most, 6), **dict.fromkeys(range(1, 10), 1)}
        assert len(set(drawn)) == len(drawn)


def test_targets_of_different_lengths_go_first():
    for seed in range(50):
        drawn = draw(EXAMPLES, data(targets_per_source=3), random.Random(seed))
        assert {EXAMPLES[index].target_characters for index in drawn[:3]} == {10, 14, 20}


def test_shares_of_languages_are_of_target_tokens():
    """Many entries of a dictionary do not count as so many sentences."""
    entries = [Example("ding", [5], [6], 8, 8, "de", group) for group in range(4000)]
    sentences = [
        Example("talks", [5] * 9, [6] * 9, 40, 40, language, 4000 + group)
        for group, language in enumerate(["de"] * 300 + ["it"] * 900)
    ]
    examples = [*entries, *sentences]
    languages = {"de": ("a",), "it": ("a",)}
    several = Data(
        train=languages,
        dev={"de": "b", "it": "b"},
        weights={"ding": 0.1},
        language_shares={"de": 3, "it": 1},
    )
    drawn = draw(examples, several, random.Random(1))
    tokens = Counter[str]()
    for index in drawn:
        tokens[examples[index].language] += len(examples[index].target) + 1
    assert tokens["de"] / tokens["it"] == pytest.approx(3, rel=0.05)
    assert tokens.total() == pytest.approx(400 * 2 + 1200 * 10, rel=0.02)
    corpora = Counter(examples[index].corpus for index in drawn if examples[index].language == "de")
    assert corpora["ding"] / corpora["talks"] == pytest.approx(400 / 300, rel=0.1)


SOURCE = "Nobody told me about the party."


def pair(target_characters: int, language: str = "de", source: str = SOURCE) -> Pair:
    return Pair("c", source, "x" * target_characters, language)


def test_short_is_measured_by_the_usual_length_of_the_language():
    long_language = [pair(40), pair(40), pair(40), pair(30)]
    short_language = [pair(20, "it"), pair(20, "it"), pair(20, "it"), pair(30, "it")]
    assert are_short([*long_language, *short_language], 0.85) == [False] * 3 + [True] + [False] * 4


def test_the_additional_times_have_a_length_signal(tokenizer, config):
    """Over an epoch a short pair goes without a signal as often as any other."""
    pairs = [Pair("c", f"{SOURCE} {number}", f"Kein Wort. {number}") for number in range(2000)]
    weighted = Dataset(pairs, tokenizer, config, 128, Shown(weights=[4.0] * len(pairs)))
    shown = [unit for batch in epoch(weighted, 1, data(), 4000) for unit in batch]
    assert len(shown) == 4 * len(pairs)
    free = (weighted.batch(shown, seed=1, free=0.4).asked == 0).sum()
    assert free == pytest.approx(0.4 * len(pairs), rel=0.1)


@pytest.mark.parametrize(
    ("text", "language", "foreign"),
    [
        ("Привет, Tom", "de", True),
        ("Größe XL", "de-AT", False),
        ("東京タワーへ", "ja", False),
        ("Seoul is big", "ko", True),
        ("서울", "ko", False),
        ("Здраво", "sr", False),
        ("Zdravo", "sr", False),
        ("whatever", "xx", False),  # its scripts are not known
    ],
)
def test_texts_in_another_script_are_told(text, language, foreign):
    scripts = scripts_of(language)
    assert (bool(scripts) and script_share(text, scripts) <= 0.5) == foreign


def test_labels_of_several_processes_are_those_of_one(monkeypatch):
    pairs = [Pair("", "Can you?", text, "de") for text in ("Können Sie?", "Kannst du?", "Ja.")]
    alone = formality_labels(pairs)
    assert alone == ["formal", "informal", None]
    monkeypatch.setattr("subfit.training.pairs.CHUNK", 1)
    assert formality_labels(pairs, "", 2) == alone
