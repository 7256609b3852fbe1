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
    "drafts.js",
    "main.js",
)
"""In this order, each may use those before it."""
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
# "</script>" and "<!--" would end or change the block; the separators are line ends in scripts.
_ESCAPED = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def to_html(data: Mapping[str, Any], title: str) -> str:
    """Return a page."""
    script = "\n".join(["(() => {", '"use strict";', *map(_read, SCRIPTS), "})();"])
    values = {"title": html.escape(title), "data": _json(data), "script": script}
    return fill_page("index.html", values)


def fill_page(template: str, values: Mapping[str, str]) -> str:
    """Return a page of this folder, with the style and a policy that admits only what is in it.

    Args:
        template: Its name.
        values: What stands in for its placeholders, as markup; the policy admits a ``script``.
    """
    style = _read("style.css")
    policy = html.escape(_policy(style, values.get("script")))
    known = {**values, "style": style, "policy": policy}
    # One pass: nothing that is put in is looked at again.
    return _PLACEHOLDER.sub(lambda match: known[match[1]], _read(template))


def _read(name: str) -> str:
    return files("subfit.reporting.files").joinpath("page", name).read_text(encoding="utf-8")


def _policy(style: str, script: str | None) -> str:
    """Nothing may be loaded, sent or run but this style and this script."""
    allowed = {
        "default-src": "'none'",
        "script-src": "'none'" if script is None else f"'{_hash(script)}'",
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
