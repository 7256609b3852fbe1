"""What is told beside figures: training, energy, licences."""

from __future__ import annotations

import json

from subfit.training.release.facts import read_licences
from tests.cli.conftest import SCENE, Cli, cli  # noqa: F401


def test_facts_that_are_told_stand_in_the_card(cli: Cli, corpora):  # noqa: F811
    (corpora / "run").mkdir()
    (corpora / "run" / "log.jsonl").write_text(
        '{"step": 4400, "loss": 2.0, "target_tokens": 15484510, "seconds": 7200}\n'
    )
    corpora_of_run = {"tatoeba": 1200, "news_a": 30, "news_b": 4, "own": 5}
    data = {"pairs": 1239, "corpora": corpora_of_run, "left_out": {"duplicate": 7}}
    (corpora / "run" / "data.json").write_text(json.dumps(data))
    machine = {"device": "A processor", "threads": 2, "subfit": "0.1", "python": "3.11"}
    machine |= {"packages": {"torch": "2.13"}, "command": "/home/me/secret"}
    (corpora / "run" / "environment.json").write_text(json.dumps([machine]))
    (corpora / "licences.yaml").write_text(
        "weights: MIT\nsources:\n  Tatoeba: {corpora: [tatoeba], licence: CC BY 2.0 FR}\n"
        "  News: {corpora: [news_*], licence: MPL, attribution: Its makers}\n"
        "  Unused: {corpora: [nothing], licence: MPL}\n"
    )
    (corpora / "passed.json").write_text('{"de": {"names": [3, 4], "numbers": [1, 2]}}')
    told = ["--run", "run", "--licences", "licences.yaml", "--challenge", "passed.json"]
    assert cli("card", "./tiny", *told, "--watts", "50", "--grid", "400").code == 0
    card = (corpora / "tiny" / "README.md").read_text("utf-8")
    for part in (
        "| training | 4,400 steps, 15,484,510 target tokens in 2:00:00 |",
        "A processor, 2 threads",
        "about 0.1 kWh and 0.04 kg of CO2 equivalent: an estimate from 2.0 hours × 50 W",
        "| licence of the weights | MIT |",
        "| Tatoeba | 1,200 | CC BY 2.0 FR |",
        "| News | 34 | MPL | Its makers |",
        "| own | 5 | **to be filled in",
        "Left out — 7: duplicate.",
        "| names | 3 of 4 |",
        "| all | 4 of 6 |",
    ):
        assert part in card, part
    assert "Unused" not in card and "secret" not in card
    assert cli("card", "./tiny").code == 0
    assert (corpora / "tiny" / "README.md").read_text("utf-8") == card


def test_every_training_corpus_has_its_licence(project_root, shared):
    licences = read_licences(project_root / "recipes" / "data" / "licences.yaml")
    tables = (shared / "data" / name for name in ("counts.tsv", "counts_extra.tsv"))
    rows = [row for path in tables for row in path.read_text(encoding="utf-8").splitlines()[1:]]
    for corpus in {row.split("\t")[1] for row in rows}:
        assert sum(source.has(corpus) for source in licences.sources.values()) == 1, corpus
