"""Processes that a command starts for itself and takes with it when it ends."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from riverboat.clients.console.settings import child_environment
from riverboat.clients.remote.refusals import Refused
from riverboat.installation import how_to_install

_STOP_SECONDS = 5
_FOR_NETWORKS = (
    "tls_certificate", "tls_key", "tls_client_authority", "metrics_address", "admin_token", "admin_token_file",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Child:
    """A process, what people call it, and where it writes to."""

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path

    def check(self) -> None:
        """Refuse, with its last words, if it has ended."""
        if self.process.poll() is not None:
            raise Refused(f"cannot start {self.name}: {last_words(self.log)}")


def last_words(log: Path) -> str:
    """The last line of a log, with a hint where a part is not installed."""
    lines = log.read_text(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
    parts = ["trainer"] if log.stem in ("trainer", "worker") else ["oracle", "gamemanager", "resolver"]
    hint = f": {how_to_install(*parts)}" if "ModuleNotFoundError" in lines[0] else ""
    return lines[0][:300] + hint


def service_settings(service: str, **settings: str) -> dict[str, str]:
    """Settings of a service as its environment has them."""
    return {f"RIVERBOAT_{service.upper()}_{name.upper()}": value for name, value in settings.items()}


def private_settings(service: str, address: str, **settings: str) -> dict[str, str]:
    """Settings of a service on a socket of ours, which goes when we go, whatever the environment says of others."""
    others = dict.fromkeys(_FOR_NETWORKS, "")
    own = {"address": address, "log_format": "json", "until_input_ends": "true"}
    return service_settings(service, **others, **own, **settings)


@contextmanager
def child(name: str, words: Sequence[str], log: Path, environment: Mapping[str, str]) -> Iterator[Child]:
    """Run a module of ours until the block ends; its input is closed when we are gone, however that happens."""
    with log.open("wb") as sink:
        process = subprocess.Popen(  # noqa: S603  # our own module
            [sys.executable, "-m", *words],
            env=child_environment(dict(environment)),
            stdin=subprocess.PIPE,
            stdout=sink,
            stderr=sink,
            start_new_session=True,  # Ctrl-C is for us: we stop it in order
        )
    try:
        yield Child(name, process, log)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
