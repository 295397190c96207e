"""Settings of the page from the environment."""

import os
from dataclasses import dataclass
from pathlib import Path

from riverboat.clients.bots.settings import DEFAULT_SERVER


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageSettings:
    """Where the page of an image listens, and which game manager it asks."""

    host: str
    port: int
    gamemanager: str
    state: Path | None
    private_network: bool


def password() -> str:
    """Return RIVERBOAT_WEB_PASSWORD, the password that browsers must give; empty for none."""
    return os.environ.get("RIVERBOAT_WEB_PASSWORD", "")


def names() -> frozenset[str]:
    """Return RIVERBOAT_WEB_NAMES, more names by which the page may be called, separated by commas."""
    given = os.environ.get("RIVERBOAT_WEB_NAMES", "")
    return frozenset(name.strip().lower() for name in given.split(",") if name.strip())


def has_desktop() -> bool:
    """Return whether a browser could be opened here."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def image_settings() -> ImageSettings:
    """Return the settings of `python -m riverboat.clients.web`."""
    state = os.environ.get("RIVERBOAT_WEB_STATE", "")
    return ImageSettings(
        host=os.environ.get("RIVERBOAT_WEB_HOST", "127.0.0.1"),
        port=int(os.environ.get("RIVERBOAT_WEB_PORT", "8642")),
        gamemanager=os.environ.get("RIVERBOAT_GAMEMANAGER_SERVER", DEFAULT_SERVER),
        state=Path(state) if state else None,
        private_network=os.environ.get("RIVERBOAT_WEB_PRIVATE_NETWORK", "") == "true",
    )
