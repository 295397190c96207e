"""The entry point of the `riverboat` command, which loads everything else, so that Ctrl-C always ends it quietly."""

import sys

_INTERRUPTED = 130


def main() -> None:
    """Load the command and run it."""
    try:
        from riverboat.clients.console.settings import quiet_grpc

        quiet_grpc()
        from riverboat.clients.console.app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
