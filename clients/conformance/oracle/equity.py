"""Equity: exact answers, ranges in all notations, and rollouts with a true standard error."""

from collections.abc import Sequence

import numpy as np

from riverboat.cards import DECKS, parse_cards
from riverboat.clients.conformance.check import Wrong
from riverboat.clients.conformance.expectations import close, require, same, short
from riverboat.clients.conformance.oracle.common import ORACLE, stub
from riverboat.clients.conformance.server import Server
from riverboat.contracts.oracle import Equity
from riverboat.equity import equity, matchup
from riverboat.holdings import holding_index
from riverboat.protos.oracle.v1 import oracle_pb2 as pb
from riverboat.ranges import parse_range

_ACES_AGAINST_KINGS = 0.826366112559452  # with the kings in the same suits; 1,712,304 boards
_ROLLOUTS = 20_000
_SIGMAS = 6  # an estimate is further off than this many standard errors once in 500 million times
_RIVER = "Td9d2c5h3s"
_RANGES = (
    "AhKh", "QQ", "QQ+", "88-55", "AKs", "AKo", "AK", "ATs+", "ATo+", "A5s-A2s", "JTs-87s", "76s:0.5", "random",
    "QQ+, AKs, A5s-A2s, KQo, 76s:0.5", "AA,AsAh:0.25", "QQ+ AKs", "KTo+:0.125 KK:0 99",
)  # fmt: skip


def ask(server: Server, request: pb.EquityRequest) -> tuple[list[pb.EquityResponse.Progress], pb.EquityResult]:
    """Return the progress messages and the result, which must come last."""
    messages = list(stub(server).Equity(request))
    kinds = [message.WhichOneof("step") for message in messages]
    if not kinds or kinds[-1] != "result" or "result" in kinds[:-1]:
        raise Wrong(f"{short(request)}: got {short(kinds)}, expected progress messages and then one result")
    return [message.progress for message in messages[:-1]], messages[-1].result


def exactly(deck: str, board: str, hero: str, opponents: Sequence[str]) -> Equity:
    """Return the library's answer; an empty opponent holds random cards."""
    cards = DECKS[deck]
    others = [parse_range(text, cards) if text else None for text in opponents]
    question = matchup(cards, parse_cards(board), parse_range(hero, cards), others)
    return equity(question, np.random.default_rng(0), exact=True)


def _request(deck: str, board: str, hero: str, opponents: Sequence[str]) -> pb.EquityRequest:
    others = [pb.Range(text=text) if text else pb.Range() for text in opponents]
    return pb.EquityRequest(deck=deck, board=board, hero=pb.Range(text=hero), opponents=others)


def _check_exact(server: Server, deck: str, board: str, hero: str, opponents: Sequence[str]) -> None:
    request = _request(deck, board, hero, opponents)
    request.exact.SetInParent()
    wanted = exactly(deck, board, hero, opponents)
    _, result = ask(server, request)
    said = short(request)
    for name in ("win", "tie", "equity"):
        close(f"{said}, {name}", getattr(result, name), getattr(wanted, name))
    same(f"{said}, deal_count", result.deal_count, wanted.deal_count)
    same(f"{said}, exact, error and seed", (result.exact, result.error, result.seed), (True, 0.0, 0))


@ORACLE("Equity", "aces against kings before the flop, exactly", 180)
def aces(server: Server) -> None:
    request = _request("52", "", "AsAh", ["KsKh"])
    request.exact.SetInParent()
    _, result = ask(server, request)
    close("AsAh against KsKh, equity", result.equity, _ACES_AGAINST_KINGS, 1e-12)
    same("AsAh against KsKh, deal_count", result.deal_count, 1_712_304)
    close("AsAh against KsKh, win and half the ties", result.win + result.tie / 2, result.equity, 1e-12)


@ORACLE("Equity", "ranges in every notation, exactly", 120)
def notations(server: Server) -> None:
    for text in _RANGES:
        _check_exact(server, "52", _RIVER, text, [""])


@ORACLE("Equity", "range against range on every street after the flop, exactly", 180)
def ranges(server: Server) -> None:
    _check_exact(server, "52", "Td9d2c", "AhKh", ["QQ+,AKs"])
    _check_exact(server, "52", "Td9d2c5h", "77+,AJs+", ["QQ+,AKs:0.5"])
    _check_exact(server, "52", _RIVER, "77+,AJs+", ["random"])
    _check_exact(server, "36", "9h8h7h", "AA,KQs", ["TT+"])
    _check_exact(server, "24", "9sTsJd", "QQ+", [""])


@ORACLE("Equity", "several opponents, exactly", 180)
def several(server: Server) -> None:
    _check_exact(server, "52", "Td9d2c5h", "AhKh", ["QQ", "TsTh"])
    _check_exact(server, "52", _RIVER, "AsTs", ["99,22", ""])
    _check_exact(server, "24", "9sTsJdAh", "QQ", ["KK", "AsKs", "AcKc"])


@ORACLE("Equity", "decks with one private card, exactly")
def small(server: Server) -> None:
    _check_exact(server, "kuhn", "", "K", [""])
    _check_exact(server, "kuhn", "", "Q", ["K:0.5,J"])
    _check_exact(server, "leduc", "", "Q+", ["random"])
    _check_exact(server, "leduc", "Kh", "Qs", ["K,J"])
    _check_exact(server, "leduc", "", "Ks", ["", ""])


@ORACLE("Equity", "takes weights instead of text; holdings that the board rules out count as zero")
def weights(server: Server) -> None:
    packed = np.zeros(1326, "<f4")
    packed[holding_index(DECKS["52"], parse_cards("AsAh"))] = 0.7
    packed[holding_index(DECKS["52"], parse_cards("2c2d"))] = 5.0
    request = _request("52", "2c7dTh", "AA", [""])
    request.hero.weights = packed.tobytes()
    request.exact.SetInParent()
    _, result = ask(server, request)
    close("AsAh with weight 0.7 and 2c2d, which 2c7dTh rules out, equity", result.equity, 0.8649034283631879)


@ORACLE("Equity", "answers a small question exactly by default")
def unasked(server: Server) -> None:
    request = _request("52", _RIVER, "AsTs", ["QQ"])
    _, result = ask(server, request)
    close(f"{short(request)}, equity", result.equity, exactly("52", _RIVER, "AsTs", ["QQ"]).equity)
    same(f"{short(request)}, exact", result.exact, True)


@ORACLE("Equity", "rollouts are within their standard error of the exact equity", 120)
def honest(server: Server) -> None:
    for board, hero, opponents in (
        ("Td9d2c", "AhKh", ["QQ+,AKs"]), (_RIVER, "AsTs", ["99,22", ""]), ("Td9d2c5h", "77+,AJs+", ["QQ+,AKs:0.5"]),
    ):  # fmt: skip
        request = _request("52", board, hero, opponents)
        request.rollouts.rollout_count, request.rollouts.seed = _ROLLOUTS, 5
        _, result = ask(server, request)
        wanted, said = exactly("52", board, hero, opponents), short(request)
        same(
            f"{said}, deal_count, exact and seed", (result.deal_count, result.exact, result.seed), (_ROLLOUTS, False, 5)
        )
        require(0 < result.error < 0.02, f"{said}: got a standard error of {result.error}, expected about 0.003")
        close(f"{said}, equity within {_SIGMAS} errors", result.equity, wanted.equity, _SIGMAS * result.error)
        close(f"{said}, win", result.win, wanted.win, 2 * _SIGMAS * result.error)


@ORACLE("Equity", "aces have an equity of 31 % against nine opponents with random cards", 120)
def nine(server: Server) -> None:
    request = _request("52", "", "AsAh", [""] * 9)
    request.rollouts.rollout_count, request.rollouts.seed = _ROLLOUTS, 1
    _, result = ask(server, request)
    close("AsAh against nine with random cards, equity", result.equity, 0.3108, 0.0005 + _SIGMAS * result.error)


@ORACLE("Equity", "the seed in an answer repeats its rollouts", 120)
def seeds(server: Server) -> None:
    request = _request("52", "Td9d2c", "AhKh", ["QQ+,AKs"])
    request.rollouts.rollout_count = _ROLLOUTS
    _, result = ask(server, request)
    request.rollouts.seed = result.seed
    _, again = ask(server, request)
    require(again == result, f"{short(request)}, with the seed of an earlier answer: the results differ")


@ORACLE("Equity", "reaches a target error", 120)
def target(server: Server) -> None:
    request = _request("52", "Td9d2c", "AhKh", ["QQ+,AKs"])
    request.rollouts.target_error, request.rollouts.seed = 0.004, 2
    _, result = ask(server, request)
    require(0 < result.error <= 0.004, f"{short(request)}: got a standard error of {result.error}, above the target")


@ORACLE("Equity", "progress grows from 0 to 1")
def progress(server: Server) -> None:
    request = _request("52", "Td9d2c", "AhKh", ["QQ+,AKs"])
    request.rollouts.rollout_count, request.rollouts.seed = 10 * _ROLLOUTS, 5
    steps, _ = ask(server, request)
    done = [step.done for step in steps]
    require(done == sorted(done) and all(0 <= each <= 1 for each in done), f"{short(request)}: done was {short(done)}")
