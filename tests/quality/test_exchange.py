import json
from xml.etree import ElementTree

from subfit.quality.exchange import github, junit, sarif
from subfit.quality.findings import Finding
from subfit.subtitles.cues import Cue, Track

TRACK = Track((Cue(0, 900, "a", line=2), Cue(1000, 1900, "b\x07<&", line=6)), "srt")
FOUND = [Finding("spaces", 1, "a space\ntoo many, 5 %\x07")]
FILES = [("films/a,b.srt", TRACK, FOUND)]


def test_sarif_has_rule_file_and_line() -> None:
    log = json.loads(sarif(FILES))
    assert log["version"] == "2.1.0"
    (result,) = log["runs"][0]["results"]
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "spaces"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "films/a,b.srt"
    assert place["region"]["startLine"] == 6


def test_junit_is_xml_whatever_cues_say() -> None:
    root = ElementTree.fromstring(junit(FILES).encode())
    (suite,) = root
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [False, True]


def test_annotations_of_github_stay_in_one_line_each() -> None:
    told = github(FILES)
    assert told.startswith("::error file=films/a%2Cb.srt,line=6,title=")
    assert told.endswith("a space%0Atoo many, 5 %25\x07") and "\n" not in told
