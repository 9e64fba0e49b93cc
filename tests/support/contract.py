"""The contract between the server of a class and its pages: a JSON schema made from the types of the views."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints, is_typeddict

import fastjsonschema

from gtp_capture.web import homework, results, view

MAKERS: Final = (
    (view, "stranger", "child", "teacher", "of_seat", "large", "status", "wall"),
    (results, "table", "report"),
    (homework, "handed_out", "code"),
)
"""The functions that make views, by their modules."""
SIMPLE: Final = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def schema(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a type; an object has the keys of its `TypedDict`, all of them and no others."""
    origin, given = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if kind in SIMPLE:
        return {"type": SIMPLE[kind]}
    if is_typeddict(kind):
        fields = {name: schema(hint) for name, hint in get_type_hints(kind).items()}
        required = sorted(fields) if kind.__total__ else []
        return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}
    if origin in (Union, UnionType):
        return {"anyOf": [schema(one) for one in given]}
    if origin is list:
        return {"type": "array", "items": schema(given[0])}
    assert origin in (dict, Mapping), kind
    return {"type": "object", "additionalProperties": schema(given[1])}


@functools.cache
def _check(kind: Any) -> Callable[[Any], Any]:
    return fastjsonschema.compile(schema(kind), detailed_exceptions=False)  # type: ignore[no-any-return]


def hold(shown: Any, kind: Any) -> None:
    """Hold a view, as a page gets it, against its type. AssertionError: it has other keys or values."""
    try:
        _check(kind)(json.loads(json.dumps(shown)))
    except fastjsonschema.JsonSchemaException as error:
        raise AssertionError(f"{kind.__name__}: {error}") from None


def _checked(make: Callable[..., Any]) -> Callable[..., Any]:
    kind = get_type_hints(make)["return"]

    @functools.wraps(make)
    def made(*given: Any) -> Any:
        shown = make(*given)
        hold(shown, kind)
        return shown

    return made


def watch() -> None:
    """From now on, hold each view that this process makes against its type."""
    for module, *names in MAKERS:
        for name in names:
            setattr(module, name, _checked(getattr(module, name)))
