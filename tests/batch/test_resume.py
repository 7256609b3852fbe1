"""What a second run leaves as it is, does again, or refuses to touch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from subfit.batch.job import Job, Writing
from subfit.batch.manifest import (
    EarlierRuns,
    Manifest,
    Record,
    Triage,
    checksum,
    input_checksum,
    triage,
)
from subfit.batch.plan import plan_items

from .conftest import SEASON, write


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Manifest]:
    monkeypatch.chdir(tmp_path)
    write(Path("season"), *SEASON)
    Path("out/.subfit").mkdir(parents=True)
    with closing(Manifest(Path("out"))) as manifest:
        yield manifest


def look(manifest: Manifest, *, settings: str = "same", overwrite: bool = False) -> Triage:
    plan = plan_items(Job(("season",), ("de",), writing=Writing(output="out")))
    earlier = EarlierRuns(manifest, lambda language, digest: digest + settings)
    return triage(plan, earlier, overwrite=overwrite)


def translated(manifest: Manifest, name: str = "1", state: str = "done") -> Path:
    """Leave a translation as an earlier run has done."""
    target = Path(f"out/{name}.de.srt")
    target.write_bytes(b"our translation")
    data = Path(f"season/{name}.srt").read_bytes()
    key = input_checksum(data, None) + "same"
    record = Record(
        output=target.name,
        input=f"season/{name}.srt",
        language="de",
        key=key,
        state=state,  # type: ignore[arg-type]
        output_sha256=checksum(b"our translation"),
        figures={"totals": {"cues": 3}},
    )
    manifest.write([record])
    return target


def states(triaged: Triage) -> list[str]:
    """By file: the state that is settled, or what is to be done."""
    todo = {one.index: "again" if one.standing else "todo" for one in triaged.todo}
    settled = {index: result.state for index, result in triaged.settled.items()}
    return [one for _, one in sorted({**todo, **settled}.items())]


def test_what_was_written_as_a_run_was_killed_counts_as_done(manifest: Manifest) -> None:
    translated(manifest, state="writing")
    triaged = look(manifest)
    assert states(triaged)[0] == "earlier"
    assert [(one.output, one.state) for one in triaged.written] == [("1.de.srt", "done")]
