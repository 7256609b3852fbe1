"""Pairs that are left out, each for its reason."""

from __future__ import annotations

import pytest

from tests.training.data.test_selection import load, targets


def test_short_and_untranslated_pairs_are_left_out_on_request(tmp_path):
    rows = ["games\tOk, go!\tok go", "games\tNo.\tNein.", "games\t...\t…", "games\tHello\tHallo"]
    assert len(load(tmp_path, rows).pairs) == 4
    corpus = load(tmp_path, rows, min_characters=4, untranslated=False)
    assert targets(corpus) == ["Hallo"]
    assert corpus.left_out == {"untranslated": 1, "shorter than 4 characters": 2}


def test_lengths_that_are_to_be_unseen_are_left_out(tmp_path):
    rows = ["a\tHello.\tHallo.", "a\tHi.\tHallo!!", "a\tWell.\tGut!", "a\tYes.\tJa."]
    corpus = load(tmp_path, rows, unseen_characters=(6, 4))
    assert targets(corpus) == ["Hallo!!", "Ja."]
    assert corpus.left_out == {"of a length to be unseen": 2}


def test_text_in_another_script_is_left_out(tmp_path):
    rows = [
        "a\tThe word is мир here.\tDas Wort ist hier мир.",
        "a\tHello there.\tПривет.",
        "a\tПривет.\tHallo.",
        "a\t1999\t1999",
    ]
    corpus = load(tmp_path, rows, scripts=True)
    assert targets(corpus) == ["Das Wort ist hier мир.", "1999"]
    assert corpus.left_out == {"target in another script": 1, "source in another script": 1}
    assert corpus.unfiltered == ()


ROWS = [
    "games\tHello!\tHallo!",
    "games\tHello!\tHallo!",
    "law\tHello!\tHallo!",
    "games\thello\tHALLO.",
    "games\tHello.\tGuten Tag.",
]


@pytest.mark.parametrize(
    ("dedup", "kept"),
    [
        ("none", ["Hallo!", "Hallo!", "Hallo!", "HALLO.", "Guten Tag."]),
        ("pairs", ["Hallo!", "Hallo!", "HALLO.", "Guten Tag."]),
        ("near", ["Hallo!", "Guten Tag."]),
        ("sources", ["Hallo!"]),
    ],
)
def test_what_counts_as_a_duplicate_is_for_the_recipe_to_say(tmp_path, dedup, kept):
    corpus = load(tmp_path, ROWS, dedup=dedup)
    assert targets(corpus) == kept
    assert corpus.left_out.get("duplicate", 0) == len(ROWS) - len(kept)


def test_texts_of_punctuation_alone_are_no_duplicates_of_each_other(tmp_path):
    assert len(load(tmp_path, ["?\t?", "!\t!", "…\t..."], dedup="near").pairs) == 3


@pytest.mark.parametrize(
    ("source", "target", "damaged"),
    [
        ("role", "Rolle (Theater", True),
        ("Sagittarius", "Sternzeichen)", True),
        ("chamber (of commerce)", "Kammer (Handel)", False),
        ("a) yes, b) no", "a) ja, b) nein", False),
        ("vascular", "Gefäß...", True),
        ("I see...", "Ach so...", False),
        ("and so on", "und so weiter ...", False),
        ("travelog", "GAP!", True),
    ],
)
def test_damaged_pairs_are_left_out_on_request(tmp_path, source, target, damaged):
    rows = ["a\tHello.\tHallo.", f"a\t{source}\t{target}"]
    assert len(load(tmp_path, rows).pairs) == 2
    assert load(tmp_path, rows, damaged=False).left_out == ({"damaged": 1} if damaged else {})
