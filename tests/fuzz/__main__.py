"""python -m tests.fuzz --calls 200000 [--seed N] [--server NAME=HOST:PORT]…, or --replay FILE."""

import argparse
import secrets
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import grpc

from tests.fuzz.findings import Findings, load, shown
from tests.fuzz.fuzzer import Fuzzer
from tests.fuzz.outcomes import OPTIONS, send
from tests.fuzz.servers import Server, own_servers, watched

_MEGABYTE = 1 << 20
_SETTLED = 0.25  # share of the samples during which caches fill


def main() -> int:
    """Run the fuzzer; return 1 if there is a finding."""
    options = _options()
    folder = Path(options.folder or tempfile.mkdtemp(prefix="riverboat-fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        servers = _named(options.server) or stack.enter_context(own_servers(folder))
        if options.replay:
            return _replay(Path(options.replay), servers)
        print(f"seed {options.seed}; findings and logs in {folder}", flush=True)
        fuzzer = Fuzzer(servers, options.seed, Findings(folder))
        with watched(servers):
            fuzzer.run(options.calls, options.threads)
        return _verdict(fuzzer, options.memory)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m tests.fuzz", description="Send random requests to every method of every service."
    )
    parser.add_argument("--calls", type=int, default=200_000, help="number of calls")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32), help="seed of the requests")
    parser.add_argument("--threads", type=int, default=8, help="calls at the same time")
    parser.add_argument("--memory", type=int, default=600, metavar="MB", help="megabytes by which a process may grow")
    parser.add_argument("--folder", help="folder for findings and logs")
    parser.add_argument(
        "--server",
        action="append",
        default=[],
        metavar="NAME=HOST:PORT",
        help="a running server to use instead of a new one",
    )
    parser.add_argument("--replay", metavar="FILE", help="file of a finding whose request to send again")
    return parser.parse_args()


def _named(texts: list[str]) -> dict[str, Server]:
    pairs = (text.partition("=") for text in texts)
    return {name: Server(name, address) for name, _, address in pairs}


def _replay(path: Path, servers: Mapping[str, Server]) -> int:
    request = load(path)
    print(f"{request.method.name}\n    {shown(request.method, request.messages)}")
    server = servers[request.method.server]
    with grpc.insecure_channel(server.address, options=OPTIONS) as channel:
        outcome = send(channel, request.method, request.messages, max(10.0, request.seconds))
    print(f"{outcome.code.name} {outcome.details}")
    server.look()
    for problem in server.problems:
        print(f"{server.name}: {problem}")
    return 1 if outcome.problem or server.problems else 0


def growth(memory: list[int]) -> int:
    """Return the bytes by which a process has grown since its caches filled."""
    return max(memory) - memory[round(_SETTLED * (len(memory) - 1))] if memory else 0


def _verdict(fuzzer: Fuzzer, most_megabytes: int) -> int:
    """Print a summary; return 1 if something is wrong."""
    for (who, code), count in sorted(fuzzer.codes.items()):
        print(f"{who:12} {code:20} {count:9,}")
    problems = [f"{name}: {problem} ({count:,} times)" for (name, problem), count in fuzzer.findings.counts.items()]
    for server in fuzzer.servers.values():
        problems += [f"{server.name}: {problem}" for problem in server.problems]
        problems += [f"{server.name}: its log has {count:,} × {bug}" for bug, count in server.bugs().items()]
        if not server.memory:
            continue
        grown = growth(server.memory) // _MEGABYTE
        first, last = server.memory[0] // _MEGABYTE, server.memory[-1] // _MEGABYTE
        print(f"{server.name:12} {first} MB at first, {last} MB at last, {grown} MB more than after its caches filled")
        if grown > most_megabytes:
            problems.append(f"{server.name}: grew by {grown} MB; the limit is {most_megabytes}")
    print(*(problems or ["no findings"]), sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
