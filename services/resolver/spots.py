"""Spots as subgames: the betting from the tree, cut where a network can evaluate it, and cards from the terminals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from riverboat.contracts.resolver import SpotQuestion
from riverboat.services.resolver.cuts import Below, below_cut, choose_cut
from riverboat.services.resolver.networks import Networks
from riverboat.services.resolver.upstream import Upstream
from riverboat.solving.builder import BuiltSubgame, build_subgame
from riverboat.solving.interfaces import Terminals
from riverboat.solving.subgame import F32, Subgame


@dataclass(frozen=True, slots=True, eq=False)
class PreparedSpot:
    """A spot that can be solved."""

    question: SpotQuestion
    built: BuiltSubgame
    terminals: Terminals
    below: Below | None  # a network's estimate of what lies below the cut
    leaf_name: str  # estimate below the cut; empty without a cut

    @property
    def subgame(self) -> Subgame:
        """Return the subgame to solve."""
        return self.built.subgame


def prepare_spot(
    upstream: Upstream,
    networks: Networks,
    question: SpotQuestion,
    weights: F32,
    names: tuple[str, str],
    told_apart: Sequence[F32] = (),
) -> PreparedSpot:
    """Prepare a spot with ranges [2, H], whose fields in the request are called `names`.

    Suits are merged only where that changes neither a range nor any row of `told_apart` [H].
    """
    state = question.state
    betting = upstream.tree(question).betting()
    cut = choose_cut(networks, question, betting)
    terminals = upstream.terminals(state.deck, names)
    betting = replace(betting, lines=cut.lines)
    built = build_subgame(betting, terminals, state.board, weights, names=names, told_apart=told_apart)
    return PreparedSpot(question, built, terminals, below_cut(upstream, state, cut, built.dealt), cut.name)
