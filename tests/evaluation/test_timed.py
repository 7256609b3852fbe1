"""Subtitle files against one of the same film: SubER as its authors compute it."""

from __future__ import annotations

import pytest

from subfit.errors import UsageError
from subfit.evaluation.timed import measure_subtitles

HUMAN = """\
1
00:00:01,000 --> 00:00:03,000
The ship comes
back tomorrow.

2
00:00:03,100 --> 00:00:05,000
Nobody sees it.

3
00:00:09,000 --> 00:00:11,000
Good night, <i>Anna</i>.
"""
OURS = """\
1
00:00:01,000 --> 00:00:04,000
The ship comes back
tomorrow. Nobody

2
00:00:04,100 --> 00:00:05,000
sees a boat.

3
00:00:09,500 --> 00:00:11,500
Good night, Anna.
"""
SUBER, CASED = 26.667, 21.053


@pytest.fixture
def files(tmp_path):
    for name, text in {"human.srt": HUMAN, "ours.srt": OURS, "same.srt": HUMAN}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {"ours": str(tmp_path / "ours.srt"), "same": str(tmp_path / "same.srt")}


def test_suber_is_that_of_the_authors_program(files, tmp_path):
    pytest.importorskip("suber")
    test, (ours, same) = measure_subtitles(tmp_path / "human.srt", files, (), "same", 100)
    # `suber -H ours.srt -R human.srt --metrics SubER SubER-cased`, 0.4.0
    assert ours.evaluation.value("SubER") == pytest.approx(SUBER, abs=0.001)
    assert ours.evaluation.value("SubER-cased") == pytest.approx(CASED, abs=0.001)
    assert same.evaluation.value("SubER") == 0
    assert same.evaluation.value("break F1") == 100 == same.evaluation.value("BLEU").__round__()
    assert ours.differences["SubER"].value == pytest.approx(SUBER, abs=0.001)
    assert "LC IWSLT" not in ours.evaluation.figures  # there are no sources
    assert [text.count("<eob>") for text in test.references] == [2, 1]


def test_a_model_is_not_measured_against_subtitles(files, tmp_path):
    with pytest.raises(UsageError, match="only subtitle files"):
        measure_subtitles(tmp_path / "human.srt", {"en-multi": "en-multi"})
