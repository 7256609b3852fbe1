"""Metrics that are models themselves, from a folder or file of the user's: BERTScore and COMET."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from subfit.errors import ModelError, UsageError
from subfit.evaluation.metrics import Floats, Lines, Mean

COMMAND = "comet-score"
_TEXTS = 32


class Learned(Mean):
    """The mean of a score of every line, by 100."""

    def __init__(self, name: str) -> None:
        self._kind, _, self._place = name.partition(":")
        super().__init__(name, self._scores, "high", 2, f"model:{Path(self._place).name}")

    def _scores(self, lines: Lines) -> list[float]:
        """The scores of all lines, the best of several references."""
        score = bert_score if self._kind == "BERTScore" else _comet
        each = [score(self._place, lines, list(one)) for one in zip(*lines.references, strict=True)]
        return [100 * float(best) for best in np.max(each, axis=0)]


def bert_score(place: str, lines: Lines, references: Sequence[str]) -> Floats:
    """Return BERTScore's F1 of every line (Zhang et al. 2020), unweighed, not rescaled.

    Args:
        place: The folder of an encoder with its tokenizer, and maybe ``@9`` for the states of its
            ninth layer; else the last.
        lines: Translations.
        references: One for each line.
    """
    folder, _, layer = place.partition("@")
    states = _states(folder, [*lines.hypotheses, *references], int(layer) if layer else -1)
    scores = []
    for own, wanted in zip(states, states[len(references) :], strict=False):
        alike = own @ wanted.T  # (tokens of the hypothesis, tokens of the reference)
        both = [float(alike.amax(side).mean()) if alike.numel() else 0.0 for side in (1, 0)]
        scores.append(2 * both[0] * both[1] / sum(both) if sum(both) else 0.0)
    return np.asarray(scores)


@torch.inference_mode()
def _states(folder: str, texts: Sequence[str], layer: int) -> list[Tensor]:
    """The states of every text's tokens, (tokens, width), each of length 1."""
    encoder, tokenizer = _encoder(folder)
    states: list[Tensor] = []
    for start in range(0, len(texts), _TEXTS):
        some = list(texts[start : start + _TEXTS])
        fed = tokenizer(some, padding=True, truncation=True, return_tensors="pt",
                        return_special_tokens_mask=True)  # fmt: skip
        special = fed.pop("special_tokens_mask").bool()
        found = encoder(**fed, output_hidden_states=True).hidden_states[layer]
        found = torch.nn.functional.normalize(found.float(), dim=-1)
        states += [own[~mask] for own, mask in zip(found, special, strict=True)]
    return states


@cache
def _encoder(folder: str) -> tuple[Any, Any]:
    from subfit.model.length_predictor import load_encoder

    if not Path(folder).is_dir():
        raise ModelError(f"BERTScore: {folder}: no folder of an encoder")
    return load_encoder(folder)


def _comet(place: str, lines: Lines, references: Sequence[str]) -> Floats:
    """Scores by the authors' program, of an environment of its own: it wants older packages."""
    program = shutil.which(COMMAND)
    if program is None or not Path(place).exists():
        problem = f"there is no {COMMAND}" if program is None else f"{place}: there is no model"
        remedy = "pip install unbabel-comet into an environment of its own, and put it on PATH"
        raise UsageError(f"COMET: {problem}; {remedy}")
    with tempfile.TemporaryDirectory() as name:
        texts = {"-s": lines.sources, "-t": lines.hypotheses, "-r": references}
        command = [program, "--model", place, "--gpus", "0", "--quiet", "--only_system"]
        for option, each in texts.items():
            path = Path(name) / option
            path.write_text("".join(f"{text}\n" for text in each), encoding="utf-8")
            command += [option, str(path)]
        out = Path(name) / "scores.json"
        command += ["--to_json", str(out)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode or not out.is_file():
            reason = done.stderr.strip().rpartition("\n")[2][:160]
            raise ModelError(f"{COMMAND} --model {place}: {reason or 'it wrote no scores'}")
        (scores,) = json.loads(out.read_text(encoding="utf-8")).values()
    return np.asarray([line["COMET"] for line in scores], dtype=float)
