"""The console's own settings, from the environment."""

import os
from pathlib import Path


def quiet_grpc() -> None:
    """Keep gRPC from writing notes on lost connections to the terminal; call this before gRPC is loaded."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def state_folder() -> Path:
    """Return Riverboat's folder in XDG_STATE_HOME, or in ~/.local/state: where witnesses are kept."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "riverboat"
