"""Translations ranked by how well a second model gives their sources back, at several weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.channel import Made, main, shown, translated
from subfit.decoding.translator import Translator
from subfit.evaluation.corpus import Pair
from tests.tiny import PAIRS, write_pairs


@pytest.fixture
def both(tiny_model_folder: Path) -> Translator:
    back = Translator.load(tiny_model_folder)
    return Translator(back.checkpoint, channel=back.as_channel())


def test_without_a_weight_there_is_no_channel_model(both: Translator, monkeypatch) -> None:
    read: list[str] = []
    channel_of = Translator.channel_of

    def watched(self, sources, nbest):
        if self.channel is not None:
            read.extend(sources)
        return channel_of(self, sources, nbest)

    monkeypatch.setattr(Translator, "channel_of", watched)
    plain = translated(both, PAIRS[:2], "natural", "0")
    assert not read and both.channel is not None
    alone = translated(Translator(both.checkpoint), PAIRS[:2], "natural", "0")
    assert plain.texts == alone.texts
    translated(both, PAIRS[:2], "natural", "1")
    assert set(read) == {pair.source for pair in PAIRS[:2]}


def test_lines_that_changed_are_shown() -> None:
    pairs = [Pair("", "a", "b"), Pair("", "c", "d")]
    made, plain = Made(["x", "y"], 1.0), Made(["x", "z"], 1.0)
    (one,) = shown(pairs, made, plain, 9)
    assert one.split() == ["c", "reference", "d", "without", "z", "with", "y"]


def test_figures_of_every_weight(tiny_model_folder: Path, tmp_path: Path, capsys) -> None:
    file = write_pairs(tmp_path / "toy.tsv", PAIRS[:4])
    folder = str(tiny_model_folder)
    arguments = [
        "-t",
        "de",
        "--weights",
        "0",
        "5",
        "--asked-for",
        "natural",
        "−30 %",
        "--show",
        "3",
    ]
    main([folder, folder, str(file), *arguments])
    out = capsys.readouterr().out
    for name in ("natural", "−30 %"):
        rows = [line for line in out.splitlines() if line.startswith(f"| {name}")]
        assert [row.split("|")[2].strip() for row in rows] == ["0", "5"]
        assert rows[0].split("|")[8].strip() == "0"
    assert "−30 %, weight 5" in out
