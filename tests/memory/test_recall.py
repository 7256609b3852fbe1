"""Several memories asked together, and how they are opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError
from subfit.memory.recall import Guiding, Memories, open_memories
from subfit.memory.store import Entry, Languages, Match, Memory, create, match_class

GERMAN = Languages("en", "de")
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
