"""Memories: what is stored comes back, exact and fuzzy."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError, OutputFileError
from subfit.memory.recall import Guiding, Memories, open_memories
from subfit.memory.store import (
    NEARLY,
    Added,
    Entry,
    Languages,
    Match,
    Memory,
    create,
    extend,
    match_class,
    similarity,
    words_and_marks,
)

GERMAN = Languages("en", "de")
ENTRIES = [
    Entry("The lamp is out.", "Die Lampe ist aus.", "one"),
    Entry("The lamp is out again.", "Die Lampe ist wieder aus.", "one"),
    Entry("Who lit the fire?", "Wer hat das Feuer gemacht?", "one"),
]


def test_an_exact_match_is_word_for_word_but_for_quotes_and_spaces() -> None:
    memory = Memory.of([Entry("Don’t  go.", "Geh nicht.")], GERMAN)
    assert [entry.target for entry in memory.exact("Don't go.")] == ["Geh nicht."]
    assert memory.exact("don't go.") == ()


def test_the_translation_added_last_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "season.memory"
    assert create(path, ENTRIES, GERMAN) == Added(3, 0)
    later = Entry("The lamp is out.", "Das Licht ist aus.", "two")
    assert extend(path, [later]) == Added(1, 0)
    assert [entry.target for entry in Memory.open(path).exact("The lamp is out.")] == [
        "Das Licht ist aus.",
        "Die Lampe ist aus.",
    ]
    assert extend(path, [ENTRIES[0]]) == Added(0, 1)
    memory = Memory.open(path)
    assert memory.exact("The lamp is out.")[0].target == "Die Lampe ist aus."
    assert len(memory) == 4
    assert memory.languages == GERMAN


def test_fuzzy_matches_are_ranked_by_the_words_that_differ() -> None:
    memory = Memory.of(ENTRIES, GERMAN)
    matches = memory.similar("The lamp is out.", least=0.4)
    assert [match.entry.source for match in matches] == [
        "The lamp is out.",
        "The lamp is out again.",
    ]
    assert [match.similarity for match in matches] == [1.0, pytest.approx(1 - 1 / 6)]
    assert [match.match_class for match in matches] == ["100 %", "75–84 %"]
    assert memory.similar("The lamp is out.", least=0.9) == matches[:1]
    assert memory.similar("The lamp is out.", most=1) == matches[:1]
    assert memory.similar("Quite another thing") == ()


@pytest.mark.parametrize("text", ['a "quoted" word', "NEAR AND OR NOT", "x* (y) ^z", "", "…", "'"])
def test_no_text_is_taken_for_a_query_of_the_database(text: str) -> None:
    memory = Memory.of([*ENTRIES, Entry(text or "x", "y")], GERMAN)
    memory.similar(text)
    assert memory.exact(text) or not text


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "season.memory"
    create(path, ENTRIES, GERMAN)
    with pytest.raises(OutputFileError, match="--overwrite"):
        create(path, [], GERMAN)
    assert len(Memory.open(path)) == 3


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + bytes(200)])
def test_a_damaged_memory_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "season.memory"
    path.write_bytes(content)
    with pytest.raises(InputFileError, match="subfit memory build") as caught:
        len(Memory.open(path))
    assert "\n" not in str(caught.value)
    with pytest.raises(InputFileError):
        extend(path, ENTRIES)
    assert path.read_bytes() == content


def test_words_and_marks_are_counted_in_small_letters() -> None:
    assert words_and_marks("Don’t go, Mr. Bell!") == ["don't", "go", ",", "mr", ".", "bell", "!"]


@pytest.mark.parametrize(
    ("one", "other", "like"),
    [
        ("Go on.", "Go  on.", 1.0),
        ("“Go on.”", '"Go on."', 1.0),
        ("Go on.", "go on.", NEARLY),
        ("The boat is red.", "The boat is blue.", 0.8),
        ("Yes", "No", 0.0),
    ],
)
def test_similarity_is_one_less_the_share_of_edits(one: str, other: str, like: float) -> None:
    assert similarity(one, other) == pytest.approx(like)
    assert similarity(other, one) == pytest.approx(like)


ONE = Memory.of([Entry("Light the stove.", "Mach den Ofen an.", "one")], GERMAN)
TWO = Memory.of(
    [
        Entry("Light the stove.", "Heiz den Ofen an.", "two"),
        Entry("Light the stove and wait.", "Heiz den Ofen an und warte.", "two"),
    ],
    GERMAN,
)


def test_the_memory_named_last_is_preferred_and_the_same_text_stands_alone() -> None:
    recall = Memories([ONE, TWO]).recall("Light the stove.")
    assert [entry.origin for entry in recall.exact] == ["two", "one"]
    assert recall.similar == tuple(Match(entry, 1.0) for entry in recall.exact)


def test_like_texts_of_all_memories_come_best_first() -> None:
    recall = Memories([ONE, TWO]).recall("Light the stove and go.")
    assert recall.exact == ()
    assert [round(match.similarity, 2) for match in recall.similar] == [0.83, 0.67, 0.67]
    assert recall.best is not None and recall.best.match_class == "75–84 %"
    assert len(Memories([ONE, TWO]).recall("Light the stove and go.", Guiding(most=1)).similar) == 1
    assert Memories([ONE, TWO]).recall("Something else.").best is None


@pytest.mark.parametrize(
    ("similarity", "name"),
    [
        (1.0, "100 %"),
        (0.99, "95–99 %"),
        (0.95, "95–99 %"),
        (0.949, "85–94 %"),
        (0.85, "85–94 %"),
        (0.75, "75–84 %"),
        (0.5, "50–74 %"),
        (0.499, "no match"),
        (0.0, "no match"),
    ],
)
def test_match_classes_are_those_of_cat_tools(similarity: float, name: str) -> None:
    assert match_class(similarity) == name


def test_what_follows_a_like_source_is_worth_less_the_less_alike_it_is() -> None:
    guiding = Guiding(unigram=4.0, longer=2.0, sharpness=2.0)
    assert (guiding.reward(1, 0.5), guiding.reward(3, 0.5)) == (1.0, 0.5)
    assert Guiding(unigram=3.5, longer=4.0, sharpness=1.0).reward(2, 0.5) == 2.0


def test_a_changed_file_is_read_again_and_other_languages_are_passed_over(tmp_path: Path) -> None:
    pairs, memory = tmp_path / "old.tsv", tmp_path / "old.memory"
    pairs.write_text("one\teins\n", encoding="utf-8")
    create(memory, [Entry("two", "deux")], Languages("en", "fr"))
    names = (str(pairs), str(memory))
    assert len(open_memories(names, GERMAN)) == 1
    assert open_memories(names, GERMAN) is open_memories(names, GERMAN)
    assert len(open_memories(names, Languages("en-GB", "fr-CA"))) == 2
    pairs.write_text("one\teins\ntwo\tzwei\n", encoding="utf-8")
    assert len(open_memories(names, GERMAN)) == 2
    with pytest.raises(InputFileError, match=r"none\.tmx: cannot be read"):
        open_memories((str(tmp_path / "none.tmx"),), GERMAN)
