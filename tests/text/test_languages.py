import pytest

from subfit.text.languages import closest_language, same_language


@pytest.mark.parametrize(
    ("tag", "known", "closest"),
    [
        ("es", ["de", "es"], "es"),
        ("es-419", ["de", "es"], "es"),
        ("fr_CA", ["fr"], "fr"),
        ("PT-br", ["pt", "pt-BR"], "pt-BR"),
        ("pt-PT", ["pt", "pt-BR"], "pt"),
        ("pt-PT", ["pt-BR"], None),
        ("ita", ["it"], "it"),
        ("zh-Hant-TW", ["zh", "zh-Hant"], "zh-Hant"),
        ("sr-Latn", ["sr"], None),
        ("tlh", ["de"], None),
    ],
)
def test_regions_are_left_off_and_scripts_are_not(tag, known, closest):
    assert closest_language(tag, known) == closest


def test_a_language_is_the_same_in_any_region_and_spelling():
    assert same_language("en-GB", "EN_us") and same_language("deu", "de")
    assert not same_language("en", "de") and not same_language("tlh", "gsw")
