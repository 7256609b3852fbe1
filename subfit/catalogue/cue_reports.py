"""What there is to say about every cue of every translation, in a tree of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from subfit.catalogue.items import Item
from subfit.catalogue.manifest import Manifest, checksum
from subfit.formats import check_writable, make_folder, read_bytes, write_bytes
from subfit.report import Report


@dataclass(frozen=True, slots=True)
class CueReports:
    """A folder that mirrors that of the translations, with a report on each."""

    folder: Path
    manifest: Manifest
    """Knows which reports are ours, and so may be replaced."""
    overwrite: bool = False
    """Whether others may be replaced as well."""

    def place(self, name: str) -> Path:
        """Return where the report on a translation is.

        Args:
            name: The translation's path below the output folder.
        """
        return self.folder / f"{name}.json"

    def check(self, name: str) -> bool:
        """Tell whether the report on a translation is there, and if not, may be written.

        Raises:
            OutputFileError: Something stands in its place that is not ours.
        """
        place = self.place(name)
        ours = place.is_file() and self._is_ours(place)
        if not ours:
            check_writable(place, overwrite=self.overwrite, folder=self.folder)
        return ours

    def write(self, name: str, document: Mapping[str, Any]) -> None:
        """Write the report on a translation.

        Raises:
            OutputFileError: It cannot be written.
        """
        place = self.place(name)
        text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        data = text.encode("utf-8", errors="replace")
        overwrite = self.overwrite or (place.is_file() and self._is_ours(place))
        make_folder(place.parent)
        self.manifest.enter_report(place, checksum(data))
        write_bytes(place, data, overwrite=overwrite)

    def _is_ours(self, place: Path) -> bool:
        return self.manifest.wrote_report(place, checksum(read_bytes(place)))


def cue_document(item: Item, report: Report) -> dict[str, Any]:
    """Return a report on every cue as JSON values."""
    return {"input": item.source, "output": item.target, **report.to_dict()}
