"""Changes to parts of a text."""

from __future__ import annotations

from subfit.text.cleaning.edits import Edit, edited


def test_of_edits_that_overlap_the_first_counts() -> None:
    edits = [Edit(4, 9, "boat"), Edit(0, 3, "A"), Edit(8, 12, "sank")]
    assert edited("The canoe sank.", edits, [], str.upper) == "A boat sank."


def test_ranges_are_changed_with_the_edits_in_them_but_for_fixed_ones() -> None:
    text, whole = "go to b. Now.", [(0, 8)]
    assert edited(text, [Edit(6, 7, "bar.com")], whole, str.upper) == "GO TO BAR.COM. Now."
    fixed = [Edit(6, 7, "bar.com", fixed=True)]
    assert edited(text, fixed, whole, str.upper) == "GO TO bar.com. Now."


def test_something_can_be_put_in_between() -> None:
    assert edited("One two.", [Edit(4, 4, "[x] ")], [], str.upper) == "One [x] two."
