"""Ranges of settings, as types; `subfit.configuration.checking` keeps to them."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Gt, Le, Lt

Count = Annotated[int, Ge(0)]
AtLeastOne = Annotated[int, Ge(1)]
Share = Annotated[float, Ge(0), Le(1)]
ShareBelowOne = Annotated[float, Ge(0), Lt(1)]
NotNegative = Annotated[float, Ge(0)]
Positive = Annotated[float, Gt(0)]
