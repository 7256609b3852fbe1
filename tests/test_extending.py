"""The code of docs/extending.md does what it says."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

import subfit
from subfit.model import config, length
from subfit.model.config import LengthEncoding, ModelConfig
from subfit.subtitles import cues, formats
from subfit.training.folder import read_log

from .places import ROOT
from .scripted import ScriptedTranslator
from .tiny import write_pairs

SECTIONS = {
    part.splitlines()[0]: "".join(re.findall(r"```python\n(.*?)```", part, re.DOTALL))
    for part in (ROOT / "docs" / "extending.md").read_text(encoding="utf-8").split("\n## ")
}
MPL = """\
[10][25]- Who is it?|- Me.
[30][51]A & B <i>
"""


def test_a_format_is_registered_in_one_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("movie.mpl").write_text(MPL, encoding="utf-8")
    try:
        exec(SECTIONS["A subtitle format"], {})
        assert Path("copy.mpl").read_text(encoding="utf-8") == MPL
        assert "00:00:03,000 --> 00:00:05,100\nA & B &lt;i>" in Path("movie.srt").read_text("utf-8")
        translator = ScriptedTranslator(
            {"Who is it?": "Wer ist da?", "Me.": "Ich.", "A & B": "A und B"}
        )
        guideline = subfit.Guideline.load("netflix", "de")
        done = subfit.localize(subfit.read_track("movie.mpl"), translator, guideline)  # type: ignore[arg-type]
        assert [cue.text for cue in done.track.cues] == ["- Wer ist da?\n- Ich.", "A und B <i>"]
    finally:
        cues.FORMATS.pop("mpl", None)
        formats.FORMAT_OF_SUFFIX.pop(".mpl", None)


def test_an_encoding_is_registered_trained_and_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(length, "ENCODINGS", {**length.ENCODINGS})
    others: list[str] = []
    for module in (config, length):
        monkeypatch.setattr(module, "OTHER_ENCODINGS", others)
    write_pairs(Path("pairs.tsv"))
    names: dict[str, Any] = {}
    exec(SECTIONS["A length encoding"], names)
    emitted, tokens = length.torch.tensor([[0, 3, 7]]), length.torch.tensor([[0, 1, 2]])
    signal = length.LengthSignal(ModelConfig(d_model=8, vocab_size=4, length_encodings=["log"]))
    added = signal(length.torch.tensor([12]), emitted, tokens, length.torch.zeros(1, 3, 8))
    left = length.torch.log1p(length.Tensor([[12, 9, 5]]))
    assert added.allclose(length.sinusoid(100 * left, 8))
    trained = names["model"].length_signal
    assert trained.encodings == ("log",)
    losses = [entry["loss"] for entry in read_log(Path("runs/log")).values() if "loss" in entry]
    assert losses[-1] < losses[0]
    assert (names["short"].text, names["short"].log_probability) != (
        names["long"].text,
        names["long"].log_probability,
    )
    others.clear()
    length.ENCODINGS.pop("log")
    with pytest.raises(
        subfit.ModelError, match=r"length_encodings is .*, where a list of known encodings"
    ):
        subfit.Translator.load("models/log")


def test_a_score_processor_is_one_class(tiny_model_folder, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("model").symlink_to(tiny_model_folder)
    names: dict[str, Any] = {}
    exec(SECTIONS["A score processor"], names)
    assert names["nbest"]
    for hypothesis in names["nbest"]:
        assert len(set(hypothesis.token_ids)) == len(hypothesis.token_ids)


def test_all_encodings_have_a_function() -> None:
    assert tuple(length.ENCODINGS) == get_args(LengthEncoding)


def test_an_encoding_of_an_installed_package_is_found_by_its_name(tmp_path, monkeypatch):
    """As the command line needs it: nobody has called `register_encoding`."""
    monkeypatch.setattr(length, "ENCODINGS", {**length.ENCODINGS})
    others: list[str] = []
    for module in (config, length):
        monkeypatch.setattr(module, "OTHER_ENCODINGS", others)
    (tmp_path / "spiral.py").write_text("def encode(signal, at):\n    return None\n")
    (tmp_path / "spiral-1.dist-info").mkdir()
    (tmp_path / "spiral-1.dist-info" / "METADATA").write_text("Name: spiral\nVersion: 1\n")
    (tmp_path / "spiral-1.dist-info" / "entry_points.txt").write_text(
        "[subfit.encodings]\nspiral = spiral:encode\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert config.known_encoding("spiral") == "spiral"
    assert length.ENCODINGS["spiral"].__module__ == "spiral"
    with pytest.raises(ValueError, match=r"'abs', .*'spiral', not 'helix'"):
        config.known_encoding("helix")
