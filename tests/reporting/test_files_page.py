"""The page on many files: what it says, and that names cannot become markup."""

import re
from typing import Any

from subfit.reporting.page import files_page
from subfit.reporting.tables import Table

TOTALS = {
    "files": {"all": 2, "done": 1, "failed": 1},
    **{"cues": 10, "translated": 8, "untranslated": 0, "lines_overflow": 1},
    **{"risky": 7, "losing": 8, "withheld": 5, "condensed": 4, "lost": 2},
    "overflow": {"after": {"over": 1, "characters": 3}},
    "length_ratio": {"mean": 1.0449},
    "compliance": {"strict": 0.5},
    "cps": {"mean": None, "worst": None},
}
NAMES = (  # noqa: SIM905
    "output language state cues over lines_overflow untranslated risky losing withheld condensed "
    "lost length_ratio compliance cps cps_worst error"
).split()


def row(*values: Any) -> dict[str, Any]:
    return dict(zip(NAMES, values, strict=True))


ROWS = (
    row("a.srt", "de", "done", 10, 1, 1, 0, 7, 8, 5, 4, 2, 1.0449, 0.5, None, None, None),
    row("<img src=x>.srt", "de", "failed", *[None] * 14),
)
ROWS[1]["error"] = "</td><script>x</script>"
TABLE = Table("Files", tuple(NAMES), ROWS, {"subfit": "0", "totals": TOTALS}, {"over": 'said "so"'})


def test_every_file_has_a_row_and_what_is_bad_is_marked() -> None:
    page = files_page(TABLE, {"a.srt": "pages/a%20b.html"})
    rows = re.findall(r"<tr.*?</tr>", page)
    assert len(rows) == 3
    assert '<a href="pages/a%20b.html">a.srt</a>' in rows[1]
    assert '<td class="number bad">1</td>' in rows[1] and "1.04" in rows[1] and "50 %" in rows[1]
    assert 'title="said &quot;so&quot;"' in rows[0]
    assert "<th" in rows[0] and "CPS" not in rows[0]  # nobody has any
    assert '<td class="number">7</td>' in rows[1] and ">At risk<" in rows[0]
    assert ">2: 1 done, 1 failed<" in page
    assert '<td class="number">5</td>' in rows[1] and ">Kept whole<" in rows[0]
    assert '<td class="number">4</td>' in rows[1] and ">Condensed<" in rows[0]
    assert '<td class="number">2</td>' in rows[1] and ">Lost<" in rows[0]


def test_names_and_errors_are_text_and_nothing_may_run() -> None:
    page = files_page(TABLE, {})
    assert "<img" not in page and "<script" not in page
    assert "&lt;img src=x&gt;.srt" in page
    assert "script-src &#x27;none&#x27;" in page
