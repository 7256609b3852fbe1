"""What a run led to: whether it failed, and whether what is done keeps its limits."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from subfit.batch.items import Item, Result
from subfit.batch.job import Job
from subfit.batch.manifest import Manifest, Record, locked
from subfit.batch.outcome import summary_document, summary_table
from subfit.batch.setup import RunSetup
from subfit.errors import InputFileError, OutputFileError, failure_of
from subfit.reporting.report import report_on
from tests.batch.test_run import states
from tests.reporting.conftest import NETFLIX, OUTCOMES, TRACK

from .conftest import Cli, tree

ERROR = failure_of(InputFileError("film.srt", "there is no cue in it", line=3))


TOTALS = report_on(OUTCOMES, TRACK, NETFLIX).totals
BROKEN = failure_of(InputFileError("b.srt", "there is no cue in it", line=7))


def result(name: str, language: str, *, failed: bool = False) -> Result:
    item = Item(f"{name}.srt", f"out/{name}.{language}.srt", language)
    if failed:
        return Result(item, "failed", failure=BROKEN)
    shortcomings = {"model": "m", "cannot": ["poems"]}
    figures = {"totals": TOTALS, "repairs": [], "shortcomings": shortcomings}
    return Result(item, "done" if name == "a" else "earlier", figures)


RESULTS = [result("a", "de"), result("a", "fr"), result("b", "de", failed=True), result("b", "fr")]


def setup() -> RunSetup:
    job = Job(("s",), ("de", "fr"))
    guidelines = {(one, True): job.guideline_for(one) for one in job.languages}
    return RunSetup(job, {"de": ("m",), "fr": ("m",)}, guidelines)


def test_each_language_has_its_own_totals_and_what_its_model_cannot_do() -> None:
    document = summary_document(RESULTS, setup())
    german, french = document["languages"]["de"], document["languages"]["fr"]
    assert (german["files"]["failed"], french["files"]["failed"]) == (1, 0)
    assert (german["cues"], french["cues"]) == (len(OUTCOMES), 2 * len(OUTCOMES))
    assert document["settings"]["de"]["model_cannot"] == ["poems"]
    assert not any("shortcomings" in file for file in document["files"])
    assert document["files"][2]["error"]["line"] == 7


def test_the_table_has_a_row_for_every_file_also_for_those_that_failed() -> None:
    table = summary_table(RESULTS, setup())
    rows = [SimpleNamespace(**row) for row in table.rows]
    assert [(row.input, row.language, row.state) for row in rows] == [
        ("a.srt", "de", "done"),
        ("a.srt", "fr", "done"),
        ("b.srt", "de", "failed"),
        ("b.srt", "fr", "earlier"),
    ]
    assert [row.cues for row in rows] == [5, 5, None, 5]
    assert rows[2].error == "b.srt:7: there is no cue in it" and rows[0].error is None
    assert set(table.rows[0]) == set(table.columns)


def test_every_translation_has_a_report_on_its_cues_if_wished_also_later(translate, season):
    translate("season", "-o", "out")
    options = ("season", "-o", "out", "--cue-reports", "cues", "--report", "r.json")
    assert translate(*options).code == 0
    assert set(states(Path("r.json")).values()) == {"done"}
    names = [f"{name}.json" for name in tree(Path("out"))]
    assert list(tree(Path("cues"))) == names
    report = json.loads(Path("cues/specials/1.de.srt.json").read_text(encoding="utf-8"))
    assert report["output"] == "out/specials/1.de.srt"
    assert [cue["number"] for cue in report["cues"]] == [1, 2, 3]
    assert translate(*options).code == 0
    assert set(states(Path("r.json")).values()) == {"earlier"}
    Path("cues/1.de.srt.json").unlink()
    Path("cues/2.de.srt.json").write_text("mine")
    outcome = translate(*options)
    assert outcome.code == 1 and "cues/2.de.srt.json: the file exists already" in outcome.err
    files = json.loads(Path("r.json").read_text(encoding="utf-8"))["files"]
    assert [each["state"] for each in files] == ["done", "failed", "earlier"]
    assert list(tree(Path("cues"))) == names
    assert translate("season/1.srt", "-o", "x.srt", "--cue-reports", "cues").code == 2


def test_reports_on_cues_have_the_form_of_the_report(translate: Cli, season: Path) -> None:
    options = ("season", "-o", "out", "--cue-reports", "cues", "--report", "r.html")
    assert translate(*options).code == 0
    assert list(tree(Path("cues"))) == [f"{name}.html" for name in tree(Path("out"))]
    assert "<!DOCTYPE html>" in Path("cues/1.de.srt.html").read_text(encoding="utf-8")
    assert translate(*options).code == 0
    page = Path("r.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^"]*)">', page)
    assert links == [f"cues/{name}" for name in tree(Path("cues"))]
    assert "<script" not in page


RECORD = Record(
    output="a/m.de.srt",
    input="s/a/m.srt",
    language="de",
    key="1",
    state="writing",
    output_sha256="4",
    figures={"totals": {"cues": 3, "what": "schön"}},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".subfit").mkdir()
    return tmp_path


def test_damage_within_a_manifest_is_found(folder: Path) -> None:
    with closing(Manifest(folder)) as manifest:
        manifest.write([replace(RECORD, output=f"{n}.srt") for n in range(300)])
    path = folder / ".subfit" / "manifest.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:8192] + b"\xa5" * 8192 + data[16384:])
    with pytest.raises(OutputFileError, match="is damaged"), closing(Manifest(folder)) as manifest:
        manifest.records()


def test_a_manifest_of_a_later_version_is_left_alone(folder: Path) -> None:
    path = folder / ".subfit" / "manifest.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE other (x)")
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(OutputFileError, match="is of version 99, not 2"):
        Manifest(folder)


HOLDS = """
import sys
from pathlib import Path
from subfit.batch.manifest import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "out" / ".subfit").mkdir(parents=True)
    return tmp_path / "out" / ".subfit" / "lock"


def test_the_second_is_told_who_holds_it_and_a_dead_one_holds_nothing(path: Path) -> None:
    command = [sys.executable, "-c", HOLDS, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        told = rf"out: another run of subfit \(process {other.pid} on {socket.gethostname()}, since"
        with pytest.raises(OutputFileError, match=told), locked(path):
            pass
        other.kill()
        other.wait()
        with locked(path):
            pass
