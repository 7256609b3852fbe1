"""A server for the tests of a folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.fake import FakeServer, fake_server


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with fake_server() as server:
        yield server
