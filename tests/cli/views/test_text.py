"""Text from files, made safe to print."""

from __future__ import annotations

from subfit.cli.views.text import one_line, printable, shortened


def test_nothing_steers_the_terminal() -> None:
    assert printable("a\x1b[31mb\u202ec\u2028d\ne") == "a\ufffd[31mbc d\ne"
    assert one_line(" a\n b\tc ") == "a b c"


def test_a_cell_ends_between_words() -> None:
    text = "word " * 60
    assert shortened("short") == "short"
    assert len(shortened(text)) <= 160 and shortened(text).endswith("word…")
    assert shortened("x" * 200) == "x" * 159 + "…"
