"""A report as one HTML page that needs nothing else: no network, no other file.

Style and scripts are written into the page, and a content security policy admits these and nothing
besides. All data is one block of JSON, which the scripts put on the page as text and never as
markup: the report, and the file that it is about, taken apart so that edits can be put in.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from subfit.limits.budget import budget_for
from subfit.limits.guideline import Guideline
from subfit.reporting.figures import file_columns, file_values, flags
from subfit.reporting.lengths import plain_data
from subfit.reporting.tables import Table
from subfit.reporting.wording import number, percent
from subfit.subtitles.cues import FORMATS, FormatName, Spliced, Track
from subfit.subtitles.formats import FORMAT_OF_SUFFIX, splice_track
from subfit.subtitles.formats.convert import convert_text, convert_track
from subfit.subtitles.formats.naming import output_path
from subfit.subtitles.markup.payload import parse_cue_text
from subfit.text.counting import Counting, count_characters

Values = Mapping[str, Any]

SCRIPTS = (
    *("counting.js", "rules.js", "payloads.js", "elements.js", "charts.js", "times.js"),
    *("cues.js", "editor.js", "summary.js", "drafts.js", "history.js", "player.js", "main.js"),
)
"""In this order, each may use those before it."""
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# "</script>" and "<!--" would end or change the block; the separators are line ends in scripts.
_ESCAPED = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
_HALVES = Counting(half_width=True)
_PLANES = (range(0xD800), range(0xE000, 0x20000), range(0xE0000, 0xE1000))
"""All code points but ideographs, which are wide, and private ones, which are not."""
_IDEOGRAPHS = (0x20000, 0x3FFFD)


def to_html(data: Mapping[str, Any], title: str) -> str:
    """Return a page."""
    script = "\n".join(["(() => {", '"use strict";', *map(_read, SCRIPTS), "})();"])
    values = {"title": html.escape(title), "data": _json(data), "script": script}
    return fill_page("index.html", values)


def fill_page(template: str, values: Mapping[str, str]) -> str:
    """Return a page of this folder, with the style and a policy that admits only what is in it.

    Args:
        template: Its name.
        values: What stands in for its placeholders, as markup; the policy admits a ``script``.
    """
    style = _read("style.css")
    policy = html.escape(_policy(style, values.get("script")))
    known = {**values, "style": style, "policy": policy}
    # One pass: nothing that is put in is looked at again.
    return _PLACEHOLDER.sub(lambda match: known[match[1]], _read(template))


def _read(name: str) -> str:
    return files("subfit.reporting").joinpath("assets", name).read_text(encoding="utf-8")


def _policy(style: str, script: str | None) -> str:
    """Nothing may be loaded, sent or run but this style and this script."""
    allowed = {
        "default-src": "'none'",
        "script-src": "'none'" if script is None else f"'{_hash(script)}'",
        "style-src": f"'{_hash(style)}'",
        "media-src": "'none'" if script is None else "blob:",  # someone's film
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in allowed.items())


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: Mapping[str, Any]) -> str:
    """Return data as JSON that can stand within a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: _ESCAPED[match[0]], text)


@cache
def character_ranges() -> dict[str, list[int]]:
    """Return code points that make no character by themselves, and those of full width.

    Returns:
        ``baseless`` and ``wide``: first and last code point of each range, one after the other.
    """
    baseless: list[int] = []
    wide: list[int] = []
    for plane in _PLANES:
        for count, group in groupby(plane, lambda point: count_characters(chr(point), _HALVES)):
            points = list(group)
            if count != 0.5:
                (wide if count else baseless).extend((points[0], points[-1]))
    return {"baseless": baseless, "wide": [*wide, *_IDEOGRAPHS]}


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A translation as it was written."""

    format: FormatName
    track_format: FormatName
    """The format of the source, in which the payloads of alternatives are."""
    timed: bool
    """Whether its cues are shown on a screen."""
    newline: str
    bom: bool
    spliced: Spliced | None
    """None of what is not made of lines, such as a table."""
    translations: tuple[str, ...]
    """What each cue has of the target language: its payload, or a part of it."""

    @property
    def payloads(self) -> tuple[str, ...]:
        """The payload of each cue."""
        return self.translations if self.spliced is None else self.spliced.payloads

    @property
    def _markup(self) -> str:
        """Whose tags its payloads have: those of another format, where it has none of its own."""
        markup = FORMATS[self.format].markup
        return self.format if markup == "script" else markup

    def converted(self, payload: str) -> str:
        """Return a payload of the source's format as it would be written."""
        return convert_text(payload, self.track_format, self.format)

    def frames(self) -> list[Frame]:
        """Return what stands around the words of each cue."""
        pairs = zip(self.payloads, self.translations, strict=True)
        return [_frame_within(whole, part, self.format) for whole, part in pairs]

    def to_dict(self) -> Mapping[str, Any]:
        """Return it as JSON values, but for the payloads."""
        return {
            "format": self.format if self.spliced is not None else self._markup,
            "timed": self.timed,
            "newline": self.newline,
            "bom": self.bom,
            "heads": None if self.spliced is None else list(self.spliced.heads),
            "tail": None if self.spliced is None else self.spliced.tail,
        }


def written_file(
    track: Track, output_format: FormatName, translation: Track | None = None
) -> WrittenFile:
    """Take a file apart as `subfit.subtitles.formats.render_track` writes it in UTF-8.

    Args:
        track: What was written.
        output_format: The format it was written in.
        translation: The same in the target language only, where the file has both.
    """
    spliced = splice_track(track, output_format)
    if spliced is not None and translation in (None, track):
        translations = spliced.payloads
    else:
        translation = convert_track(translation or track, output_format)
        translations = tuple(cue.text for cue in translation.cues)
    return WrittenFile(
        format=output_format,
        track_format=track.format,
        timed=track.timed,
        newline=track.encoding.newline,
        bom=track.encoding.bom,
        spliced=spliced,
        translations=translations,
    )


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays in a cue when someone types other words, and what is in it.

    Markup around the whole cue or around all of its lines; with both languages in a cue, the
    source.
    """

    prefix: str
    suffix: str
    line_open: str
    line_close: str
    body: str
    """What is left: the words with the markup between them."""


def frame_of(payload: str, format: FormatName) -> Frame:
    """Take the markup off a payload that stands around all of it, or around all of its lines."""
    text = parse_cue_text(payload, format)
    prefix, body, suffix = _between(payload, text.prefix, text.suffix)
    if not text.turns:
        return Frame("", "", "", "", payload)
    lines = [_between(line, text.line_open, text.line_close) for line in body.split("\n")]
    if any((head, tail) != (text.line_open, text.line_close) for head, _, tail in lines):
        return Frame(prefix, suffix, "", "", body)
    words = "\n".join(line for _, line, _ in lines)
    return Frame(prefix, suffix, text.line_open, text.line_close, words)


def _frame_within(whole: str, part: str, format: FormatName) -> Frame:
    """The frame of a translation that is part of a payload."""
    frame = frame_of(part, format)
    if whole == part:
        return frame
    lines = [f"{frame.line_open}{line}{frame.line_close}" for line in frame.body.split("\n")]
    inner = "\n".join(lines)
    first = whole.startswith(part.split("\n")[0])
    at = whole.find(inner) if first else whole.rfind(inner)
    if at < 0:
        return Frame("", "", "", "", whole)
    prefix, suffix = whole[:at], whole[at + len(inner) :]
    return Frame(prefix, suffix, frame.line_open, frame.line_close, frame.body)


def _between(text: str, prefix: str, suffix: str) -> tuple[str, str, str]:
    """Part a text at what it begins and ends with; at nothing if it does not."""
    inside = len(text) - len(prefix) - len(suffix)
    if inside < 0 or not text.startswith(prefix) or not text.endswith(suffix):
        return "", text, ""
    return prefix, text[len(prefix) : len(prefix) + inside], suffix


def page_data(document: Values, written: WrittenFile, guideline: Guideline) -> dict[str, Any]:
    """Return all that a page needs, as JSON values.

    Args:
        document: A report as JSON values (`subfit.reporting.report.Report.to_dict`), with
            ``input`` and ``output``.
        written: The file it is about; as many cues as the report has.
        guideline: The one that the report was made with.
    """
    cues = [
        {
            **_with_limits(cue, guideline),
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
    marks = [  # where the page takes from what it says of cues that have something
        {"name": total.name, "heading": total.heading, **plain_data(flag)}
        for total, flag in flags()
    ]
    page = {"cues": cues, "flags": marks, "file": file, "characters": character_ranges()}
    return {**document, **page}


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


_BAD = ("over", "lines_overflow", "untranslated")
_TEXTS = {"output": "Translation", "language": "Language", "state": "State", "error": "Error"}


def files_page(table: Table, links: Mapping[str, str]) -> str:
    """Return a page.

    Args:
        table: A row per file, from `subfit.batch.outcome.summary_table`.
        links: Addresses of the pages on the files, by output; none for those without one.
    """
    totals, escape = table.facts["totals"], html.escape
    figures = {column.name: column.heading for column in file_columns() if column.heading}
    named = {**_TEXTS, **figures}
    shown = [name for name in named if any(row.get(name) not in (None, "") for row in table.rows)]

    def heading(name: str) -> str:
        about = table.definitions.get(name)
        return _element("th", escape(named[name]), class_=_kind(name), scope="col", title=about)

    def cell(name: str, row: Values) -> str:
        text = escape(_shown(name, row[name]))
        if name == "output" and (link := links.get(row[name])):
            text = _element("a", text, href=link)
        return _element("td", text, class_=_kind(name, bad=name in _BAD and bool(row[name])))

    def line(row: Values) -> str:
        kind = "failed" if row["error"] else "over" if any(row[name] for name in _BAD) else "fits"
        return _element("tr", "".join(cell(name, row) for name in shown), class_=kind)

    counts = totals["files"].items()
    states = (f"{many} {state}" for state, many in counts if many and state != "all")
    tiles = {"Files": f"{totals['files']['all']}: {', '.join(states)}"}
    values = file_values(totals).items()
    tiles |= {figures[name]: _shown(name, value) for name, value in values if name in figures}
    parts = {
        "title": f"{len(table.rows)} translations",
        "facts": f"<span><b>subfit</b> {escape(table.facts['subfit'])}</span>",
        "tiles": "".join(
            _element(
                "div",
                _element("span", escape(name), class_="name") + _element("strong", escape(told)),
                class_="tile",
            )
            for name, told in tiles.items()
        ),
        "headings": _element("tr", "".join(map(heading, shown))),
        "rows": "\n".join(map(line, table.rows)),
    }
    return fill_page("files.html", parts)


def _element(tag: str, inner: str, *, class_: str = "", **attributes: str | None) -> str:
    given = {"class": class_, **attributes}
    told = "".join(f' {name}="{html.escape(one)}"' for name, one in given.items() if one)
    return f"<{tag}{told}>{inner}</{tag}>"


def _kind(name: str, *, bad: bool = False) -> str:
    return " ".join(["number"] * (name not in _TEXTS) + ["bad"] * bad)


def _shown(name: str, value: Any) -> str:
    if name == "compliance":
        return percent(value, 0)
    return number(value, 2) if isinstance(value, float) else "" if value is None else str(value)
