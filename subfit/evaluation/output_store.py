"""Translations that are kept in a folder, so that no row of a table is translated twice."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from subfit.errors import OutputFileError, reason_of
from subfit.evaluation.evaluation import EvaluationSetup
from subfit.evaluation.outputs import Outputs
from subfit.files import write_bytes
from subfit.fitting.options import DEFAULT_SETTINGS
from subfit.version import __version__


@dataclass(frozen=True, slots=True)
class StoredOutputs:
    """Translations and what made them."""

    setup: EvaluationSetup
    outputs: Outputs


class OutputStore:
    """Keeps each row's translations in ``LABEL.txt``, and what made them in ``LABEL.json``.

    Args:
        folder: Made when something is kept; None to keep nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def load(self, label: str, key: Mapping[str, object]) -> StoredOutputs | None:
        """Return the translations of a row, if they are there.

        Args:
            label: The row's.
            key: Everything the translations depend on, as JSON values. Translations with another
                key, or that have been edited, do not count.
        """
        if self.folder is None:
            return None
        texts, record = self._paths(self.folder, label)
        try:
            values = json.loads(record.read_text(encoding="utf-8"))
            data = texts.read_bytes()
            if values["key"] != _full(key) or values["sha256"] != _digest(data):
                return None
            return _stored(values, data.decode("utf-8"))
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def save(self, label: str, key: Mapping[str, object], stored: StoredOutputs) -> None:
        """Keep the translations of a row, in place of those of another key.

        Raises:
            OutputFileError: They cannot be written, or a file is in the way that is none of ours.
        """
        if self.folder is None:
            return
        texts, record = self._paths(self.folder, label)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"the folder cannot be made ({reason_of(error)})"
            raise OutputFileError(self.folder, problem) from error
        data = "".join(f"{text}\n" for text in stored.outputs.texts).encode("utf-8")
        document = {"key": _full(key), "sha256": _digest(data), **_document(stored)}
        # The record comes first: translations without one are taken for somebody else's.
        write_bytes(record, json.dumps(document, indent=1).encode("utf-8"), overwrite=True)
        write_bytes(texts, data, overwrite=True)

    def check(self, labels: list[str]) -> None:
        """Find out before the work whether the rows can be kept.

        Raises:
            OutputFileError: The folder is none, or a file is in the way that is none of ours.
        """
        if self.folder is None:
            return
        if self.folder.exists() and not self.folder.is_dir():
            raise OutputFileError(self.folder, "is no folder")
        for label in labels:
            texts, record = self._paths(self.folder, label)
            if texts.exists() and not record.exists():
                remedy = "move it away, or choose another folder"
                raise OutputFileError(texts, "is in the way of translations", remedy=remedy)

    @staticmethod
    def _paths(folder: Path, label: str) -> tuple[Path, Path]:
        name = file_name(label)
        return folder / f"{name}.txt", folder / f"{name}.json"


def file_name(label: str) -> str:
    """Return the name under which a row is kept, without suffix."""
    return re.sub(r"[^\w.,=+@-]+", "-", label).strip("-.") or "row"


def _full(key: Mapping[str, object]) -> dict[str, object]:
    return {**key, "subfit": __version__, "policy": DEFAULT_SETTINGS.checksum}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _document(stored: StoredOutputs) -> dict[str, Any]:
    outputs = asdict(stored.outputs)
    del outputs["texts"]
    return {"setup": asdict(stored.setup), "outputs": outputs}  # ceilings may be Infinity


def _stored(values: dict[str, Any], text: str) -> StoredOutputs:
    outputs, setup = (
        dict[str, Any]()
        | {name: tuple(item) if isinstance(item, list) else item for name, item in part.items()}
        for part in (values["outputs"], values["setup"])
    )
    return StoredOutputs(
        EvaluationSetup(**setup), Outputs(texts=tuple(text.split("\n")[:-1]), **outputs)
    )
