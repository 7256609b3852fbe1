"""Damage model folders at random and see that what cannot be is refused in one line.

    python -m tests.fuzz_models --seconds 600
    python -m tests.fuzz_models --count 1 --seed 4711     (to see one case again)

Starts from the frozen tiny model, a Marian model as Hugging Face has it, and the tiny one with a
pretrained length predictor; damages configuration, tokenizer and weights, and translates a file
with what it made. Each folder is opened in a process of its own, within bounds of memory and time.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import resource
import shutil
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.fuzz_translate import TINY, call
from tests.fuzzing import HANGING, MOST_BYTES, MOST_SECONDS, options_of, run
from tests.tiny import save_tiny_bert, save_tiny_marian

_SUBTITLES = """\
1
00:00:01,000 --> 00:00:03,000
How are you?

2
00:00:03,500 --> 00:00:05,500
The storm was stronger than the ship, and nobody sees the small boat.
"""
_DEEP = 5000
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 7, 31, 64, 381, 1000, 5000, 10**6, 10**9, 2**31, 2**63,
    10**400, -5, 0.5, 1e300, float("nan"), float("inf"), "", "de", "relu", "x" * 9999, "\ud800",
    [], [1], ["abs"], ["abs", "rel", "lc"], [["short", 3, 1.0], ["long", 4, None]], [["short", 3]],
    [[1, 2, 3]], [["short", 3, float("nan")], ["long", 4, None]], {}, {"de": 3}, {"de": -1},
    {"de": "3"}, {"de": 10**9}, {"formal": 4}, {"formal": [4]}, [None], [[[[]]]],
    {"a": {"b": {}}}, "complex64", "float16", "fp8",
)  # fmt: skip
_KEYS = (
    "length_encodings", "rel_steps", "decoder_positions", "closed_gate", "length_classes",
    "free_translation", "length_predictor", "mean_length_ratio", "source_language",
    "target_language", "language_tokens", "lowercase_token", "formality_tokens", "dtype",
    "torch_dtype", "hidden_size", "quantization_config", "auto_map", "model_type",
    "architectures", "tie_word_embeddings", "activation_function", "is_encoder_decoder",
    "num_hidden_layers", "bad_words_ids",
)  # fmt: skip


def starts(folder: Path) -> list[Path]:
    """Make the folders to start from."""
    pair = folder / "predicting"
    shutil.copytree(TINY, folder / "tiny")
    shutil.copytree(TINY, pair)
    save_tiny_bert(pair / "length_predictor")
    return [folder / "tiny", save_tiny_marian(folder / "marian"), pair]


def damage(folder: Path, random: random.Random) -> None:
    """Damage one to three files of a model folder."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in _DAMAGES)
    configs = [path for path in files if path.name == "config.json"]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        path = random.choice(configs if random.random() < 0.4 else files)
        if path.is_file():
            change = _bytes if random.random() < 0.1 else _DAMAGES[path.suffix]
            with contextlib.suppress(
                ValueError, KeyError, IndexError, struct.error, RecursionError
            ):  # damaged before
                change(path, random)


def _config(path: Path, random: random.Random) -> None:
    """Change values of a JSON file, or what it is."""
    if random.random() < 0.08:
        texts = (
            "[]",
            "1",
            "null",
            "[" * _DEEP,
            "[" * _DEEP + "]" * _DEEP,
            "",
            '{"a":' * _DEEP,
            '"',
        )
        path.write_text(random.choice(texts), encoding="utf-8")
        return
    values = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(values, dict) or not values:
        return
    for _ in range(random.choice((1, 1, 2))):
        key = random.choice([*values, *(_KEYS if path.name == "config.json" else ())])
        if random.random() < 0.1:
            values.pop(key, None)
        elif random.random() < 0.3 and type(values.get(key)) is int:
            values[key] += random.choice((-1, 1, 1000, -1000, 10**7))
        else:
            values[key] = random.choice(_VALUES)
    path.write_text(json.dumps(values), encoding="utf-8", errors="surrogatepass")


def _weights(path: Path, random: random.Random) -> None:
    """Change the header of safetensors, or numbers behind it."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header, body = json.loads(data[8 : 8 + size]), bytearray(data[8 + size :])
    names = [name for name in header if name != "__metadata__"]
    name = random.choice(names)
    begin, end = header[name]["data_offsets"]
    kind = random.choice(("numbers", "numbers", "type", "shape", "name", "gone", "offsets", "deep"))
    if kind == "numbers":
        word = random.choice(
            (b"\x00\x7c", b"\x00\x7e", b"\xff\x7b", b"\x00\xfc", b"\x80\x7f", b"\xc0\x7f")
        )
        word = random.choice((word, bytes(2) + word))
        count = random.choice((1, 1, (end - begin) // len(word)))
        at = begin + len(word) * random.randrange(max(1, (end - begin) // len(word) - count + 1))
        body[at : at + count * len(word)] = (word * count)[: max(0, end - at)]
    elif kind == "type":
        types = {1: ("BOOL", "U8", "F8_E4M3"), 2: ("I16", "BF16", "U16"), 4: ("I32", "U32", "F32")}
        wide = {8: ("C64", "F64", "I64", "U64")}
        length = (end - begin) // max(1, _product(header[name]["shape"]))
        same = (types | wide).get(length, ("F32",))
        header[name]["dtype"] = random.choice((*same, "C64", "F99"))
    elif kind == "shape":
        shape = header[name]["shape"]
        header[name]["shape"] = random.choice(
            (
                shape[::-1],
                [*shape, 1],
                [_product(shape)],
                [10**12],
                [-1],
                [0, *shape],
                [1, *shape],
                [],
            )
        )
    elif kind == "name":
        header[random.choice((name + "x", "", names[0], "a" * 9999, name.replace("0", "99")))] = (
            header.pop(name)
        )
    elif kind == "gone":
        header.pop(name)
    elif kind == "offsets":
        header[name]["data_offsets"] = [begin + random.choice((-2, 2, 10**12)), end]
    text = b'{"a":' * _DEEP if kind == "deep" else json.dumps(header).encode()
    length = len(text) if random.random() > 0.03 else random.choice((0, 2**63, 10**9))
    path.write_bytes(struct.pack("<Q", length) + text + bytes(body))


def _product(shape: list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _bytes(path: Path, random: random.Random) -> None:
    """Change some bytes, or cut the file."""
    data = bytearray(path.read_bytes())
    for _ in range(random.choice((1, 1, 4, 30))):
        at = random.randrange(max(1, len(data)))
        if random.random() < 0.1:
            del data[at : at + random.choice((1, 9, 10**6))]
        else:
            data[at : at + 1] = random.randbytes(random.choice((0, 1, 1, 2)))
    path.write_bytes(bytes(data))


_DAMAGES: dict[str, Callable[[Path, random.Random], None]] = {
    ".json": _config,
    ".safetensors": _weights,
    ".model": _bytes,
    ".spm": _bytes,
    ".txt": _bytes,
}


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


def cases(seed: int, folder: Path) -> Iterator[tuple[int, Path]]:
    """Yield damaged folders without end; each has a seed that makes it again."""
    places = starts(folder / "whole")
    for number in itertools.count(seed):
        source = random.Random(number)
        damaged = folder / "damaged"
        shutil.rmtree(damaged, ignore_errors=True)
        shutil.copytree(source.choice(places), damaged)
        damage(damaged, source)
        yield number, damaged


def main() -> int:
    """Run until the time or the count is up; stop at the first failure."""
    options = options_of(__doc__)
    with tempfile.TemporaryDirectory() as folder:

        def checked(case: tuple[int, Path]) -> str:
            return in_a_child(lambda: check_folder(case[1]))

        for place in starts(Path(folder) / "sound"):  # what is imported here, no child imports
            assert check_folder(place) == "translated", place
        return run(cases(options.seed, Path(folder)), checked, options)


if __name__ == "__main__":
    sys.exit(main())
