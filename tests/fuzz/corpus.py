"""Valid requests for each method, with placeholders for tokens, tables and handles from servers."""

import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from riverboat.cards import parse_cards
from riverboat.protos.gamemanager.v1 import agent_hosts_pb2 as hosts
from riverboat.protos.gamemanager.v1 import matches_pb2 as matches
from riverboat.protos.gamemanager.v1 import state_manager_pb2 as rules
from riverboat.protos.gamemanager.v1 import tables_pb2 as tables
from riverboat.protos.gamemanager.v1 import tournaments_pb2 as tournaments
from riverboat.protos.oracle.v1 import oracle_pb2 as oracle
from riverboat.protos.resolver.v1 import resolver_pb2 as resolver
from riverboat.protos.trainer.v1 import trainer_pb2 as trainer
from riverboat.rpc.convert.state_manager import encode_state, encode_variant
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.state import start
from riverboat.rules.variant import KUHN, LEDUC, fixed_limit, no_limit
from riverboat.spots.spot import street_start
from tests.fuzz.mutations import is_map

AGENT = "fuzzed"  # the fuzzer itself offers this agent
_CALL, _FOLD = rules.Action(call=rules.Action.Call()), rules.Action(fold=rules.Action.Fold())
_NL = encode_variant(no_limit(50, 100))
_SIZED = encode_variant(replace(no_limit(50, 100), bet_sizes=parse_bet_sizes("1b 0.5p / 1p; all-in"), pot_cap=3_000))
_KEPT = 8  # remembered values of each kind: few, so that matching ones meet
_LEARNT = {
    "token": "token", "dealer_token": "dealer_token", "table_id": "table_id", "match_id": "table_id",
    "tournament_id": "tournament_id",
    "handle": "handle", "run_id": "run_id", "chunk": "chunk",
}  # fmt: skip


class Pool:
    """Recent values from servers, by kind."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, deque[Any]] = defaultdict(lambda: deque(maxlen=_KEPT))

    def learn(self, message: Any) -> None:
        """Remember the ids and tokens of a message and its submessages."""
        for field, value in message.ListFields():
            if field.name in _LEARNT and value:
                with self._lock:
                    self._known[_LEARNT[field.name]].append(value)
            elif field.message_type is not None and not is_map(field):
                for one in value if field.is_repeated else (value,):
                    self.learn(one)

    def any(self, kind: str, rng: Random, default: Any) -> Any:
        """Return a remembered value, or a default."""
        with self._lock:
            values = self._known.get(kind)
            return rng.choice(values) if values else default


def filled(message: Any, pool: Pool, rng: Random) -> Any:
    """Return a copy whose placeholders are replaced by ids and tokens from servers."""
    copy = type(message)()
    copy.CopyFrom(message)
    _fill(copy, pool, rng)
    return copy


def _fill(message: Any, pool: Pool, rng: Random) -> None:
    for field, value in message.ListFields():
        if field.name in _LEARNT and value in ("$", b"$"):
            setattr(message, field.name, pool.any(_LEARNT[field.name], rng, value))
        elif field.message_type is not None and not is_map(field):
            for one in value if field.is_repeated else (value,):
                _fill(one, pool, rng)


def corpus() -> dict[str, list[list[Any]]]:
    """Return requests by method name: lists of messages; a method without a request stream takes the first."""
    requests: dict[str, list[list[Any]]] = defaultdict(list)
    for part in (_oracle(), _rules(), _tables(), _tournaments(), _resolver(), _trainer()):
        for name, *messages in part:
            requests[name].append(messages)
    return dict(requests)


def _oracle() -> Iterator[tuple[Any, ...]]:
    hero, villain = oracle.Range(text="AhKh"), oracle.Range(text="QQ+,AKs")
    weights = oracle.Range(weights=np.ones(276, "<f4").tobytes())
    yield "Oracle.ListDecks", oracle.ListDecksRequest()
    yield "Oracle.GetDeck", oracle.GetDeckRequest(deck="leduc")
    yield "Oracle.Deal", oracle.DealRequest(deck="24", holding_count=3, board_size=5, seed=11)
    yield "Oracle.Classify", oracle.ClassifyRequest(hands=["KhKdKs4c4d2c7h", "AhKhQhJhTh"])
    yield "Oracle.Showdown", oracle.ShowdownRequest(board="Td9d2c5h3s", holdings=["AhKh", "Ts9s", "AsKs"])
    yield "Oracle.Strengths", oracle.StrengthsRequest(deck="24", boards=["TdQdAc9hJs", "TdQdAc9hKs"])
    yield "Oracle.StrengthProfiles", oracle.StrengthProfilesRequest(deck="24", boards=["TdQdAc"], bin_count=4)
    yield "Oracle.Features", oracle.FeaturesRequest(deck="24", board="TdQdAc", holdings=["9h9s", "KdJd"])
    yield "Oracle.Features", oracle.FeaturesRequest(board="TdQdAc2h")
    yield "Oracle.Utility", oracle.UtilityRequest(deck="24", board="TdQdAc9hJs")
    stud = oracle.UtilityRequest.Stud(mine="AhKhQhJh", theirs="2c2d7s8s")
    yield "Oracle.Utility", oracle.UtilityRequest(stud=stud)
    yield "Oracle.FollowingBoards", oracle.FollowingBoardsRequest(deck="24", board="TdQdAc9h", deal_count=1)
    yield (
        "Oracle.FollowingBoards",
        oracle.FollowingBoardsRequest(
            deck="24", board="TdQdAc", deal_count=2, ranges=[weights, weights], board_count=8, seed=3
        ),
    )
    yield "Oracle.Equity", oracle.EquityRequest(board="Td9d2c", hero=hero, opponents=[villain])
    yield (
        "Oracle.Equity",
        oracle.EquityRequest(
            deck="24",
            hero=weights,
            opponents=[weights],
            rollouts=oracle.EquityRequest.Rollouts(rollout_count=500, seed=1),
        ),
    )
    yield (
        "Oracle.CheatSheet",
        oracle.CheatSheetRequest(deck="24", board="TdQdAc", opponent_counts=[1, 2], rollout_count=100),
    )


def _rules() -> Iterator[tuple[Any, ...]]:
    yield "StateManager.ListVariants", rules.ListVariantsRequest()
    moves = [
        rules.Event(move=rules.Event.Move(seat=1, action=rules.Action(raise_to=300))),
        rules.Event(move=rules.Event.Move(seat=0, action=_CALL)),
        rules.Event(board="Td9d2c"),
    ]
    yield "StateManager.Package", rules.PackageRequest(variant=_NL, stacks=[1000, 1000], events=moves)
    yield "StateManager.Package", rules.PackageRequest(variant=_SIZED, stacks=[1000, 1000])
    games = ((KUHN, 2), (LEDUC, 2), (no_limit(50, 100), 2), (no_limit(1, 2), 6), (fixed_limit(100), 3))
    for game, players in games:
        state = encode_state(start(game, [2_000] * players))
        sizes, depth = "0.5p 1p", rules.Subtree.Depth(street=1)
        yield "StateManager.LegalActions", rules.LegalActionsRequest(state=state, bet_sizes=sizes)
        yield (
            "StateManager.Apply",
            rules.ApplyRequest(state=state, event=rules.Event(move=rules.Event.Move(seat=state.actor, action=_CALL))),
        )
        for kind, more in (("CountSubtree", rules.CountSubtreeRequest), ("ExpandSubtree", rules.ExpandSubtreeRequest)):
            yield (
                f"StateManager.{kind}",
                more(subtree=rules.Subtree(state=state, bet_sizes=sizes, depth=depth, board_count=4, seed=9)),
            )
    river = encode_state(street_start(parse_cards("Td9d6hQc2s"), 100, 400))
    yield "StateManager.ExpandSubtree", rules.ExpandSubtreeRequest(subtree=rules.Subtree(state=river, bet_sizes="1p a"))


def _tables() -> Iterator[tuple[Any, ...]]:
    config = tables.TableConfig(name="fuzz", variant=_NL, chair_count=3, buy_in=5_000, clock_ms=2_000)
    yield "Tables.CreateTable", tables.CreateTableRequest(config=config)
    agents = tables.TableConfig(
        name="agents",
        variant=_NL,
        chair_count=2,
        buy_in=500,
        clock_ms=1_000,
        agents=[AGENT, AGENT],
        agents_only=True,
        hand_limit=5,
        agents_rebuy=True,
        reveal=tables.REVEAL_SHOWN,
    )
    yield "Tables.CreateTable", tables.CreateTableRequest(config=agents)
    agents.agents[1] = f"{AGENT}:0.5"
    agents.variant.CopyFrom(_SIZED)
    yield "Tables.CreateTable", tables.CreateTableRequest(config=agents)
    yield "Tables.ListTables", tables.ListTablesRequest(include_closed=True)
    yield "Tables.ListTables", tables.ListTablesRequest(table_id="$")
    yield "Tables.JoinTable", tables.JoinTableRequest(table_id="$", name="Anna", request_id="r")
    yield "Tables.JoinTable", tables.JoinTableRequest(table_id="$", name="Ben", chair=1, contributes=True)
    yield "Tables.LeaveTable", tables.LeaveTableRequest(token="$", give_up=True)
    yield "Tables.Rebuy", tables.RebuyRequest(token="$", chips=100)
    yield "Tables.GetView", tables.GetViewRequest(token="$")
    for number, action in enumerate((_CALL, rules.Action(raise_to=300), _CALL, _FOLD)):
        mark = {"mark": tables.MARK_FALLBACK, "mark_reason": "fuzz"} if number % 2 else {}
        place: dict[str, Any] = {"hand_number": 1, "action_number": number, **mark}
        decision = tables.Decision(request_id=f"r{number}", action=action, **place)
        yield "Tables.TakeAction", tables.TakeActionRequest(token="$", decision=decision)
        yield "Tables.Play", tables.PlayRequest(token="$"), tables.PlayRequest(decision=decision)
    for contribution in (
        tables.Contribution(hand_number=1, attempt=1, commitment="ab" * 32),
        tables.Contribution(hand_number=1, attempt=1, secret="cd" * 32),
    ):
        yield "Tables.Contribute", tables.ContributeRequest(token="$", contribution=contribution)
        yield "Tables.Play", tables.PlayRequest(token="$"), tables.PlayRequest(contribution=contribution)
    yield "Tables.Play", tables.PlayRequest(token="$")
    yield "Tables.Watch", tables.WatchRequest(table_id="$", dealer_token="$")
    yield "Tables.Watch", tables.WatchRequest(table_id="$", from_number=3)
    yield "Tables.ListHands", tables.ListHandsRequest(table_id="$", first_hand=1, hand_count=10)
    yield "Tables.CloseTable", tables.CloseTableRequest(table_id="$", dealer_token="$")
    yield (
        "Matches.StartMatch",
        matches.StartMatchRequest(
            variant=_NL, stack=1_000, agents=[AGENT, AGENT], deal_count=4, duplicate=True, clock_ms=1_000
        ),
    )
    yield "Matches.WatchMatch", matches.WatchMatchRequest(match_id="$")
    yield "Matches.CancelMatch", matches.CancelMatchRequest(match_id="$", dealer_token="$")
    yield "AgentHosts.Attend", hosts.AttendRequest(agents=["other"], tokens=["$"]), hosts.AttendRequest(agents=["more"])
    yield (
        "AgentHosts.Attend",
        hosts.AttendRequest(agents=["other", "other:0.5"], with_parameter=["other"]),
        hosts.AttendRequest(verdict=hosts.AttendRequest.Verdict(question_id="0", problem="no")),
    )
    yield "AgentHosts.Attend", hosts.AttendRequest(agents=[AGENT], memory=hosts.MEMORY_KEPT, process="an elephant")
    yield "AgentHosts.ListAgents", hosts.ListAgentsRequest()


def _tournaments() -> Iterator[tuple[Any, ...]]:
    agents = [tournaments.AgentEntry(name=AGENT, count=2)]
    yield "Tournaments.CreateTournament", tournaments.CreateTournamentRequest(preset="sng-9", agents=agents)
    yield (
        "Tournaments.CreateTournament",
        tournaments.CreateTournamentRequest(preset="mtt-45", entrant_count=3, agents=agents, clock_ms=500, pause_ms=10),
    )
    small = tournaments.TournamentStructure(
        name="small",
        entrant_count=4,
        seats_per_table=2,
        starting_chips=100,
        levels=[
            tournaments.BlindLevel(small_blind=10, big_blind=20),
            tournaments.BlindLevel(small_blind=50, big_blind=90),
        ],
        level_hands=1,
        payouts=[600, 400],
        buy_in=100,
    )
    wish = tournaments.CreateTournamentRequest(name="small", structure=small, agents=agents, clock_ms=200)
    yield "Tournaments.CreateTournament", wish
    for name in ("Anna", "Ben"):
        entry = tournaments.RegisterRequest(
            tournament_id="$", name=name, request_id=f"a request of {name}", contributes=True
        )
        yield "Tournaments.Register", entry
    yield "Tournaments.ListTournaments", tournaments.ListTournamentsRequest(include_over=True)
    yield "Tournaments.ListTournaments", tournaments.ListTournamentsRequest(tournament_id="$")
    yield "Tournaments.WatchTournament", tournaments.WatchTournamentRequest(tournament_id="$")
    yield "Tournaments.WatchTournament", tournaments.WatchTournamentRequest(tournament_id="$", from_number=3)
    yield "Tournaments.CancelTournament", tournaments.CancelTournamentRequest(tournament_id="$", dealer_token="$")


def _resolver() -> Iterator[tuple[Any, ...]]:
    small = resolver.Budget(iterations=3, milliseconds=100)
    for board, deck, count in (("TdQdAc9hJs", "24", 276), ("Td9d6hQc2s", "52", 1326)):
        state = encode_state(street_start(parse_cards(board), 100, 300, deck=deck))
        spot = resolver.Spot(state=state, bet_sizes="1p")
        ones = np.ones(count, "<f4").tobytes()
        yield "Resolver.Solve", resolver.SolveRequest(spot=spot, ranges=ones + ones, budget=small)
        yield "Resolver.Solve", resolver.SolveRequest(handle="$", budget=small)
        lock = resolver.Lock(strategy=np.full((2, count), 0.5, "<f4").tobytes())
        yield (
            "Resolver.Solve",
            resolver.SolveRequest(spot=spot, ranges=ones + ones, budget=small, locks=[lock], short_storage=True),
        )
        yield (
            "Resolver.Resolve",
            resolver.ResolveRequest(spot=spot, own_range=ones, opponent_range=ones, budget=small, holding=5),
        )
        yield (
            "Resolver.Resolve",
            resolver.ResolveRequest(
                spot=spot,
                own_range=ones,
                opponent_values=ones,
                opponent_range=ones,
                budget=small,
                path=[resolver.Step(action=_CALL)],
            ),
        )
    turn = resolver.Spot(
        state=encode_state(street_start(parse_cards("TdQdAc9h"), 100, 300, deck="24")),
        bet_sizes="1p",
        depth=rules.Subtree.Depth(street=3),
    )
    ones = np.ones(276, "<f4").tobytes()
    yield "Resolver.Resolve", resolver.ResolveRequest(spot=turn, own_range=ones, opponent_range=ones, budget=small)
    sampled = resolver.Spot(state=turn.state, bet_sizes="1p", board_count=2, seed=7)
    yield "Resolver.Resolve", resolver.ResolveRequest(spot=sampled, own_range=ones, opponent_range=ones, budget=small)
    yield "Resolver.GetNode", resolver.GetNodeRequest(handle="$", path=[resolver.Step(action=_CALL)])
    yield "Resolver.GetNode", resolver.GetNodeRequest(handle="$")
    yield "Resolver.GetNodes", resolver.GetNodesRequest(handle="$", node_count=5)
    yield "Resolver.GetNodes", resolver.GetNodesRequest(handle="$")
    yield "Resolver.SaveSolution", resolver.SaveSolutionRequest(handle="$")
    yield "Resolver.LoadSolution", resolver.LoadSolutionRequest(chunk=b"$"), resolver.LoadSolutionRequest(chunk=b"more")
    yield "Resolver.LoadSolution", resolver.LoadSolutionRequest(chunk=b"$")
    yield "Resolver.ListNetworks", resolver.ListNetworksRequest()
    yield "Resolver.ReleaseSolution", resolver.ReleaseSolutionRequest(handle="$")


def _trainer() -> Iterator[tuple[Any, ...]]:
    plan = trainer.Plan(
        deck="24", street="river", samples=100, job_size=50, recipe=trainer.Recipe(epochs=1, width=8, depth=1)
    )
    yield "Trainer.PlanRun", trainer.PlanRunRequest(plan=plan)
    rounds = trainer.RoundsPlan(kind="evolution", settings={"generations": "0"})  # refused, unless it is changed
    yield "Trainer.PlanRun", trainer.PlanRunRequest(rounds=rounds)
    yield "Trainer.ListKinds", trainer.ListKindsRequest()
    for name in ("WatchRun", "PauseRun", "ResumeRun", "CancelRun", "DropRun"):
        yield f"Trainer.{name}", getattr(trainer, f"{name}Request")(run_id="$")
    yield "Trainer.ListRuns", trainer.ListRunsRequest()
    yield "Trainer.ListModels", trainer.ListModelsRequest()
    yield "Trainer.FetchModel", trainer.FetchModelRequest(name="24-river-00000000")
