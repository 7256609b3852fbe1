"""The lists of phrases are well written: whole, without contradictions, marked as they say."""

from __future__ import annotations

from collections import defaultdict
from importlib.resources import files

import pytest

from subfit.phrases.keys import key_of
from subfit.phrases.lists import PHRASES, phrase_table

LANGUAGES = ("en", "de", "es", "fr", "it")
NAMES = (*PHRASES, "vocatives")


def rows(name):
    content = files("subfit.phrases").joinpath(f"lists/{name}.tsv").read_text(encoding="utf-8")
    heading, *lines = content.splitlines()
    assert heading.split("\t") == list(LANGUAGES)
    return [line.split("\t") for line in lines]


@pytest.mark.parametrize("name", NAMES)
def test_every_line_says_it_in_every_language(name):
    for cells in rows(name):
        assert len(cells) == len(LANGUAGES) and all(cells), cells
        for cell in cells:
            assert all(way == way.strip() and way for way in cell.split(" | ")), cell


def test_no_english_phrase_stands_in_two_lines():
    lines = defaultdict(set)
    for name in PHRASES:
        for number, (english, *_) in enumerate(rows(name)):
            for way in english.split(" | "):
                written = way.removesuffix(",")
                lines[key_of(written, "en"), written.endswith("?")].add((name, number))
    assert {key: where for key, where in lines.items() if len(where) > 1} == {}


@pytest.mark.parametrize("name", PHRASES)
def test_translations_leave_marks_to_their_sources(name):
    for cells in rows(name):
        for cell in cells[1:]:
            for way in cell.split(" | "):
                forms = way.split(" ~ ")
                assert len(forms) <= 3, way
                assert not any(form.endswith((",", "?", "!", "…")) for form in forms), way


@pytest.mark.parametrize("name", PHRASES)
def test_strangers_are_told_politely_in_german(name):
    for cells in rows(name):
        for way in cells[1].split(" | "):
            _, *formal = way.split(" ~ ")
            familiar = {"du", "dich", "dir", "dein", "deine"}
            assert not (formal and familiar & set(formal[0].lower().split())), way


@pytest.mark.parametrize("source", LANGUAGES)
@pytest.mark.parametrize("target", LANGUAGES)
def test_all_pairs_are_known(source, target):
    table = phrase_table(source, target)
    if source == target:
        assert table is None
    else:
        assert table is not None
        assert len(table.phrases) > 800 and len(table.questions) > 150


def test_others_are_not():
    assert phrase_table("en", "ja") is None
    assert phrase_table("cs", "en") is None
