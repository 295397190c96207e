"""Runs Redis until standard input ends: python -m riverboat.clients.local.redis_keeper COMMAND…

Redis does not notice when the Riverboat command that started it is killed. The keeper does, because its standard input
ends, and stops Redis: two Redis processes would otherwise write the same files.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from threading import Thread


def main(arguments: Sequence[str]) -> int:
    """Run Redis until it exits or our standard input ends; return its exit code."""
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL)  # noqa: S603  # our own code chose it
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: process.terminate())
    Thread(target=_stop_with_input, args=[process], daemon=True).start()
    return process.wait()


def _stop_with_input(process: "subprocess.Popen[bytes]") -> None:
    while os.read(0, 4096):
        pass
    process.terminate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
