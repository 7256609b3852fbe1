"""What is kept of the hub's models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from subfit.errors import ModelError
from subfit.hub.cache import kept, kept_models, remove
from subfit.hub.download import fetch
from tests.hub.conftest import NAME

from .conftest import REVISION, FakeHub


def test_where_it_came_from_is_kept(hub: FakeHub, tiny_marian_folder: Path) -> None:
    hub.add(NAME, tiny_marian_folder)
    model = fetch([NAME])
    assert json.loads((model.folder / "origin.json").read_text()) == {
        "name": NAME,
        "revision": REVISION,
        "licence": "cc-by-4.0",
        "converted": False,
    }
    assert [each.origin.name for each in kept_models()] == [NAME]
    remove(NAME)
    assert kept(NAME) is None
    with pytest.raises(ModelError, match="is not here"):
        remove(NAME)
