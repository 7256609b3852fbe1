"""Reading the JSON files of models, which may hold anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_MOST_BYTES = 100_000_000
"""Bytes of such a file: the largest published tokenizers have some tens of millions."""


def read_json(path: Path) -> Any:
    """Read a JSON file of a model.

    Raises:
        OSError: It cannot be read.
        ValueError: It is no JSON, too large, or too deeply nested.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES:,} bytes")
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("too deeply nested") from error
