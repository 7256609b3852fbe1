"""Damage subtitle files at random and see that no cue is ever lost in silence.

    python tests/fuzz_formats.py --seconds 300
    python tests/fuzz_formats.py --count 1 --seed 4711     (to see one case again)

Starts from the files in tests/subtitles/formats/data, examples/ and, where there is one beside the
project, the collection of fixtures in ../shared/subtitles. The test suite runs the same checks for
a moment.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import sys
import time
from collections.abc import Callable, Iterator

from subfit.errors import SubfitError
from subfit.subtitles.cues import FormatName, Track
from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import parse_track, render_track
from subfit.subtitles.markup.payload import parse_cue_text, plain_text
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.repairs import UNREADABLE
from tests.places import ROOT

LANGUAGES = (None, "en", "fr", "ru", "ja", "zh", "ko", "pl", "el", "ar", "xx")
_PIECES = (
    b"\n", b"\n\n", b"\r", b"\r\n", b"\r\r\n", b"-->", b"->", b" --> ", b"\0", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\x80", b"\xe9", b"\xc3", b"\xe2\x80\xa8", b"\xc2\x85", b"WEBVTT\n",
    b"NOTE\n", b"STYLE\n", b"<i>", b"</i>", b"<v Ann>", b"{\\an8}", b"<", b">", b"&amp;", b"- ",
    b"\xe2\x99\xaa", b"1\n", b"7\n", b"0:0:1,5", b"00:00:01,000 --> 00:00:02,000\n",
    b"00:01.000 --> 00:02.000\n", b"\xed\xa0\x80", b"\x1c", b"\x0c", b"\t",
)  # fmt: skip


def seeds() -> list[tuple[FormatName, bytes]]:
    """Return the files to start from."""
    folders = ["tests/subtitles/formats/data", "examples", "../shared/subtitles/fixtures"]
    formats: dict[str, FormatName] = {".srt": "srt", ".vtt": "vtt"}
    paths = (path for folder in folders for path in sorted((ROOT / folder).glob("*.[sv]*")))
    return [(formats[path.suffix], path.read_bytes()[:6000]) for path in paths]


def mutate(data: bytes, random: random.Random) -> bytes:
    """Return data with up to eight random damages."""
    edits: list[Callable[[bytes, int, int], bytes]] = [
        lambda data, a, b: data[:a] + data[b:],
        lambda data, a, b: data[:b] + data[a:],
        lambda data, a, b: data[:a] + random.choice(_PIECES) + data[a:],
        lambda data, a, b: data[:a] + random.choice(_PIECES) + data[b:],
        lambda data, a, b: data[:a] + random.randbytes(random.randint(1, 4)) + data[b:],
        lambda data, a, b: data.replace(b"\n\n", b"\n", random.randint(1, 9)),
        lambda data, a, b: data.replace(b"\n", b"\n\n", random.randint(1, 9)),
        lambda data, a, b: data.replace(b"-->", b"->", random.randint(1, 3)),
        lambda data, a, b: data[:a],
        lambda data, a, b: re.sub(rb"\d", lambda m: b"%d" % random.randrange(10), data, count=9),
    ]
    for _ in range(random.randint(1, 8)):
        at = random.randint(0, len(data))
        data = random.choice(edits)(data, at, min(len(data), at + random.randint(0, 40)))
    if random.random() < 0.1:
        encoding = random.choice(
            ["utf-16", "utf-16-le", "utf-32", "cp1251", "shift_jis", "gb18030"]
        )
        data = data.decode("utf-8", "replace").encode(encoding, "replace")
    return data


def check(data: bytes, format_name: FormatName, language: str | None) -> Track | None:
    """Check everything that must hold for any bytes at all.

    Returns:
        The track, None if the file was refused with an error of our own.
    """
    try:
        track = parse_track(data, name="fuzz", format=format_name, source_language=language)
        written = render_track(track)
    except SubfitError as error:
        assert "\n" not in str(error)
        return None
    check_none_lost(data, track, language)
    again = parse_track(written, format=format_name)
    assert [(c.start, c.end, c.text) for c in again.cues] == [
        (c.start, c.end, c.text) for c in track.cues
    ], "what was written reads otherwise"
    assert render_track(again) == written, "writing is not stable"
    for cue in track.cues:
        check_payload(cue.text, format_name)
    return track


def check_none_lost(data: bytes, track: Track, language: str | None) -> None:
    """Every line with an arrow is a cue or a repair, but in notes and headers of WebVTT."""
    text = decode(data, name="fuzz", source_language=language).text
    known = {cue.line for cue in track.cues}
    known |= {repair.line for repair in track.repairs if repair.problem.startswith(UNREADABLE)}
    notes = re.compile(r"(?:NOTE|STYLE|REGION)\b")
    in_note = track.format == "vtt"
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or number in known:
            in_note = False
        elif notes.match(line):
            in_note = track.format == "vtt"
        assert "-->" not in line or number in known or in_note, f"line {number} is lost: {line!r}"


def check_payload(text: str, format_name: FormatName) -> None:
    """Payloads come apart and together again without losing words or breaking the file."""
    parsed = parse_cue_text(text, format_name)
    own = [(turn.text,) if turn.text else () for turn in parsed.turns]
    rendered = render_cue_text(parsed, own, format_name).text
    before = "".join(plain_text(text, format_name).split())
    after = "".join(plain_text(rendered, format_name).split())
    # SubRip has no escapes: without a stray tag or an arrow in it, text may read like a tag.
    ambiguous = format_name == "srt" and re.search(r"[<{]|-->", before)
    assert after == before or ambiguous, f"words were lost: {text!r}"
    other = render_cue_text(parsed, [("Ein", "neuer --> Text")] * len(own), format_name)
    assert not own or ("\n\n" not in other.text and "-->" not in other.text), "a broken payload"


def cases(seed: int) -> Iterator[tuple[int, bytes, FormatName, str | None]]:
    """Yield damaged files without end; each has a seed that makes it again."""
    files = seeds()
    for number in itertools.count(seed):
        source = random.Random(number)
        format_name, data = source.choice(files)
        if source.random() < 0.05:
            format_name = "vtt" if format_name == "srt" else "srt"
        yield number, mutate(data, source), format_name, source.choice(LANGUAGES)


def main() -> int:
    """Run until the time or the count is up; stop at the first failure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=None, help="stop after this time")
    parser.add_argument("--count", type=int, default=None, help="stop after this many files")
    parser.add_argument("--seed", type=int, default=None, help="the first case; random by default")
    options = parser.parse_args()
    seed = random.randrange(10**9) if options.seed is None else options.seed
    seconds = 60.0 if options.seconds is None and options.count is None else options.seconds
    began, done, read = time.monotonic(), 0, 0
    for number, data, format_name, language in cases(seed):
        if (options.count is not None and done >= options.count) or (
            seconds is not None and time.monotonic() - began > seconds
        ):
            break
        try:
            read += check(data, format_name, language) is not None
        except Exception:
            print(f"failed; see it again with --count 1 --seed {number}", file=sys.stderr)
            raise
        done += 1
    print(f"{done} damaged files, {read} read and {done - read} refused, no cue lost (seed {seed})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
