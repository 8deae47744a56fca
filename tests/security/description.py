"""The description of the JSON contract, docs/openapi.json."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.security.addresses import Route

DESCRIPTION: dict[str, Any] = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text())


def is_described(route: Route) -> bool:
    """Return whether a route belongs to the contract: JSON for the public or the phones, and the checks of health."""
    is_json = route.pattern.endswith(".json") or (route.pattern.startswith("s/") and route.csrf_exempt)
    return route.name in ("healthz", "healthz_ready") or (is_json and route.access in ("public", "scribe"))


def described_path(route: Route) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route.pattern)


def contradictions(schema: dict[str, Any], value: Any) -> list[str]:
    """Return where a value contradicts a schema of the description."""
    whole = {**schema, "components": DESCRIPTION["components"]}
    return [str(error) for error in jsonschema_rs.Draft202012Validator(whole).iter_errors(value)]


def schema_of(path: str, method: str, status: int) -> dict[str, Any]:
    """Return the schema of a JSON answer. Raise KeyError for one that is not described."""
    answer = DESCRIPTION["paths"][path][method.lower()]["responses"][str(status)]
    if "$ref" in answer:
        answer = DESCRIPTION["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    found: dict[str, Any] = answer["content"]["application/json"]["schema"]
    return found
