"""What a recipe may say of its data and its vocabulary."""

from __future__ import annotations

import pytest

from subfit.training.recipe.data import Data
from tests.training.recipes import refusal


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("data.train=[]", "data.train must name at least one file"),
        ("data.train=file.tsv", 'data.train must be a list or a mapping, not "file.tsv"'),
        ("data.dev=''", "data.dev must name a file"),
        ("data.weights={a: -1}", "data.weights.a must be greater than or equal to 0, not -1"),
        ("data.short_weight=0.5", "data.short_weight must be greater than or equal to 1"),
        ("data.short_ratio=0", "data.short_ratio must be greater than 0"),
        ("data.join=2", "data.join must be less than or equal to 1, not 2"),
        (
            "data.variations={fragments: 0.1}",
            "data.variations.fragments must be 'unpunctuated', 'fragment', 'ellipsis'",
        ),
        ("data.variations={fragment: -0.1}", "greater than or equal to 0"),
        ("data.variations={fragment: 0.6, ellipsis: 0.6}", "1 or less together"),
        ("vocabulary.type=words", "vocabulary.type must be 'unigram', 'bpe' or 'char'"),
        ("data={train: {de: [a], it: [b]}, dev: {de: a}}", "must be for the same languages"),
        ("data={train: {de: []}, dev: {de: a}}", "data.train must name at least one file"),
        ("data.language_weights={it: 2}", "for languages that data.train has files for"),
        (
            "data={train: {de: [a], it: [b]}, dev: {de: a, it: b}, language_shares: {de: 1}}",
            "data.language_shares must be for the languages that data.train has files for, for all",
        ),
        (
            "data={train: {de: [a]}, dev: {de: a}, language_shares: {de: 1}, temperature: 5}",
            "data.language_weights and data.temperature would change nothing",
        ),
        ("data.temperature=5", "needs several target languages to draw from"),
        ("data.min_characters=500", "data.min_characters=500 is more than data.max_characters=400"),
        ("data={dedup: sources, targets_per_source: 2}", "has nothing to draw from"),
        ("vocabulary={type: char, sampling: 0.1}", "can be cut in one way only"),
        ("vocabulary.target_pieces=500", "needs vocabulary.target_type"),
        ("vocabulary={file: a.model, target_type: char}", "one vocabulary for both sides"),
    ],
)
def test_impossible_values_are_refused(written, override, problem):
    assert problem in refusal(written, override)


def test_files_come_with_the_languages_that_they_are_named_for():
    several = Data(train={"de": ("a", "b"), "it": ("c",)}, dev={"de": "d", "it": "e"})
    assert several.languages == ("de", "it")
    assert several.train_files == (("de", "a"), ("de", "b"), ("it", "c"))
    assert several.dev_files == (("de", "d"), ("it", "e"))
    one = Data(train=("a", "b"), dev="d")
    assert (one.languages, one.dev_files) == ((), (("", "d"),))
    assert one.train_files == (("", "a"), ("", "b"))


def test_only_tagged_corpora_are_told_to_be_of_lower_case():
    ways = {"films": "tag", "news": "recase", "web": "drop", "talks": "tag"}
    assert Data(train=("a",), dev="d", lowercased=ways).tagged == {"films", "talks"}
