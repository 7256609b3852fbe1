"""Films in formats of their own, translated at the command line by a toy model."""

import io
import json
import re
from pathlib import Path

import pysubs2
import pytest
from click.testing import CliRunner
from lxml import etree
from ttconv import model
from ttconv.stl import reader

from subfit.cli.main import subfit
from subfit.subtitles.formats import read_track
from tests.places import ROOT

EXAMPLES = ROOT / "examples"


def translated(name: str, model: Path, folder: Path, *options: str) -> Path:
    """The translation of an example."""
    source = folder / name
    source.write_bytes((EXAMPLES / name).read_bytes())
    arguments = ["translate", str(source), "-t", "de", "-s", "en", "--model", str(model), *options]
    result = CliRunner().invoke(subfit, arguments)
    assert result.exit_code in (0, 3), result.output
    (output,) = (path for path in folder.iterdir() if path != source)
    return output


def test_a_film_with_signs_and_karaoke(tiny_model_folder: Path, tmp_path: Path) -> None:
    output = translated("ferry.en.ass", tiny_model_folder, tmp_path, "--keep-style", "Sign")
    assert output.name == "ferry.de.ass"
    before, after = (pysubs2.load(str(path)) for path in (EXAMPLES / "ferry.en.ass", output))
    assert before.styles == after.styles and len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        same = (old.start, old.end, old.style, old.layer, old.name, old.type)
        assert same == (new.start, new.end, new.style, new.layer, new.name, new.type)
        if old.style in ("Sign", "Song") or old.is_comment:
            assert old.text == new.text
    assert sum(old.text != new.text for old, new in zip(before, after, strict=True)) > 5


def test_a_document_with_regions_and_ruby(tiny_model_folder: Path, tmp_path: Path) -> None:
    output = translated("garden.en.ttml", tiny_model_folder, tmp_path)
    assert output.name == "garden.de.ttml"
    old, new = (etree.parse(path).getroot() for path in (EXAMPLES / "garden.en.ttml", output))
    assert new.get("{http://www.w3.org/XML/1998/namespace}lang") == "de"
    paragraphs = "{http://www.w3.org/ns/ttml}p"
    assert [dict(each.attrib) for each in old.iter(paragraphs)] == [
        dict(each.attrib) for each in new.iter(paragraphs)
    ]
    source = (EXAMPLES / "garden.en.ttml").read_text(encoding="utf-8")
    head = re.sub('xml:lang="en"', 'xml:lang="de"', source.partition("<body")[0])
    assert output.read_text(encoding="utf-8").startswith(head)


def test_news_of_a_broadcaster(tiny_model_folder: Path, tmp_path: Path) -> None:
    output = translated("news.en.stl", tiny_model_folder, tmp_path)
    assert output.name == "news.de.stl"
    old, new = (
        reader.to_model(io.BytesIO(path.read_bytes()))
        for path in (EXAMPLES / "news.en.stl", output)
    )
    assert (old.get_lang(), new.get_lang()) == ("en", "de")
    times = [
        [
            (each.get_begin(), each.get_end())
            for each in document.get_body().dfs_iterator()
            if isinstance(each, model.P)
        ]
        for document in (old, new)
    ]
    assert times[0] == times[1] and len(times[0]) == 5


@pytest.mark.parametrize("name", ["harbour.en.vtt", "harbour.en.json"])
def test_automatic_captions_are_translated_as_cues(name, tiny_model_folder, tmp_path):
    output = translated(name, tiny_model_folder, tmp_path)
    assert output.suffix == (".vtt" if name.endswith("vtt") else ".srt")
    source, target = tmp_path / name, read_track(output)
    said = json.loads((EXAMPLES / "harbour.en.json").read_text())["segments"]
    starts = {round(1000 * word["start"]) for each in said for word in each["words"]}
    assert 6 <= len(target.cues) <= 16
    assert all(min(abs(cue.start - start) for start in starts) <= 10 for cue in target.cues)
    again = CliRunner().invoke(subfit, ["check", str(output), "--source", str(source), "--json"])
    assert all(cue["source"] for cue in json.loads(again.output)["cues"])


@pytest.mark.parametrize("name", ["ferry.en.ass", "garden.en.ttml", "news.en.stl"])
def test_other_commands_take_them(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes((EXAMPLES / name).read_bytes())
    for command in (["check"], ["budget", "-t", "de"], ["reflow", "-t", "en", "--overwrite"]):
        result = CliRunner().invoke(subfit, [command[0], str(path), *command[1:]])
        assert result.exit_code in (0, 3), result.output
    times = [(cue.start, cue.end) for cue in read_track(EXAMPLES / name).cues]
    assert [(cue.start, cue.end) for cue in read_track(path).cues] == times


def test_what_is_only_read_becomes_subrip_and_that_is_told(tiny_model_folder, tmp_path):
    source = tmp_path / "talk.en.sbv"
    source.write_text("0:00:01.000,0:00:03.000\nWho is there?\n")
    arguments = ["translate", str(source), "-t", "de", "--model", str(tiny_model_folder)]
    result = CliRunner().invoke(subfit, arguments)
    assert result.exit_code in (0, 3), result.output
    assert "is only read: written as SubRip" in result.output
    assert (tmp_path / "talk.de.srt").read_text().startswith("1\n00:00:01,000 --> 00:00:03,000\n")


def test_the_formats_are_listed() -> None:
    result = CliRunner().invoke(subfit, ["formats"])
    assert result.exit_code == 0
    assert all(name in result.output for name in (".ass", ".ttml", ".stl", ".scc", ".smi", ".sub"))
