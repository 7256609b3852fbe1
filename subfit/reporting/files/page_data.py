"""What the page of a report knows: the report itself, and the file to put edits into."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from subfit.limits.budget import budget_for
from subfit.limits.guideline import Guideline
from subfit.reporting import totals
from subfit.reporting.files.characters import character_ranges
from subfit.reporting.files.written import WrittenFile, frame_of
from subfit.reporting.lengths import plain_data
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, output_path

Values = Mapping[str, Any]


def page_data(document: Values, written: WrittenFile, guideline: Guideline) -> dict[str, Any]:
    """Return all that a page needs, as JSON values.

    Args:
        document: A report as JSON values (`subfit.reporting.report.Report.to_dict`), with
            ``input`` and ``output``.
        written: The file it is about; as many cues as the report has.
        guideline: The one that the report was made with.
    """
    inconsistent = _inconsistent_names(document)
    cues = [
        {
            **_with_limits(cue, guideline),
            **_with_pieces(cue),
            "inconsistent_names": inconsistent[cue["number"]],
            "payload": payload,
            "frame": plain_data(frame),
            "alternatives": [_with_body(other, written) for other in cue["alternatives"]],
        }
        for cue, payload, frame in zip(
            document["cues"], written.payloads, written.frames(), strict=True
        )
    ]
    name = _download_name(document, written)
    file = {"name": name, **written.to_dict()}
    flags = [  # where the page takes from what it says of cues that have something
        {"name": total.name, "heading": total.heading, **plain_data(flag)}
        for total, flag in totals.flags()
    ]
    page = {"cues": cues, "flags": flags, "file": file, "characters": character_ranges()}
    return {**document, **page}


def _inconsistent_names(document: Values) -> Mapping[int, list[str]]:
    """The names that other sentences keep and that of a cue does not, by the cue's number."""
    names: defaultdict[int, list[str]] = defaultdict(list)
    for name in document.get("names", ()):
        for number in name["lost"]:
            names[number].append(name["name"])
    return names


def _with_pieces(cue: Values) -> dict[str, Any]:
    """The source of a cue in pieces, if something was left out of it."""
    omitted = cue.get("omitted", ())
    return {"source_pieces": _pieces(cue["source"], omitted)} if omitted else {}


def _pieces(source: str, omitted: Sequence[str]) -> list[tuple[str, bool]]:
    """The source in pieces, each with whether it was left out.

    What stands there more often than it was left out could be any of them, and none is told.
    """
    struck = [False] * len(source)
    for words, times in sorted(Counter(omitted).items(), key=lambda pair: -len(pair[0])):
        pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words.split())) + r"(?!\w)"
        spans = [slice(*match.span()) for match in re.finditer(pattern, source)]
        spans = [span for span in spans if not any(struck[span])]
        for span in spans if len(spans) == times else ():
            struck[span] = [True] * (span.stop - span.start)
    groups = groupby(zip(source, struck, strict=True), key=itemgetter(1))
    return [("".join(character for character, _ in group), out) for out, group in groups]


def _with_body(alternative: Values, written: WrittenFile) -> dict[str, Any]:
    """An alternative with what is typed into a cue to have it there."""
    payload = written.converted(alternative["payload"])
    return {**alternative, "body": frame_of(payload, written.format).body}


def _with_limits(cue: Values, guideline: Guideline) -> dict[str, Any]:
    """The cue, with the limits that someone must keep who translates what was left as it was."""
    if cue["budget"] is not None or cue["status"] in ("fits", "overflow"):
        return dict(cue)
    timed = cue["start"] is not None
    budget = budget_for(cue["source"], cue["end"] - cue["start"] if timed else None, guideline)
    limits = {"budget": budget.characters, "binding": budget.binding, "limits": dict(budget.limits)}
    return {**cue, **plain_data(limits)}


def _download_name(document: Values, written: WrittenFile) -> str:
    """The name of the file as it is downloaded: that of the output, or what it might have been."""
    source, name, settings = document["input"], document["output"], document["settings"]
    if name == "-" and source in ("-", None):
        name = "translation"
    elif name == "-":
        languages = settings["target_language"], settings["source_language"]
        name = str(output_path(Path(source), *languages))
    path = Path(name)
    known = FORMAT_OF_SUFFIX.get(path.suffix.lower()) == written.format
    return path.name if known else path.with_suffix(f".{written.format}").name
