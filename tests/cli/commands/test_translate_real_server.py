"""``subfit translate`` with a real server on this machine: that of transformers itself."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from transformers.utils.import_utils import is_serve_available

from subfit.text.counting import count_characters
from tests.cli.conftest import Cli
from tests.tiny import PAIRS
from tests.tiny_causal import save_trained_causal

FILM = "".join(
    f"{number}\n00:00:{4 * number:02},000 --> 00:00:{4 * number + 1:02},500\n{pair.source}\n\n"
    for number, pair in enumerate(PAIRS[:2], start=1)
)
SERVE = "from transformers.cli.transformers import main; main()"
PATIENCE = 300
"""Seconds that a server may take to start, and a request to be answered."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_serve_available(), reason="needs transformers[serving]"),
]


@contextmanager
def served(model: str, folder: Path) -> Iterator[str]:
    """Serve a model on this machine; gives the address up to ``/v1``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--device", "cpu", "--dtype", "float32", "--host", "127.0.0.1", "--port", str(port))
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", model, *options],
            stdout=log,
            stderr=log,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        )
        try:
            _await(port, server, folder / "server.log")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait(30)


def _await(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as asked:
            if asked.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    raise AssertionError(f"no server: {log.read_text(encoding='utf-8', errors='replace')[-800:]}")


def check(cli: Cli, address: str, model: str, target: str) -> None:
    """Translate the film, and hold it to its budgets and to what its report must tell."""
    Path("film.en.srt").write_text(FILM, encoding="utf-8")
    options = (
        "--server",
        f"timeout={PATIENCE},concurrency=1,price=1:2",
        "--scene",
        "0",
        "--cps",
        "17",
    )
    name = f"{address}#{model}"
    files = ("film.en.srt", "-o", "film.out.srt", "--json")
    done = cli("translate", *files, "-t", target, "--model", name, "--beam", "2", *options)
    assert done.code in (0, 3), done.err
    (file,) = done.json["files"]
    for cue in file["cues"]:
        assert cue["target"].strip()
        assert count_characters(cue["target"]) <= 25 or cue["status"] == "overflow"
    usage = file["totals"]["usage"]
    assert usage["requests"] >= 2 and usage["prompt_tokens"] > 0 and usage["completion_tokens"] > 0
    assert usage["cost"] > 0


def test_a_model_made_here_is_served(cli: Cli, tmp_path: Path) -> None:
    model = str(save_trained_causal(tmp_path / "toy-llama"))
    with served(model, tmp_path) as address:
        check(cli, address, model, "de")
