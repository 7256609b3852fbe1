"""A report as one HTML page that needs nothing else: no network, no other file.

Style and scripts are written into the page, and a content security policy admits these and nothing
besides. All data is one block of JSON, which the scripts put on the page as text and never as
markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

SCRIPTS = (
    "counting.js",
    "rules.js",
    "payloads.js",
    "elements.js",
    "charts.js",
    "cues.js",
    "editor.js",
    "summary.js",
    "main.js",
)
"""In this order, each may use those before it."""
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# "</script>" and "<!--" would end or change the block; the separators are line ends in scripts.
_ESCAPED = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def to_html(data: Mapping[str, Any], title: str) -> str:
    """Return a page.

    Args:
        data: What it shows, from `subfit.report_files.page_data.page_data`.
        title: Of its tab in a browser.
    """
    style = _read("style.css")
    script = "\n".join(["(() => {", '"use strict";', *map(_read, SCRIPTS), "})();"])
    values = {
        "policy": html.escape(_policy(style, script)),
        "title": html.escape(title),
        "style": style,
        "data": _json(data),
        "script": script,
    }
    # One pass: nothing that is put in is looked at again.
    return _PLACEHOLDER.sub(lambda match: values[match[1]], _read("index.html"))


def _read(name: str) -> str:
    return files("subfit.report_files").joinpath("page", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, sent or run but this style and this script."""
    allowed = {
        "default-src": "'none'",
        "script-src": f"'{_hash(script)}'",
        "style-src": f"'{_hash(style)}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in allowed.items())


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: Mapping[str, Any]) -> str:
    """Return data as JSON that can stand within a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: _ESCAPED[match[0]], text)
