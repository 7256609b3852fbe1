"""A converted model translates as the model does that it was made from.

Greedily: CTranslate2's beam search stops earlier than ours.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.contestants import Setting, start_ctranslate2, start_subfit
from benchmarks.ctranslate2_model import convert, library
from benchmarks.own_sentences import own_sentences
from tests.tiny import PAIRS

EN_MULTI = Path(__file__).parent.parent.parent / "models" / "en-multi"

pytestmark = pytest.mark.skipif(library() is None, reason="ctranslate2 is not installed")


def both(model: Path, language: str, folder: Path, texts: list[str]):
    convert(model, folder / "converted")
    setting = Setting(model, language, folder / "converted", beams=1, batch=16, threads=1)
    ours = start_subfit(setting)(texts)
    theirs = start_ctranslate2(setting, compute="float32")(texts)
    return ours, theirs


def test_the_tiny_model_translates_the_same(tiny_model_folder, tmp_path):
    texts = [pair.source for pair in PAIRS]
    ours, theirs = both(tiny_model_folder, "de", tmp_path, texts)
    assert ours == theirs
    assert len(set(ours)) > 20


@pytest.mark.slow
@pytest.mark.parametrize("language", ["de", "it"])
def test_the_shipped_model_translates_the_same_greedily(tmp_path, language):
    texts = own_sentences()[::9]
    ours, theirs = both(EN_MULTI, language, tmp_path, texts)
    assert ours == theirs
    assert len(texts) > 36
