"""python -m riverboat.clients.web: serve the page from a container image, with services that already run."""

import sys
from pathlib import Path

from riverboat.clients.local.laboratory import running_laboratory
from riverboat.clients.remote.refusals import Refused
from riverboat.clients.web.launching import Launch
from riverboat.clients.web.settings import image_settings


def main() -> None:
    """Serve the page until SIGTERM."""
    own = image_settings()
    launch = Launch(host=own.host, port=own.port, force=own.private_network, state=own.state)
    try:
        launch.check()
        with running_laboratory(own.gamemanager, own.state or Path()) as laboratory:
            launch.run(laboratory, lambda address, _: print(address, flush=True))
    except Refused as refused:
        sys.exit(f"riverboat web: {refused}")


if __name__ == "__main__":
    main()
