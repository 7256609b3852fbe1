from itertools import combinations, pairwise

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import subfit.linebreak as linebreak
import subfit.linebreak_rules as rules
from subfit.guideline import Counting, count_characters
from subfit.linebreak import break_lines, break_lines_overlong


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "One line is enough."),
        ("en", "I told you that the captain\nwould never come back to the old house."),
        ("en", "I waited for an hour and a half.\nThen the train came at last."),
        ("en", "Mr. Smith asked Dr. Jones\nabout the results of the test."),
        ("en", "She went to the market, the bank,\nthe church and then straight home."),
        ("en", "They say that George W. Bush\nhad painted it himself."),
        ("en", "- Where were you?\n- At the office, all night long, as ever."),
        ("en", "He was – as everyone there knew –\nthe best of them all, and the last."),
        ("en", "Whatever you do, never say that name—\nnot in this house, do you hear?"),
        ("en", "WE HAVE TO GET OUT OF THIS PLACE\nBEFORE THE WHOLE THING BLOWS UP."),
        ("de", "Ich habe dir gesagt, dass der Kapitän\nnie in das alte Haus zurückkehren wird."),
        ("de", "Wir fahren morgen nach Berlin,\nweil meine Schwester heiratet."),
        ("de", "Das ist der Bruder von Frau Müller,\nden ich damals kennengelernt habe."),
        ("es", "No sé si podremos llegar a tiempo,\npero vamos a intentarlo de todos modos."),
        ("fr", "C'est la première fois\nque je vois un tel spectacle !"),
        ("es", "¿Sabes que los hombres de la aldea\nno habían visto nunca el mar abierto?"),
        ("fr", "Je ne comprends pas pourquoi\nd'autres gens voudraient habiter ici."),
        ("fr", "Personne ne m'a jamais dit\nqu'il habitait dans la vieille maison."),
        ("fr", "Mais qu’est-ce que tu racontes ?\nIl n’y a personne dans la maison !"),
        ("it", "Credo che gli amici di Anna\npossano arrivare soltanto domani sera."),
        ("it", "Il vecchio guardiano dell'isola\nnon ha mai parlato con nessun altro."),
        ("it", "Non so perché la signora Rossi\nsia andata via senza salutare."),
        ("xx", "Unknown tongues are merely balanced\nwith regard to nothing but length."),
    ],
)
def test_lines_break_where_a_reader_would_pause(language, lines):
    text = lines.replace("\n", " ")
    assert break_lines(text, 42, 2, count_characters, language) == tuple(lines.split("\n"))


@pytest.mark.parametrize(
    ("language", "cpl", "lines"),
    [
        ("zh-Hans", 16, "我们昨天在学校里看到了，\n一只非常大的白色的猫。"),
        ("ja", 13, "昨日、学校で大きな\n猫を見ましたが、"),
        ("ko", 16, "어제 학교에서 아주 큰 고양이를\n보았습니다만 도망갔어요."),
        ("th", 35, "เมื่อวานฉันเห็นแมวตัวใหญ่ที่โรงเรียน\nแต่มันวิ่งหนีไปแล้ว"),
    ],
)
def test_scripts_without_spaces(language, cpl, lines):
    counting = Counting(half_width=language in ("ja", "ko"))
    glue = " " if language in ("ko", "th") else ""
    broken = break_lines(
        lines.replace("\n", glue), cpl, 2, lambda line: count_characters(line, counting), language
    )
    assert broken == tuple(lines.split("\n"))


@pytest.mark.parametrize("closing", ["。", "」", "っ", "ー", "！"])
def test_no_line_begins_with_closing_punctuation_or_small_kana(closing):
    assert break_lines("猫猫猫" + closing + "犬犬", 3, 3, len, "ja") == (
        "猫猫",
        "猫" + closing,
        "犬犬",
    )


def test_no_break_spaces_hold():
    assert break_lines("Vraiment\u00a0?", 8, 2, len, "fr") is None
    assert break_lines("Bon, vraiment\u00a0?", 11, 2, len, "fr") == ("Bon,", "vraiment\u00a0?")


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("fr", "Quoi ? Non !", ["Quoi ?", "Non !"]),
        ("fr", "Il dit : « Ah ! », puis", ["Il", "dit :", "« Ah ! »,", "puis"]),
        ("es", "Ya. ¿ Qué ?", ["Ya.", "¿ Qué ?"]),
        ("de", "»Ja« und 50 % »nein«", ["»Ja«", "und", "50 %", "»nein«"]),
        ("en", "- Where? - Here.", ["-", "Where?", "-", "Here."]),
    ],
)
def test_no_line_begins_with_a_mark_or_ends_with_an_opening_one(language, text, words):
    assert [piece.text for piece in rules.split_pieces(text, language)] == words
    assert rules.split_words(text) == words


def test_line_breaks_of_the_text_are_taken_as_spaces():
    assert break_lines(" one\ntwo\u2028 three ", 20, 2, len, "en") == ("one two three",)


@pytest.mark.parametrize(
    ("text", "cpl", "lines"),
    [("Donaudampfschifffahrt", 20, 2), ("one two three", 5, 2), ("one two", 5, 1), ("a", 0.5, 1)],
)
def test_what_cannot_be_broken_is_told(text, cpl, lines):
    assert break_lines(text, cpl, lines, count_characters, "de") is None


def test_without_limits_there_is_one_line():
    text = "word " * 50
    assert break_lines(text, None, None, len, "en") == (text.strip(),)
    assert break_lines("", 42, 2, len, "en") == break_lines(" \n", 42, 2, len, "en") == ()
    assert break_lines_overlong("", 42, 2, len, "en") == ()


def test_a_wished_balance_outweighs_the_end_of_a_sentence():
    text = "Look at this! They have painted the old door red."
    assert break_lines(text, 42, 2, len, "en") == (
        "Look at this!",
        "They have painted the old door red.",
    )
    lines = break_lines(text, 42, 2, len, "en", min_balance=0.5)
    assert lines is not None and min(map(len, lines)) >= max(map(len, lines)) / 2


def test_an_overlong_text_keeps_its_words_and_its_lines():
    text = "Ich habe es dir doch schon gestern Abend in der alten Küche gesagt, oder?"
    assert break_lines(text, 20, 2, len, "de") is None
    lines = break_lines_overlong(text, 20, 2, len, "de")
    assert " ".join(lines) == text and len(lines) == 2


def test_an_overlong_word_spoils_only_its_own_line():
    lines = break_lines_overlong("Die Donaudampfschifffahrt endet hier.", 12, 3, len, "de")
    assert lines == ("Die", "Donaudampfschifffahrt", "endet hier.")


def test_a_page_in_one_cue_is_broken_in_a_moment():
    text = "Nobody reads a whole page, and yet here is one. " * 400
    lines = break_lines(text, 42, None, len, "en")
    assert lines is not None and " ".join(lines) == text.strip()
    assert max(map(len, lines)) <= 42
    assert len(break_lines_overlong(text, 42, 3, len, "en")) <= 3


words = st.sampled_from(
    ["a", "the", "of", "cat,", "dog.", "Mr.", "Tom", "and", "-", "word—word", "猫が。"]
)
texts = st.lists(words, max_size=8).map(" ".join)
widths = st.integers(1, 20)


def all_ways(text: str, cpl: float, lines: int) -> list[tuple[str, ...]]:
    """Every way to break a text at its pieces into so many lines of that width."""
    pieces = rules.split_pieces(text, "en")
    ways = []
    for cuts in combinations(range(1, len(pieces)), lines - 1):
        edges = [0, *cuts, len(pieces)]
        way = tuple(
            "".join(p.text + p.glue for p in pieces[a:b]).rstrip() for a, b in pairwise(edges)
        )
        if all(count_characters(line) <= cpl for line in way):
            ways.append(way)
    return ways


@given(texts, widths, st.integers(1, 4))
def test_lines_are_found_exactly_when_there_are_any_and_never_one_too_many(text, cpl, most):
    lines = break_lines(text, cpl, most, count_characters, "en")
    fewest = next((n for n in range(1, most + 1) if all_ways(text, cpl, n)), None)
    if not text:
        assert lines == ()
    elif fewest is None:
        assert lines is None
    else:
        assert lines in all_ways(text, cpl, fewest)


@given(st.lists(words, max_size=14).map(" ".join) | st.text(max_size=60), widths, st.integers(1, 4))
def test_overlong_lines_lose_nothing(text, cpl, most):
    lines = break_lines_overlong(text, cpl, most, count_characters, "en")
    assert len(lines) <= most
    assert "".join("".join(lines).split()) == "".join(text.split())
    fitting = break_lines(text, cpl, most, count_characters, "en")
    assert fitting is None or lines == fitting


@given(st.lists(words, min_size=1, max_size=8).map(" ".join), widths, st.integers(1, 3))
def test_no_other_break_has_fewer_characters_too_many(text, cpl, most):
    def excess(lines):
        return sum(max(0, count_characters(line) - cpl) for line in lines)

    ways = [way for n in range(1, most + 1) for way in all_ways(text, 10**6, n)]
    chosen = break_lines_overlong(text, cpl, most, count_characters, "en")
    assert excess(chosen) == min(map(excess, ways))


@given(st.lists(words, min_size=1, max_size=8).map(" ".join), widths, st.sampled_from([None, 0.5]))
def test_no_other_break_into_as_many_lines_is_better(text, cpl, balance):
    pieces = rules.split_pieces(text, "en")
    paragraph = linebreak._Paragraph(pieces, cpl, count_characters, balance)
    number = len(paragraph.fill(cpl))
    mean = count_characters(text) / number

    def demerits(ends):
        edges = (0, 0, *ends)
        return sum(paragraph._demerits(*edges[i : i + 3], mean) for i in range(number))

    cuts = combinations(range(1, len(pieces)), number - 1)
    ways = [way for cut in cuts if not paragraph.excess(way := (*cut, len(pieces)))]
    if ways:
        best = min(map(demerits, ways))
        assert demerits(paragraph.best(number, cpl).ends) == pytest.approx(best)


def test_word_lists_are_words():
    for language, lists in rules._all_word_lists().items():
        assert set(lists) == {"articles", "titles", "prepositions", "bound", "conjunctions"}
        for word in (word for words in lists.values() for word in words):
            assert isinstance(word, str), (language, word, "YAML reads it as something else")
            assert word == word.lower().strip()
    assert yaml.safe_load("[no]") == [False]  # why some of them are quoted
