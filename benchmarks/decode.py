"""Times subfit's decoder beside Hugging Face ``generate`` and CTranslate2, from text to text.

All translate the same sentences with the same weights, beam, length penalty and batches. Each
contestant has a process of its own; they take turns, round by round, and the ratio to the baseline
is taken within a round, since machines are noisy. Tables come as Markdown.

    python -m benchmarks.decode models/en-multi -t de --json decode.json --markdown decode.md
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import product
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.contestants import CONTESTANTS, LEXICON_FILE, Contestant, Setting
from benchmarks.ctranslate2_model import convert, library
from benchmarks.decode_tables import tables
from benchmarks.measuring import machine, peak_memory
from benchmarks.own_sentences import own_sentences
from benchmarks.vocabulary_map import make_map

SINGLE = 5
"""Sentences that are timed one by one in every round."""


@dataclass
class Measured:
    """What one contestant did under one setting."""

    texts: list[str] = field(default_factory=list)
    """Its translations."""
    wall: list[float] = field(default_factory=list)
    """Seconds for all sentences, one number a round."""
    cpu: list[float] = field(default_factory=list)
    """Likewise, the seconds that its threads were running."""
    single_wall: list[float] = field(default_factory=list)
    """Seconds for one sentence alone, `SINGLE` numbers a round."""
    single_cpu: list[float] = field(default_factory=list)
    """Likewise, running."""
    peak: float | None = None
    """Most MiB its process held."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a contestant's process tells of one call."""

    texts: list[str]
    wall: float
    """Seconds that went by."""
    cpu: float
    """Seconds that its threads were running, all together."""
    peak: float | None
    """Most MiB it has held so far."""


class Worker:
    """A contestant in a process of its own."""

    def __init__(self, contestant: Contestant, setting: Setting) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(
            target=_work, args=(other, contestant.name, setting), daemon=True
        )
        self._process.start()
        other.close()

    def translate(self, texts: Sequence[str]) -> Answer:
        """Translate, and say what that took."""
        self._connection.send(texts)
        answer: Answer = self._connection.recv()
        return answer

    def close(self) -> None:
        """End the process."""
        self._connection.send(None)
        self._process.join()


def _work(connection: Connection, name: str, setting: Setting) -> None:
    translate = CONTESTANTS[name].start(setting)
    while (texts := connection.recv()) is not None:
        start, ran = time.perf_counter(), time.process_time()
        translations = translate(texts)
        wall, cpu = time.perf_counter() - start, time.process_time() - ran
        connection.send(Answer(translations, wall, cpu, peak_memory()))


def compare(
    names: Sequence[str], setting: Setting, texts: Sequence[str], rounds: int
) -> dict[str, Measured]:
    """Let contestants translate in turns.

    Args:
        names: Of `CONTESTANTS`.
        setting: What they are all given.
        texts: What to translate.
        rounds: How often, after a first time that is not counted.
    """
    by_length = sorted(texts, key=len)
    middle = (len(texts) - SINGLE) // 2
    alone = by_length[max(middle, 0) :][:SINGLE]
    results = {name: Measured() for name in names}
    with ExitStack() as stack:
        workers = {name: Worker(CONTESTANTS[name], setting) for name in names}
        for name, worker in workers.items():
            stack.callback(worker.close)
            results[name].texts = worker.translate(texts).texts
        for _ in range(rounds):
            for name, worker in workers.items():
                measured, answer = results[name], worker.translate(texts)
                measured.wall.append(answer.wall)
                measured.cpu.append(answer.cpu)
                singles = [worker.translate([text]) for text in alone]
                measured.single_wall += [each.wall for each in singles]
                measured.single_cpu += [each.cpu for each in singles]
                measured.peak = answer.peak
    return results


def _run(
    names: Sequence[str], setting: Setting, texts: Sequence[str], rounds: int, baseline: str
) -> dict[str, Any]:
    """Compare under one setting; returns what goes into the document."""
    results = compare(names, setting, texts, rounds)
    expected = results[baseline].texts
    return {
        "threads": setting.threads,
        "beams": setting.beams,
        "batch": setting.batch,
        "sentences": len(texts),
        "results": {
            name: {
                "wall": found.wall,
                "cpu": found.cpu,
                "single_wall": found.single_wall,
                "single_cpu": found.single_cpu,
                "characters": sum(map(len, found.texts)),
                "peak_mib": found.peak,
                "same": sum(map(str.__eq__, found.texts, expected)) / len(texts),
            }
            for name, found in results.items()
        },
    }


def _contestants(wanted: Sequence[str] | None, model: Path) -> list[str]:
    """Names of those that can run; tells of those that are left out."""
    installed = library() is not None
    there = {
        "nothing": True,
        "ctranslate2": installed,
        LEXICON_FILE: installed and (model / LEXICON_FILE).is_file(),
    }
    names = []
    for name in wanted or CONTESTANTS:
        needs = CONTESTANTS[name].needs
        if there[needs]:
            names.append(name)
        else:
            lacks = needs if installed else "ctranslate2"
            print(f"Left out: {name}, which needs {lacks}.", file=sys.stderr)
    return names


def _evenly(texts: Sequence[str], count: int) -> list[str]:
    count = min(count, len(texts))
    return [texts[place * len(texts) // count] for place in range(count)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.decode", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("model", type=Path, help="a model folder")
    parser.add_argument("-t", "--target-language", required=True, metavar="TAG")
    parser.add_argument("--text", type=Path, help="sentences, one a line (default: our own cues)")
    parser.add_argument("--sentences", type=int, default=256, help="how many, evenly taken")
    parser.add_argument("--beams", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="seconds in the tables: those that go by, or on a busy machine those spent running",
    )
    parser.add_argument("--only", nargs="+", choices=CONTESTANTS, metavar="NAME")
    parser.add_argument("--baseline", choices=CONTESTANTS, default=next(iter(CONTESTANTS)))
    parser.add_argument(
        "--quick", action="store_true", help="beam 4, batch 32, 1 thread, 64 sentences, 3 rounds"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every measurement")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    return parser


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.quick:
        options.beams, options.batches, options.threads = [4], [32], [1]
        options.sentences, options.rounds = 64, 3
    if options.only and options.baseline not in options.only:
        options.baseline = options.only[0]
    return options


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    names = _contestants(options.only, options.model)
    texts = options.text.read_text("utf-8").splitlines() if options.text else own_sentences()
    texts = _evenly([text for text in texts if text.strip()], options.sentences)
    document: dict[str, Any] = {
        "machine": machine(),
        "model": options.model.name,
        "sentences": len(texts),
        "rounds": options.rounds,
        "baseline": options.baseline,
        "clock": options.clock,
        "contestants": names,
        "runs": [],
    }
    with tempfile.TemporaryDirectory() as place:
        converted, mapping = Path(place) / "model", None
        needs = {CONTESTANTS[name].needs for name in names}
        if LEXICON_FILE in needs:
            mapping = Path(place) / "map.txt"
            make_map(mapping, options.model, options.target_language)
        if needs != {"nothing"}:
            convert(options.model, converted, mapping)
        base = Setting(options.model, options.target_language, converted, 0, 0, 0)
        for each in product(options.threads, options.beams, options.batches):
            setting = replace(base, **dict(zip(("threads", "beams", "batch"), each, strict=True)))
            some = texts if setting.batch > 1 else _evenly(texts, len(texts) // 4)
            print("threads {}, beam {}, batch {}".format(*each), file=sys.stderr)
            run = _run(names, setting, some, options.rounds, options.baseline)
            document["runs"].append(run)
            if options.json:  # after each, so that an interrupted run leaves what it has
                options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    text = tables(document)
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
