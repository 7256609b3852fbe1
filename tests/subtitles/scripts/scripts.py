"""Reading dubbing scripts as tests write them."""

from __future__ import annotations

import io
from datetime import time

import openpyxl
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from subfit.subtitles.cues import Track
from subfit.subtitles.formats import parse_track
from subfit.subtitles.scripts.columns import ScriptReading, parse_columns


def read(data: bytes | str, *, format: str = "csv", columns: str = "", **options: object) -> Track:
    raw = data.encode() if isinstance(data, str) else data
    script = ScriptReading(parse_columns(columns), **{"fps": 25, **options})  # type: ignore[arg-type]
    return parse_track(raw, name=f"script.{format}", format=format, script=script)  # type: ignore[arg-type]


def texts(track: Track) -> list[str]:
    return [cue.text for cue in track.cues]


def workbook() -> bytes:
    """A script as they come: a title, styles, formulas, comments, rules, two sheets."""
    book = openpyxl.Workbook()
    cover, sheet = book.active, book.create_sheet("Reel 1")
    cover["A1"] = "Read the second sheet"
    sheet["A1"] = "The Lighthouse, reel 1"
    sheet.merge_cells("A1:E1")
    sheet.append([])
    sheet.append(["In", "Out", "Character", "Text", "Length"])
    sheet.append([time(0, 0, 1), time(0, 0, 3, 500_000), "ANN", "Wait,\nyou there.", "=LEN(D4)"])
    sheet.append(["00:00:04:00", "00:00:05:12", "BOB", "(OFF) Never.", "=LEN(D5)"])
    for cell in sheet[3]:
        cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="DDEEFF")
    sheet["D4"].alignment, sheet["D4"].font = (
        Alignment(wrap_text=True),
        Font(name="Courier", size=13),
    )
    sheet["A4"].number_format = "hh:mm:ss.000"
    sheet["C4"].comment = Comment("a low voice", "director")
    sheet.column_dimensions["D"].width = 48
    sheet.freeze_panes = "A4"
    sheet.auto_filter.ref = "A3:E5"
    rule = DataValidation(type="list", formula1='"ANN,BOB"')
    rule.add("C4:C99")
    sheet.add_data_validation(rule)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
