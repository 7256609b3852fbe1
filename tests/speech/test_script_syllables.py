"""Syllables of words that are not in Latin letters."""

from __future__ import annotations

import pytest

from subfit.speech.script_syllables import guessed_scripts
from subfit.speech.syllables import count_syllables


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ru", "ма-як го-ва-рит здрав-ствуй-те её=2 США=3 МОСКВА=2"),
        ("uk", "п'ять їс-ти єв-ро-па"),
        ("bg", "бъл-га-ри-я път"),
        ("sr", "прст ср-це љу-бав"),
        ("mn", "у-лаан-баа-тар"),
        ("el", "φά-ρος παι-διά ποιος για κα-λη-μέ-ρα αυ-τό προ-ϊ-όν ευ-χα-ρι-στώ ρο-λό-ι"),
        ("el", "μι-λά-ω νε-ρό κύ-ρι-ος φῶς ἄν-θρω-πος"),
        ("hy", "բա-րև փա-րոս կանգ-նած գտնվող=2"),
        ("ka", "გა-მარ-ჯო-ბა შუ-ქუ-რა"),
        ("zh", "灯-塔 我-们-回-家"),
        ("ko", "등-대-는 안-녕-하-세-요"),
        ("hi", "कि-ताब लड़का=2 कमल=2 राम न-मस्ते=3 समझना=3 बंदरगाह=3 सरकार=2 हि-मा-लय घर मित्र=2 क-ई"),
        ("sa", "क-म-ल"),
        ("bn", "ক-ম-লা রাম"),
        ("ta", "த-மிழ் வ-ணக்-கம்"),
        ("te", "న-మ-స్కా-రం"),
        ("my", "မြန်-မာ ကောင်း-ကောင်း"),
        ("km", "ខ្មែរ ភា-សា កម្-ពុ-ជា"),
        ("am", "ሰ-ላም እን-ዴት"),
        ("he", "שָׁ-לוֹם ש-לום ת-ודה"),
        ("ar", "كَ-تَ-بَ بيت=2 في مرحبا=3"),
        ("fa", "س-لام فان-وس"),
        ("th", "ขอบ-คุณ ประภาคาร=3"),
        ("lo", "ສະ-ບາຍ-ດີ"),
        ("bo", "བོད"),
    ],
)
def test_words_have_the_syllables_they_are_said_with(language: str, said: str) -> None:
    for word in said.split():
        word, _, count = word.partition("=")
        expected = int(count or word.count("-") + 1)
        assert count_syllables(word.replace("-", ""), language) == expected, word


@pytest.mark.parametrize(
    ("text", "morae"),
    [("とうだい", 4), ("きゃっと", 3), ("コーヒー", 4), ("ﾃﾚﾋﾞ", 3), ("みんな", 3), ("灯台", 4)],
)
def test_japanese_has_morae(text: str, morae: int) -> None:
    assert count_syllables(text, "ja") == morae


@pytest.mark.parametrize(
    ("language", "text", "parts"),
    [
        ("ru", "Я смотрю BBC в 17.", ["Я", "смотрю", "BBC", "17"]),
        ("ru", "ВСЁ ХОРОШО, НЕТ?", ["всё", "хорошо", "нет"]),
        ("zh", "我用Linux系统", ["我用", "Linux", "系统"]),
        ("en", "He said привет to me", ["He said", "привет", "to me"]),
        ("ar", "جـــميل", ["جميل"]),
        ("fr", "cafe\u0301", ["café"]),
    ],
)
def test_scripts_mix(language: str, text: str, parts: list[str]) -> None:
    assert count_syllables(text, language) == sum(count_syllables(p, language) for p in parts)


def test_scripts_without_a_rule_are_told() -> None:
    texts = ["ދިވެހި means 灯塔", "где コーヒー ー", "ᠮᠣᠩᠭᠣᠯ"]
    assert guessed_scripts(texts) == ("Mongolian", "Thaana")
    assert guessed_scripts(["Der Leuchtturm", "μια π'ять 17 %", ""]) == ()
    assert count_syllables("ދިވެހި", "dv") > 0
