"""``subfit evaluate`` of several models that translate together."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import subfit
from tests.cli.conftest import Cli
from tests.servers.fake import fake_server, says, text_of
from tests.tiny import PAIRS


@pytest.fixture
def test(tmp_path: Path) -> Path:
    path = tmp_path / "test.tsv"
    path.write_text("Who is there?\tWer ist da?\nI hear music.\tIch höre Musik.\n", "utf-8")
    return path


def test_models_that_translate_together_are_measured_as_one(
    cli: Cli, tiny_model_folder: Path, tiny_marian_folder: Path, tmp_path: Path, test: Path
) -> None:
    alone = cli("evaluate", tiny_model_folder, test, "--json").json
    twin = Path(shutil.copytree(tiny_model_folder, tmp_path / "twin"))
    together = cli("evaluate", tiny_model_folder, test, "--beside", twin, "--json").json
    assert (alone["setup"]["model"], together["setup"]["model"]) == ("tiny", "tiny + twin")
    assert together["figures"] == alone["figures"]
    refused = cli("evaluate", tiny_model_folder, test, "--beside", tiny_marian_folder)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "cannot translate together" in refused.err


def test_adequacy_is_told_with_what_made_it(cli, tiny_model_folder, test):
    pytest.importorskip("systran_align")
    measured = cli("evaluate", tiny_model_folder, test, "--metrics", "REP,DROP", "--json").json[
        "figures"
    ]
    assert measured["REP"]["value"] >= 0
    assert measured["DROP"]["value"] >= 0
    assert "align:fast_align" in measured["DROP"]["signature"]
    assert "REP" in cli("evaluate", tiny_model_folder, test, "--metrics", "REP").out
    assert "REP" not in cli("evaluate", tiny_model_folder, test, "--json").json["figures"]


def test_figures_say_what_computed_them_and_what_came_out(cli, tiny_model_folder, tmp_path, test):
    done = cli("evaluate", tiny_model_folder, test, "-o", tmp_path / "out.txt")
    checksum = hashlib.sha256((tmp_path / "out.txt").read_bytes()).hexdigest()
    assert "in fp32 on cpu, trained with seed 1" in done.out
    assert f"SHA-256 {checksum[:12]}" in done.out


ANSWERS = {pair.source: pair.target for pair in PAIRS}
Folder = Callable[[str, int], Path]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "toy.en-de.tsv"
    path.write_text("".join(f"{p.source}\t{p.target}\n" for p in PAIRS[:4]), encoding="utf-8")
    return path


def test_languages_are_those_of_the_files_name_or_named(cli, family_folder, file):
    model = family_folder("nllb", 60)
    done = cli("evaluate", model, file, "--json")
    assert done.code == 0, done.err
    assert (
        done.json["setup"]["target_language"] == "de" and done.json["figures"]["chrF"]["value"] > 80
    )
    bare = file.rename(file.with_name("toy.tsv"))
    named = cli("evaluate", model, bare, "-s", "en", "-t", "de", "--json").json
    assert named["figures"] == done.json["figures"]
    refused = cli("evaluate", model, bare, "-s", "en")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "knows 2 languages; name -t, the language to translate into" in refused.err
    refused = cli("evaluate", model, bare, "-s", "en", "-t", "de", "--ask", "source")
    assert "this model has no length control; --ask source is not for it" in refused.err


def test_language_models_are_measured_and_asked_for_lengths(cli, talking_folder, file):
    model = talking_folder
    options = ("--beam", "2", "--json", "--limit", "2")
    done = cli("evaluate", model, file, *options)
    assert done.code == 0, done.err
    assert (done.json["setup"]["model"], done.json["setup"]["target_language"]) == (
        "toy-llama",
        "de",
    )
    asked = cli("evaluate", model, file, *options, "--ask", "source").json
    assert asked["asked_lines"] == 2 and "VAR asked" in asked["figures"]
    refused = cli("evaluate", model, file, "--ask", "predicted")
    assert "this model does not predict lengths" in refused.err


def test_servers_are_measured_and_compared(cli: Cli, tiny_model_folder: Path, file: Path) -> None:
    with fake_server() as server:
        prompts: list[str] = []
        server.answer = lambda payload: (
            prompts.append(str(payload)) or says(ANSWERS[text_of(payload)])  # type: ignore[func-returns-value]
        )
        address = f"{server.url}#toy"
        done = cli("evaluate", address, file, "--json", "--server", "concurrency=1")
        assert done.code == 0, done.err
        assert done.json["figures"]["BLEU"]["value"] == pytest.approx(100)
        assert done.json["setup"]["device"] == "server"
        against = cli("evaluate", tiny_model_folder, file, "--against", address, "--json")
        assert against.json["against"]["figures"]["BLEU"]["value"] == pytest.approx(100)
        rows = file.with_name("rows.yaml")
        rows.write_text(
            f"rows:\n  own: {{model: {tiny_model_folder}}}\n  server: {{model: '{address}'}}\n"
            f"  prompted: {{model: '{address}', ask: source}}\n"
        )
        prompts.clear()
        table = cli("compare", file, "--rows", rows, "--json").json["rows"]
        assert [row["label"] for row in table] == ["own", "server", "prompted"]
        for pair in PAIRS[:4]:
            assert any(f"at most {len(pair.source)} characters" in prompt for prompt in prompts)
        assert table[-1]["figures"]["VAR asked"]["value"] > 0


def test_families_are_rows_of_a_comparison(cli: Cli, family_folder: Folder, file: Path) -> None:
    rows = file.with_name("rows.yaml")
    bare = file.rename(file.with_name("toy.tsv"))
    model = family_folder("nllb", 60)
    rows.write_text(f"rows: {{one: {{model: {model}, source_language: en, target_language: de}}}}")
    (row,) = cli("compare", bare, "--rows", rows, "--json").json["rows"]
    assert row["setup"]["target_language"] == "de" and row["figures"]["chrF"]["value"] > 80


def test_any_model_is_loaded_from_python(family_folder: Folder, tmp_path: Path) -> None:
    model = family_folder("nllb", 60)
    translator = subfit.load_translator(model, source_language="en", target_language="de")
    measured = subfit.evaluate(translator, list(PAIRS[:2]))
    assert measured.value("chrF") > 80
    track = subfit.Track((subfit.Cue(0, 2000, PAIRS[0].source),), "srt")
    guideline = subfit.Guideline.load("netflix", "de")
    assert subfit.localize(track, translator, guideline).track.cues[0].text == PAIRS[0].target
    told = subfit.load_translator(
        "http://127.0.0.1:9/v1#x", source_language="en", target_language="de"
    )
    assert told.name == "http://127.0.0.1:9/v1#x"
