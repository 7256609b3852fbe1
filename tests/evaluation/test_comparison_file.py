"""The file of rows: what each asks for, and everything wrong with it told at once."""

from __future__ import annotations

import pytest

from subfit.errors import RecipeError
from subfit.evaluation.systems import Row, read_comparison


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


def test_a_row_has_a_model_or_several_runs(tmp_path, tiny_model_folder):
    path = tmp_path / "rows.yaml"
    path.write_text(f"rows:\n  a: {{runs: [{tiny_model_folder}]}}\n  b: {{ask: 3}}\n")
    with pytest.raises(RecipeError) as raised:
        read_comparison(path)
    assert str(raised.value).count("a row has either a model or two or more runs") == 2


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
