"""What a model is, by what ``--model`` names and by its files, found before anything loads it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from subfit.errors import ModelError, UsageError, reason_of
from subfit.text.languages import primary_language

PICKLED_FILE = "pytorch_model.bin"
SAFE_FILE = "model.safetensors"
INDEX = ".index.json"
"""Ends the name of the list of parts that stands in place of one file of weights."""
_MOST_BYTES = 100_000_000
"""Bytes of a JSON file: the largest published tokenizers have some tens of millions."""
_UNREAD = (".md", ".yaml", ".txt", ".tsv", "SHA256SUMS", "metrics.json", "measurements.json")
"""Ends of names in a model folder that no translation depends on."""
_TRANSLATION = ("SubfitForTranslation", "MarianMTModel")
"""Architectures that are known without a look at Hugging Face's list."""


def read_json(path: Path) -> Any:
    """Read a JSON file of a model, which may hold anything.

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


def weight_files(files: Collection[str]) -> tuple[str, ...]:
    """Return which of a model's files are its weights.

    Returns:
        The safetensors if there are any, else what is pickled, in one file or an index first and
        then its parts; empty if there is neither.
    """
    for whole in (SAFE_FILE, PICKLED_FILE):
        if whole in files:
            return (whole,)
        if whole + INDEX in files:
            stem, _, suffix = whole.rpartition(".")
            parts = (name for name in files if fnmatch(name, f"{stem}-*-of-*.{suffix}"))
            return (whole + INDEX, *sorted(parts))
    return ()


def weights_in(folder: Path) -> tuple[str, ...]:
    """Return `weight_files` of a folder; empty if it cannot be read, too."""
    try:
        return weight_files([path.name for path in folder.iterdir()])
    except OSError:
        return ()


def is_pickled(folder: Path) -> bool:
    """Whether a folder has only weights that are pickled."""
    return any(name.startswith(PICKLED_FILE) for name in weights_in(folder)[:1])


def is_translations(system: str) -> bool:
    """Tell whether a system is named by a file of its translations."""
    return Path(system).is_file()


def is_causal(place: str) -> bool:
    """Whether the model in a folder is decoder-only: a language model with prompts."""
    try:
        values = read_json(Path(place) / "config.json")
        architectures, kind = values["architectures"], values["model_type"]
        if not architectures or any(name in _TRANSLATION for name in architectures):
            return False
    except (OSError, ValueError, LookupError, TypeError):
        return False
    from transformers.models.auto import modeling_auto as known

    seq2seq = known.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    return kind in known.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and kind not in seq2seq


def place_checksum(place: str) -> str:
    """Return a checksum of everything in a model folder that translations depend on.

    Args:
        place: A folder; a server's address or a hub name stands for itself.

    Raises:
        ModelError: It cannot be read.
    """
    folder = Path(place)
    if not folder.is_dir():
        return place
    digest = hashlib.sha256()
    try:
        for path in sorted(filter(Path.is_file, folder.rglob("*"))):
            if not path.name.endswith(_UNREAD):
                digest.update(f"{path.relative_to(folder)}\0".encode())
                digest.update(digest_of(path))
    except OSError as error:
        raise ModelError(f"{folder}: cannot be read ({reason_of(error)})") from error
    return digest.hexdigest()


def digest_of(path: Path) -> bytes:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


_OPUS = "Helsinki-NLP/opus-mt"
_GROUPS = {
    "roa": "ca es fr gl it oc pt ro",
    "gmw": "af de en fy lb nl",
    "gem": "af da de en fo is nb nl no sv",
    "zle": "be ru uk",
    "zls": "bg bs hr mk sl sr",
    "zlw": "cs pl sk",
    "sla": "be bg cs hr mk pl ru sk sl sr uk",
    "bat": "lt lv",
    "fiu": "et fi hu",
    "cel": "br cy ga",
    "trk": "az kk tr tt uz",
    "sem": "ar he mt",
    "inc": "bn gu hi mr pa ur",
    "dra": "kn ml ta te",
}
"""Groups of languages that OPUS-MT has one model for (ISO 639-5), smaller ones first."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that are called alike."""

    description: str
    model: str | None = None
    """Hub name of the one model for all pairs; None where each pair of languages has its own."""


FAMILIES = {
    "opus-mt": Family("Marian models of OPUS-MT: one for a pair, or for a group of languages"),
    "nllb": Family("NLLB-200, 600M weights: 202 languages", "facebook/nllb-200-distilled-600M"),
    "m2m100": Family("M2M100, 418M weights: 100 languages", "facebook/m2m100_418M"),
    "mbart50": Family(
        "mBART-50, 611M weights: 52 languages", "facebook/mbart-large-50-many-to-many-mmt"
    ),
    "madlad": Family("MADLAD-400, 3B weights: over 400 languages", "google/madlad400-3b-mt"),
}
"""By what ``--model`` and ``subfit model get`` take."""


def candidates(family: str, source_language: str, target_language: str) -> tuple[str, ...]:
    """Return the hub names that a family may have a pair's model under, the best first.

    Of OPUS-MT it is the model of the pair, then those of groups of languages, which take a token
    for their target language, then the larger ``tc-big`` ones.

    Args:
        family: One of `FAMILIES`.
        source_language: BCP 47 tag.
        target_language: BCP 47 tag.
    """
    if (model := FAMILIES[family].model) is not None:
        return (model,)
    source = primary_language(source_language) or source_language
    target = primary_language(target_language) or target_language
    pairs = [(source, target), *_group_pairs(source, target)]
    kinds = (_OPUS, f"{_OPUS}-tc-big")
    return tuple(dict.fromkeys(f"{kind}-{one}-{other}" for kind in kinds for one, other in pairs))


def _group_pairs(source: str, target: str) -> Iterator[tuple[str, str]]:
    """The pair with either side, or both, as a group; ``mul`` is any language."""
    sources = [*(name for name, members in _GROUPS.items() if source in members.split()), "mul"]
    targets = [*(name for name, members in _GROUPS.items() if target in members.split()), "mul"]
    yield from ((source, group) for group in targets)
    yield from ((group, target) for group in sources)
    yield from ((one, other) for one in sources for other in targets if one != other)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A model behind an OpenAI-compatible server: ``http://localhost:8080/v1#name``."""

    url: str
    """Up to and with the version: ``http://localhost:8080/v1``."""
    model: str
    """What the server calls it."""

    @property
    def chat(self) -> str:
        """Where chat completions are asked for."""
        return f"{self.url}/chat/completions"

    @property
    def host(self) -> str:
        """Name of the machine, without a port."""
        return urlsplit(self.url).hostname or ""

    def __str__(self) -> str:
        return f"{self.url}#{self.model}"

    @classmethod
    def parse(cls, name: str) -> ServerAddress:
        """Read an address with a model's name behind ``#``.

        Raises:
            UsageError: It has no name of a model, or has what must not stand in files and reports
                (a user, a password, a query).
        """
        try:
            parts = urlsplit(name)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise UsageError(f"--model {name}: is no address ({error})") from error
        if parts.username is not None or parts.password is not None or parts.query:
            address = urlunsplit((parts.scheme, host or "", parts.path, "", parts.fragment))
            raise UsageError(
                f"--model {address}: an address is given without user, password or '?'; a key goes "
                "into the environment, as SUBFIT_API_KEY"
            )
        if not host or not parts.fragment:
            raise UsageError(
                f"--model {name}: name a server and, behind '#', its model, as "
                "http://localhost:8080/v1#name"
            )
        path = parts.path.rstrip("/").removesuffix("/chat/completions")
        return cls(urlunsplit((parts.scheme, parts.netloc, path, "", "")), parts.fragment)


def is_server(name: str) -> bool:
    """Whether a model's name is the address of a server."""
    return name.startswith(("http://", "https://"))
