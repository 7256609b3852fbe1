"""How long absurdly long subtitle files take: read, measured, broken anew, translated.

    python -m benchmarks.long_inputs [--megabytes 0.25,1] [--cues 50000]
    python -m benchmarks.long_inputs --model models/en-multi -t de --megabytes 0.25 --cues 12500

No film has such files, but a broken one, or one made to do harm, must not keep a machine busy.
Every kind is a cue, or a file, that may take time that grows with the square of its length. With a
model, cues of words and files of many cues are translated instead, of a thousand sentences that
differ, with room for all of them and without. Seconds are those of the processor; each file has a
process of its own, so that its memory can be told. --profile shows where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import functools
import itertools
import multiprocessing
import pstats
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection

from benchmarks.measuring import markdown, peak_memory
from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.reporting.reflow import reflow_track
from subfit.subtitles.cues import FormatName
from subfit.subtitles.formats import parse_track, render_track

_HEAD = "1\n00:00:01,000 --> 00:00:03,000\n"
_WORDS = "The storm was stronger than the ship, and nobody on the pier believed it. "
_CUES: dict[str, str] = {
    "words in one line": _WORDS,
    "words in lines": "The storm was stronger\nthan the ship.\n",
    "one word": "a",
    "no spaces (Chinese)": "古い灯台はどこですか。",
    "italics": "<i>boat</i> ",
    "tags never closed": "<i>",
    "tags half written": "<i ",
    "closing marks": "? ! ",
    "speakers in lines": "- No!\n",
    "names": "ANNA: Yes. ",
    "notes": "♪",
    "times in the text": "00:00:01,000 --> \n",
}
_GUIDELINE = Guideline(language="en", cpl=42, lines=2)


def cases(megabytes: list[float], cues: list[int]) -> dict[str, Callable[[], bytes]]:
    """Return what makes each file, by what it is."""
    made: dict[str, Callable[[], bytes]] = {}
    for size in megabytes:
        for kind, unit in _CUES.items():
            made[f"{size:g} MB in one cue: {kind}"] = functools.partial(_cue, unit, size)
        made[f"{size:g} MB in one cue: readings (WebVTT)"] = functools.partial(_readings, size)
        made[f"{size:g} MB of blank lines in a cue"] = functools.partial(_blank, size)
    return made | {f"{count:,} cues": functools.partial(_many, count) for count in cues}


def _cue(unit: str, megabytes: float) -> bytes:
    count = int(megabytes * 1e6) // len(unit.encode())
    return f"{_HEAD}{unit * count}\n".encode()


def _readings(megabytes: float) -> bytes:
    cue = "<ruby>a" + "<rt>b" * (int(megabytes * 1e6) // 5)
    return f"WEBVTT\n\n00:01.000 --> 00:02.000\n{cue}\n".encode()


def _blank(megabytes: float) -> bytes:
    lines = "\n" * int(megabytes * 1e6)
    return f"{_HEAD}Hello.{lines}Bye.\n".encode()


def _many(cues: int) -> bytes:
    blocks = [
        f"{number}\n{_clock(2 * number)} --> {_clock(2 * number + 2)}\nNobody believed it, Anna.\n"
        for number in range(1, cues + 1)
    ]
    return "\n".join(blocks).encode()


def _sentences() -> Iterator[str]:
    """Sentences without end, of which a thousand differ."""
    who = ("The captain", "Nobody", "Her sister", "The old man", "A sailor", "She", "He")
    did = (
        "saw",
        "kept",
        "sold",
        "lost",
        "found",
        "wanted",
        "needed",
        "liked",
        "drew",
        "hid",
        "knew",
    )
    what = (
        "lamp",
        "letter",
        "boat",
        "house",
        "key",
        "map",
        "coat",
        "dog",
        "ship",
        "book",
        "song",
        "box",
        "door",
    )
    for number in itertools.count():
        yield f"{who[number % 7]} {did[number % 11]} the {what[number % 13]}"


def _many_said(cues: int, end: str) -> bytes:
    """A file of cues with a sentence each, ended by a mark or by none."""
    rows = enumerate(itertools.islice(_sentences(), cues), 1)
    return "\n".join(
        f"{row}\n{_clock(3 * row)} --> {_clock(3 * row + 3)}\n{said}{end}\n" for row, said in rows
    ).encode()


def _said(megabytes: float, seconds: int) -> bytes:
    """A cue of sentences, of a length in time."""
    count = int(megabytes * 1e6) // 28
    text = " ".join(f"{said}." for said in itertools.islice(_sentences(), count))
    return f"1\n00:00:00,000 --> {_clock(seconds)}\n{text}\n".encode()


def said_cases(megabytes: list[float], cues: list[int]) -> dict[str, Callable[[], bytes]]:
    """Return what makes each file that is to be translated, by what it is."""
    made: dict[str, Callable[[], bytes]] = {}
    for size in megabytes:
        made[f"{size:g} MB in one cue of 2 s"] = functools.partial(_said, size, 2)
        made[f"{size:g} MB in one cue of 20 h"] = functools.partial(_said, size, 72_000)
    for count in cues:
        made[f"{count:,} cues"] = functools.partial(_many_said, count, ".")
        made[f"{count:,} cues without an end"] = functools.partial(_many_said, count, "")
    return made


def _clock(seconds: int) -> str:
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d},000"


def _measure(make: Callable[[], bytes], results: Connection) -> None:
    """Read, write, measure and break a file anew; send the seconds of all and the memory."""
    data = make()
    format_name: FormatName = "vtt" if data.startswith(b"WEBVTT") else "srt"
    times = [time.process_time()]
    track = parse_track(data, format=format_name)
    times.append(time.process_time())
    render_track(track)
    times.append(time.process_time())
    check_track(track, _GUIDELINE)
    times.append(time.process_time())
    reflow_track(track, _GUIDELINE)
    times.append(time.process_time())
    seconds = [later - earlier for earlier, later in itertools.pairwise(times)]
    results.send((seconds, peak_memory() or 0.0))


def _translate(
    make: Callable[[], bytes], results: Connection, model: str, language: str, profiled: bool
) -> None:
    """Translate a file; send the seconds and the memory."""
    from subfit.decoding.translator import Translator
    from subfit.localization import localize

    translator = Translator.load(model, target_language=language)
    track = parse_track(make(), format="srt", source_language="en")
    guideline = Guideline(language=language, cps=17, cpl=42, lines=2)
    profile = cProfile.Profile()
    began = time.process_time()
    if profiled:
        profile.runcall(localize, track, translator, guideline)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    else:
        localize(track, translator, guideline)
    results.send(([time.process_time() - began], peak_memory() or 0.0))


def apart(work: Callable[..., None], *arguments: object) -> tuple[list[float], float] | None:
    """Measure in a process of its own; None where it did not come to an end."""
    context = multiprocessing.get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(arguments[0], sending, *arguments[1:]))
    process.start()
    sending.close()
    try:
        found: tuple[list[float], float] = receiving.recv()
    except EOFError:
        return None
    finally:
        process.join()
    return found


def main() -> None:
    """Print a row of a Markdown table for each file."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--megabytes", default="0.25,1", help="sizes of one cue")
    parser.add_argument("--cues", default="50000", help="of the files of many cues")
    parser.add_argument("--model", help="translate with it, and nothing else")
    parser.add_argument("--profile", action="store_true", help="show where translating takes time")
    parser.add_argument("-t", "--to", default="de", help="the language to translate into")
    options = parser.parse_args()
    sizes = [float(each) for each in options.megabytes.split(",") if each]
    cues = [int(each) for each in options.cues.split(",") if each]
    if options.model:
        print(markdown(["file", "translated", "peak memory"], []))
        for name, make in said_cases(sizes, cues).items():
            more = (options.model, options.to, options.profile)
            _print(name, apart(_translate, make, *more), 1)
        return
    print(markdown(["file", "read", "written", "measured", "broken anew", "peak memory"], []))
    for name, make in cases(sizes, cues).items():
        _print(name, apart(_measure, make), 4)


def _print(name: str, found: tuple[list[float], float] | None, columns: int) -> None:
    """Print a row as soon as it is measured."""
    cells = ["died"] * (columns + 1)
    if found is not None:
        cells = [*(f"{each:.1f} s" for each in found[0]), f"{found[1]:.0f} MiB"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
