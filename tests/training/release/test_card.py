"""The card of a finished model: what stands in it, and that nothing is measured twice."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics import BLEU

from subfit.evaluation.corpus import Pair
from subfit.model.checkpoint import load_checkpoint
from subfit.training.release.card import DescribedModel, model_card
from subfit.training.release.measurements import Measurements
from tests.cli.conftest import SCENE, Cli, cli  # noqa: F401
from tests.tiny import write_pairs
from tests.training.release.conftest import LINES

ALL = ("--data", ".", "--timed", "films", "--examples", "scenes", "--threads", "1")
STRUCTURE = """\
# tiny: en to de, it
## How good it is
### German (de)
`test/mixed.en-de.tsv`: 6 lines, 6 of them with more than 10 source characters
| natural
| isometric
| −15 %
| −30 %
| −30 %, whole
`test/news.en-de.tsv`: 4 lines, 4 of them with more than 10 source characters
| natural
| isometric
| −15 %
| −30 %
| −30 %, whole
| films (1), netflix
| scenes (1), netflix
### Italian (it)
`test/mixed.en-it.tsv`: 3 lines, 3 of them with more than 10 source characters
| natural
| isometric
| −15 %
| −30 %
| −30 %, whole
| films (1), netflix
| scenes (1), netflix
## What it is bad at
## Where its knowledge comes from
## How this was measured
"""


def structure(card: str) -> str:
    """Headings, captions of test sets and first cells."""
    pattern = r"^(#.*|`test/.*|\| (?:natural|isometric|−|films|scenes)[^|]*?) *(?:\|.*)?$"
    return "".join(f"{line}\n" for line in re.findall(pattern, card, re.MULTILINE))


def rows(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "measurements.json").read_text(encoding="utf-8"))["rows"]


def test_everything_that_was_measured_stands_in_its_place(cli: Cli, corpora):  # noqa: F811
    done = cli("card", "./tiny", *ALL)
    assert done.code == 0, done.err
    card = (corpora / "tiny" / "README.md").read_text(encoding="utf-8")
    assert structure(card) == STRUCTURE
    assert "subfit evaluate tiny test/mixed.en-de.tsv -t de --natural-ratio 0.85" in card
    assert "subfit translate films/*.en.* -t it --guideline netflix --model tiny" in card
    assert "BLEU `nrefs:1|case:mixed|eff:no|tok:13a" in card
    assert "Where is the old lighthouse?" in card  # of the scene, which may be shown
    for line in LINES:
        assert line.source in SCENE or line.source not in card
    assert str(corpora) not in card
    sums = (corpora / "tiny" / "SHA256SUMS").read_text()
    assert "README.md" in sums and "measurements.json" in sums


@pytest.mark.slow
def test_every_command_of_the_card_makes_its_row(cli: Cli, corpora):  # noqa: F811
    assert cli("card", "./tiny", "--data", ".", "--limit", "4").code == 0
    for row in rows(corpora / "tiny"):
        again = cli(*shlex.split(row["command"])[1:], "--json")
        assert again.code == 0, again.err
        figures = row["figures"]
        names = ("quality", "source_ratio", "compliance", "variance", "overflow", "lines")
        for name in (*names, *(["adequacy"] if figures.get("adequacy") else [])):
            assert again.json[name] == figures[name], (row["command"], name)


def test_figures_are_those_of_the_texts(cli: Cli, corpora):  # noqa: F811
    """Computed again with `len` and sacreBLEU from translations that another command wrote."""
    write_pairs(corpora / "test" / "mixed.en-de.tsv", (*LINES, Pair("toy", "Go on!", "Weiter!")))
    lines = (*LINES, Pair("toy", "Go on!", "Weiter!"))
    assert cli("card", "./tiny", "--data", ".").code == 0
    found = {
        row["wish"]: row["figures"]
        for row in rows(corpora / "tiny")
        if (row["language"], row["name"]) == ("de", "mixed")
    }
    texts = {}
    shorter = ["--natural-ratio", "0.7"]
    asked = {"natural": [], "−30 %": shorter, "−30 %, whole": [*shorter, "--no-strict-budget"]}
    for wish, options in asked.items():
        command = ["evaluate", "tiny", "test/mixed.en-de.tsv", "-t", "de", "-o", "out.txt"]
        command += ["--precision", "auto"]  # as cards are measured
        assert cli(*command, "--overwrite", *options).code == 0
        texts[wish] = (corpora / "out.txt").read_text(encoding="utf-8").splitlines()
        references = [[pair.target for pair in lines]]
        expected = BLEU().corpus_score(texts[wish], references).score
        assert found[wish]["quality"]["bleu"]["value"] == pytest.approx(expected)
        ratios = [
            len(text) / len(pair.source) for text, pair in zip(texts[wish], lines, strict=True)
        ]
        within = [0.9 - 1e-9 <= ratio <= 1.1 + 1e-9 for ratio in ratios]
        assert found[wish]["compliance"]["strict"] == pytest.approx(sum(within) / 7)
        assert found[wish]["long"]["strict"] == pytest.approx(sum(within[:6]) / 6)
        assert found[wish]["long"]["lines"] == 6
        fits = [
            number
            for number, pair in enumerate(lines)
            if 0.9 - 1e-9 <= len(pair.target) / len(pair.source) <= 1.1 + 1e-9
        ]
        part = [texts[wish][number] for number in fits]
        expected = BLEU().corpus_score(part, [[lines[number].target for number in fits]]).score
        ours = found[wish]["compliant_references"]
        assert 0 < ours["lines"] == len(fits) < len(lines)
        assert ours["quality"]["bleu"]["value"] == pytest.approx(expected)
    pytest.importorskip("systran_align")
    drops = [found[wish]["adequacy"]["drop"] for wish in ("natural", "−30 %")]
    assert all(drop >= 0 for drop in drops)
    assert "| REP | DROP |" in (corpora / "tiny" / "README.md").read_text("utf-8")
    assert found["natural"]["cut_references"] is None
    cut, ours = found["isometric"]["cut_references"], found["isometric"]["compliant_references"]
    free = found["natural"]["compliant_references"]["quality"]
    told = (
        f"Of the references {ours['lines']} are isometric themselves. On these lines:"
        f" BLEU {free['bleu']['value']:.1f} natural, {ours['quality']['bleu']['value']:.1f}"
        f" isometric; chrF {free['chrf']['value']:.1f} natural,"
        f" {ours['quality']['chrf']['value']:.1f} isometric. All references, cut after a word to"
        f" the isometric ceiling: BLEU {cut['bleu']['value']:.1f}."
    )
    assert told in (corpora / "tiny" / "README.md").read_text("utf-8")
    ceilings = [int(0.7 * len(text) + 1e-9) for text in texts["natural"]]
    over = [max(0, len(text) - most) for text, most in zip(texts["−30 %"], ceilings, strict=True)]
    assert found["−30 %"]["overflow"]["over"] == sum(map(bool, over))
    assert found["−30 %"]["overflow"]["characters"] == sum(over)
    assert found["−30 %"]["long"]["overflow"]["characters"] == sum(over[:6])
    assert found["natural"]["overflow"] is None


def test_cues_of_films_are_counted_and_never_shown(cli: Cli, corpora):  # noqa: F811
    assert cli("card", "./tiny", "--timed", "films").code == 0
    command = ["translate", "films/film.en.srt", "-t", "de", "--guideline", "netflix", "--json"]
    report = cli(*command, "--model", "./tiny").json["files"][0]["totals"]
    figures = rows(corpora / "tiny")[0]["figures"]
    assert report.items() <= figures.items()
    assert (figures["files"], figures["same_times"]) == (1, 3)
    assert "lighthouse" not in (corpora / "tiny" / "README.md").read_text("utf-8")


@pytest.mark.slow
def test_the_best_and_worst_lines_go_to_a_file_of_their_own(cli: Cli, corpora):  # noqa: F811
    assert cli("card", "./tiny", "--data", ".", "--extremes", "lines.md").code == 0
    text = (corpora / "lines.md").read_text(encoding="utf-8")
    assert text.count("## ") == 6
    assert LINES[0].source in text


def test_the_card_that_comes_with_subfit_is_made_of_its_measurements(project_root):
    folder = project_root / "models" / "en-multi"
    described = DescribedModel.of(load_checkpoint(str(folder)), folder)
    measurements = Measurements(folder)
    card = model_card(described, measurements.rows, measurements.facts)
    assert card == (folder / "README.md").read_text(encoding="utf-8")
