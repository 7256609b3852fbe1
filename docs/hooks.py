"""What the site's Markdown reads otherwise than the repository's own pages do."""

import re

OUTSIDE = re.compile(r"\[([^]]+)\]\((?:\.\./)+((?:benchmarks|recipes|models|examples)/[^)]*)\)")
CODE = re.compile(r"`[^`\n]+`")


def on_page_markdown(markdown: str, **_: object) -> str:
    r"""Name the files outside of docs/, which are no pages here; write ``\|`` in code as ``|``."""
    named = OUTSIDE.sub(r"\1 (`\2` of the repository)", markdown)
    return CODE.sub(lambda found: found[0].replace(r"\|", "|"), named)
