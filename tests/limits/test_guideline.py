"""Guideline files: what they extend, and everything wrong with them told at once."""

import subprocess
import sys
from pathlib import Path

import pytest

from subfit.errors import GuidelineError, UsageError
from subfit.limits.guideline import Guideline, override
from subfit.text.counting import Counting

CJK = Counting(half_width=True)


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
        *(("netflix", tag, {"cps": 20, "exact": True}) for tag in ("en-GB", "eng", "en_AU")),
        ("netflix", "pt-BR", {"cps": 17, "exact": True}),
        *(
            (name, tag, {"cps": cps, "cpl": cpl, "lines": 2})
            for name, cps, cpl in (
                ("netflix-sdh", 20, 42),
                ("netflix-children", 17, 42),
                ("bbc", None, 37),
                ("ted", 21, 42),
            )
            for tag in ("en", "en-GB", "en-US", "eng", "en_AU")
        ),
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


def test_words_per_minute_become_a_reading_speed():
    assert Guideline.load("bbc", "en").reading_speed == pytest.approx(180 * 5.7 / 60)
    assert override(Guideline.load("bbc", "en"), cps=15).reading_speed == 15
    assert Guideline(cps=12, wpm=200).reading_speed == 12
    assert Guideline().reading_speed is None


def test_only_listed_languages_are_exact(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("extends: none\nlanguages: {de: {cps: 15}}\n")
    assert Guideline.load(path, "de").exact
    assert not Guideline.load(path, "fr").exact


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("netflx", "did you mean netflix?"),
        ("qqq", "known: amazon, ard-zdf"),
        ("missing.yaml", "missing.yaml: cannot be read"),
        (".", "cannot be read"),
        ("a\0b", "not YAML"),
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


def test_deeply_nested_yaml_is_refused(tmp_path: Path):
    path = tmp_path / "ours.yaml"
    path.write_text("cps: " + "[" * 1200)
    with pytest.raises(GuidelineError, match="not YAML"):
        Guideline.load(path, "de")


def test_a_preset_is_read_without_pydantic():
    program = (
        "import sys; from subfit.limits.guideline import Guideline;"
        "Guideline.load('netflix', 'de');"
        "sys.exit('pydantic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
