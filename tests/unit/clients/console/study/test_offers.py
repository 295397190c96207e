"""What is offered where a spot is too large: sizes in memory are those of the solver."""

from types import SimpleNamespace
from typing import Any

import grpc
import numpy as np
import pytest

from riverboat.clients.console.study import offers as offers_module
from riverboat.clients.console.study.offers import LIMIT, Shortage, offers, shortage_of, shortage_words
from riverboat.clients.console.study.solutions import SolveOptions
from riverboat.clients.console.study.spot_files import SpotText, read_spot, read_stacks
from riverboat.clients.remote.refusals import Refused
from riverboat.errors import TooLarge
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.depth import Depth
from riverboat.services.resolver.settings import ResolverSettings
from riverboat.services.resolver.solutions import Solutions
from riverboat.solving.memory import Precision, bytes_needed
from riverboat.spots.spot import Spot, build

WISH = SolveOptions(locks=(), depth=None, leaf="", short_storage=False)
WIDE = SpotText(board="AsKs9s", pot=100, stack=900, oop="random", ip="random", sizes="50%,100%,a", deck="24")


class Link:
    """A resolver with a network for every turn."""

    def has_network(self, deck: str, street: str) -> bool:
        return street == "turn"


def cost_of(offer: Any) -> int:
    depth = offer.options.depth
    built = build(Spot(offer.spot.public, offer.spot.ranges, offer.spot.sizes, Depth(*depth) if depth else None))
    precision = Precision.SHORT if offer.options.short_storage else Precision.SINGLE
    return bytes_needed(built.subgame, precision, False, 2)


def test_every_offer_fits_and_says_what_it_takes() -> None:
    study = read_spot(WIDE)
    whole = bytes_needed(build(Spot(study.public, study.ranges, study.sizes)).subgame, Precision.SINGLE, False, 2)
    limit = whole // 10
    link: Any = Link()
    fitting = offers(link, study, WISH, limit)
    assert fitting
    assert all(0 < offer.byte_count <= limit and offer.byte_count == cost_of(offer) for offer in fitting)
    assert any("--sizes" in offer.words for offer in fitting)
    assert any(offer.words == "--cut turn --below network" for offer in fitting)
    lines = shortage_words(Shortage(whole, limit), fitting)
    assert "What fits:" in lines[0]
    assert lines[-1].startswith(f"{LIMIT}=")
    assert all(len(line) <= 120 for line in lines)
    assert LIMIT == "RIVERBOAT_RESOLVER_MEMORY_MEGABYTES"
    assert "memory_megabytes" in ResolverSettings.model_fields


def test_locked_spots_are_offered_cuts_only_and_nothing_at_all_if_nothing_fits() -> None:
    link: Any = Link()
    assert offers(link, read_spot(WIDE), WISH, 1000) == []
    assert "nothing smaller fits" in shortage_words(Shortage(10**9, 1000), [])[0]


def test_the_resolver_s_own_refusal_is_understood() -> None:
    with pytest.raises(TooLarge) as refused:
        Solutions(1, 2_000_000_000, 60, lambda: 0.0).reserve(58_352_847_828)

    class Error(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.RESOURCE_EXHAUSTED

        def details(self) -> str:
            return str(refused.value)

    assert shortage_of(Error()) == Shortage(58_352_847_828, 2_000_000_000)


def test_a_pipe_gets_the_offers_and_a_refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Error(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.RESOURCE_EXHAUSTED

        def details(self) -> str:
            return "the solver needs 9.000 GB (9,000,000,000 bytes); the limit is 30,000,000 bytes."

    def refuse(*_: object) -> Any:
        raise Error

    monkeypatch.setattr(offers_module, "solve_spot", refuse)
    link: Any = Link()
    with pytest.raises(Refused, match="nothing was solved"):
        offers_module.solve_what_fits(link, read_spot(WIDE), WISH, SimpleNamespace())  # type: ignore[arg-type]
    assert "this spot needs 9.0 GB" in capsys.readouterr().err


def test_sizes_begin_with_the_street_of_the_board() -> None:
    turn = SpotText(board="Td9d6hQc", pot=200, stack=900, oop="random", ip="random", sizes="50% / 75%, a")
    sizes = read_spot(turn).sizes
    assert sizes.on(2) == parse_bet_sizes("0.5p").on(0)
    assert sizes.on(3) == parse_bet_sizes("0.75p a").on(0)
    one = read_spot(SpotText(board="Td9d6hQc", pot=200, stack=900, oop="random", ip="random", sizes="50%"))
    assert one.sizes.on(2) == one.sizes.on(3)
    old = SpotText(board="Td9d6hQc", pot=200, stack=900, oop="random", ip="random", sizes="a / a / a / a")
    with pytest.raises(Refused, match="sizes begin with the street of the board"):
        read_spot(old)


def test_unequal_stacks_and_wrong_ones() -> None:
    assert read_stacks("900") == (900,)
    assert read_stacks("900, 1400") == (900, 1400)
    for text in ("", "0", "9,9,9", "x", "-5"):
        with pytest.raises(Refused, match="--stack"):
            read_stacks(text)
    assert np.array_equal(read_spot(WIDE).public.stacks, (900, 900))
