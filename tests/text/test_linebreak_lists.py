"""Lists of words that lines do not break behind."""

from importlib import resources

import yaml

from subfit.text.linebreak_lists import NAMES, word_lists


def test_word_lists_are_words():
    folder = resources.files("subfit.text") / "linebreak_words"
    for file in (each for each in folder.iterdir() if each.name.endswith(".yaml")):
        lists = yaml.safe_load(file.read_text(encoding="utf-8"))
        assert set(lists) <= set(NAMES), file.name
        for word in (word for words in lists.values() for word in words):
            assert isinstance(word, str), (file.name, word, "YAML reads it as something else")
            assert word == word.lower().strip()
    assert yaml.safe_load("[no]") == [False]  # why some of them are quoted


def test_regions_add_to_their_language():
    assert word_lists("es-MX").pronouns > word_lists("es-ES").pronouns == word_lists("spa").pronouns
    assert word_lists("de-AT").titles > word_lists("de").titles == word_lists("de-LI").titles
    assert word_lists("xx") == word_lists("und")
