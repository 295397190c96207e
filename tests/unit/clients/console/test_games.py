"""Games from options, with restrictions and without."""

from dataclasses import replace

import pytest

from riverboat.clients.console.games import GameOptions, game_of
from riverboat.clients.console.table.story import Narrator
from riverboat.clients.console.views.game_words import game_words, short_game
from riverboat.clients.local.agents import check_own_agents
from riverboat.clients.remote.refusals import Refused
from riverboat.rules.bet_sizes import parse_bet_sizes
from riverboat.rules.variant import LEDUC, Variant, fixed_limit, no_limit
from riverboat.tables.entries import HandBegan
from tests.unit.clients.console.table.tables import deal, table_of, update
from tests.unit.history.hands import capped


def game(limit: str = "no", deck: str = "52", **restrictions: object) -> Variant:
    return game_of(GameOptions(limit=limit, deck=deck, **restrictions))  # type: ignore[arg-type]


def test_restrictions() -> None:
    plain = no_limit(50, 100)
    assert game() == plain
    assert game(raises_per_street=3) == capped(plain, 3)
    assert game("fixed", raises_per_street=2) == capped(fixed_limit(100), 2)
    assert game(pot_cap=300) == replace(plain, pot_cap=300)
    assert game(no_all_in=True) == replace(plain, all_in=False)
    sizes = parse_bet_sizes("0.5p 1p 2b 300 all-in / 1p; 2p")
    assert game(sizes="50%,100% 2b 300 a / 1p; 200%") == replace(plain, bet_sizes=sizes)
    assert game(sizes="100 1b") == replace(plain, bet_sizes=parse_bet_sizes("100 1b"))  # the smallest bet itself
    assert game(deck="leduc") == LEDUC


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"limit": "fixed", "sizes": "50%"}, "--sizes: fixed limit has one size"),
        ({"limit": "fixed", "sizes": "50"}, "--sizes: fixed limit has one size"),
        ({"no_all_in": True, "sizes": "a"}, "--sizes: all-in is among them"),
        ({"sizes": "much"}, "--sizes: 'much' is not a size; write 50% (of the pot)"),
        ({"sizes": ""}, "--sizes: there must be a size on some street"),
        ({"sizes": "1b / 1b / 1b / 1b / 1b"}, "--sizes: sizes for 5 streets, but there are 4"),
        (
            {"sizes": "50,100%"},
            "--sizes: 50 chips is less than the smallest bet on every street, 100; for 50% of the pot write 50%",
        ),
        ({"sizes": "1p; 0.5b"}, "--sizes: 0.5b is less than the smallest bet on every street, 100"),
        ({"limit": "pot", "sizes": "1p / 99"}, "--sizes: 99 chips is less than the smallest bet"),
        ({"pot_cap": 299}, "--pot-cap: must be at least 300"),
        ({"deck": "kuhn", "no_all_in": True}, "--deck: kuhn has fixed rules"),
        ({"deck": "leduc", "sizes": "1b"}, "--deck: leduc has fixed rules"),
    ],
)
def test_combinations_that_make_no_sense(options: dict[str, object], reason: str) -> None:
    with pytest.raises(Refused) as caught:
        game(**options)  # type: ignore[arg-type]
    assert str(caught.value).startswith(reason)


def test_tables_are_listed_with_their_restrictions() -> None:
    assert short_game(game()) == "no-limit 50/100"
    restricted = game(no_all_in=True, raises_per_street=1, sizes="1b")
    assert short_game(restricted) == "no-limit 50/100, 1 raise a street, no all-in, bets of 1b"


@pytest.mark.parametrize(
    ("variant", "words", "short"),
    [
        (game(), "no-limit hold'em, blinds 50/100", "no-limit 50/100"),
        (game(deck="24"), "no-limit hold'em, 24 cards, blinds 50/100", "no-limit 50/100, 24 cards"),
        (
            game(deck="36", no_all_in=True),
            "no-limit hold'em, 36 cards, blinds 50/100",
            "no-limit 50/100, 36 cards, no all-in",
        ),
        (no_limit(1, 2, deck="24", name="royal with 24"), "royal with 24, blinds 1/2", "royal with 24 1/2"),
        (LEDUC, "leduc, ante 1", "leduc 1"),
        (replace(LEDUC, name="small"), "small, leduc deck, ante 1", "small 1, leduc deck"),
    ],
)
def test_the_deck_is_said_unless_it_is_the_usual_one(variant: Variant, words: str, short: str) -> None:
    assert game_words(variant) == words
    assert short_game(variant) == short


def test_in_a_pipe_the_deck_is_said() -> None:
    table = deal(table_of("Anna", "Bob", variant=game(deck="24", no_all_in=True)))
    events = [event for event in update(table).events if isinstance(event.entry, HandBegan)]
    assert Narrator(table.config.variant).tell(events)[0].text == "rules: 24 cards, no all-in"


def test_in_a_pipe_restrictions_are_said_once() -> None:
    table = deal(table_of("Anna", "Bob", variant=game(no_all_in=True)))
    narrator = Narrator(table.config.variant)
    events = [event for event in update(table).events if isinstance(event.entry, HandBegan)]
    told = [one.text for one in narrator.tell([*events, *events])]
    assert told[0] == "rules: no all-in"
    assert sum(text.startswith("rules") for text in told) == 1
    assert sum(text.startswith("hand 1") for text in told) == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("hybrid:nonsense", "hybrid:nonsense: 'nonsense' is an unknown parameter; write hybrid:0.5"),
        (
            "resolver:xyz",
            "resolver:xyz: 'xyz' is not a network, a number of iterations or a time such as 2s; write resolver:equity",
        ),
        ("rollout:3", "rollout:3: rollout takes no parameter"),
        ("gto:3", "no agent is called 'gto:3'"),
    ],
)
def test_agents_are_checked_before_anything_is_started(name: str, reason: str) -> None:
    check_own_agents(["rollout", "hybrid:0.5", "hybrid:flop+river", "resolver:equity"])
    with pytest.raises(Refused) as caught:
        check_own_agents(["rollout", name])
    assert str(caught.value).startswith(reason)
