"""A large tournament at one game manager: python -m benchmarks.tournament_load --entrants 90.

All entrants call, in separate processes, with one stream each from the draw to the end. The command prints hands per
second, moves, the median time of an action and the game manager's memory, and checks that everybody is ranked once.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc

from benchmarks.processes import ServiceProcess, resident_bytes, running, start_interpreter
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as pb
from riverboat.protos.gamemanager.v1.tournaments_pb2_grpc import TournamentsStub
from riverboat.rpc.convert.tournaments import encode_structure
from riverboat.tournaments.structures import MTT_45, with_entrants

_MEGABYTE = 1 << 20
_CLOCK_MS = 60_000


def main() -> int:
    """Run and print; return 0 if everybody is ranked once and all money is paid."""
    parser = argparse.ArgumentParser("python -m benchmarks.tournament_load")
    parser.add_argument("--entrants", type=int, default=90, help="number of entrants")
    parser.add_argument("--processes", type=int, default=2, help="processes of players")
    options = parser.parse_args()
    structure = with_entrants(MTT_45, options.entrants)
    with tempfile.TemporaryDirectory() as name:
        tables, calls = str(structure.table_count), str(2 * options.entrants + 100)
        settings = {"tables": tables, "client_tables": tables, "calls": calls}
        settings["journal"] = str(Path(name) / "journal.jsonl")
        with running("gamemanager", Path(name), start_interpreter, **settings) as manager:
            manager.wait_until_healthy()
            request = pb.CreateTournamentRequest(structure=encode_structure(structure), clock_ms=_CLOCK_MS)
            return _measure(manager, request, options.processes)


def _measure(manager: ServiceProcess, request: pb.CreateTournamentRequest, process_count: int) -> int:
    with grpc.insecure_channel(manager.address) as channel:
        stub = TournamentsStub(channel)
        tournament_id = stub.CreateTournament(request).tournament.tournament_id
        names = [f"player {i}" for i in range(request.structure.entrant_count)]
        entries = [pb.RegisterRequest(tournament_id=tournament_id, name=name) for name in names]
        tokens = [stub.Register(entry).token for entry in entries[:-1]]
        players = [_players(manager.address, tokens[n::process_count]) for n in range(process_count)]
        begin = time.monotonic()
        players.append(_players(manager.address, [stub.Register(entries[-1]).token]))  # now seats are drawn
        memory, moves = 0, 0
        for report in stub.WatchTournament(pb.WatchTournamentRequest(tournament_id=tournament_id)):
            memory = max(memory, resident_bytes(manager.process.pid))
            moves += sum(event.HasField("moved") for event in report.events)
        seconds = time.monotonic() - begin
        medians = [float(player.communicate(timeout=60)[0]) for player in players]
    info = report.tournament
    print(
        f"{len(names)} entrants, {request.structure.seats_per_table} seats a table: {info.hand_count:,} hands in "
        f"{seconds:.0f} s, {info.hand_count / seconds:,.1f} a second; {moves} moves, level {info.level} at the end"
    )
    print(f"median time of an action, by process: {', '.join(f'{1e3 * median:.1f} ms' for median in medians)}")
    print(f"memory of the game manager: at most {memory / _MEGABYTE:.0f} MB")
    ranks = [standing.rank for standing in report.standings]
    paid = sum(standing.prize for standing in report.standings)
    return 0 if ranks == list(range(1, len(names) + 1)) and paid == len(names) * request.structure.buy_in else 1


def _players(address: str, tokens: list[str]) -> "subprocess.Popen[str]":
    words = [sys.executable, "-m", "benchmarks.caller", address, *tokens]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


if __name__ == "__main__":
    sys.exit(main())
