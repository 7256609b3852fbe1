from pathlib import Path

import pytest

from subfit.subtitles.formats.naming import named_language, output_path

NAMES = [
    ("movie.srt", "de", None, "movie.de.srt"),
    ("movie.en.srt", "de", None, "movie.de.srt"),
    ("movie.en.srt", "de", "en", "movie.de.srt"),
    ("movie.eng.srt", "de", "en", "movie.de.srt"),
    ("movie.EN.vtt", "de", "en", "movie.de.vtt"),
    ("movie.en-US.srt", "de", "en", "movie.de.srt"),
    ("movie.pt-BR.srt", "de", None, "movie.de.srt"),
    ("movie.zh-Hans.srt", "en", None, "movie.en.srt"),
    ("movie.zh_Hant_TW.srt", "en", "zh", "movie.en.srt"),
    ("movie.es-419.srt", "pt-BR", "es", "movie.pt-BR.srt"),
    ("movie.en.sdh.srt", "de", "en", "movie.de.sdh.srt"),
    ("movie.en.forced.default.srt", "de", "en", "movie.de.forced.default.srt"),
    ("movie.forced.srt", "de", "en", "movie.de.forced.srt"),
    ("movie.part1.srt", "de", None, "movie.part1.de.srt"),
    ("movie.2024.1080p.srt", "de", "en", "movie.2024.1080p.de.srt"),
    ("Doing.It.srt", "de", "en", "Doing.It.de.srt"),
    ("it.srt", "de", "en", "it.de.srt"),
    ("it.srt", "de", None, "it.de.srt"),
    ("en.srt", "de", "en", "de.srt"),
    ("movie.hi.srt", "de", None, "movie.de.srt"),
    ("movie.xyz.srt", "de", None, "movie.xyz.de.srt"),
    ("movie", "de", "en", "movie.de"),
    ("Show.S01E02.en.hi.srt", "de", None, "Show.S01E02.de.hi.srt"),
    ("Show.en.cc.2.srt", "fr", "en", "Show.fr.cc.2.srt"),
    ("Show.English.SDH.srt", "de", "en", "Show.de.SDH.srt"),
    ("Show.en(sdh).srt", "it", None, "Show.it(sdh).srt"),
    ("Show.pt-BR.forced.srt", "es", None, "Show.es.forced.srt"),
    ("Show.en-sdh.srt", "es", None, "Show.es-sdh.srt"),
    (".en.srt", "de", "en", ".de.srt"),
]


@pytest.mark.parametrize(("name", "target", "source", "expected"), NAMES)
def test_name_of_the_translation(name, target, source, expected):
    assert output_path(Path("films") / name, target, source) == Path("films") / expected


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("Show.en.hi.srt", "en"),
        ("Show.hi.srt", "hi"),
        ("Show.English.SDH.srt", "en"),
        ("Show.de.forced.2.srt", "de"),
        ("Kill.It.srt", None),
        ("Show.2019.1080p.srt", None),
        ("Show.srt", None),
    ],
)
def test_hi_behind_a_language_is_no_hindi(name: str, language: str | None) -> None:
    assert named_language(Path(name)) == language
