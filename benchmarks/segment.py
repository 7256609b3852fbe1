"""How well timed films, flattened to words, become cues again.

Words get uniform times within their human cue. Told are the share of new cues that keep CPS and
CPL, and the share of breaks (of cues and lines) that part a phrase, in the new and the human files:

    python benchmarks/segment.py FOLDER [--languages en,de,es,fr,it]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from subfit.captions import segmented, words_of
from subfit.limits.guideline import Guideline
from subfit.reporting.check import check_track
from subfit.subtitles.cues import Cue, Track
from subfit.subtitles.formats import read_track
from subfit.subtitles.markup.payload import kind_of, plain_text
from subfit.text.linebreak import split_pieces

PARTED = 80.0
"""Demerits from which on a break parts what belongs together."""


def parted(cues: Sequence[Cue], language: str) -> tuple[int, int]:
    """Return how many breaks part a phrase, and how many there are."""
    bad = total = 0
    lines = [line for cue in cues for line in cue.text.split("\n")]
    breaks, at = set(), 0
    for line in lines:
        at += len("".join(line.split()))
        breaks.add(at)
    at = 0
    for piece in split_pieces(" ".join(lines), language):
        at += len("".join(piece.text.split()))
        if at in breaks:
            total += 1
            bad += piece.demerits >= PARTED
    return bad, total


def films(folder: Path, languages: Sequence[str]) -> Iterator[tuple[Path, str]]:
    for path in sorted(folder.glob("*.srt")):
        language = path.stem.rpartition(".")[2]
        if language in languages:
            yield path, language


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", default="en,de,es,fr,it")
    arguments = parser.parse_args()
    sums: dict[str, list[float]] = {}
    for path, language in films(arguments.folder, arguments.languages.split(",")):
        guideline = Guideline.load("netflix", language)
        track = read_track(path)
        speech = [
            Cue(cue.start, cue.end, " ".join(plain.split()))
            for cue in track.cues
            if kind_of(plain := plain_text(cue.text, track.format)) == "speech"
        ]
        human = [
            Cue(cue.start, cue.end, plain_text(cue.text, track.format))
            for cue in track.cues
            if kind_of(plain_text(cue.text, track.format)) == "speech"
        ]
        words = words_of(Track(tuple(speech), "srt"))
        flat = Track(tuple(Cue(word.start, word.end, word.text) for word in words), "srt")
        new = segmented(flat, guideline)
        assert [w for c in new.cues for w in c.text.split()] == [
            w for word in words for w in word.text.split()
        ]
        row = sums.setdefault(language, [0.0] * 8)
        for offset, cues in ((0, human), (4, new.cues)):
            report = check_track(Track(tuple(cues), "srt"), guideline)
            kept = sum(
                not {v.kind for v in cue.violations} & {"cps", "cpl", "lines"}
                for cue in report.cues
            )
            bad, total = parted(cues, language)
            for at, value in enumerate((len(cues), kept, bad, total)):
                row[offset + at] += value
    print("language  cues human/new  keep CPS and CPL human/new  part phrases human/new")
    rows = [*sums.items(), ("all", [sum(column) for column in zip(*sums.values(), strict=True)])]
    for name, (cues, kept, bad, breaks, *new) in rows:
        print(
            f"{name:8}  {cues:.0f}/{new[0]:.0f}  {kept / cues:.1%}/{new[1] / new[0]:.1%}"
            f"  {bad / breaks:.1%}/{new[2] / new[3]:.1%}"
        )


if __name__ == "__main__":
    main()
