"""Everything that is wrong with a file by its guideline, and the same file with what can be mended.

What can be mended without judgement is how text is set, where lines break, and out-times; it is
mended where that breaks no other rule. Words and in-times are never changed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from subfit.limits.guideline import Guideline
from subfit.quality import judged
from subfit.quality.findings import Finding
from subfit.quality.setting import MENDS, WRONG, markup_beside_italics, mended
from subfit.quality.timing import Clock
from subfit.reporting.check import CheckReport, check_track, violation_of
from subfit.reporting.reflow import reflow_track
from subfit.subtitles.cues import FORMATS, Track
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.text.casing import in_capitals
from subfit.text.linebreak import split_pieces

OF_LINES = ("cpl", "lines", "line_balance", "line_breaks")
OF_ENDS = ("gap", "min_duration", "loose_gap", "shot_change")
_PARTED = 100.0
"""So many more demerits than the best line break has one that parts what belongs together."""


def inspect(
    track: Track, report: CheckReport, *, banned: Sequence[str] = (), skipped: Sequence[str] = ()
) -> list[Finding]:
    """Find what is wrong with a track, limits included.

    Args:
        track: The cues, with the shot changes of their film if known.
        report: The same cues, measured; it has the guideline and the sources.
        banned: Words that must not be said.
        skipped: Rules that are not looked at.

    Returns:
        What was found, in the order of the cues.
    """
    guideline, texts = report.guideline, [cue.text for cue in report.cues]
    sources = [cue.source.text if cue.source else None for cue in report.cues]
    found = [*_of_limits(track, report), *_of_setting(track, guideline)]
    style = guideline.style
    placed = [bool(cue.spot[2]) for cue in track.cues]  # a sign by itself
    spoken = ["" if sign else text for sign, text in zip(placed, texts, strict=True)]
    rules: dict[str, judged.Told] = {
        "numbers": judged.numbers(texts, style),
        "glyphs": judged.glyphs(texts, style),
        "quotes": judged.quotes(texts, style),
        "brackets": judged.brackets(texts, style),
        "dashes": judged.dashes(texts, style),
        "capitals": judged.capitals(spoken, sources, style),
        "names": judged.names(texts, style),
        "profanity": judged.profanity(texts, banned),
    }
    found += [Finding(rule, cue, told) for rule, all in rules.items() for cue, told in all]
    if track.timed:
        found += Clock(track, guideline).findings()
    kept = dict.fromkeys(one for one in found if one.rule not in skipped)
    return sorted(kept, key=lambda one: one.cue)


def mend(
    track: Track, guideline: Guideline, skipped: Sequence[str] = ()
) -> tuple[Track, list[Finding]]:
    """Mend all that needs no judgement.

    Args:
        track: The cues, with the shot changes of their film if known.
        guideline: What is to be kept.
        skipped: Rules that are not looked at.

    Returns:
        The track without what could be mended, and what that was.
    """
    style, language = guideline.style, guideline.language

    def find() -> list[Finding]:
        return inspect(track, check_track(track, guideline), skipped=skipped)

    before = found = find()
    for _ in range(3):  # what is set anew may have to be broken anew, and the other way round
        texts = [cue.text for cue in track.cues]
        for rule in MENDS:
            if rule not in skipped:
                texts = [mended(text, track.format, rule, style, language) for text in texts]
        track = track.with_texts(texts)
        found = find()
        if lines := {one.cue for one in found if one.rule in OF_LINES and one.mendable}:
            broken = reflow_track(track, guideline).cues
            cues = enumerate(track.cues)
            texts = [broken[at].payload if at in lines else cue.text for at, cue in cues]
            track = track.with_texts(texts)
        if ends := {one.cue for one in found if one.rule in OF_ENDS and one.mendable}:
            clock = Clock(track, guideline)
            new = {at: clock.better_end(track.cues[at]) for at in ends}
            track = track.with_ends([new.get(at) or cue.end for at, cue in enumerate(track.cues)])
        found = find()
        if not any(one.mendable for one in found):
            break
    after = {(one.cue, one.rule, one.message) for one in found}
    done = [one for one in before if (one.cue, one.rule, one.message) not in after]
    return track, [one for one in done if one.mendable]


def _of_limits(track: Track, report: CheckReport) -> Iterator[Finding]:
    if not any(cue.violations for cue in report.cues):
        return
    clock = Clock(track, report.guideline)
    reflowed = reflow_track(track, report.guideline).cues if track.timed else ()
    for at, cue in enumerate(report.cues):
        for violation in cue.violations:
            kind = violation.kind
            mendable = kind in OF_ENDS and clock.better_end(cue.cue) is not None
            if kind in OF_LINES:
                mendable = reflowed[at].state == "broken" and not reflowed[at].violations
            yield Finding(kind, at, violation_of(violation), mendable)


def _of_setting(track: Track, guideline: Guideline) -> Iterator[Finding]:
    style, language = guideline.style, guideline.language
    for at, cue in enumerate(track.cues):
        for rule in MENDS:
            if (new := mended(cue.text, track.format, rule, style, language)) != cue.text:
                told = WRONG[rule].format(style=style)
                if rule == "glyphs":
                    codes = (f"U+{ord(char):04X}" for char in sorted({*cue.text} - {*new}))
                    told = ", ".join([told, *codes])
                yield Finding(rule, at, told, mendable=True)
        if style.italics is not None and FORMATS[track.format].markup in ("srt", "vtt"):
            for tag in markup_beside_italics(cue.text):
                yield Finding("italics", at, f"{tag} is no italics")
    if style.lines and track.timed:
        for at, wrong in _bad_breaks(track, guideline):
            yield Finding("line_breaks", at, wrong, mendable=True)


def _bad_breaks(track: Track, guideline: Guideline) -> Iterator[tuple[int, str]]:
    """Find cues that would be better in one line, or broken elsewhere."""
    for at, cue in enumerate(track.cues):
        text = parse_cue_text(cue.text, track.format)
        if "\n" not in cue.text.strip() or text.kind != "speech" or len(text.turns) > 1:
            continue
        new = reflow_track(replace(track, cues=(cue,)), guideline).cues[0]
        before, after = new.before, new.after
        over = len(before) > (guideline.lines or 2) or (
            max(map(guideline.count, before)) > (guideline.cpl or math.inf)
        )
        mixed = len(set(map(in_capitals, before))) > 1  # text on screen, and speech
        if new.state == "kept" or new.violations or over or mixed:
            continue
        worst = max(_demerits(before, guideline.language), default=0.0)
        if len(after) == 1 < len(before):
            yield at, "two lines, where one has room for all"
        elif worst - max(_demerits(after, guideline.language), default=0.0) >= _PARTED:
            parted = f"{before[0].split()[-1]} / {before[1].split()[0]}"
            yield at, f"its lines part what belongs together: {parted}"


def _demerits(lines: Sequence[str], language: str) -> Iterator[float]:
    """The demerits of each line break of a text."""
    pieces, end = split_pieces(" ".join(lines), language), 0
    for upper, _ in pairwise(lines):
        wanted = len("".join(upper.split()))
        while wanted > 0 and end < len(pieces):
            wanted -= len("".join(pieces[end].text.split()))
            end += 1
        yield pieces[end - 1].demerits
