"""Damage model folders at random and see that what cannot be is refused in one line.

    python -m tests.fuzz_models --seconds 600
    python -m tests.fuzz_models --count 1 --seed 4711     (to see one case again)

Starts from the frozen tiny model, that one with a pretrained length predictor, and tiny models of
every family that is opened as Hugging Face has it, translation models and language models; damages
configurations, tokenizer and weights (`tests.model_damages`), and translates a file with what it
made. Each folder is opened in a process of its own, within bounds of memory and time.
"""

from __future__ import annotations

import itertools
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from tests import tiny_causal, tiny_families
from tests.fuzz_translate import TINY, call
from tests.fuzzing import HANGING, MOST_BYTES, MOST_SECONDS, options_of, run
from tests.model_damages import damage
from tests.tiny import save_tiny_bert, save_tiny_marian
from tests.tiny_causal import save_tiny_causal
from tests.tiny_families import save_tiny_family

_SUBTITLES = """\
1
00:00:01,000 --> 00:00:03,000
How are you?

2
00:00:03,500 --> 00:00:05,500
The storm was stronger than the ship, and nobody sees the small boat.
"""


def _predicting(folder: Path) -> Path:
    """The frozen tiny model with a pretrained length predictor."""
    shutil.copytree(TINY, folder)
    save_tiny_bert(folder / "length_predictor")
    return folder


KINDS: dict[str, Callable[[Path], Path]] = {
    "tiny": partial(shutil.copytree, TINY),
    "marian": save_tiny_marian,
    "predicting": _predicting,
    **{each: partial(save_tiny_family, each) for each in tiny_families.FAMILIES},
    **{each: partial(save_tiny_causal, family=each) for each in tiny_causal.FAMILIES},
}
"""What makes the folders to start from."""


def check_folder(folder: Path) -> str:
    """Check what must hold for any model folder at all.

    Returns:
        ``translated`` or ``refused``.
    """
    source, target = folder.parent / "film.srt", folder.parent / "film.de.srt"
    source.write_text(_SUBTITLES, encoding="utf-8")
    target.unlink(missing_ok=True)
    command = ["translate", source, "-t", "de", "--model", folder, "--beam", "2", "-o", target]
    ran = call(*command, "--threads", "1")
    assert "internal error" not in ran.err, ran.err
    assert "Traceback" not in ran.err, ran.err
    if ran.code in (0, 3):
        assert target.is_file()
        return "translated"
    assert ran.code in (1, 2), ran
    assert not target.exists()
    told = [line for line in ran.err.splitlines() if line.startswith("subfit: error: ")]
    assert len(told) == 1, ran.err
    assert len(told[0]) < 600, told[0][:700]
    return "refused"


def in_a_child(check: Callable[[], str]) -> str:
    """Run a check in a process of its own, within bounds of memory and time.

    Raises:
        AssertionError: It failed, or the process ended otherwise.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_child(check, writing))
    os.close(writing)
    began = time.monotonic()
    with os.fdopen(reading, "rb") as pipe:
        while not (ended := os.waitpid(child, os.WNOHANG))[0]:
            if time.monotonic() - began > HANGING:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                raise AssertionError(f"it takes more than {HANGING} s")
            time.sleep(0.01)
        told = pipe.read().decode("utf-8", "replace")
    told = told or f"the process ended by signal {os.WTERMSIG(ended[1])}"
    assert told.startswith("+"), told
    return told[1:]


def _child(check: Callable[[], str], writing: int) -> int:
    with os.fdopen(writing, "wb") as pipe:
        try:
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, hard))
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            told = "+" + check()
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            if held > MOST_BYTES:
                told = f"it has held {held:,} bytes"
        except BaseException:
            told = traceback.format_exc()[-3000:]
        pipe.write(told.encode("utf-8", "replace"))
    return 0


def cases(
    seed: int, folder: Path, kinds: Sequence[str] = tuple(KINDS)
) -> Iterator[tuple[int, Path]]:
    """Yield damaged folders without end; each has a seed that makes it again.

    Args:
        seed: The first one.
        folder: To make them in.
        kinds: Of `KINDS`, what to start from.
    """
    for number in itertools.count(seed):
        source = random.Random(number)
        kind, damaged = source.choice(kinds), folder / "damaged"
        whole = folder / "whole" / kind
        if not whole.is_dir():
            KINDS[kind](whole)
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(whole, damaged)
        damage(damaged, source)
        yield number, damaged


def main() -> int:
    """Run until the time or the count is up; stop at the first failure."""
    options = options_of(__doc__)
    with tempfile.TemporaryDirectory() as folder:

        def checked(case: tuple[int, Path]) -> str:
            return in_a_child(lambda: check_folder(case[1]))

        for kind, make in KINDS.items():  # what is imported here, no child imports
            assert check_folder(make(Path(folder) / "whole" / kind)) == "translated", kind
        return run(cases(options.seed, Path(folder)), checked, options)


if __name__ == "__main__":
    sys.exit(main())
