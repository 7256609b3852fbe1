"""Comparisons: rows translated once, measured alike, and told as tables."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU

from subfit.decoding.translator import Translator
from subfit.errors import OutputFileError, RecipeError, UsageError
from subfit.evaluation import comparison as comparison_module
from subfit.evaluation.by_length import bucket_scores, variances_at
from subfit.evaluation.comparison import compare
from subfit.evaluation.comparison_file import Comparison, Row, read_comparison
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.evaluation_set import CharacterRange, read_evaluation_set
from subfit.evaluation.length_control import make_length_control
from subfit.evaluation.output_store import OutputStore
from subfit.evaluation.tables import main_table, markdown
from subfit.model.checkpoint import load_checkpoint
from tests.cli.conftest import Cli, cli  # noqa: F401
from tests.tiny import PAIRS, write_pairs

FEW = PAIRS[:8]


@pytest.fixture
def test_file(tmp_path) -> Path:
    return write_pairs(tmp_path / "test.tsv", FEW)


@pytest.fixture
def lines(test_file):
    return read_evaluation_set(test_file)


@pytest.fixture
def rows(tiny_model_folder, tmp_path) -> dict[str, Row]:
    (tmp_path / "human.txt").write_text("".join(f"{p.target}\n" for p in FEW), encoding="utf-8")
    model = str(tiny_model_folder)
    return {
        "plain": Row(model),
        "short": Row(model, ask=8, beam=2),
        "ceiling": Row(model, length_ratio=":0.8"),
        "human": Row(str(tmp_path / "human.txt")),
    }


@pytest.fixture
def translations(monkeypatch) -> list[str]:
    """What has been translated, row by row: the lengths asked for."""
    asked: list[str] = []
    translate = comparison_module.translate_pairs

    def counted(translator, pairs, control, **options):
        asked.append(control.length.text)
        return translate(translator, pairs, control, **options)

    monkeypatch.setattr(comparison_module, "translate_pairs", counted)
    return asked


def test_rows_have_the_figures_of_their_evaluations(rows, lines, tiny_model_folder):
    results = compare(Comparison(rows, "plain"), lines, OutputStore(None), trials=40)
    found = {each.label: each for each in results}
    assert list(found) == ["plain", "short", "ceiling", "human"]
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    alone = evaluate(translator, FEW)
    assert replace(found["plain"].evaluation, seconds=0) == replace(alone, seconds=0)
    assert found["short"].evaluation.variance == pytest.approx(
        sum((len(text) - 8) ** 2 for text in found["short"].evaluation.hypotheses) / len(FEW)
    )
    assert found["ceiling"].evaluation.overflow is not None
    assert found["human"].evaluation.quality.bleu.value == pytest.approx(100)
    assert found["human"].evaluation.reference_variance == 0
    assert found["plain"].significance is None
    assert found["short"].significance.trials == 40


def test_a_row_is_translated_once(rows, lines, tmp_path, translations):
    store, comparison = OutputStore(tmp_path / "outputs"), Comparison(rows)
    first = compare(comparison, lines, store, trials=10)
    assert translations == ["natural", "8", "natural"]
    assert compare(comparison, lines, store, trials=10) == first
    assert len(translations) == 3
    (tmp_path / "outputs" / "short.txt").unlink()
    assert main_table(compare(comparison, lines, store, trials=10)) == main_table(first)
    assert translations[3:] == ["8"]


@pytest.mark.parametrize(
    "change",
    [
        {"ask": 9},
        {"beam": 3},
        {"length_penalty": 0.5},
        {"coverage_penalty": 0.2},
        {"ask": "source"},
    ],
)
def test_other_settings_are_translated_anew(rows, lines, tmp_path, translations, change):
    store = OutputStore(tmp_path / "outputs")
    compare(Comparison({"short": rows["short"]}), lines, store, trials=10)
    compare(Comparison({"short": replace(rows["short"], **change)}), lines, store, trials=10)
    assert len(translations) == 2


def test_another_model_lines_or_edited_translations_are_noticed(
    lines, tmp_path, tiny_model_folder, translations
):
    model = shutil.copytree(tiny_model_folder, tmp_path / "model")
    store, comparison = OutputStore(tmp_path / "outputs"), Comparison({"a/b": Row(str(model))})
    compare(comparison, lines, store, trials=10)
    (model / "metrics.json").write_text("{}")  # a model does not translate by its figures
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 1
    config = json.loads((model / "config.json").read_text())
    (model / "config.json").write_text(json.dumps({**config, "mean_length_ratio": 3.0}))
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 2
    (tmp_path / "outputs" / "a-b.txt").write_text("better\n" * len(FEW), encoding="utf-8")
    compare(comparison, lines, store, trials=10)
    assert len(translations) == 3
    compare(comparison, replace(lines, pairs=lines.pairs[:4]), store, trials=10)
    assert len(translations) == 4


def test_files_of_others_are_left_alone(rows, tmp_path):
    (tmp_path / "plain.txt").write_text("mine")
    with pytest.raises(OutputFileError, match="in the way"):
        OutputStore(tmp_path).check(list(rows))


def test_all_rows_with_impossible_wishes_are_named_before_the_work(
    lines, tiny_marian_folder, tiny_model_folder, translations
):
    rows = {
        "good": Row(str(tiny_model_folder)),
        "one": Row(str(tiny_marian_folder), ask="source"),
        "two": Row(str(tiny_model_folder), length_class="tiny"),
    }
    with pytest.raises(UsageError, match=r"row 'one': .*; row 'two': .*'tiny'"):
        compare(Comparison(rows), lines, OutputStore(None), trials=10)
    assert not translations


def test_buckets_are_those_of_sacrebleu_on_their_lines(lines):
    texts = [pair.target.replace("e", "a", 1) for pair in FEW]
    lengths = [len(pair.target) for pair in FEW]
    first, second = sorted(lengths)[2], sorted(lengths)[5]
    found = bucket_scores(texts, lines, [3, first, second])
    for (low, high), (count, score) in zip(
        [(0, 3), (4, first), (first + 1, second), (second + 1, 999)], found, strict=True
    ):
        inside = [number for number, each in enumerate(lengths) if low <= each <= high]
        assert count == len(inside)
        if not inside:
            assert score is None
            continue
        references = [[FEW[number].target for number in inside]]
        expected = BLEU().corpus_score([texts[number] for number in inside], references).score
        assert score.value == pytest.approx(expected)
    assert sum(count for count, _ in found) == len(FEW)


def test_variance_at_fixed_lengths(lines, tiny_model_folder, tiny_marian_folder, translations):
    rows = {"aware": Row(str(tiny_model_folder)), "plain": Row(str(tiny_marian_folder))}
    found = variances_at(Comparison(rows), [10, 20], lines, OutputStore(None))
    translator = Translator(load_checkpoint(str(tiny_model_folder)))
    for length in (10, 20):
        alone = evaluate(translator, FEW, make_length_control(str(length)))
        assert found["aware"][length] == pytest.approx(alone.variance)
    texts = evaluate(Translator(load_checkpoint(str(tiny_marian_folder))), FEW).hypotheses
    assert found["plain"][10] == pytest.approx(sum((len(t) - 10) ** 2 for t in texts) / len(FEW))
    assert translations.count("natural") == 1


def test_lines_by_length_of_the_reference(test_file):
    chosen = read_evaluation_set(test_file, reference_characters=CharacterRange(16, 23))
    expected = [n for n, pair in enumerate(FEW) if 16 <= len(pair.target) <= 23]
    assert list(chosen.numbers) == expected
    assert chosen.select(range(8), Path("f")) == tuple(expected)
    assert read_evaluation_set(test_file, 1, CharacterRange(17, 23)).numbers == (expected[1],)


def test_markdown_cells_cannot_break_the_table():
    assert (
        markdown(["a", "b*"], [["x|y\n", "1"]]) == "| a | b\\* |\n| --- | ---: |\n| x\\|y | 1 |\n"
    )


class TestRowsFile:
    def test_rows_with_what_they_ask(self, tmp_path, tiny_model_folder):
        path = tmp_path / "rows.yaml"
        path.write_text(
            f"against: a\nrows:\n  a: {{model: {tiny_model_folder}}}\n"
            f"  b+c: {{model: {tiny_model_folder}, ask: 30, length_class: short, beam: 3}}\n"
        )
        found = read_comparison(path)
        assert list(found.rows) == ["a", "b+c"]
        assert found.against == "a"
        assert found.rows["b+c"].control.length.lengths == (30,)

    def test_all_problems_at_once_with_their_lines(self, tmp_path, tiny_model_folder):
        (tmp_path / "human.txt").write_text("")
        path = tmp_path / "rows.yaml"
        path.write_text(
            "against: nobody\n"
            "colour: red\n"
            "rows:\n"
            f"  a: {{model: {tiny_model_folder}, beems: 3}}\n"
            "  b: {ask: source}\n"
            "  c: {model: nowhere}\n"
            "  d:\n"
            f"    model: {tiny_model_folder}\n"
            "    ask: much\n"
            f"  e: {{model: {tmp_path / 'human.txt'}, beam: 2}}\n"
            f"  x/y: {{model: {tiny_model_folder}}}\n"
            f"  x y: {{model: {tiny_model_folder}, beam: 0}}\n"
        )
        with pytest.raises(RecipeError) as raised:
            read_comparison(path)
        told = str(raised.value).replace(f"{path}:", "")
        for problem in (
            "1: against: there is no row 'nobody'",
            "2: unknown key colour",
            "4: unknown key rows.a.beems",
            "a row has either a model or two or more runs",
            "6: rows.c.model: nowhere: no model here",
            "9: --ask much",
            "10: ",
            "is a file of translations",
            "12: rows.x y would be kept under the same name as rows.x/y",
            "12: rows.x y.beam must be greater than or equal to 1, not 0",
        ):
            assert problem in told


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def files(self, test_file, rows, tmp_path, tiny_model_folder) -> None:
        (tmp_path / "rows.yaml").write_text(
            f"against: plain\nrows:\n  plain: {{model: {tiny_model_folder}}}\n"
            f"  short: {{model: {tiny_model_folder}, ask: 8}}\n  human: {{model: human.txt}}\n"
        )

    def test_tables_and_json(self, cli: Cli, tmp_path):  # noqa: F811
        command = ["compare", "test.tsv", "--rows", "rows.yaml", "--outputs", "out"]
        more = ["--trials", "50", "--buckets", "20,25", "--lengths", "10,30"]
        done = cli(*command, *more, "-o", "table.md", "--json")
        assert done.code == 0
        table = (tmp_path / "table.md").read_text(encoding="utf-8")
        bleu = {each["label"]: each["quality"]["bleu"]["value"] for each in done.json["rows"]}
        for label, value in bleu.items():
            assert f"| {label} | {value:.2f}" in table
        for part in (
            "nrefs:1",
            "ar:50|seed:12345",
            "8 lines of `test.tsv`",
            "| over 25 |",
            "subfit compare test.tsv --rows rows.yaml --outputs out --buckets 20,25",
        ):
            assert part in table
        assert done.json["rows"][1]["significance"]["trials"] == 50
        assert sum(done.json["buckets"]["lines"]) == 8
        assert set(done.json["lengths"]["variance"]) == {"plain", "short"}
        again = cli(*command, *more)
        assert again.code == 0
        assert again.err == ""  # nothing is translated
        assert table.splitlines()[:6] == again.out.splitlines()[:6]

    @pytest.mark.parametrize(
        ("arguments", "code", "problem"),
        [
            (["none.tsv", "--rows", "rows.yaml"], 1, "none.tsv: cannot be read"),
            (["test.tsv"], 2, "--rows"),
            (["test.tsv", "--rows", "none.yaml"], 1, "none.yaml: cannot be read"),
            (["test.tsv", "--rows", "test.tsv"], 1, "test.tsv"),
            (["test.tsv", "--rows", "rows.yaml", "--buckets", "9,3"], 2, "'9,3'"),
            (["test.tsv", "--rows", "rows.yaml", "--lengths", "x"], 2, "'x'"),
            (["test.tsv", "--rows", "rows.yaml", "--outputs", "test.tsv"], 1, "is no folder"),
            (["test.tsv", "--rows", "rows.yaml", "-o", "test.tsv"], 1, "exists already"),
            (
                ["test.tsv", "--rows", "rows.yaml", "--reference-characters", "500:600"],
                1,
                "no sentence pairs with references of such lengths",
            ),
            (["test.tsv", "--rows", "rows.yaml", "--reference-characters", "6"], 2, "'6'"),
        ],
    )
    def test_failures_are_one_line(self, cli: Cli, arguments, code, problem):  # noqa: F811
        done = cli("compare", *arguments)
        assert done.code == code
        assert problem in done.err
        assert done.err.count("\n") == 1


class TestTablesAgain:
    @pytest.fixture
    def table(self, tmp_path, rows, test_file, tiny_model_folder, cli: Cli):  # noqa: F811
        model = tiny_model_folder
        (tmp_path / "rows.yaml").write_text(
            f"against: plain\nrows:\n  plain: {{runs: [{model}, {model}], ask: 12}}\n"
            f"  short: {{model: {model}, ask: 8}}\n"
            f"  under: {{model: {model}, length_ratio: ':0.8'}}\n  human: {{model: human.txt}}\n"
        )
        more = ["--trials", "50", "--buckets", "20,25", "--lengths", "10,30"]
        done = cli("compare", "test.tsv", "--rows", "rows.yaml", *more, "-o", "t.md", "--json")
        assert done.code == 0, done.err
        (tmp_path / "table.json").write_text(done.out, encoding="utf-8")
        return done.json, (tmp_path / "t.md").read_text(encoding="utf-8")

    def test_the_json_gives_the_same_tables_without_models(self, cli: Cli, table, tmp_path):  # noqa: F811
        (tmp_path / "rows.yaml").unlink()
        again = cli("compare", "--from", "table.json")
        assert (again.code, again.err) == (0, "")
        assert again.out == table[1]

    def test_a_table_says_what_made_it_and_what_came_out(self, table, tmp_path, lines):
        document, text = table
        assert document["sha256"] == lines.checksum
        human = document["rows"][-1]
        data = (tmp_path / "human.txt").read_bytes()
        assert human["checksum"] == hashlib.sha256(data).hexdigest()
        plain = document["rows"][0]
        assert (plain["precision"], plain["device"], plain["seed"]) == ("fp32", "cpu", 1)
        assert "| precision | device | seed | seconds | SHA-256 of output |" in text
        assert f"| fp32 | cpu | 1 | {plain['seconds']:.0f} | {plain['checksum'][:12]} |" in text

    def test_runs_of_a_system_are_rows_with_their_mean(self, table):
        document, text = table
        assert [row["label"] for row in document["rows"]][:2] == ["plain, run 1", "plain, run 2"]
        assert document["against"] == "plain, run 1"
        bleu = document["rows"][0]["quality"]["bleu"]["value"]
        assert f"| plain | 2 | {bleu:.2f} ± 0.00 |" in text

    def test_columns_are_chosen_by_name(self, cli: Cli, table):  # noqa: F811
        done = cli("compare", "--from", "table.json", "--columns", "BLEU,VAR asked")
        assert done.out.splitlines()[:2] == [
            "| system | BLEU | VAR asked |",
            "| --- | ---: | ---: |",
        ]
        assert len(done.out.splitlines()) == 7
        wrong = cli("compare", "--from", "table.json", "--columns", "BLUE")
        assert (wrong.code, wrong.err.count("\n")) == (2, 1)
        assert "'BLUE'" in wrong.err

    @pytest.mark.parametrize(
        ("text", "problem"),
        [("{", "is no comparison"), ("[1]", "is no comparison"), ('{"rows": []}', "no comparison")],
    )
    def test_other_files_are_told(self, cli: Cli, tmp_path, text, problem):  # noqa: F811
        (tmp_path / "other.json").write_text(text)
        done = cli("compare", "--from", "other.json")
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert problem in done.err

    @pytest.mark.parametrize("arguments", [[], ["test.tsv"], ["test.tsv", "--from", "x.json"]])
    def test_either_a_test_set_or_a_table(self, cli: Cli, test_file, arguments):  # noqa: F811
        done = cli("compare", *arguments)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "--rows, or --from alone" in done.err


def test_a_row_has_a_model_or_several_runs(tmp_path, tiny_model_folder):
    path = tmp_path / "rows.yaml"
    path.write_text(f"rows:\n  a: {{runs: [{tiny_model_folder}]}}\n  b: {{ask: 3}}\n")
    with pytest.raises(RecipeError) as raised:
        read_comparison(path)
    assert str(raised.value).count("a row has either a model or two or more runs") == 2


def test_evaluate_and_compare_compute_alike(cli: Cli, test_file, tiny_model_folder, tmp_path):  # noqa: F811
    (tmp_path / "rows.yaml").write_text(f"rows:\n  one: {{model: {tiny_model_folder}}}\n")
    alone = cli("evaluate", str(tiny_model_folder), "test.tsv", "--json").json
    [row] = cli("compare", "test.tsv", "--rows", "rows.yaml", "--json").json["rows"]
    for name in ("precision", "device", "seed", "checksum"):
        assert alone[name] == row[name]
    assert alone["precision"] == "fp32"
    fast = cli("compare", "test.tsv", "--rows", "rows.yaml", "--precision", "int8", "--json").json
    assert fast["rows"][0]["precision"] == "int8"


def test_models_beside_vote_and_hypotheses_are_reranked(
    rows, lines, tiny_model_folder, tmp_path, translations
):
    model = str(tiny_model_folder)
    twice = replace(rows["short"], beside=(model, model))
    chosen = replace(rows["short"], rerank=4)
    store = OutputStore(tmp_path / "outputs")
    comparison = Comparison({"short": rows["short"], "twice": twice, "chosen": chosen})
    try:
        one, two, _ = compare(comparison, lines, store, trials=10)
    except UsageError as error:  # the tiny model has no table of words
        assert "rerank" in str(error)
        comparison = Comparison({"short": rows["short"], "twice": twice})
        one, two = compare(comparison, lines, store, trials=10)
    assert one.evaluation.hypotheses == two.evaluation.hypotheses  # its own vote, three times
    assert two.evaluation.setup.model.count(" + ") == 2
    assert len(translations) == len(comparison.rows)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"model": "x", "rerank": 20}, "rerank needs a length that is asked for"),
        ({"runs": ("x", "y"), "beside": ("z",)}, "beside one model"),
    ],
)
def test_rows_that_do_not_go_together_are_refused(row, told):
    with pytest.raises(Exception, match=told):
        Row(**row)
