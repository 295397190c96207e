"""Admin calls, which act on other clients' property, and permission to make them."""

import hmac
from typing import Any

from riverboat.errors import NotYours
from riverboat.rpc.calls import CallCheck
from riverboat.rpc.exposure import is_trusted
from riverboat.rpc.passed_metadata import ADMIN_KEY
from riverboat.rpc.settings import ServiceSettings


def admin_check(settings: ServiceSettings, token: str) -> CallCheck:
    """Return a check that lets calls with the token pass.

    Without a token it lets every call pass if only trusted clients can reach the server.
    """
    name = settings.model_config.get("env_prefix", "") + "ADMIN_TOKEN"
    is_open, expected = not token and is_trusted(settings), token.encode()

    def check(context: Any) -> None:
        if is_open:
            return
        if not token:
            raise NotYours(f"this is an admin call, and this server takes none from a network until {name} is set")
        given = next((str(value) for key, value in context.invocation_metadata() or () if key == ADMIN_KEY), "")
        if not hmac.compare_digest(expected, given.encode()):
            raise NotYours(
                "this is an admin call: set RIVERBOAT_ADMIN_TOKEN to this server's admin token, "
                "or run the command where its keyring is (.riverboat)"
            )

    return check
