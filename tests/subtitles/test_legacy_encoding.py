"""Encodings of one language or few, told apart."""

import pytest

from subfit.subtitles.encoding import decode
from tests.subtitles.test_encoding import CUES, text_in

LEGACY = [
    *((language, "cp1252") for language in ("fr", "de", "es", "it")),
    *((language, "cp1250") for language in ("pl", "cs")),
    *(("ru", name) for name in ("cp1251", "koi8-r", "cp866", "iso8859-5")),
    ("uk", "cp1251"),
    ("el", "cp1253"),
    ("tr", "cp1254"),
    ("he", "cp1255"),
    ("ar", "cp1256"),
    ("ja", "cp932"),
    ("ja", "euc-jp"),
    ("zh", "gb18030"),
    ("ko", "cp949"),
]


@pytest.mark.parametrize(("language", "encoding"), LEGACY)
def test_source_language_decides_between_legacy_encodings(language, encoding):
    text = text_in(language)
    decoded = decode(text.encode(encoding), name="x", source_language=language)
    assert decoded.text == text
    (repair,) = decoded.repairs
    assert repair.line == 3
    assert "--encoding" in repair.problem


def test_chinese_is_told_from_chinese():
    text = CUES.format("你好，最近怎麼樣？", "我不知道該說什麼，真的。")
    assert decode(text.encode("big5"), name="x", source_language="zh").text == text


def test_taiwan_writes_big5():
    text = CUES.format("你好，最近怎麼樣？", "我不知道該說什麼。")
    assert decode(text.encode("big5"), name="x", source_language="zh-TW").text == text


@pytest.mark.parametrize(("language", "encoding"), [("fr", "cp1252"), ("de", "cp1252")])
def test_western_text_needs_no_language(language, encoding):
    text = text_in(language)
    assert decode(text.encode(encoding), name="x").text == text
