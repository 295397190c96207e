"""Choose among evolved nets by their mean return over several mixes of opponents.

Every candidate plays the same tournaments against each mix. The numbers that choose flatter the chosen one, so the best
is then measured again, with deals that nothing was chosen on.

python -m benchmarks.evolution_choice --help
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from benchmarks.evolution_variants import KeptTables
from riverboat.equity.effective_strength import strength_tables
from riverboat.policies.evolved_nets import Net
from riverboat.policies.net_files import read_net
from riverboat.tournaments.field import Policy, PolicyKind, field_of
from riverboat.tournaments.scores import GroupScore, group_score
from riverboat.tournaments.series import added, loop_rules, play_tournaments, series_plans
from riverboat.tournaments.structures import MTT_45

_FOLD, _CALL, _RAISE, _RANDOM = (
    PolicyKind.ALWAYS_FOLD,
    PolicyKind.ALWAYS_CALL,
    PolicyKind.ALWAYS_RAISE,
    PolicyKind.RANDOM,
)
_EVEN: Mapping[PolicyKind, int] = {_FOLD: 11, _CALL: 11, _RAISE: 11, _RANDOM: 11}
# What always-raise raises by, in pots (0: the smallest raise), and how many of each static kind enter.
MIXES: Mapping[str, tuple[float, Mapping[PolicyKind, int]]] = {
    "smallest raises": (0.0, _EVEN),
    "pot raises": (1.0, _EVEN),
    "half folders": (0.0, {_FOLD: 22, _CALL: 8, _RAISE: 7, _RANDOM: 7}),
    "no folders": (0.0, {_CALL: 15, _RAISE: 15, _RANDOM: 14}),
}
_CHOICE_SEED, _FRESH_SEED = 4242, 779


def main() -> None:
    """Measure every candidate, print the table of the best ones, and measure the best again."""
    parser = argparse.ArgumentParser("python -m benchmarks.evolution_choice", description=__doc__)
    parser.add_argument("nets", nargs="+", type=Path, metavar="NET", help="files of evolved nets")
    parser.add_argument("--tournaments", type=int, default=200, help="tournaments per mix to choose by; default: 200")
    parser.add_argument("--again", type=int, default=1500, help="tournaments per mix for the best; default: 1,500")
    parser.add_argument("--best", type=int, default=3, help="candidates to measure again; default: 3")
    parser.add_argument("--folder", type=Path, required=True, help="where measurements and strength tables are kept")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    tables = KeptTables(words.folder)
    chosen = _measured_all(words.nets, words.tournaments, _CHOICE_SEED, words.folder)
    best = sorted(chosen, key=lambda path: -_mean_roi(chosen[path]))[: words.best]
    print("\n".join(_rows(chosen, best)))
    again = _measured_all(best, words.again, _FRESH_SEED, words.folder)
    print("\n".join(_rows(again, best)))
    tables.keep()


def _measured_all(paths: Sequence[Path], count: int, seed: int, folder: Path) -> dict[Path, dict[str, list[float]]]:
    """Return return and half its 95 % interval of every net by mix; what an earlier call measured is read."""
    lines = folder / f"choice-{seed}-{count}.jsonl"
    known = {}
    if lines.exists():
        known = {line["net"]: line["roi"] for line in map(json.loads, lines.read_text(encoding="utf-8").splitlines())}
    for path in paths:
        if path.name not in known:
            net = read_net(path.read_bytes())
            known[path.name] = {name: _roi(net, name, count, seed) for name in MIXES}
            with lines.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"net": path.name, "roi": known[path.name]}) + "\n")
    return {path: known[path.name] for path in paths}


def _roi(net: Net, mix: str, count: int, seed: int) -> list[float]:
    score = measured_against(net, mix, count, seed)
    return [score.roi, score.roi_interval]


def measured_against(net: Net, mix: str, count: int, seed: int) -> GroupScore:
    """Return the scores of a net in tournaments against a mix of static players."""
    raise_pots, counts = MIXES[mix]
    policies: list[Policy] = [net, *(kind for kind, number in counts.items() for _ in range(number))]
    field = field_of(policies, raise_pots=raise_pots)
    plans = series_plans(seed, count)
    result = added(play_tournaments(loop_rules(MTT_45), field, strength_tables(), plans))
    return group_score(MTT_45, result, [0])


def _mean_roi(by_mix: Mapping[str, Sequence[float]]) -> float:
    return float(np.mean([roi for roi, _ in by_mix.values()]))


def _rows(measures: Mapping[Path, Mapping[str, Sequence[float]]], paths: Sequence[Path]) -> Iterator[str]:
    """Yield a Markdown table of some nets."""
    yield f"| net | {' | '.join(MIXES)} | mean |"
    yield f"|---|{'---:|' * (len(MIXES) + 1)}"
    for path in paths:
        by_mix = measures[path]
        cells = (f"{100 * roi:.0f} ± {100 * error:.0f} %" for roi, error in by_mix.values())
        yield f"| {path.stem} | {' | '.join(cells)} | {100 * _mean_roi(by_mix):.0f} % |"


if __name__ == "__main__":
    main()
