"""Blind reading: two systems' translations side by side in a hidden order, judged by people.

As in Lakew et al. 2019, Table 7: head to head, ties allowed, several judges, and Fleiss's kappa of
how far they agree.
"""

from __future__ import annotations

import csv
import io
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path

from subfit.errors import InputFileError
from subfit.files import read_bytes

JUDGES = 3
"""Columns for judgements; more may be added."""
_ASKED = ("A", "B", "=")


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """What judges found of a system against the one that all are compared with."""

    label: str
    wins: int
    ties: int
    losses: int
    p: float
    """Of the exact sign test over lines, two-sided; a line goes to whom most of its judges say."""
    kappa: float | None
    """Fleiss's, of the lines that all judges have judged; None for one judge, or without them."""


def blind_sheet(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str]],
    baseline: str,
    lines: int,
    seed: int = 1,
) -> tuple[bytes, bytes]:
    """Draw lines on which a system and the baseline differ, for every system.

    Args:
        sources: The test set.
        outputs: Translations by label.
        baseline: The label that all others are compared with.
        lines: Most lines for every other system, drawn by lot.
        seed: Of the lot.

    Returns:
        The sheet as CSV (id, source, A, B, and empty columns for ``A``, ``B`` or ``=``), and the
        key to it, which is to be kept from judges (id, the labels of A, of
        B, and of the baseline).
    """
    lot = random.Random(seed)
    drawn = []
    for label, texts in outputs.items():
        pairs = zip(texts, outputs[baseline], strict=True)
        differ = [n for n, (one, other) in enumerate(pairs) if one != other]
        drawn += [(label, n) for n in sorted(lot.sample(differ, min(lines, len(differ))))]
    lot.shuffle(drawn)
    rows, key = [], []
    for place, (label, n) in enumerate(drawn, start=1):
        first, second = lot.sample((label, baseline), 2)
        rows.append([place, sources[n], outputs[first][n], outputs[second][n], *[""] * JUDGES])
        key.append([place, first, second, baseline])
    judges = [f"judge {n}" for n in range(1, JUDGES + 1)]
    return _csv(["id", "source", "A", "B", *judges], rows), _csv(["id", "A", "B", "against"], key)


def key_of(sheet: Path) -> Path:
    """Return where the key of a sheet lies."""
    return sheet.with_name(f"{sheet.stem}.key{sheet.suffix}")


def judged(sheet: Path) -> list[HeadToHead]:
    """Count what judges wrote into a sheet, by the key beside it.

    Args:
        sheet: The file, with ``A``, ``B`` or ``=`` in the columns of judges; what is empty counts
            as not judged.

    Raises:
        InputFileError: A file cannot be read, they do not belong together, or a judgement is none.
    """
    head, *rows = _read(sheet) or [[]]
    if not rows:
        raise InputFileError(sheet, "nothing is judged in it")
    keys = {row[0]: row[1:4] for row in _read(key_of(sheet))[1:]}
    found: dict[str, list[list[str]]] = {}
    for line, row in enumerate(rows, start=2):
        votes = [cell.strip().upper() for cell in row[4 : len(head)] if cell.strip()]
        if row[0] not in keys or not set(votes) <= set(_ASKED):
            what = "a judgement is A, B or =" if row[0] in keys else "it is not in the key"
            raise InputFileError(sheet, f"row {line}: {what}")
        first, second, baseline = keys[row[0]]
        label, own = (first, "A") if second == baseline else (second, "B")
        said = {"=": "=", own: "+"}
        found.setdefault(label, []).append([said.get(vote, "-") for vote in votes])
    return [_counted(label, lines) for label, lines in found.items()]


def fleiss_kappa(lines: Sequence[Sequence[str]]) -> float | None:
    """Return Fleiss's kappa of lines with as many judgements each; None for fewer than two."""
    judges = max(map(len, lines), default=0)
    whole = [Counter(line) for line in lines if len(line) == judges]
    if judges < 2 or not whole:
        return None
    shares = [sum(line[kind] for line in whole) / (judges * len(whole)) for kind in "+=-"]
    chance = sum(share**2 for share in shares)
    squares = sum(sum(count**2 for count in line.values()) - judges for line in whole)
    agreed = squares / (judges * (judges - 1) * len(whole))
    return 1.0 if chance == 1 else (agreed - chance) / (1 - chance)


def _counted(label: str, lines: Sequence[Sequence[str]]) -> HeadToHead:
    margins = [line.count("+") - line.count("-") for line in lines if line]
    wins, losses = (sum(sign * margin > 0 for margin in margins) for sign in (1, -1))
    ties, p = len(margins) - wins - losses, sign_test(wins, losses)
    return HeadToHead(label, wins, ties, losses, p, fleiss_kappa(lines))


def sign_test(wins: int, losses: int) -> float:
    """Return the p-value of the exact two-sided sign test; ties are left out."""
    n = wins + losses
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1))
    return min(1.0, float(Fraction(2 * tail, 2**n)))


def _csv(head: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue().encode("utf-8-sig")


def _read(path: Path) -> list[list[str]]:
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputFileError(path, "not UTF-8", remedy="save it as CSV in UTF-8") from None
    return [row for row in csv.reader(io.StringIO(text)) if any(row)]
