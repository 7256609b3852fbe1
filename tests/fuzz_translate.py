"""Damage subtitle files at random and send them the whole way: bytes in, translation out.

    python -m tests.fuzz_translate --seconds 300
    python -m tests.fuzz_translate --count 1 --seed 4711     (to see one case again)

Starts from `odd_files`, which has the oddities of real files in a few lines each, and damages them
as `tests.fuzz_formats` does. Runs the commands themselves, with the frozen tiny model, within
bounds of time and memory.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from subfit.cli.main import run
from subfit.decoding import loading
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, parse_track, read_track
from tests.fuzz_formats import check_none_lost, mutate
from tests.fuzzing import limit_memory, options_of
from tests.fuzzing import run as run_cases

TINY = Path(__file__).parent / "data" / "tiny"

_SRT = """\
1
00:00:01,000 --> 00:00:03,000
<i>How are you?</i>

2
00:00:03,500 --> 00:00:05,500
- Who is there?
- {\\an8}Yes, of course.

3
00:00:06,000 --> 00:00:06,000
♪ I hear music. ♪

4
00:00:08,000 --> 00:00:07,000 X1:100 X2:200 Y1:10 Y2:20
[DOOR SLAMS]

5
00:00:09,000 --> 00:00:12,000

6
100:00:09,000 --> 100:00:12,000
<font color="#ff0000">The ship</font> comes back
A < B & C > D
"""
_BROKEN_SRT = """\
A title nobody asked for
00:01 -> 0:0:2,5
THE CHILDREN PLAY IN THE GARDEN.
3
00:00:03.000 --> 00:00:04
He writes a long letter

to his mother.
00:00:05,000 --> 00:00:06,000
We have no time,
7
00:00:06,100 --> 00:00:07,000
and nobody sees\u2028the small\u0085boat.

7
00:00:07,000 --> nowhere
Lost?

8
00:00:08,000 --> 00:00:09,000
<i><b>{\\i1}The door <u>is</b> open.</i></u></font> -->
\u202bשלום\u202c
"""
_VTT = """\
WEBVTT - A title
Kind: captions

STYLE
::cue(v) { color: red }

REGION
id:fred width:40%

NOTE --> this is
a note

intro
00:01.000 --> 00:03.000 align:start position:10% region:fred
<v Ann>How are <c.yellow.loud>you</c>?</v>

00:00:03.000 --> 00:00:05.000
<00:00:03.500>Who <00:00:04.000><b>is</b> there?

NOTE
00:00:05.000 --> 00:00:07.000
A &lt;small&gt; boat &amp; a&nbsp;ship &#x41;

00:00:07.000 --> 00:00:09.000
<ruby>sea<rt>See</rt></ruby> <lang en>is quiet</lang> now
and the storm

00:00:09.000 --> 00:00:11.000
was stronger than the ship.
00:00:11,000 --> 00:00:12,000
Good night, Anna.
"""
_TXT = (
    "How are you?\n\n  Who is there?\t \n♪\n[DOOR SLAMS]\n1\n00:00:01,000 --> 00:00:02,000\n- No!"
)


def _cue(text: str, start: int = 1) -> str:
    return f"1\n00:00:{start:02d},000 --> 00:00:{start + 2:02d},000\n{text}\n"


def odd_files() -> dict[str, bytes]:
    """Return files as they are met in the world, by names that say what is odd."""
    srt, vtt = _SRT.encode(), _VTT.encode()
    numbered = "\n".join(_cue(text) for text in ("How are you?", "Who is there?"))
    return {
        "whole.srt": srt,
        "broken.srt": _BROKEN_SRT.encode(),
        "whole.vtt": vtt,
        "lines.txt": _TXT.encode(),
        "subrip-by-name.srt": vtt,
        "webvtt-by-name.vtt": srt,
        "dos.srt": srt.replace(b"\n", b"\r\n"),
        "old-mac.vtt": vtt.replace(b"\n", b"\r"),
        "doubled-ends.srt": srt.replace(b"\n", b"\r\r\n"),
        "marked.srt": b"\xef\xbb\xbf" + srt,
        "utf-16.srt": _SRT.encode("utf-16"),
        "utf-16-unmarked.srt": _SRT.encode("utf-16-be"),
        "utf-16-cut.srt": _SRT.encode("utf-16")[:-301],
        "utf-32.vtt": _VTT.encode("utf-32"),
        "cyrillic.srt": _cue("Где старый маяк? Корабль вернётся завтра.").encode("cp1251"),
        "western.srt": _cue("Où est le vieux phare? C’était là, près du café.").encode("cp1252"),
        "japanese.srt": _cue("古い灯台はどこですか。船は明日戻ります。").encode("shift_jis"),
        "empty.srt": b"",
        "empty.vtt": b"WEBVTT",
        "empty.txt": b"\n\n",
        "garbage.srt": random.Random(1).randbytes(3000),
        "garbage.vtt": b"WEBVTT\n\n" + random.Random(2).randbytes(3000),
        "garbage.txt": random.Random(3).randbytes(300),
        "zeros.srt": bytes(4000),
        "huge-cue.srt": _cue(("The storm was stronger than the ship. " * 12 + "\n") * 12).encode(),
        "huge-word.srt": _cue("a" * 20_000).encode(),
        "blank-lines.srt": _cue("How are you?" + "\n" * 5000 + "I am fine.").encode()
        + b"\n" * 5000,
        "nested.srt": _cue("<i>" * 500 + "Who is there?" + "</i>" * 499).encode(),
        "nested.vtt": b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"<c.a><v B>" * 300 + b"Yes!",
        "open-brackets.srt": _cue("<" * 3000 + "{" * 3000).encode(),
        "many-arrows.srt": _cue("-->\n" * 50 + "00:00 --> \n" * 50).encode(),
        "many-dashes.srt": _cue("- No, never!\n" * 30).encode(),
        "same-numbers.srt": numbered.encode(),
        "digits.srt": _cue("9" * 400 + "\n٣٤٥").encode(),
        "combining.srt": _cue("e" + "\u0301" * 300 + " \u200d\U0001f469\u200d\U0001f467").encode(),
    }


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


def call(*arguments: str | Path) -> Ran:
    """Run ``subfit`` within this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = run([str(each) for each in arguments])
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    return Ran(code, out, err)


@contextlib.contextmanager
def model_loaded_once() -> Iterator[None]:
    """Let every command share one loaded model."""
    with patch.object(loading, "load_checkpoint", lru_cache(loading.load_checkpoint)):
        yield


def check_file(path: Path, model: Path = TINY, *options: str) -> str:
    """Check what must hold for any file at all, in the budget and in the translation.

    Args:
        path: The file; its translation is written beside it.
        model: The model's folder.
        options: More options of ``translate``.

    Returns:
        ``done`` or ``refused``.
    """
    budget = call("budget", path, "-t", "de", "--json")
    target = path.with_name(f"out{path.suffix}")
    target.unlink(missing_ok=True)
    languages, search = ("-s", "en", "-t", "de"), ("--model", model, "--beam", "2")
    command = ["translate", path, *languages, *search, "-o", target]
    translated = call(*command, "--json", *options)
    _check_failure(budget)
    _check_failure(translated)
    assert budget.code in (0, 1)
    if budget.code == 1:
        assert (translated.code, target.exists()) == (1, False), "refused, and yet translated"
        assert translated.err == budget.err
        return "refused"
    assert translated.code in (0, 3), translated.err
    (document,) = json.loads(translated.out)["files"]
    _check_cues(json.loads(budget.out), document, translated.code)
    _check_written(path, target)
    return "done"


def check_measured(path: Path) -> None:
    """Whatever a file is, it is measured and broken anew, or refused in one line."""
    for command in (
        ["check", path],
        ["reflow", path, "-o", path.with_name(f"broken{path.suffix}")],
    ):
        path.with_name(f"broken{path.suffix}").unlink(missing_ok=True)
        _check_failure(call(*command, "--json", "--guideline", "netflix"))


def _check_failure(ran: Ran) -> None:
    """A failure is one line, for people and as JSON; nothing else is ever on stderr of budget."""
    assert ran.code in (0, 1, 2, 3)
    assert "Traceback" not in ran.err and "internal error" not in ran.err, ran.err
    if ran.code in (1, 2):
        assert ran.err.startswith("subfit: error: ") and ran.err.count("\n") == 1, ran.err
        error = json.loads(ran.out)["error"]
        assert (error["exit_code"], error["message"]) == (ran.code, ran.err[15:-1])


def _check_cues(budget: dict[str, Any], document: dict[str, Any], code: int) -> None:
    cues = document["cues"]
    assert [(cue["line"], cue["start"]) for cue in budget["cues"]] == [
        (cue["line"], cue["start"]) for cue in cues
    ]
    # WebVTT that is named .srt is converted, which may leave something behind.
    losses = [each for each in document["repairs"] if each["problem"].startswith("not written to")]
    assert [each for each in document["repairs"] if each not in losses] == budget["repairs"]
    over = [cue for cue in cues if cue["status"] in ("overflow", "untranslated")]
    assert code == (3 if over or document["totals"]["unread"] else 0)
    for cue in cues:
        fits = cue["budget"] is None or cue["characters"] <= cue["budget"]
        assert fits or cue["status"] != "fits", cue


def _check_written(path: Path, target: Path) -> None:
    """Every cue of the input is in the output, at its time and with words if it had words."""
    source = read_track(path, source_language="en")
    written = parse_track(target.read_bytes(), format=FORMAT_OF_SUFFIX[path.suffix])
    if source.format != "txt":
        check_none_lost(path.read_bytes(), source, "en")
    assert [(cue.start, cue.end) for cue in written.cues] == [
        (cue.start, cue.end) for cue in source.cues
    ], "other cues were written than were read"
    for before, after in zip(source.cues, written.cues, strict=True):
        assert bool(after.text.strip()) >= any(map(str.isalnum, before.text)), before


OPTIONS: tuple[tuple[str, ...], ...] = (
    (),
    (),
    ("--no-join",),
    ("--sdh", "translate"),
    ("--length-ratio", "0.9:1.1"),
    ("--guideline", "bbc", "--cpl", "12"),
    ("--guideline", "none"),
    ("--cps", "3"),
)


def cases(seed: int) -> Iterator[tuple[int, str, bytes, tuple[str, ...]]]:
    """Yield damaged files with their names and options, without end; a seed makes one again."""
    files = [(name, data) for name, data in odd_files().items() if len(data) < 3000]
    for number in itertools.count(seed):
        source = random.Random(number)
        name, data = source.choice(files)
        yield number, name, mutate(data, source), source.choice(OPTIONS)


def main() -> int:
    """Run until the time or the count is up; stop at the first failure."""
    options = options_of(__doc__)
    limit_memory()
    with model_loaded_once(), tempfile.TemporaryDirectory() as folder:

        def checked(case: tuple[int, str, bytes, tuple[str, ...]]) -> str:
            _, name, data, more = case
            path = Path(folder) / name
            path.write_bytes(data)
            check_measured(path)
            return check_file(path, TINY, *more)

        return run_cases(cases(options.seed), checked, options)


if __name__ == "__main__":
    sys.exit(main())
