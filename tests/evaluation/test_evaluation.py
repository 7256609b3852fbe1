"""Evaluation: the figures of a test set, by the way that users' texts go."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from subfit.cli.main import run
from subfit.decoding.translator import Translator
from subfit.errors import UsageError
from subfit.evaluation.corpus import Pair
from subfit.evaluation.evaluation import evaluate
from subfit.evaluation.length_control import NATURAL, LengthControl, make_length_control
from subfit.evaluation.outputs import translate_pairs
from subfit.limits.budget import ISOMETRIC, LengthRatio
from subfit.limits.guideline import Guideline
from subfit.localization import Options, localize
from subfit.model.checkpoint import Checkpoint, load_checkpoint
from subfit.model.tokenizer import Tokenizer
from subfit.subtitles.cues import Cue, Track
from subfit.training.sections import Length
from tests.conftest import SCORER
from tests.scripted import ScriptedTranslator
from tests.tiny import PAIRS, tiny_model, write_pairs


@pytest.fixture(scope="module")
def translator(tiny_model_folder: Path) -> Translator:
    return Translator(load_checkpoint(str(tiny_model_folder)))


def test_figures_are_those_of_the_translations(translator):
    found = evaluate(translator, PAIRS)
    assert found.lines == len(found.hypotheses) == 30
    assert found.value("BLEU") > 90
    ratios = [
        len(text) / len(pair.source) for text, pair in zip(found.hypotheses, PAIRS, strict=True)
    ]
    assert found.value("LR source") == pytest.approx(sum(ratios) / 30)
    assert found.value("LR reference") == pytest.approx(1.0, abs=0.02)
    assert found.value("LC strict") == pytest.approx(
        100 * sum(0.9 - 1e-9 <= ratio <= 1.1 + 1e-9 for ratio in ratios) / 30
    )
    assert found.asked_lines == 0
    assert not {"VAR asked", "over budget"} & found.figures.keys()
    assert found.untranslated == 0
    assert found.sentences_per_second == pytest.approx(30 / found.seconds)


def test_a_length_ratio_holds_and_the_texts_are_those_of_localize(translator):
    ratio = LengthRatio(0.9, 1.1)
    found = evaluate(translator, PAIRS, make_length_control(None, length_ratio=ratio))
    assert found.value("over budget") == 0
    assert found.value("LR source") < evaluate(translator, PAIRS).value("LR source")
    assert found.asked_lines > 0
    cues = tuple(Cue(0, 0, pair.source) for pair in PAIRS)
    options = Options(length_ratio=ratio, strict_budget=True)
    guideline = Guideline(language=translator.language)
    used = localize(Track(cues, "txt"), translator, guideline, options)
    assert list(found.hypotheses) == [cue.text for cue in used.track.cues]


def test_isometric_translations_keep_the_rule_of_the_field(translator):
    found = evaluate(translator, PAIRS, make_length_control(None, length_ratio=ISOMETRIC))
    dense = [
        (len(pair.source.replace(" ", "")), len(text.replace(" ", "")))
        for pair, text in zip(PAIRS, found.hypotheses, strict=True)
    ]
    assert any(source > 10 for source, _ in dense)
    assert all(source <= 10 or target <= 1.1 * source for source, target in dense)
    natural = evaluate(translator, PAIRS)
    assert found.value("LC IWSLT") > natural.value("LC IWSLT")


def test_a_natural_ratio_is_a_ceiling_for_each_line_by_itself(translator):
    natural = evaluate(translator, PAIRS)
    found = evaluate(translator, PAIRS, make_length_control(None, natural_ratio=0.8))
    ceilings = [math.floor(0.8 * len(text) + 1e-9) for text in natural.hypotheses]
    over = [max(0, len(text) - most) for text, most in zip(found.hypotheses, ceilings, strict=True)]
    assert found.value("over budget") == pytest.approx(100 * sum(map(bool, over)) / 30)
    assert sum(map(bool, over)) < 5
    assert found.setup is not None and found.setup.natural_ratio == 0.8
    whole = evaluate(translator, PAIRS, make_length_control(None, natural_ratio=1))
    assert whole.hypotheses == natural.hypotheses


def test_lines_over_an_impossible_ceiling_are_counted(translator):
    found = evaluate(
        translator, PAIRS[:5], make_length_control(None, length_ratio=LengthRatio(0, 0.02))
    )
    assert found.value("over budget") == 100


@pytest.mark.parametrize(
    ("ask", "wish"),
    [
        ("source", lambda pair: len(pair.source)),
        ("source*1.1", lambda pair: round(1.1 * len(pair.source))),
        ("reference", lambda pair: len(pair.target)),
    ],
)
def test_variance_is_that_of_the_length_asked_for(translator, ask, wish):
    found = evaluate(translator, PAIRS, make_length_control(ask))
    squares = [
        (len(text) - wish(pair)) ** 2 for text, pair in zip(found.hypotheses, PAIRS, strict=True)
    ]
    assert found.asked_lines == 30
    assert found.value("VAR asked") == pytest.approx(sum(squares) / 30)


def test_asking_for_nothing_is_what_comes_naturally_to_a_free_model(translator):
    free, natural = (
        evaluate(translator, PAIRS, make_length_control("free")),
        evaluate(translator, PAIRS),
    )
    assert free.hypotheses == natural.hypotheses


@pytest.mark.parametrize("ask", ["natural", "source", "free"])
def test_lines_the_model_cannot_take_are_kept_and_counted(translator, ask):
    long = Pair("", "how are you " * 60, "Wie geht es dir?")
    found = evaluate(translator, [PAIRS[0], long, PAIRS[1]], make_length_control(ask))
    assert found.untranslated == 1
    assert found.hypotheses[1].split() == long.source.split()
    assert [found.hypotheses[0], found.hypotheses[2]] == [PAIRS[0].target, PAIRS[1].target]


def test_wishes_a_model_cannot_be_given_are_refused(translator, tiny_marian_folder):
    marian = Translator(load_checkpoint(str(tiny_marian_folder)))
    tokenizer = translator.checkpoint.tokenizer
    assert isinstance(tokenizer, Tokenizer)
    unfree = tiny_model(tokenizer, length=Length(encodings=("abs",)))
    bound = Translator(Checkpoint("bound", unfree, tokenizer))
    for who, ask, ratio in (
        (marian, "source", None),
        (bound, "free", None),
        (translator, "source", LengthRatio(0.9, 1.1)),
    ):
        with pytest.raises(UsageError):
            evaluate(who, PAIRS[:2], make_length_control(ask, length_ratio=ratio))


def test_scores_in_training_come_from_all_over_the_dev_set(translator):
    tokenizer = translator.checkpoint.tokenizer
    pairs = [*PAIRS[:10], *(Pair("", pair.source, "qq xx yy " * 9) for pair in PAIRS[10:])]
    model = translator.checkpoint.model.train()
    figures = SCORER(pairs, tokenizer, 6)(model)
    model.eval()
    assert set(figures) == {"bleu", "chrf", "length_ratio"}
    assert 0 < figures["chrf"] < 90  # the first six lines alone would score near 100


class TestCommandLine:
    @pytest.fixture
    def test_set(self, tmp_path) -> Path:
        return write_pairs(tmp_path / "test.tsv")

    def test_figures_and_translations(self, tiny_model_folder, test_set, tmp_path, capsys):
        output = tmp_path / "out.txt"
        code = run(["evaluate", str(tiny_model_folder), str(test_set), "-o", str(output)])
        shown = capsys.readouterr().out
        assert code == 0
        for label in (
            "BLEU ",
            "BLEU*",
            "chrF",
            "LR source",
            "LR reference",
            "LC strict",
            "sentences/s",
        ):
            assert label in shown
        assert "tok:13a" in shown
        assert len(output.read_text(encoding="utf-8").splitlines()) == 30

    def test_json(self, tiny_model_folder, test_set, capsys):
        command = ["evaluate", str(tiny_model_folder), str(test_set), "--json", "--limit", "4"]
        assert run([*command, "--ask", "reference", "--beam", "2"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert (document["lines"], document["setup"]["beam"]) == (4, 2)
        assert document["setup"]["ask"] == "reference"
        bleu = document["figures"]["BLEU"]
        assert bleu["signature"].startswith("nrefs:1")
        assert bleu["low"] <= bleu["value"] <= bleu["high"]
        assert document["figures"]["VAR asked"]["value"] is not None
        assert "over budget" not in document["figures"]

    def test_a_length_for_every_line(self, tiny_model_folder, test_set, tmp_path, capsys):
        lengths = tmp_path / "lengths.txt"
        lengths.write_text("".join(f"{len(pair.target)}\n" for pair in PAIRS), encoding="utf-8")
        command = ["evaluate", str(tiny_model_folder), str(test_set), "--json", "--limit", "7"]
        documents = []
        for ask in (str(lengths), "reference"):
            assert run([*command, "--ask", ask]) == 0
            document = json.loads(capsys.readouterr().out)
            documents.append({key: document[key] for key in ("figures", "asked_lines")})
        assert documents[0] == documents[1]

    def test_a_penalty_below_one_shortens(self, tiny_model_folder, test_set, capsys):
        """Lakew 2019, the baseline's strategy "penalty"."""
        ratios = []
        for penalty in ("0", "1", "4"):
            command = ["evaluate", str(tiny_model_folder), str(test_set), "--json", "--ask", "18"]
            assert run([*command, "--length-penalty", penalty]) == 0
            document = json.loads(capsys.readouterr().out)
            assert document["setup"]["length_penalty"] == float(penalty)
            ratios.append(document["figures"]["LR source"]["value"])
        assert ratios[0] <= ratios[1] < ratios[2]

    def test_against_a_model_and_its_translations(
        self, tiny_model_folder, test_set, tmp_path, capsys
    ):
        other = str(tmp_path / "other.txt")
        folder = str(tiny_model_folder)
        assert run(["evaluate", folder, str(test_set), "--ask", "8", "-o", other]) == 0
        command = ["evaluate", folder, str(test_set), "--trials", "200"]
        assert run([*command, "--against", other]) == 0
        shown = capsys.readouterr().out
        assert f"against {other}:" in shown
        assert "p = 0.0" in shown
        assert "paired approximate randomisation" in shown
        assert run([*command, "--against", folder, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["differences"]["BLEU"]["p"] == 1  # the same translations
        assert document["against"]["figures"] == document["figures"]

    @pytest.mark.parametrize(
        ("arguments", "code", "problem"),
        [
            (["no-such-model", "test.tsv"], 2, "no model here"),
            (["MODEL", "no.tsv"], 1, "no.tsv: cannot be read"),
            (["MODEL", "empty.tsv"], 1, "no sentence pairs"),
            (["MODEL", "test.tsv", "--ask", "source", "--length-ratio", ":1"], 2, "leave out"),
            (["MODEL", "test.tsv", "--ask", "9", "--natural-ratio", "0.8"], 2, "leave out --ask 9"),
            (["MODEL", "test.tsv", "--length-ratio", ":1", "--natural-ratio", "1"], 2, "leave out"),
            (["MODEL", "test.tsv", "--natural-ratio", "1.1"], 2, "--natural-ratio"),
            (["MODEL", "test.tsv", "--ask", "much"], 2, "--ask"),
            (["MODEL", "test.tsv", "--length-ratio", "2"], 2, "needs a colon"),
            (["MODEL", "test.tsv", "-o", "test.tsv"], 1, "exists already"),
            (["MODEL", "test.tsv", "--ask", "empty.tsv"], 1, "empty.tsv: 0 lines for the 30"),
            (["MODEL", "test.tsv", "--ask", "test.tsv"], 1, "test.tsv:1: "),
            (["MODEL", "test.tsv", "--length-class", "tiny"], 2, "it has: short, normal, long"),
            (["MODEL", "test.tsv", "--against", "empty.tsv"], 1, "empty.tsv: 0 lines for the 30"),
            (["MODEL", "test.tsv", "--against", "nobody"], 2, "nobody: no model here"),
            (["MODEL", "test.tsv", "--trials", "0"], 2, "--trials"),
        ],
    )
    def test_failures_are_one_line(
        self, tiny_model_folder, test_set, monkeypatch, capsys, arguments, code, problem
    ):
        monkeypatch.chdir(test_set.parent)
        Path("empty.tsv").write_text("")
        filled = [str(tiny_model_folder) if each == "MODEL" else each for each in arguments]
        assert run(["evaluate", *filled]) == code
        error = capsys.readouterr().err
        assert problem in error
        assert error.count("\n") == 1


def test_lines_are_set_as_users_get_them():
    class French(ScriptedTranslator):
        language = "fr"
        config = SimpleNamespace()

    pairs = [Pair("c", "What? Ninety!", "")]
    script = {"What? Ninety!": "Quoi? Neuf!", "What? 90!": "Quoi? 90!"}
    outputs = translate_pairs(cast(Any, French(script)), pairs, LengthControl(NATURAL))
    assert outputs.texts == ("Quoi ? 90 !",)
