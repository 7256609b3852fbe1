"""Fitted translations chosen by how well a second model gives their sources back."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.round_trips import GivingBack, given_back, main
from subfit.decoding.hypotheses import Hypothesis
from subfit.decoding.translator import Translator
from subfit.model.checkpoint import load_checkpoint
from tests.tiny import PAIRS, write_pairs

SOURCE, RIGHT, WRONG = "Wer ist da?", "Who is there?", "I hear music."


@pytest.fixture(scope="module")
def back(tiny_model_folder: Path) -> Translator:
    return Translator.load(tiny_model_folder)


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path, back: Translator) -> GivingBack:
    found = GivingBack(load_checkpoint(str(tiny_model_folder)))
    found.back = back
    return found


def test_what_is_no_translation_gives_its_source_back_worse(back: Translator) -> None:
    right, wrong, endless = given_back(
        back, [(SOURCE, RIGHT), (SOURCE, WRONG), (SOURCE, "word " * 4000)]
    )
    assert right > wrong + 1 and endless == wrong
    assert given_back(back, [(SOURCE, "word " * 4000)]) == [0.0]


def test_ratings_weigh_what_is_given_back(translator: GivingBack) -> None:
    nbest = [[Hypothesis(text, float(len(text)), 0.0, 0.0) for text in (WRONG, RIGHT)]]
    translator.weight = 0.0
    (plain,) = translator.rate([SOURCE], nbest)
    assert plain == Translator.rate(translator, [SOURCE], nbest)[0]
    translator.weight = 2.0
    (rated,) = translator.rate([SOURCE], nbest)
    gains = [one.score - before.score for one, before in zip(rated, plain, strict=True)]
    means = given_back(translator.back, [(SOURCE, WRONG), (SOURCE, RIGHT)])
    assert gains == pytest.approx([2.0 * mean for mean in means])
    translator.weight = 0.0


def test_figures_of_every_weight_and_the_lines_that_changed(
    tiny_model_folder: Path, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr("benchmarks.round_trips.check_back_model", lambda *_: None)
    monkeypatch.setattr(
        "benchmarks.round_trips.load_translator",
        lambda *_, **__: Translator.load(tiny_model_folder),
    )
    file = write_pairs(tmp_path / "toy.tsv", PAIRS[:6])
    folder = str(tiny_model_folder)
    main([folder, folder, str(file), "--weights", "0", "5", "--asked-for", "−30 %", "--show", "3"])
    out = capsys.readouterr().out
    rows = [line for line in out.splitlines() if line.startswith("| −30 %")]
    assert [row.split("|")[2].strip() for row in rows] == ["0", "5"]
    assert rows[0].rstrip(" |").endswith("| 0")
    assert "−30 %, weight 5" in out
