"""Which detail that the published experiment leaves open moves returns: chips, levels, antes, sizes and caps of raises.

Eleven players of each static kind, and a twelfth that folds or a net, play the same number of tournaments under each
setting; with nets, each net's return is a column.

python -m benchmarks.evolution_structures --help
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from benchmarks.evolution_variants import KeptTables
from riverboat.equity.effective_strength import StrengthTables, no_tables, strength_tables
from riverboat.policies.net_files import read_net
from riverboat.rules.variant import Variant
from riverboat.tournaments.field import STATIC_POLICIES, Policy, PolicyKind, field_of
from riverboat.tournaments.scores import GroupScore, group_score
from riverboat.tournaments.series import added, loop_rules, play_tournaments, series_plans
from riverboat.tournaments.structures import MTT_45, BlindLevel, TournamentStructure

_EACH, _SEED = 11, 90210
_SIZES = {0.0: "smallest", 1.0: "pot", inf: "all-in"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CappedStructure(TournamentStructure):
    """A structure whose streets allow only so many bets and raises."""

    raise_cap: int = 0  # 0 for any number

    def variant_at(self, number: int) -> Variant:
        """Return the game that is played on a level."""
        game = TournamentStructure.variant_at(self, number)
        return replace(game, streets=tuple(replace(street, raise_cap=self.raise_cap) for street in game.streets))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDetail:
    """What the published experiment does not say; the defaults are those of `mtt-45`."""

    chips: int = 1500
    level_hands: int = 10
    raise_pots: float = 0.0  # of always-raise
    raise_cap: int = 0
    ante_share: float | None = None  # of the big blind, from the first level on; None for the preset's antes

    def structure(self) -> CappedStructure:
        """Return the structure with this detail."""
        levels = MTT_45.levels
        if self.ante_share is not None:
            levels = tuple(
                BlindLevel(level.small_blind, level.big_blind, round(self.ante_share * level.big_blind))
                for level in levels
            )
        return CappedStructure(
            name=MTT_45.name,
            entrant_count=MTT_45.entrant_count,
            seats_per_table=MTT_45.seats_per_table,
            starting_chips=self.chips,
            levels=levels,
            level_hands=self.level_hands,
            payouts=MTT_45.payouts,
            buy_in=MTT_45.buy_in,
            raise_cap=self.raise_cap,
        )


DETAILS = (
    OpenDetail(),
    OpenDetail(raise_pots=1.0),
    OpenDetail(raise_pots=inf),
    OpenDetail(level_hands=4),
    OpenDetail(level_hands=25),
    OpenDetail(level_hands=100),
    OpenDetail(chips=750),
    OpenDetail(chips=5000),
    OpenDetail(chips=5000, level_hands=25),
    OpenDetail(chips=20_000, level_hands=25),
    OpenDetail(ante_share=0.2),
    OpenDetail(raise_cap=4),
    OpenDetail(raise_cap=3),
    OpenDetail(raise_cap=2),
    OpenDetail(raise_cap=1),
    OpenDetail(raise_cap=4, chips=5000, level_hands=25),
    OpenDetail(raise_cap=3, chips=5000, level_hands=25),
    OpenDetail(raise_cap=3, raise_pots=1.0),
)


def main() -> None:
    """Print a Markdown table: a row for each detail."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_structures", description=__doc__)
    parser.add_argument("nets", nargs="*", type=Path, metavar="NET", help="files of evolved nets to measure too")
    parser.add_argument("--tournaments", type=int, default=3000, help="tournaments per row and net; default: 3,000")
    parser.add_argument("--folder", type=Path, help="where tables of hand strength are kept; needed with nets")
    words = parser.parse_args()
    if not words.nets:
        print("\n".join(static_rows(words.tournaments)))
        return
    if words.folder is None:
        parser.error("--folder is needed with nets")
    words.folder.mkdir(parents=True, exist_ok=True)
    tables = KeptTables(words.folder)
    for row in net_rows(words.nets, words.tournaments):
        print(row, flush=True)
    tables.keep()


def static_rows(count: int) -> Iterator[str]:
    """Yield the returns of the static kinds under each detail."""
    yield f"| {_HEAD} | hands | {' | '.join(STATIC_POLICIES)} |"
    yield f"|---:|---:|---:|---|---:|---:|{'---:|' * len(STATIC_POLICIES)}"
    for detail in DETAILS:
        scores, hands = _played(detail, PolicyKind.ALWAYS_FOLD, count, no_tables())
        cells = (f"{100 * score.roi:.0f} %" for score in scores[1:])
        yield f"| {_words(detail)} | {hands / count:.0f} | {' | '.join(cells)} |"


def net_rows(paths: Sequence[Path], count: int) -> Iterator[str]:
    """Yield the returns of nets, each alone among static players, under each detail."""
    yield f"| {_HEAD} | {' | '.join(path.stem for path in paths)} |"
    yield f"|---:|---:|---:|---|---:|{'---:|' * len(paths)}"
    nets = [read_net(path.read_bytes()) for path in paths]
    for detail in DETAILS:
        scores = [_played(detail, net, count, strength_tables())[0][0] for net in nets]
        cells = (f"{100 * score.roi:.0f} ± {100 * score.roi_interval:.0f} %" for score in scores)
        yield f"| {_words(detail)} | {' | '.join(cells)} |"


_HEAD = "chips | hands per level | ante | always-raise | raises per street"


def _words(detail: OpenDetail) -> str:
    ante = "late" if detail.ante_share is None else f"{100 * detail.ante_share:.0f} %"
    cap = str(detail.raise_cap) if detail.raise_cap else "any"
    return f"{detail.chips:,} | {detail.level_hands} | {ante} | {_SIZES[detail.raise_pots]} | {cap}"


def _played(detail: OpenDetail, first: Policy, count: int, tables: StrengthTables) -> tuple[list[GroupScore], int]:
    """Return the scores of the first player and of each static kind, and the hands played."""
    structure = detail.structure()
    static = [kind for kind in STATIC_POLICIES.values() for _ in range(_EACH)]
    field = field_of([first, *static], raise_pots=detail.raise_pots)
    result = added(play_tournaments(loop_rules(structure), field, tables, series_plans(_SEED, count)))
    places = [range(1), *(range(1 + _EACH * i, 1 + _EACH * (i + 1)) for i in range(len(STATIC_POLICIES)))]
    return [group_score(structure, result, each) for each in places], result.hand_count


if __name__ == "__main__":
    main()
