"""CheatSheet: equities by class, exact and by rollouts."""

import numpy as np

from riverboat.cards import DECKS, parse_cards
from riverboat.cheatsheet import cheat_sheet
from riverboat.clients.conformance.expectations import close, require, same, short
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.protos.oracle.v1 import oracle_pb2 as pb

_ROLLOUTS = 500
_SIGMAS = 6


def _cells(server: Server, request: pb.CheatSheetRequest) -> dict[tuple[str, int], pb.CheatSheetResponse.Cell]:
    """Return all cells, by label and number of opponents."""
    messages = list(stub(server).CheatSheet(request))
    done = [message.done for message in messages]
    require(bool(done), f"{short(request)}: got no messages")
    require(done == sorted(done), f"{short(request)}: `done` decreases")
    same(f"{short(request)}, `done` in the last message", done[-1], 1.0)
    cells = [message.cell for message in messages if message.HasField("cell")]
    by_class = {(cell.label, cell.opponent_count): cell for cell in cells}
    same(f"{short(request)}, number of duplicate cells", len(cells) - len(by_class), 0)
    return by_class


@ORACLE("CheatSheet", "every class against one opponent, exactly", 180)
def exact_sheet(server: Server) -> None:
    for name, board in (("24", ""), ("24", "9sTsJd"), ("52", "Td9d2c5h3s")):
        request = pb.CheatSheetRequest(deck=name, board=board, opponent_counts=[1])
        cells = _cells(server, request)
        steps = cheat_sheet(DECKS[name], parse_cards(board), [1], 1, np.random.default_rng(0))
        wanted = {step.cell.label: step.cell for step in steps if step.cell}
        same(f"{short(request)}, the classes", sorted(label for label, _ in cells), sorted(wanted))
        for label, cell in wanted.items():
            got = cells[label, 1]
            same(f"{short(request)}, holdings of {label}", got.holding_count, cell.holding_count)
            same(f"{short(request)}, {label} is exact", got.equity.exact, True)
            close(f"{short(request)}, equity of {label}", got.equity.equity, cell.equity.equity)
            close(f"{short(request)}, win of {label}", got.equity.win, cell.equity.win)


@ORACLE("CheatSheet", "rolls out against several opponents, and a seed repeats the cells", 180)
def rolled(server: Server) -> None:
    request = pb.CheatSheetRequest(deck="24", opponent_counts=[3, 2], rollout_count=_ROLLOUTS, seed=1)
    cells = _cells(server, request)
    same(f"{short(request)}, number of cells", len(cells), 2 * 36)
    for (label, count), cell in cells.items():
        got = cell.equity.exact, cell.equity.deal_count
        same(f"{short(request)}, exact and deal_count of {label} against {count}", got, (False, _ROLLOUTS))
    require(cells == _cells(server, request), f"{short(request)}, twice: the cells differ")
    better = cells["AA", 2].equity.equity > cells["T9o", 2].equity.equity
    require(better, f"{short(request)}: T9o has more equity than AA")


@ORACLE("CheatSheet", "no_exact also rolls out against one opponent, and comes close to the exact equity", 180)
def no_exact(server: Server) -> None:
    board = "9sTsJdAh"
    request = pb.CheatSheetRequest(
        deck="24", board=board, opponent_counts=[1], rollout_count=_ROLLOUTS, seed=2, no_exact=True
    )
    cells = _cells(server, request)
    steps = cheat_sheet(DECKS["24"], parse_cards(board), [1], 1, np.random.default_rng(0))
    for cell in (step.cell for step in steps if step.cell):
        got = cells[cell.label, 1].equity
        same(f"{short(request)}, {cell.label} is exact", got.exact, False)
        close(f"{short(request)}, equity of {cell.label}", got.equity, cell.equity.equity, _SIGMAS * got.error + 0.01)
