import itertools
import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subfit.configuration.checking import check
from subfit.configuration.reading import read_chain
from subfit.configuration.tree import Problem
from subfit.errors import GuidelineError, UsageError
from subfit.limits.guideline import Guideline, list_guidelines, override
from subfit.limits.guideline_file import GuidelineFile, presets
from subfit.subtitles.markup.payload import plain_text
from subfit.text.counting import Counting, count_characters, count_piece
from tests.places import DATA

CJK = Counting(half_width=True)

VECTORS = json.loads((DATA / "counting.json").read_text(encoding="utf-8"))
"""Also those of the counter in the page of a report."""


@pytest.mark.parametrize("case", VECTORS["counts"], ids=lambda case: ascii(case["text"]))
def test_characters_are_counted_as_a_viewer_sees_them(case):
    assert count_characters(case["text"], Counting(**case["counting"])) == case["count"]


@pytest.mark.parametrize("case", VECTORS["plain_texts"], ids=lambda case: ascii(case["payload"]))
def test_markup_is_not_counted(case):
    assert plain_text(case["payload"], case["format"]) == case["text"]


countings = st.builds(Counting, *[st.booleans()] * 4)
# Code points that join, hide or combine, in far higher shares than plain random text has them.
tricky = st.sampled_from(
    "a é \n\t\u0301\u064b\u200d\u200b\ufe0f\u00ad🇩🇪👩🔬🏽"
    "\u1100\u1161\u11a8각कष\u094dาำ\u0600क\u0e33漢ｱﾞ,。"
)
odd_text = st.lists(st.one_of(tricky, st.characters()), max_size=30).map("".join)


def cut(text: str, points: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(point % (len(text) + 1) for point in points)})
    return [text[a:b] for a, b in itertools.pairwise(edges)]


@given(odd_text, st.lists(st.integers(0, 100), max_size=8), countings)
def test_pieces_never_count_less_than_their_text(text, points, counting):
    pieces = cut(text, points)
    assert sum(count_piece(p, counting) for p in pieces) >= count_characters(text, counting)


european = st.text(
    st.characters(categories=["L", "N", "P", "S", "Z"], max_codepoint=0x52F)
    | st.sampled_from("…—–„“”’♪€ẞệἀ \n"),
    max_size=40,
).map(lambda text: unicodedata.normalize("NFC", text))


@given(european, st.lists(st.integers(0, 100), max_size=8), countings)
def test_pieces_of_european_text_count_exactly_what_the_text_does(text, points, counting):
    pieces = cut(text, points)
    assert sum(count_piece(p, counting) for p in pieces) == count_characters(text, counting)


@given(odd_text | european)
def test_the_short_cut_for_simple_text_agrees_with_segmentation(text):
    zero_width_space = "\u200b"  # counts nothing and is not simple text
    assert count_characters(text) == count_characters(text + zero_width_space)


@pytest.mark.parametrize(
    ("name", "language", "expected"),
    [
        (
            "netflix",
            "de",
            {"cps": 17, "cpl": 42, "lines": 2, "min_duration": 833, "min_gap": 83, "exact": True},
        ),
        (
            "netflix-sdh",
            "fr",
            {"out_slack": 500, "close_gaps": 500, "shot_gap_frames": 2, "shot_zone": 500},
        ),
        ("netflix", "ja", {"out_slack": 500, "close_gaps": None}),
        ("bbc", "en", {"out_slack": 1500, "close_gaps": 1000, "shot_gap_frames": 0}),
        ("ted", "de", {"out_slack": None}),
        ("netflix", "en-GB", {"cps": 20, "exact": True}),
        ("netflix", "pt-BR", {"cps": 17, "exact": True}),
        (
            "netflix",
            "ja",
            {"cps": 4, "cpl": 13, "min_gap": 0, "counting": CJK, "cps_counting": CJK},
        ),
        ("netflix", "zh_Hant_TW", {"cps": 9, "cpl": 16, "counting": Counting()}),
        ("netflix", "no", {"exact": True}),
        ("netflix", "tlh", {"cps": 17, "cpl": 42, "exact": False}),
        ("netflix-children", "de-AT", {"cps": 13, "cpl": 42, "exact": True}),
        ("netflix-children", "en", {"cps": 17}),
        ("netflix-children", "th", {"cps": 13, "cpl": 35}),
        ("netflix-sdh", "de", {"cps": 20}),
        ("netflix-sdh", "ko", {"cps": 14, "cpl": 16, "counting": CJK}),
        ("netflix-sdh-children", "hi", {"cps": 20}),
        ("ted", "it", {"cps": 21, "max_characters": 84, "min_line_balance": 0.5, "exact": True}),
        ("bbc", "en", {"cps": None, "wpm": 180, "cpl": 37}),
        ("amazon", "ar", {"cps": 20, "max_duration": 7007}),
        ("arte", "fr", {"cpl": 40, "min_gap": 200, "exact": False}),
        ("ard-zdf", "de", {"cps": 15, "cpl": 37, "min_gap": 40}),
        ("ard-zdf-children", "de", {"cps": 11, "cpl": 37}),
        ("none", "de", {"cps": None, "cpl": None, "lines": None, "min_gap": 0, "exact": True}),
    ],
)
def test_presets_have_the_published_values(name, language, expected):
    guideline = Guideline.load(name, language)
    assert {key: getattr(guideline, key) for key in expected} == expected


def test_every_preset_loads_and_says_where_it_comes_from():
    assert {"netflix", "ted", "bbc", "amazon", "arte", "ard-zdf", "none"} < set(list_guidelines())
    for name in list_guidelines():
        guideline = Guideline.load(name, "en")
        assert guideline.name == name and guideline.source and guideline.description


def test_words_per_minute_become_a_reading_speed():
    assert Guideline.load("bbc", "en").reading_speed == pytest.approx(180 * 5.7 / 60)
    assert override(Guideline.load("bbc", "en"), cps=15).reading_speed == 15
    assert Guideline(cps=12, wpm=200).reading_speed == 12
    assert Guideline().reading_speed is None


def test_a_users_file_extends_a_preset(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text(
        "extends: netflix\ncps: 15\ncpl: null\ncounting: {spaces: false}\n"
        "languages:\n  DE_at: {lines: 3, cps_counting: {punctuation: false}}\n"
    )
    english, austrian = Guideline.load(path, "en"), Guideline.load(str(path), "de-AT")
    assert (english.cps, english.cpl, english.lines) == (15, None, 2)  # 15 also beats en: 20
    assert english.counting == english.cps_counting == Counting(spaces=False)
    assert (austrian.cps, austrian.lines, austrian.exact) == (15, 3, True)
    assert austrian.cps_counting == Counting(spaces=False, punctuation=False)
    assert Guideline.load(path, "ja").counting == Counting(spaces=False, half_width=True)
    assert Guideline.load(path, "ja").name == str(path)


def test_extends_is_relative_to_the_file_that_says_so(tmp_path: Path):
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "house.yaml").write_text("extends: ted\ncpl: 39\n")
    (tmp_path / "client.yaml").write_text("extends: base/house.yaml\nlines: 1\n")
    guideline = Guideline.load(tmp_path / "client.yaml", "fr")
    assert (guideline.cps, guideline.cpl, guideline.lines) == (21, 39, 1)


def test_only_listed_languages_are_exact(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("extends: none\nlanguages: {de: {cps: 15}}\n")
    assert Guideline.load(path, "de").exact
    assert not Guideline.load(path, "fr").exact


@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("cps: -3", 1, "cps must be greater than 0, not -3"),
        ("cps: fast", 1, 'cps must be a number, not "fast"'),
        ("cps: true", 1, "must be a number"),
        ("cps: .inf", 1, "finite"),
        ("cps: .nan", 1, "finite"),
        ("cps: [17]", 1, "cps must be a number, not [17]"),
        ("cpl: 42\nlines: 1.5", 2, "lines must be an integer"),
        ("lines: 0", 1, "lines must be greater than or equal to 1"),
        ("min_duration: 0.833", 1, "must be an integer"),
        ("min_line_balance: 50", 1, "less than or equal to 1"),
        ("frame_rate: null", 1, "frame_rate must be a number"),
        ("cpz: 42", 1, "unknown key cpz"),
        ("cps: 17\n\ncps: 18", 3, "cps is given twice"),
        ("languages:\n  de: {speed: 9}", 2, "unknown key languages.de.speed"),
        ("languages: [de]", 1, "languages must be a mapping"),
        ("languages:\n  de: 17", 2, "languages.de must be a mapping"),
        ("counting: {spaces: maybe}", 1, "counting.spaces must be a boolean"),
        ("counting: {tabs: true}", 1, "unknown key counting.tabs"),
        ("extends: [netflix]", 1, "is not a file"),
        ("? [a]\n: 1", 1, "plain text"),
        ("- cps: 17", 1, "must be a mapping"),
        ("just words", 1, "must be a mapping"),
        ("cps: 17\ncpl: [", 2, "not YAML"),
        ("a: *b", 1, "not YAML"),
        ("languages: &a\n  de: *a", 2, "nested too deeply"),
        ("\n\nextends: netflux", 3, "did you mean netflix?"),
        ("extends: gone.yaml", 1, "there is no file"),
        ("extends: ours.yaml", 1, "goes round in a circle"),
        ("cps: !!int seventeen", 1, "neither text, a finite number"),
        ("cps: 17\nsource: \xff", 2, "not UTF-8"),
        ("cps: 17\nsource: \x0e", 2, "control character"),
        ("cps: 1\n---\ncps: 2", 2, "not YAML"),
    ],
)
def test_problems_are_told_with_their_line(tmp_path: Path, content: str, line: int, problem: str):
    path = tmp_path / "ours.yaml"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(GuidelineError) as error:
        Guideline.load(path, "de")
    assert f"{path}:{line}: " in str(error.value)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_all_problems_are_told_at_once(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("cps: -3\ncpz: 1\nlanguages:\n  de: {cpl: x}\n")
    with pytest.raises(GuidelineError) as error:
        Guideline.load(path, "fr")
    assert [f"{path}:{line}: " in str(error.value) for line in (1, 2, 4)] == [True] * 3


def test_circles_of_extends_are_named(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(f"extends: ../{tmp_path.name}/b.yaml")
    (tmp_path / "b.yaml").write_text("extends: a.yaml")
    with pytest.raises(
        GuidelineError,
        match=r"b\.yaml:1: extends: goes round in a circle: a\.yaml > b\.yaml > a\.yaml",
    ):
        Guideline.load(tmp_path / "a.yaml", "de")


@pytest.mark.parametrize("content", ["", "# nothing yet\n", "languages:\n", "\ufeffcps: 17\n"])
def test_harmless_files_load(tmp_path: Path, content: str):
    path = tmp_path / "ours.yaml"
    path.write_text(content, encoding="utf-8")
    assert Guideline.load(path, "de").cpl is None


def test_deeply_nested_yaml_is_refused(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("cps: " + "[" * 5000)
    with pytest.raises(GuidelineError, match="not YAML"):
        Guideline.load(path, "de")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("netflx", "did you mean netflix?"),
        ("qqq", "known: amazon, ard-zdf"),
        ("missing.yaml", "missing.yaml: cannot be read"),
        (".", "cannot be read"),
        ("a\0b", "cannot be read"),
    ],
)
def test_unknown_guidelines_are_refused_with_advice(name: str, problem: str):
    with pytest.raises(GuidelineError, match=problem):
        Guideline.load(name, "de")


def test_durations_may_not_contradict(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("extends: netflix\nmax_duration: 7\n")
    with pytest.raises(GuidelineError, match="min_duration 833 is more than max_duration 7"):
        Guideline.load(path, "de")


def test_options_override_a_guideline():
    guideline = override(Guideline.load("netflix", "de"), cps=12.5, lines=1)
    assert (guideline.cps, guideline.cpl, guideline.lines) == (12.5, 42, 1)


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_impossible_overrides_are_refused(value: float):
    with pytest.raises(UsageError, match="--cps must be more than 0"):
        override(Guideline(), cps=value)
    with pytest.raises(UsageError, match="--fps must be more than 0"):
        override(Guideline(), frame_rate=value)


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf")])
def test_a_slack_is_finite_and_no_less_than_0(value: float):
    with pytest.raises(UsageError, match="--out-slack must be 0 or more"):
        override(Guideline(), out_slack=value)
    assert override(Guideline(), out_slack=0).out_slack == 0


def test_presets_are_right_and_so_need_no_check():
    for path in presets().values():
        problems: list[Problem] = []
        for file in read_chain(path, presets(), problems):
            check(GuidelineFile, file, problems)
        assert not problems


def test_a_preset_is_read_without_pydantic():
    program = (
        "import sys; from subfit.limits.guideline import Guideline;"
        "Guideline.load('netflix', 'de');"
        "sys.exit('pydantic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
