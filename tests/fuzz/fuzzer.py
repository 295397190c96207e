"""The fuzzer: threads that make calls, each with its own random generator."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from random import Random
from typing import Any

import grpc

from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts_pb
from riverboat.protos.gamemanager.v1.agent_hosts_pb2_grpc import AgentHostsStub
from tests.fuzz.corpus import AGENT, Pool, corpus, filled
from tests.fuzz.findings import Findings, Request
from tests.fuzz.methods import Method, all_methods
from tests.fuzz.mutations import mutated, random_message, spoilt
from tests.fuzz.outcomes import OPTIONS, Outcome, send
from tests.fuzz.servers import Server

_DEADLINES = (0.05, 2.0, 5.0, 5.0)  # seconds; short ones cut off calls in the middle
_COSTLY_DEADLINES = (0.05, 0.3, 1.0)  # for calls that may ask for very long work
_COSTLY = (
    "Oracle.Utility", "Oracle.Equity", "Oracle.CheatSheet", "Oracle.FollowingBoards", "Oracle.StrengthProfiles",
    "StateManager.CountSubtree", "StateManager.ExpandSubtree", "Resolver.Resolve", "Resolver.Solve",
)  # fmt: skip
_LISTENING = 0.2  # seconds, for streams that end only when the client hangs up
_ENDLESS = ("Tables.Play", "Tables.Watch", "AgentHosts.Attend", "Matches.WatchMatch", "Trainer.WatchRun")
_REPORT_SECONDS = 5.0
# How a request is made, and how often.
_WAYS = {"valid": 25, "mutated": 45, "random": 15, "spoilt": 10, "bytes": 5}


@dataclass(slots=True)
class Fuzzer:
    """The progress of a run."""

    servers: Mapping[str, Server]
    seed: int
    findings: Findings
    pool: Pool = field(default_factory=Pool)
    codes: Counter[tuple[str, str]] = field(default_factory=Counter)  # by server and status
    methods: list[Method] = field(default_factory=list)
    requests: dict[str, list[list[Any]]] = field(default_factory=corpus)
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.methods = [method for method in all_methods() if method.server in self.servers]

    def run(self, count: int, thread_count: int) -> None:
        """Make `count` calls."""
        numbers = iter(range(count))
        with ExitStack() as stack:
            channels = {
                name: stack.enter_context(grpc.insecure_channel(server.address, options=OPTIONS))
                for name, server in self.servers.items()
            }
            if "gamemanager" in channels:
                stack.enter_context(_attending(channels["gamemanager"]))
            threads = [
                threading.Thread(target=self._work, args=(channels, numbers), daemon=True) for _ in range(thread_count)
            ]
            begin = time.monotonic()
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(_REPORT_SECONDS)
                    self._report(count, time.monotonic() - begin)

    def _work(self, channels: Mapping[str, Any], numbers: Iterator[int]) -> None:
        while True:
            with self.lock:
                number = next(numbers, None)
            if number is None:
                return
            request = self.request(number)
            outcome = send(channels[request.method.server], request.method, request.messages, request.seconds)
            self._take(request, outcome)

    def request(self, number: int) -> Request:
        """Return call `number`, which depends on the seed alone, except for ids and tokens from servers."""
        rng = Random(f"{self.seed}/{number}")  # noqa: S311  # must be reproducible, not secret
        method = rng.choice(self.methods)
        known = rng.choice(self.requests[method.name])
        way = rng.choices(list(_WAYS), list(_WAYS.values()))[0]
        messages = [self._message(method, message, way, rng) for message in known]
        if method.sends_stream and rng.random() < 0.3:
            messages *= rng.randint(0, 4)
        return Request(method, tuple(messages), _deadline(method, rng), self.seed, number)

    def _message(self, method: Method, known: Any, way: str, rng: Random) -> bytes:
        if way == "bytes":
            return rng.randbytes(rng.choice((0, 1, 10, 1_000, 100_000)))
        message = random_message(method.request, rng) if way == "random" else filled(known, self.pool, rng)
        if way == "mutated":
            message = mutated(message, rng)
        data = bytes(message.SerializeToString())
        return spoilt(data, rng) if way == "spoilt" else data

    def _take(self, request: Request, outcome: Outcome) -> None:
        for answer in outcome.answers[:2]:
            self.pool.learn(request.method.response.FromString(answer))
        with self.lock:
            self.codes[request.method.server, outcome.code.name] += 1
            self.done += 1
        if outcome.problem:
            self.findings.add(request, outcome.problem)

    def _report(self, count: int, seconds: float) -> None:
        rate = self.done / max(seconds, 1e-9)
        left = (count - self.done) / max(rate, 1e-9)
        memory = ", ".join(f"{name} {s.memory[-1] >> 20} MB" for name, s in self.servers.items() if s.memory)
        kinds = len(self.findings.counts)
        print(f"{self.done:,} of {count:,}, {rate:.0f}/s, {left:.0f} s left, {kinds} findings; {memory}", flush=True)


def _deadline(method: Method, rng: Random) -> float:
    if method.name in _ENDLESS:
        return _LISTENING
    return rng.choice(_COSTLY_DEADLINES if method.name in _COSTLY else _DEADLINES)


@contextmanager
def _attending(channel: Any) -> Iterator[None]:
    """Offer an agent, so that tables and matches for agents can be opened; its chairs are left to the clock.

    It takes any parameter.
    """
    requests: SimpleQueue[hosts_pb.AttendRequest | None] = SimpleQueue()
    requests.put(hosts_pb.AttendRequest(agents=[AGENT], with_parameter=[AGENT], memory=hosts_pb.MEMORY_NONE))
    stream = AgentHostsStub(channel).Attend(iter(requests.get, None))

    def read() -> None:
        try:
            for told in stream:
                if told.HasField("question"):
                    verdict = hosts_pb.AttendRequest.Verdict(question_id=told.question.question_id)
                    requests.put(hosts_pb.AttendRequest(verdict=verdict))
        except grpc.RpcError:
            pass

    threading.Thread(target=read, daemon=True).start()
    try:
        yield
    finally:
        requests.put(None)
        stream.cancel()
