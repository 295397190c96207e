"""Secrets for a stack in containers, made once: python -m riverboat.rpc.provision, as docker-compose.yml calls it.

Services read them from a folder that they share, each secret in a file of its own. The owner of the stack has them in a
keyring, which commands read by themselves.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from riverboat.rpc.connections.keyring import change_keyring
from riverboat.rpc.connections.settings import secret_in
from riverboat.rpc.secret_files import SHORTEST_SECRET, is_secret, new_secret, write_private

EXIT_REFUSED = 2
_READ_ONLY = 0o400


def main(arguments: Sequence[str]) -> int:
    """Make the secrets that are missing, and write all of them into the keyring; return the exit code."""
    options = _parser().parse_args(arguments)
    secrets: dict[str, str | None] = {}
    for words in options.secret:
        variable, name, address = words.split("=")
        secret = secrets[address] = _provide(variable, options.folder / name, options.user)
        if not is_secret(secret):
            print(f"{variable}: must have {SHORTEST_SECRET} or more plain characters", file=sys.stderr)
            return EXIT_REFUSED
    try:
        _give_away(options.keyring, secrets, options.owner)
    except OSError as error:  # services work nevertheless, and their owner can read the secrets in the containers
        print(f"the keyring {options.keyring} cannot be written: {error.strerror}", file=sys.stderr)
    else:
        print(f"the secrets of {', '.join(secrets)} are in the keyring")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m riverboat.rpc.provision", description="Make a stack's secrets.")
    parser.add_argument("--folder", type=Path, required=True, help="where services read secrets")
    parser.add_argument("--user", type=int, required=True, help="id of the user that services run as")
    parser.add_argument("--keyring", type=Path, required=True, help="keyring of the stack's owner")
    parser.add_argument(
        "--owner",
        type=Path,
        required=True,
        help="a file whose owner becomes the owner of the keyring",
    )
    parser.add_argument(
        "secret", nargs="+", metavar="VARIABLE=FILE=HOST:PORT",
        help="a variable that may have the secret, its file in the folder, and where its server is reached",
    )  # fmt: skip
    return parser


def _provide(variable: str, path: Path, user: int) -> str:
    """Return a secret: from the environment, or made before, or new."""
    before = path.read_text() if path.exists() else ""
    secret = secret_in(variable) or (before if is_secret(before) else new_secret())
    if secret != before and is_secret(secret):
        write_private(path, secret, (user, user), _READ_ONLY)
    return secret


def _give_away(keyring: Path, secrets: dict[str, str | None], owner: Path) -> None:
    """Write secrets into a keyring that belongs to the owner of a file, folder included."""
    status = owner.stat()
    owner_ids = status.st_uid, status.st_gid
    change_keyring(keyring, secrets, owner_ids)
    os.chown(keyring.parent, *owner_ids)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
