"""Sections that are cited are those of the papers: their numbers, and what stands in them."""

from __future__ import annotations

import re

import pytest

from tests.places import ROOT

SECTIONS = {
    r"Lakew(?: et al\.)? 2019": {"3", "3.1", "3.2", "3.3", "3.4", "4.1", "4.2", "4.3", "5"},
    r"Takase (?:&|and) Okazaki 2019": {"2", "3.1", "3.2", "3.3", "3.4"},
}
"""Sections of papers that have such numbers."""


@pytest.mark.parametrize("paper", SECTIONS)
def test_no_section_is_cited_that_a_paper_has_not(paper: str) -> None:
    files = [*(ROOT / "subfit").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    files += [*(ROOT / "recipes").glob("*.*"), ROOT / "README.md"]
    cited = {
        (file.name, section.rstrip("."))
        for file in files
        for section in re.findall(paper + r"[,(\s]+§([\d.]+)", file.read_text(encoding="utf-8"))
    }
    assert cited
    assert {(name, number) for name, number in cited if number not in SECTIONS[paper]} == set()
