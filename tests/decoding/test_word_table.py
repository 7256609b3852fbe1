"""What a lexical table of pieces says of words."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from subfit.decoding.translator import Translator
from subfit.decoding.word_table import WordTable
from subfit.model.lexicon import LexicalTable
from subfit.model.tokenizer import Tokenizer, TokenizerPair
from subfit.text.alignment import words_of


def table_of(
    tokenizer: Tokenizer, translations: dict[str, dict[str, float]], common: str = ""
) -> LexicalTable:
    """A table in which words' first pieces become the first pieces of others.

    Args:
        tokenizer: Spells the words.
        translations: The probability of each translation of each word.
        common: A word that is half of all text.
    """
    known = {
        tokenizer.encode(word)[0]: {tokenizer.encode(other)[0]: p for other, p in own.items()}
        for word, own in translations.items()
    }
    offsets, targets, probabilities = [0], [], []
    for piece in range(len(tokenizer.piece_texts)):
        for target, probability in known.get(piece, {}).items():
            targets.append(target)
            probabilities.append(probability)
        offsets.append(len(targets))
    counts = torch.ones(len(tokenizer.piece_texts), dtype=torch.int64)
    if common:
        counts[tokenizer.encode(common)[0]] = len(tokenizer.piece_texts)
    return LexicalTable(
        torch.tensor(offsets), torch.tensor(targets), torch.tensor(probabilities), counts
    )


def scores(table: WordTable, source: str, target: str) -> list[list[float]]:
    return table.scores(source, words_of(source), target, words_of(target))


def best(rows: list[list[float]]) -> list[int | None]:
    """Per source word the target word that is likeliest, None if none is likely."""
    return [max(range(len(row)), key=row.__getitem__) if max(row) else None for row in rows]


def test_words_are_told_by_their_pieces(tokenizer: Tokenizer) -> None:
    table = table_of(
        tokenizer, {"the": {"der": 0.4, "die": 0.3}, "ship": {"Schiff": 0.9}, "is": {"ist": 0.8}}
    )
    rows = scores(WordTable(table, tokenizer), "the ship is", "ist der Schiff")
    assert best(rows) == [1, 2, 0]
    assert all(0 <= value <= 1 for row in rows for value in row)


def test_a_capital_at_the_beginning_changes_nothing(tokenizer: Tokenizer) -> None:
    table = WordTable(table_of(tokenizer, {"the": {"der": 0.4}}), tokenizer)
    assert best(scores(table, "The ship", "der Sturm"))[0] == 0
    assert best(scores(table, "THE SHIP", "der Sturm"))[0] == 0


def test_what_is_everywhere_tells_nothing(tokenizer: Tokenizer) -> None:
    translations = {"ship": {"der": 0.6}}
    rare = WordTable(table_of(tokenizer, translations), tokenizer)
    assert scores(rare, "ship", "der")[0][0] > 0.5
    common = WordTable(table_of(tokenizer, translations, common="der"), tokenizer)
    assert scores(common, "ship", "der") == [[0.0]]


def test_the_bundled_model_finds_words_wherever_they_stand_and_needs_one_vocabulary(en_multi):
    table = Translator(en_multi, target_language="de").word_scores
    assert table is not None
    rows = scores(table, "Tomorrow the old house burns", "Das alte Haus brennt morgen")
    assert best(rows) == [4, 0, 1, 2, 3]
    apart = replace(en_multi, tokenizer=TokenizerPair(en_multi.tokenizer, en_multi.tokenizer))
    assert Translator(apart, target_language="de").word_scores is None


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("the ship", "das Schiff"),
        ("THE SHIP", "DAS SCHIFF"),
        ("“The ship”", "„Schiff“"),
    ],
)
def test_nouns_are_known_behind_quotation_marks_and_shouted(tokenizer, source, target) -> None:
    table = WordTable(table_of(tokenizer, {"ship": {"Schiff": 0.9}}), tokenizer)
    rows = scores(table, source, target)
    assert best(rows)[-1] == len(words_of(target)) - 1
