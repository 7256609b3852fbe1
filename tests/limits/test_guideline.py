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
