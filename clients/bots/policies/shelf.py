"""The shelf of policies: trees and networks that play like a blueprint, each a file and a card beside it."""

from functools import cache
from pathlib import Path

from riverboat.clients.bots.settings import policy_folder
from riverboat.clients.bots.shelf_files import ShelfFile, named, nearest, shelved_in, verified_bytes, why_unfit
from riverboat.errors import InvalidInput
from riverboat.policies.policy import LearnedPolicy
from riverboat.policies.policy_files import read_policy
from riverboat.rpc.installation import how_to_install
from riverboat.rules.state import PublicState

FOLDER = Path(__file__).parent
NOUN = "policy"  # also the kind on a card
_NETWORK = ".onnx"
_SUFFIXES = (".json", _NETWORK)


def shelf(kind: str) -> tuple[ShelfFile, ...]:
    """Return the policies of a kind that ship, and those in RIVERBOAT_POLICIES."""
    more = policy_folder()
    known = (*policies_in(FOLDER), *(policies_in(Path(more)) if more else ()))
    return tuple(shelved for shelved in known if shelved.card.get("model") == kind)


@cache
def policies_in(folder: Path) -> tuple[ShelfFile, ...]:
    """Return the policies in a folder that have a card, by name; other models in it are passed over."""
    return shelved_in(folder, (NOUN,), _SUFFIXES, passes_over=True)


def policy_of(shelved: ShelfFile) -> LearnedPolicy:
    """Return the policy in a file; each process reads and checks it once."""
    return _read(shelved.path, shelved.hash)


@cache
def _read(path: Path, sha256: str) -> LearnedPolicy:
    data = verified_bytes(path, sha256)
    if path.suffix != _NETWORK:
        return read_policy(data)
    try:  # here, so that everything else plays without onnxruntime
        from riverboat.policies.network import read_network_policy
    except ImportError:
        raise InvalidInput("", f"{path.name} needs onnxruntime: {how_to_install('resolver')}") from None
    return read_network_policy(data)


def policy_named(kind: str, name: str) -> ShelfFile:
    """Return the policy of this kind and name."""
    return named(name, shelf(kind), f"{kind} {NOUN}")


def fitting_policy(kind: str, public: PublicState) -> ShelfFile | None:
    """Return the policy for a hand's deck whose stack is nearest in proportion; None if no policy has the deck."""
    return nearest(public, shelf(kind))


def why_not(shelved: ShelfFile | None, public: PublicState) -> str:
    """Return why a policy cannot play a hand; "" if it can."""
    return why_unfit(shelved, public, NOUN)
