"""Damage subtitle files at random and see that no cue and no word is ever lost in silence.

    python -m tests.fuzz_formats --seconds 300
    python -m tests.fuzz_formats --count 1 --seed 4711     (to see one case again)

What is read is compared with what a strict reader sees in the same bytes (`tests.fuzzing`); lines
that are broken anew must have the words that they had; and no file may take too long or too much.

Starts from the files in tests/subtitles/formats/data, examples/ and, where there is one beside the
project, the collection of fixtures in ../shared/subtitles. ``--format ass`` takes those of one
format. The test suite runs the same checks for a moment.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
from collections.abc import Callable, Iterator

from subfit.errors import SubfitError
from subfit.limits.guideline import Guideline
from subfit.reporting.reflow import reflow_track
from subfit.subtitles.cues import FORMATS, FormatName, Track
from subfit.subtitles.encoding import decode
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, parse_track, render_track, written_format
from subfit.subtitles.markup.payload import parse_cue_text, plain_text
from subfit.subtitles.markup.restore import render_cue_text
from subfit.subtitles.repairs import UNREADABLE
from tests.fuzzing import check_beside_strict, limit_memory, options_of, run
from tests.places import ROOT

LANGUAGES = (None, "en", "fr", "ru", "ja", "zh", "ko", "pl", "el", "ar", "xx")
_PIECES = (
    b"\n", b"\n\n", b"\r", b"\r\n", b"\r\r\n", b"-->", b"->", b" --> ", b"\0", b"\xff\xfe",
    b"\xef\xbb\xbf", b"\x80", b"\xe9", b"\xc3", b"\xe2\x80\xa8", b"\xc2\x85", b"WEBVTT\n",
    b"NOTE\n", b"STYLE\n", b"<i>", b"</i>", b"<v Ann>", b"{\\an8}", b"<", b">", b"&amp;", b"- ",
    b"\xe2\x99\xaa", b"1\n", b"7\n", b"0:0:1,5", b"00:00:01,000 --> 00:00:02,000\n",
    b"00:01.000 --> 00:02.000\n", b"\xed\xa0\x80", b"\x1c", b"\x0c", b"\t",
    b"00:00:03,000 --> 00:00:04,000", b" 00:04.000 --> 00:05.000 line:0\n", b"<i", b"</", b"{\\",
    b"<c", b"&lt;", b"--", b"\xe2\x86\x92", b"\xc2\xa0", b"\xe2\x80\x94", b"- - ", b"\x1b$B",
    b"\x0b", b"Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,", b"{\\p1}", b"{\\k20}", b"\\N",
    b"[Events]\n", b"Format: Start, End, Text\n", b",", b"<p begin='1s' end='2s'>", b"</p>",
    b"<span>", b"</span>", b"<br/>", b"<![CDATA[", b"]]>", b"<!-- ", b" -->", b" dur='3f'",
    b"xml:lang='de'", b"\x8a", b"\x8f", b"\xff\x00", b"{1}{25}", b"[00:01.00]", b"<SYNC Start=1>",
    b"\t9420 94ae\n", b"0:00:01.000,0:00:02.000\n",
)  # fmt: skip


def seeds(*, captions: bool = False) -> list[tuple[FormatName, bytes]]:
    """Return the files to start from; automatic captions among them only where asked for."""
    folders = ["tests/subtitles/formats/data", "examples", "../shared/subtitles/fixtures"]
    paths = (path for folder in folders for path in sorted((ROOT / folder).glob("*.*")))
    paths = (path for path in paths if captions or not path.name.startswith("harbour"))
    named = ((FORMAT_OF_SUFFIX.get(path.suffix), path) for path in paths)
    files = [(name, path) for name, path in named if name and FORMATS[name].timed]
    whole = ("ttml", "speech")
    return [(name, path.read_bytes()[: None if name in whole else 6000]) for name, path in files]


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
        lambda data, a, b: random.choice(_PIECES) + data,
        lambda data, a, b: _with_lines_moved(data, random),
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


def _with_lines_moved(data: bytes, random: random.Random) -> bytes:
    """Put some lines where another line stands, once more."""
    lines = data.split(b"\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    lines[to:to] = lines[at : at + random.randint(1, 3)]
    return b"\n".join(lines)


def check(data: bytes, format_name: FormatName, language: str | None) -> Track | None:
    """Check everything that must hold for any bytes at all.

    Returns:
        The track, None if the file was refused with an error of our own.
    """
    try:
        track = parse_track(data, name="fuzz", format=format_name, source_language=language)
        written = render_track(track, output_format=written_format(format_name))
    except SubfitError as error:
        assert "\n" not in str(error)
        if format_name in ("srt", "vtt"):
            check_beside_strict(data, None)
        return None
    if format_name in ("srt", "vtt"):
        check_none_lost(data, track, language)
        check_beside_strict(data, track)
    elif not track.repairs and track.encoding.name in ("utf-8", "utf_8"):
        same = _undeclared(written) == _undeclared(data)
        assert same or not FORMATS[format_name].written, "the file is not itself"
    check_reflow(track)
    if FORMATS[format_name].written:
        again = parse_track(written, format=format_name)
        assert [(c.start, c.end, c.text) for c in again.cues] == [
            (c.start, c.end, c.text) for c in track.cues
        ], "what was written reads otherwise"
        assert render_track(again) == written, "writing is not stable"
    for cue in track.cues:
        check_payload(cue.text, format_name)
    for other in ("srt", "vtt", "ttml", "ass") if _has_words(track) else ():
        made = parse_track(render_track(track, output_format=other), format=other)
        assert len(made.cues) <= len(track.cues), "there are more cues"
    return track


def _undeclared(data: bytes) -> bytes:
    """A file without what XML says of its encoding, which is put right."""
    return re.sub(rb"<\?xml.*?\?>", b"", data, count=1, flags=re.DOTALL)


def _has_words(track: Track) -> bool:
    """Whether there is more than line breaks of ASS, which are mended."""
    return any(plain_text(cue.text, track.format).replace("\\N", "").strip() for cue in track.cues)


def check_none_lost(data: bytes, track: Track, language: str | None) -> None:
    """Every line with an arrow is a cue or a repair, but in notes of WebVTT."""
    text = decode(data, name="fuzz", source_language=language).text
    known = {cue.line for cue in track.cues}
    known |= {repair.line for repair in track.repairs if repair.problem.startswith(UNREADABLE)}
    notes = re.compile(r"(?:NOTE|STYLE|REGION)\b")
    in_note = False
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or number in known:
            in_note = False
        elif notes.match(line):
            in_note = track.format == "vtt"
        assert "-->" not in line or number in known or in_note, f"line {number} is lost: {line!r}"


def check_reflow(track: Track) -> None:
    """Lines that are broken anew have the same words, in the file that is written, too."""
    cpl = 8 if sum(cue.start for cue in track.cues) % 2 else 42
    found = reflow_track(track, Guideline(language="en", cpl=cpl, lines=2)).track
    again = found
    if FORMATS[track.format].written:
        again = parse_track(render_track(found), format=track.format)
    assert words_of(again) == words_of(track), f"words were lost at {cpl} characters a line"


def words_of(track: Track) -> list[tuple[int, int, str]]:
    """Return what cues say, but for white space, and when."""
    return [
        (cue.start, cue.end, "".join(plain_text(cue.text, track.format).split()))
        for cue in track.cues
    ]


def check_payload(text: str, format_name: FormatName) -> None:
    """Payloads come apart and together again without losing words or breaking the file."""
    parsed = parse_cue_text(text, format_name)
    own = [(turn.text,) if turn.text else () for turn in parsed.turns]
    rendered = render_cue_text(parsed, own, format_name).text
    before = "".join(plain_text(text, format_name).split())
    after = "".join(plain_text(rendered, format_name).split())
    # SubRip has no escapes: without a stray tag or an arrow in it, text may read like a tag.
    ambiguous = FORMATS[format_name].markup in ("srt", "ass") and re.search(r"[<{]|-->", before)
    assert after == before or ambiguous, f"words were lost: {text!r}"
    other = render_cue_text(parsed, [("Ein", "neuer --> Text")] * len(own), format_name)
    arrow = "-->" in other.text and FORMATS[format_name].markup in ("srt", "vtt")
    assert not own or not ("\n\n" in other.text or arrow), "a broken payload"


def cases(
    seed: int, format: FormatName | None = None
) -> Iterator[tuple[int, bytes, FormatName, str | None]]:
    """Yield damaged files without end, of one format or all; each has a seed to make it again."""
    known = seeds(captions=format is not None)  # else every case would be another than it was
    files = [file for file in known if format in (None, file[0])]
    for number in itertools.count(seed):
        source = random.Random(number)
        format_name, data = source.choice(files)
        if format is None and source.random() < 0.05:
            format_name = source.choice([name for name in FORMATS if FORMATS[name].timed])
        yield number, mutate(data, source), format_name, source.choice(LANGUAGES)


def main() -> int:
    """Run until the time or the count is up; stop at the first failure."""
    options = options_of(__doc__, formats=True)
    limit_memory()

    def checked(case: tuple[int, bytes, FormatName, str | None]) -> str:
        return "refused" if check(*case[1:]) is None else "read"

    return run(cases(options.seed, options.format), checked, options)


if __name__ == "__main__":
    sys.exit(main())
