"""Setting up a table: opening one, filling its chairs with agents, and sitting down."""

import getpass
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice

import grpc

from riverboat.clients.analysis.counts import counted
from riverboat.clients.bots.agents.names import needs_resolver
from riverboat.clients.bots.network_notices import network_notice
from riverboat.clients.console.hands.history_folder import SittingFile
from riverboat.clients.console.hands.witnesses import WitnessFile, witness_folder
from riverboat.clients.console.settings import history_folder
from riverboat.clients.console.table.session import TakenChair
from riverboat.clients.console.views.output import note, say
from riverboat.clients.remote.gamemanager import GameManagerClient
from riverboat.clients.remote.refusals import Refused
from riverboat.contracts.tables import CreatedTable
from riverboat.errors import InvalidInput
from riverboat.rules.variant import Variant
from riverboat.tables.config import TableConfig, check_player_name
from riverboat.tables.view import TableInfo

_CLOSE_SECONDS = 2
_LONGEST_NAME = 30  # characters


@contextmanager
def new_table(link: GameManagerClient, config: TableConfig) -> Iterator[CreatedTable]:
    """Open a table; close it on exit."""
    made = link.tables.create(config)
    try:
        yield made
    finally:
        if not link.is_own:  # a private game manager ends with all its tables
            table_id = made.info.table_id
            try:
                link.tables.close(table_id=table_id, dealer_token=made.dealer_token, timeout=_CLOSE_SECONDS)
            except grpc.RpcError:
                note(f"table {table_id} could not be closed")


def note_rollouts(agents: Sequence[str], player_count: int) -> None:
    """Say which agents that are named for re-solving will decide by rollouts at this table."""
    resolving = sorted({name for name in agents if needs_resolver(name)})
    if resolving and player_count > 2:
        verb = "decides" if len(resolving) == 1 else "decide"
        say(
            f"{' and '.join(resolving)} {verb} by rollouts in every hand with more than two players dealt in, and the "
            "result counts these decisions as fallbacks: re-solving is for two players"
        )


def note_missing_networks(link: GameManagerClient, agents: Sequence[str], variant: Variant, player_count: int) -> None:
    """Say what re-solving agents do where no value network fits the game.

    Only agents that were started with the game manager are known; a host elsewhere says it in its own log.
    """
    if link.resolver is None or player_count > 2:
        return
    for name in sorted(set(agents)):
        if notice := network_notice(name, variant, link.resolver.has_network):
            say(notice)


def fill_chairs(agents: list[str], count: int) -> list[str]:
    """Return the agents in turn, as many as there are chairs."""
    if count < len(agents):
        raise Refused(f"--seats: only {counted(max(0, count), 'chair')} for {counted(len(agents), 'agent')}")
    return list(islice(cycle(agents), count)) if agents else []


def own_name(name: str | None) -> str:
    """Return the name to sit down with: the given one, or the user's."""
    if name is not None:
        try:
            check_player_name(name)
        except InvalidInput as error:
            raise Refused(f"--name: {error.reason}") from None
        return name
    try:
        return getpass.getuser()[:_LONGEST_NAME]
    except (OSError, KeyError):  # a user without a name
        return "player"


def sit_down(link: GameManagerClient, info: TableInfo, name: str, hands: int | None, pace: float) -> TakenChair:
    """Take a chair; leave after `hands` hands, and show the others' actions at a pace in seconds."""
    joined = link.tables.join(table_id=info.table_id, name=name)
    return TakenChair(
        link=link,
        info=info,
        chair=joined.chair,
        token=joined.token,
        hand_limit=hands,
        pace=pace,
        witness=witness_of(info.table_id),
        sitting=sitting_at(info.table_id),
    )


def sitting_at(table_id: str) -> SittingFile | None:
    """Return the file for the hands played at a table; None where none are kept."""
    folder = history_folder()
    return SittingFile(folder, table_id) if folder else None


def witness_of(table_id: str) -> WitnessFile | None:
    """Return the file for a table's memories; None, with a note, if it cannot be written."""
    witness = WitnessFile(witness_folder(), table_id)
    try:
        witness.prepare()
    except OSError as error:
        note(f"no witness for riverboat verify: {witness.path} cannot be written ({error.strerror})")
        return None
    return witness
