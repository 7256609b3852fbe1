"""Which pairs are trained on, and that everything else is counted by its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from subfit.errors import InputFileError, RecipeError
from subfit.evaluation.corpus import Pair
from subfit.training.data.selection import Corpus, describe_data, load_corpus, load_dev
from subfit.training.recipe.data import Data


def load(folder: Path, rows: list[str], **changes) -> Corpus:
    (folder / "a.tsv").write_text("\n".join(rows), encoding="utf-8")
    data = Data(root=str(folder), train=("a.tsv",), dev="a.tsv", **changes)
    return load_corpus(data, "en", "de")


def targets(corpus: Corpus) -> list[str]:
    return [pair.target for pair in corpus.pairs]


def test_pairs_that_teach_nothing_are_left_out_and_counted(tmp_path):
    rows = [
        "games\tHello.\tHallo.",
        "games\tHello.\tHallo.",
        "games\tHello.\tHalli.",
        "law\tHello.\tHallo!",
        "games\t\tHallo.",
        "games\tHello.\t ",
        f"games\t{'a' * 41}\t{'b' * 41}",
        f"games\tabc\t{'b' * 20}",
        f"games\tabc\t{'b' * 19}",
    ]
    (tmp_path / "a.tsv").write_text("\n".join(rows), encoding="utf-8")
    data = Data(
        root=str(tmp_path),
        train=("a.tsv",),
        dev="a.tsv",
        weights={"law": 0.0},
        max_characters=40,
        max_ratio=3.0,
    )
    corpus = load_corpus(data)
    assert [pair.target for pair in corpus.pairs] == ["Hallo.", "Halli.", "b" * 19]
    assert corpus.left_out == {
        "duplicate": 1,
        "corpus law has weight 0": 1,
        "empty side": 2,
        "longer than 40 characters": 1,
        "sides differ by more than 3 times": 1,
    }


@pytest.mark.parametrize("content", ["", "a\t\n\t\n"])
def test_nothing_to_train_on_is_an_error(tmp_path, content):
    (tmp_path / "a.tsv").write_text(content)
    with pytest.raises(RecipeError, match="no pairs to train on"):
        load_corpus(Data(root=str(tmp_path), train=("a.tsv",), dev="a.tsv"))


def test_a_language_whose_scripts_are_unknown_is_not_filtered_and_that_is_said(tmp_path):
    (tmp_path / "a.tsv").write_text("Hello\tПривет\nПривет\tHello\n", encoding="utf-8")
    data = Data(root=str(tmp_path), train=("a.tsv",), dev="a.tsv", scripts=True)
    corpus = load_corpus(data, "en", "tlh")
    assert targets(corpus) == ["Привет"]
    assert "no script is known for 'tlh': not filtered by it" in describe_data(corpus, [])
    assert corpus.to_dict()["not_filtered_by_script"] == ["tlh"]


LOWERCASED = [
    "cased\tWe met Anna in May.\tWir trafen Anna im Mai.",
    "cased\tToday I saw Anna.\tHeute sah ich Anna.",
    "lc\ti saw anna. in may.\tich sah anna. im mai.",
]


def test_lowercased_corpora_are_dropped_recased_or_tagged(tmp_path):
    dropped = load(tmp_path, LOWERCASED, lowercased={"lc": "drop"})
    assert dropped.left_out == {"corpus lc is lower-cased": 1}
    recased = load(tmp_path, LOWERCASED, lowercased={"lc": "recase"})
    assert recased.pairs[2] == Pair("lc", "I saw Anna. In May.", "Ich sah Anna. Im Mai.")
    assert recased.recased == 1
    tagged = load(tmp_path, LOWERCASED, lowercased={"lc": "tag"})
    assert tagged.pairs[2] == Pair("lc", "i saw anna. in may.", "ich sah anna. im mai.")
    assert tagged.tagged == 1
    assert "1 tagged as lower-cased" in describe_data(tagged, [])


def test_several_targets_of_a_source_are_counted_with_their_spread(tmp_path):
    rows = ["a\tGo\tGeh", "a\tGo\tGeh schon", "a\tYes\tJa", "a\tNo\tNein", "a\tNo\tNö!!"]
    corpus = load(tmp_path, rows)
    several = corpus.variants
    assert (several.sources, several.several, several.most) == (3, 2, 2)
    assert several.mean == pytest.approx(5 / 3, abs=1e-4)
    assert several.spread == 2.0  # of 9/3 and 4/4
    said = describe_data(corpus, corpus.pairs[:1])
    assert said.startswith("5 pairs to train on, 1 to validate on")
    assert "2 of 3 sources have several translations, the longest 2.00 times the" in said


@pytest.fixture
def two_languages(tmp_path: Path) -> Data:
    (tmp_path / "de.tsv").write_text("Hello\tHallo\n", encoding="utf-8")
    (tmp_path / "ru.tsv").write_text("Hello\tПривет\nHello\tHallo\n", encoding="utf-8")
    return Data(
        root=str(tmp_path),
        train={"de": ("de.tsv",), "ru": ("ru.tsv",)},
        dev={"de": "de.tsv", "ru": "ru.tsv"},
        scripts=True,
        dedup="sources",
    )


def test_every_language_has_its_files_its_script_and_its_duplicates(two_languages):
    corpus = load_corpus(two_languages, "en")
    assert corpus.pairs == (Pair("", "Hello", "Hallo", "de"), Pair("", "Hello", "Привет", "ru"))
    assert corpus.left_out == {"target in another script": 1}
    assert corpus.to_dict()["languages"] == {"de": 1, "ru": 1}
    assert [pair.language for pair in load_dev(two_languages)] == ["de", "ru", "ru"]


def test_a_language_without_pairs_is_named(two_languages, tmp_path):
    (tmp_path / "ru.tsv").write_text("Hello\tHallo\n", encoding="utf-8")
    with pytest.raises(RecipeError, match=r"data\.train\.ru has no pairs"):
        load_corpus(two_languages, "en")
    (tmp_path / "ru.tsv").write_text("Hello\t\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"ru\.tsv: no sentence pairs"):
        load_dev(two_languages)


def test_pairs_that_are_named_are_left_out(tmp_path):
    (tmp_path / "drop.tsv").write_text("games\tHello.\tHalli.\n", encoding="utf-8")
    rows = ["games\tHello.\tHallo.", "games\tHello.\tHalli.", "law\tHello.\tHalli."]
    corpus = load(tmp_path, rows, drop=("drop.tsv",))
    assert targets(corpus) == ["Hallo."]
    assert corpus.left_out == {"named in data.drop": 2}
