"""The console's own settings, from the environment."""

import os
from pathlib import Path


def quiet_grpc() -> None:
    """Keep gRPC from writing notes on lost connections to the terminal; call this before gRPC is loaded."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def state_folder() -> Path:
    """Return Riverboat's folder in XDG_STATE_HOME or ~/.local/state, for witness records, hands and response times."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "riverboat"


def history_folder() -> Path | None:
    """Return the folder for played hands: RIVERBOAT_HISTORY, or one in the state folder; None if set to off."""
    setting = os.environ.get("RIVERBOAT_HISTORY", "")
    if setting.lower() in ("off", "no", "0", "false"):
        return None
    return Path(setting).expanduser() if setting else state_folder() / "hands"


def speaks_utf8() -> bool:
    """Return whether the terminal's locale says UTF-8; the C locale does not, although Python then sets LC_CTYPE."""
    language = os.environ.get("LANG", "")
    ctype = os.environ.get("LC_CTYPE", "")
    chosen = os.environ.get("LC_ALL") or (ctype if ctype != "C.UTF-8" else "") or language
    return "UTF8" in chosen.upper().replace("-", "")
