"""``subfit compare``: tables, JSON, and the same again without models."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from subfit.evaluation.corpus import read_evaluation_set
from tests.cli.conftest import Cli
from tests.evaluation.test_timed import HUMAN, OURS
from tests.tiny import PAIRS, write_pairs

FEW = PAIRS[:8]
COMMAND = ("compare", "test.tsv", "--rows", "rows.yaml", "--outputs", "out")


@pytest.fixture
def test_file(tmp_path) -> Path:
    """A test set, beside it what somebody else made of its sources."""
    (tmp_path / "human.txt").write_text("".join(f"{p.target}\n" for p in FEW), encoding="utf-8")
    return write_pairs(tmp_path / "test.tsv", FEW)


class TestFailures:
    @pytest.fixture(autouse=True)
    def files(self, test_file, tmp_path, tiny_model_folder) -> None:
        (tmp_path / "there.csv").touch()
        (tmp_path / "rows.yaml").write_text(
            f"against: plain\nrows:\n  plain: {{model: {tiny_model_folder}}}\n"
            f"  short: {{model: {tiny_model_folder}, ask: 8}}\n  human: {{model: human.txt}}\n"
        )

    @pytest.mark.parametrize(
        ("arguments", "code", "problem"),
        [
            (["none.tsv", "--rows", "rows.yaml"], 1, "none.tsv: cannot be read"),
            (["test.tsv"], 2, "--rows"),
            (["test.tsv", "--rows", "none.yaml"], 1, "none.yaml: cannot be read"),
            (["test.tsv", "--rows", "test.tsv"], 1, "test.tsv"),
            (["test.tsv", "--rows", "rows.yaml", "--buckets", "9,3"], 2, "'9,3'"),
            (["test.tsv", "--rows", "rows.yaml", "--lengths", "x"], 2, "'x'"),
            (["test.tsv", "--rows", "rows.yaml", "--outputs", "test.tsv"], 1, "cannot be made"),
            (["test.tsv", "--rows", "rows.yaml", "-o", "there.csv"], 1, "exists already"),
            (
                ["test.tsv", "--rows", "rows.yaml", "--reference-characters", "500:600"],
                1,
                "no sentence pairs with references of such lengths",
            ),
            (["test.tsv", "--rows", "rows.yaml", "--reference-characters", "6"], 2, "'6'"),
        ],
    )
    def test_failures_are_one_line(self, cli: Cli, arguments, code, problem):
        done = cli("compare", *arguments)
        assert done.code == code
        assert problem in done.err
        assert done.err.count("\n") == 1


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """What one comparison wrote, for all that read it."""
    return {}


class TestTablesAgain:
    @pytest.fixture
    def table(self, written, tmp_path, test_file, tiny_model_folder, cli: Cli):
        model = tiny_model_folder
        (tmp_path / "rows.yaml").write_text(
            f"against: plain\nrows:\n  plain: {{runs: [{model}, {model}], ask: 12}}\n"
            f"  short: {{model: {model}, ask: 8}}\n"
            f"  under: {{model: {model}, length_ratio: ':0.8'}}\n  human: {{model: human.txt}}\n"
        )
        if not written:
            more = ["--trials", "50", "--buckets", "20,25", "--lengths", "10,30"]
            done = cli(*COMMAND, *more, "-o", "t.md", "--json")
            assert done.code == 0, done.err
            text = (tmp_path / "t.md").read_text(encoding="utf-8")
            written |= {"table.json": done.out, "t.md": text}
            kept = {path.stem: len(path.read_text().splitlines()) for path in Path("out").iterdir()}
            assert kept["short"] == 8 and "human" not in kept
            assert "is not empty" in cli(*COMMAND).err
        (tmp_path / "table.json").write_text(written["table.json"], encoding="utf-8")
        return json.loads(written["table.json"]), written["t.md"]

    def test_the_json_gives_the_same_tables_without_models(self, cli: Cli, table, tmp_path):
        (tmp_path / "rows.yaml").unlink()
        again = cli("compare", "--from", "table.json")
        assert (again.code, again.err) == (0, "")
        assert again.out == table[1]

    def test_a_table_says_what_made_it_and_what_came_out(self, table, tmp_path, test_file):
        document, text = table
        assert document["sha256"] == read_evaluation_set(test_file).checksum
        human = document["rows"][-1]
        data = (tmp_path / "human.txt").read_bytes()
        assert human["checksum"] == hashlib.sha256(data).hexdigest()
        plain = document["rows"][0]
        assert tuple(plain["setup"][name] for name in ("precision", "device", "seed")) == (
            "fp32",
            "cpu",
            1,
        )
        assert "| precision | device | seed | seconds | SHA-256 of output |" in text
        assert f"| fp32 | cpu | 1 | {plain['seconds']:.0f} | {plain['checksum'][:12]} |" in text

    def test_every_row_and_all_that_was_asked_for_stands_in_both(self, table):
        document, text = table
        for row in document["rows"]:
            assert f"| {row['label']} | {row['figures']['BLEU']['value']:.2f}" in text
        for part in ("nrefs:1", "(50 trials)", "8 lines of `test.tsv`", "| over 25 |"):
            assert part in text
        assert f"subfit {' '.join(COMMAND)} --trials 50 --buckets 20,25" in text
        assert document["trials"] == 50 and sum(document["buckets"]["lines"]) == 8
        assert "short" in document["lengths"]["variance"]

    def test_runs_of_a_system_are_rows_with_their_mean(self, table):
        document, text = table
        assert [row["label"] for row in document["rows"]][:2] == ["plain, run 1", "plain, run 2"]
        assert document["against"] == "plain, run 1"
        bleu = document["rows"][0]["figures"]["BLEU"]["value"]
        assert f"| plain | 2 | {bleu:.2f} ± 0.00 |" in text
        assert document["over_runs"] == {}  # the row that all are compared with

    def test_columns_are_chosen_by_name(self, cli: Cli, table):
        done = cli("compare", "--from", "table.json", "--columns", "BLEU,VAR asked")
        assert done.out.splitlines()[:2] == [
            "| system | BLEU | VAR asked |",
            "| --- | ---: | ---: |",
        ]
        assert len(done.out.splitlines()) == 7
        wrong = cli("compare", "--from", "table.json", "--columns", "BLUE")
        assert (wrong.code, wrong.err.count("\n")) == (2, 1)
        assert "'BLUE'" in wrong.err

    def test_all_that_made_a_row_is_told(self, table):
        document, text = table
        under = next(row for row in document["rows"] if row["label"] == "under")
        assert under["setup"]["length_ratio"] == "0:0.8"
        assert {"rerank", "beside", "memory", "coverage_penalty"} <= under["setup"].keys()
        assert "| system | model | ask | length ratio | precision |" in text
        found = document["rows"][2]["differences"]["BLEU"]
        assert found["low"] <= found["value"] <= found["high"] and found["p"] <= found["p_holm"]

    def test_tables_for_other_programs_and_a_picture(self, cli: Cli, table, tmp_path):
        for name in ("t.csv", "t.tex", "t.json", "t.svg"):
            done = cli("compare", "--from", "table.json", "-o", name)
            assert (done.code, done.err) == (0, "")
        rows = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()
        assert rows[0].startswith("system,BLEU,BLEU*") and len(rows) == 6
        assert not any("†" in row for row in rows)
        assert "\\begin{tabular}{lrr" in (tmp_path / "t.tex").read_text(encoding="utf-8")
        assert "<svg" in (tmp_path / "t.svg").read_text(encoding="utf-8")
        refused = cli("compare", "--from", "table.json", "-o", "t.doc")
        assert (refused.code, refused.err.count("\n")) == (2, 1)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [("{", "is no comparison"), ("[1]", "is no comparison"), ('{"rows": []}', "no comparison")],
    )
    def test_other_files_are_told(self, cli: Cli, tmp_path, text, problem):
        (tmp_path / "other.json").write_text(text)
        done = cli("compare", "--from", "other.json")
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert problem in done.err


def test_evaluate_and_compare_compute_alike(cli: Cli, test_file, tiny_model_folder, tmp_path):
    (tmp_path / "rows.yaml").write_text(f"rows:\n  one: {{model: {tiny_model_folder}}}\n")
    alone = cli("evaluate", str(tiny_model_folder), "test.tsv", "--json").json
    [row] = cli("compare", "test.tsv", "--rows", "rows.yaml", "--json").json["rows"]
    for name in ("setup", "checksum", "figures"):
        assert alone[name] == row[name]
    assert alone["setup"]["precision"] == "fp32"
    fast = cli("compare", "test.tsv", "--rows", "rows.yaml", "--precision", "int8", "--json").json
    assert fast["rows"][0]["setup"]["precision"] == "int8"


def test_subtitle_files_are_measured_against_one_of_the_same_film(cli: Cli, tmp_path):
    pytest.importorskip("suber")
    for name, text in {"human.srt": HUMAN, "ours.srt": OURS, "same.srt": HUMAN}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = cli("evaluate", "ours.srt", "human.srt", "--against", "same.srt", "--json")
    assert found.code == 0, found.err
    assert found.json["against"]["figures"]["SubER"]["value"] == 0
    rows = {"same": {"model": "same.srt"}, "ours": {"model": "ours.srt"}}
    (tmp_path / "rows.yaml").write_text(json.dumps({"against": "same", "rows": rows}))
    table = cli("compare", "human.srt", "--rows", "rows.yaml", "--columns", "SubER,break F1")
    assert table.out.splitlines()[2].startswith("| same | 0.00 |"), table.err
    assert cli("compare", "human.srt", "--rows", "rows.yaml", "--lengths", "9").code == 2


def test_means_over_runs_are_compared(cli: Cli, test_file, tiny_model_folder, tmp_path):
    model = tiny_model_folder
    rows = {
        "plain": {"model": str(model)},
        "short": {"runs": [str(model), str(model)], "ask": 5},
    }
    (tmp_path / "rows.yaml").write_text(json.dumps({"against": "plain", "rows": rows}))
    done = cli(
        "compare", "test.tsv", "--rows", "rows.yaml", "--trials", "20", "-o", "t.md", "--json"
    )
    assert done.code == 0, done.err
    found = done.json["over_runs"]["short"]["LR source"]
    assert found["high"] < 0 and found["p_holm"] < 0.05
    ratio = done.json["rows"][1]["figures"]["LR source"]["value"]
    text = (tmp_path / "t.md").read_text(encoding="utf-8")
    assert f"{ratio:.3f} ± 0.000†" in text and "lines and runs drawn anew" in text


def test_a_sheet_is_drawn_judged_and_counted(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "test.en-de.tsv").write_text("One.\tEins.\nTwo.\tZwei.\nThree.\tDrei.\n")
    (tmp_path / "old.txt").write_text("Eins.\nZwo.\nDie drei.\n")
    (tmp_path / "new.txt").write_text("Eins.\nZwei.\nDrei.\n")
    rows = "against: old\nrows: {old: {model: old.txt}, new: {model: new.txt}}\n"
    (tmp_path / "rows.yaml").write_text(rows)
    given = ("compare", "test.en-de.tsv", "--rows", "rows.yaml", "--trials", "10")
    assert cli(*given, "--sheet", "read.csv").code == 0
    sheet = (tmp_path / "read.csv").read_bytes()
    assert b"One." not in sheet and b"old" not in sheet and sheet.count(b"\n") == 3
    refused = cli(*given, "--sheet", "read.csv")
    assert refused.code == 1 and "read.csv" in refused.err and "exists" in refused.err
    lines = sheet.decode("utf-8-sig").splitlines()
    better = [line.split(",")[2] in ("Zwei.", "Drei.") for line in lines[1:]]
    votes = [
        line.replace(",,,", ",A,A," if first else ",B,B,")
        for line, first in zip(lines[1:], better, strict=True)
    ]
    (tmp_path / "read.csv").write_text("\n".join([lines[0], *votes]), encoding="utf-8")
    told = cli("compare", "--judged", "read.csv")
    assert told.out.startswith("new: 2 better, 0 worse, 0 alike (sign test p 0.5000, Fleiss's")
    (tmp_path / "read.csv").write_text("\n".join([lines[0], votes[0] + "maybe"]))
    wrong = cli("compare", "--judged", "read.csv")
    assert (wrong.code, wrong.err.count("\n")) == (1, 1) and "row 2" in wrong.err
