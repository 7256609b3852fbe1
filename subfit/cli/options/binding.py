"""From the options of a command to the dataclasses that the library takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar, cast, get_type_hints

Command = TypeVar("Command", bound=Callable[..., Any])
_NOTHING: Mapping[str, str] = {}


def takes(names: Mapping[str, str] = _NOTHING, **kinds: type) -> Callable[[Command], Command]:
    """Let a command take options as dataclasses, each field filled by the option of its name.

    A field that is a dataclass itself is filled in the same way; fields without an option keep
    their default. Options that fill no field, or that the command names as well, are passed as
    they are.

    Args:
        names: Of options, by the fields that are called otherwise.
        kinds: Dataclasses, by the names of the command's parameters.
    """

    def decorate(command: Command) -> Command:
        wanted = inspect.signature(command).parameters

        @wraps(command)
        def bound(**values: Any) -> Any:
            used: set[str] = set()
            made = {name: _filled(kind, values, names, used) for name, kind in kinds.items()}
            others = {name: value for name, value in values.items() if name not in used - {*wanted}}
            return command(**made, **others)

        return cast(Command, bound)

    return decorate


def _filled(kind: type, values: Mapping[str, Any], names: Mapping[str, str], used: set[str]) -> Any:
    """Make a dataclass of the values of options, and add the names of these to ``used``."""
    hints, made = get_type_hints(kind), {}
    for field in fields(kind):
        option = names.get(field.name, field.name)
        if option in values:
            made[field.name] = values[option]
            used.add(option)
        elif is_dataclass(hint := hints[field.name]) and isinstance(hint, type):
            made[field.name] = _filled(hint, values, names, used)
    return kind(**made)
