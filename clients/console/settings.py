"""The console's own settings, from the environment."""

import os
from pathlib import Path


def quiet_grpc() -> None:
    """Keep gRPC from writing notes on lost connections to the terminal; call this before gRPC is loaded."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def state_folder() -> Path:
    """Return Riverboat's folder in XDG_STATE_HOME, or in ~/.local/state: witnesses, hands and how long answers took."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "riverboat"


def history_folder() -> Path | None:
    """Return the folder in which hands are kept: RIVERBOAT_HISTORY, or one in the state folder; None if that is off."""
    wish = os.environ.get("RIVERBOAT_HISTORY", "")
    if wish.lower() in ("off", "no", "0", "false"):
        return None
    return Path(wish).expanduser() if wish else state_folder() / "hands"


def speaks_utf8() -> bool:
    """Return whether the terminal's locale says UTF-8; the C locale does not, although Python then sets LC_CTYPE."""
    language = os.environ.get("LANG", "")
    ctype = os.environ.get("LC_CTYPE", "")
    chosen = os.environ.get("LC_ALL") or (ctype if ctype != "C.UTF-8" else "") or language
    return "UTF8" in chosen.upper().replace("-", "")
