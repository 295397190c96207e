from typing import Any

import pytest

from riverboat.clients.web.failures import ApiError
from riverboat.clients.web.fields import Fields


def test_fields_are_read() -> None:
    fields = Fields({"name": " Ann ", "seats": 6, "share": 0.5, "all": True, "agents": ["a", "b "], "limit": "no"})
    assert fields.text("name") == "Ann"
    assert fields.whole("seats", 2, 10) == 6
    assert fields.number("share", 0, 1) == 0.5
    assert fields.flag("all")
    assert fields.texts("agents", 2) == ["a", "b"]
    assert fields.choice("limit", ("no", "pot")) == "no"
    assert fields.whole("absent", 0, 9, 3) == 3


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({}, lambda fields: fields.text("name")),
        ({"name": 3}, lambda fields: fields.text("name")),
        ({"name": "x" * 201}, lambda fields: fields.text("name")),
        ({"seats": 11}, lambda fields: fields.whole("seats", 2, 10)),
        ({"seats": True}, lambda fields: fields.whole("seats", 0, 10)),
        ({"seats": 2.5}, lambda fields: fields.whole("seats", 2, 10)),
        ({"share": "1"}, lambda fields: fields.number("share", 0, 1)),
        ({"share": float("nan")}, lambda fields: fields.number("share", 0, 1)),
        ({"all": "yes"}, lambda fields: fields.flag("all")),
        ({"agents": "a"}, lambda fields: fields.texts("agents", 2)),
        ({"agents": ["a", 1]}, lambda fields: fields.texts("agents", 2)),
        ({"agents": ["a", "b", "c"]}, lambda fields: fields.texts("agents", 2)),
        ({"limit": "half"}, lambda fields: fields.choice("limit", ("no", "pot"))),
    ],
)
def test_what_is_wrong_is_refused_by_name(sent: dict[str, Any], read: Any) -> None:
    with pytest.raises(ApiError, match=r"name|seats|share|all|agents|limit") as refused:
        read(Fields(sent))
    assert refused.value.status == 400


@pytest.mark.parametrize("sent", [None, [], "text", 3])
def test_only_objects_have_fields(sent: Any) -> None:
    with pytest.raises(ApiError):
        Fields(sent)
