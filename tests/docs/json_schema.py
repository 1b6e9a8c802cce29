"""The part of JSON Schema that the schemas in `docs/schema` use, and no key that they do not name."""

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import getitem

TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
KNOWN = {
    "$schema", "title", "description", "type", "required", "properties", "items", "enum", "const", "minimum",
    "additionalProperties", "$ref",
}  # fmt: skip


def faults(value: object, schema: Mapping, path: str = "$", root: Mapping | None = None) -> Iterator[str]:
    """What of a value the schema does not allow, or does not describe."""
    root = schema if root is None else root
    if "$ref" in schema:
        schema = reduce(getitem, filter(None, schema["$ref"].removeprefix("#").split("/")), root)
    assert schema.keys() <= KNOWN, f"{path}: the check does not know {schema.keys() - KNOWN}"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(_is(value, kind) for kind in kinds):
        yield f"{path}: {value!r} is not of type {kinds}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is not one of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: {value!r} is below {schema['minimum']}"
    if isinstance(value, dict):
        yield from (f"{path}: lacks {key}" for key in schema.get("required", ()) if key not in value)
        for key, each in value.items():
            if key not in schema.get("properties", {}) and "additionalProperties" in schema:
                yield from faults(each, schema["additionalProperties"], f"{path}.{key}", root)
            elif key not in schema.get("properties", {}):
                yield f"{path}: {key} is not described"
            else:
                yield from faults(each, schema["properties"][key], f"{path}.{key}", root)
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from faults(each, schema["items"], f"{path}[{number}]", root)


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])
