"""Small abstract games and their tables, each made once."""

from functools import cache

import numpy as np

from riverboat.blueprint.blueprint import Blueprint
from riverboat.blueprint.deals import DealTables, deal_tables
from riverboat.blueprint.game import AbstractGame, small_game
from riverboat.blueprint.groups import Grouping, fit_groups, group_tables
from riverboat.blueprint.sampling import Sampling, SelfPlayRecipe
from riverboat.blueprint.self_play import SelfPlay
from riverboat.rules.bet_sizes import parse_bet_sizes

GROUPS = (6, 5, 4)


@cache
def game_of(name: str) -> AbstractGame:
    """Return Kuhn or Leduc poker, or a game of 24 cards with few sizes and groups."""
    if name != "24":
        return small_game(name)
    return AbstractGame(deck="24", stack=2_000, sizes=parse_bet_sizes("1p all-in"), raise_cap=2, group_counts=GROUPS)


@cache
def grouping_of(name: str) -> Grouping:
    """Return groups of that game."""
    return fit_groups(game_of(name), np.random.default_rng(0))


@cache
def tables_of_game(name: str) -> DealTables:
    """Return what boards of that game are dealt with."""
    return deal_tables(game_of(name).variant.deck, group_tables(grouping_of(name)))


def self_play(name: str, sampling: Sampling = Sampling.ACTIONS, boards: int = 100) -> SelfPlay:
    """Return self-play that has not begun."""
    settings = SelfPlayRecipe(sampling=sampling, boards=boards, gamma=2.0)
    return SelfPlay(game_of(name), tables_of_game(name), settings)


def play_epochs(play: SelfPlay, count: int, seed: int = 0) -> None:
    """Play some more epochs, each with its own generator."""
    for _ in range(count):
        play.play_epoch(np.random.default_rng([seed, play.epochs]))


@cache
def random_blueprint(name: str) -> Blueprint:
    """Return a blueprint that plays at random, every group in its own way."""
    weights = np.random.default_rng(3).integers(0, 61, game_of(name).entry_count).astype(np.uint8)
    return Blueprint(game_of(name), grouping_of(name), weights)
