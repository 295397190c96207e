"""Players as one HTML page that needs no other files: two scatter pictures and a table, or one player's report."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import isnan, sqrt

from riverboat.clients.console.views.html_template import fill_template
from riverboat.clients.console.views.players import KINDS, cells_of, move_rows, share_text
from riverboat.opponents.player_statistics import PlayerStatistics

HEADS = ("player", "hands", "VPIP", "PFR", "aggression", "to showdown", "won there", "bb/100 (95 %)")
_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _TOP = 480, 360, 44, 40, 12
_MOST_AGGRESSION = 6.0  # of the picture's axis; more is drawn at its edge
_SMALLEST, _LARGEST = 2.0, 11.0  # radius of a dot
_MOST_POINTS = 3000


def players_page(title: str, players: Sequence[PlayerStatistics], about: str) -> str:
    """Return a page about many players."""
    pictures = "".join(f'<figure class="panel">{picture}</figure>' for picture in scatter_pictures(players))
    head = "".join(f"<th><button>{escape(name)}</button></th>" for name in HEADS)
    rows = "".join(_row(player) for player in players)
    table = f'<table class="sorted"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    body = f'<div class="pictures">{pictures}</div><h2>Players</h2><div class="panel">{table}</div>'
    return _page(title, about, body)


def report_page(rows: Sequence[PlayerStatistics], about: str) -> str:
    """Return a page about one player: by table size, and by situation."""
    whole = rows[-1]
    head = "".join(f"<th>{escape(name)}</th>" for name in ("players", *HEADS[1:]))
    sizes = "".join(
        f"<tr><td>{'all' if row is whole and len(rows) > 2 else row.player_counts[0]}</td>{_cells(row)}</tr>"
        for row in (rows if len(rows) > 2 else rows[-1:])
    )
    kinds = "".join(f"<th>{kind}</th>" for kind in ("situation", "moves", *KINDS))
    moves = "".join(
        f"<tr><td>{words}</td><td>{sum(counts):,}</td>"
        + "".join(f"<td>{share_text(count / sum(counts)) if count else ''}</td>" for count in counts)
        + "</tr>"
        for words, counts in move_rows(whole)
    )
    body = (
        f'<h2>Results</h2><div class="panel"><table><thead><tr>{head}</tr></thead><tbody>{sizes}</tbody></table></div>'
        f'<h2>Moves</h2><div class="panel"><table><thead><tr>{kinds}</tr></thead><tbody>{moves}</tbody></table></div>'
    )
    return _page(whole.name, about, body)


def _page(title: str, about: str, body: str) -> str:
    parts = {"title": escape(title), "about": escape(about), "body": body}
    return fill_template(str(__package__), "players.html", parts)


def _cells(player: PlayerStatistics) -> str:
    values = (
        player.hand_count,
        player.vpip,
        player.pfr,
        player.aggression,
        player.went_to_showdown,
        player.won_at_showdown,
        player.win_rate,
    )
    cells = zip(cells_of(player), values, strict=True)
    return "".join(
        f"<td>{text}</td>" if isnan(value) else f'<td data-value="{value:.6g}">{text}</td>' for text, value in cells
    )


def _row(player: PlayerStatistics) -> str:
    return f"<tr><td>{escape(player.name)}</td>{_cells(player)}</tr>"


def scatter_pictures(players: Sequence[PlayerStatistics]) -> Iterator[str]:
    """Yield two pictures as SVG: PFR and aggression, each over VPIP; a dot's size grows with the player's hands."""
    yield _scatter(players, "PFR", lambda player: player.pfr, 1.0, lambda y: f"{100 * y:.0f} %")
    yield _scatter(players, "aggression", lambda player: player.aggression, _MOST_AGGRESSION, lambda y: f"{y:.0f}")


def _scatter(
    players: Sequence[PlayerStatistics],
    name: str,
    height_of: Callable[[PlayerStatistics], float],
    top: float,
    label: Callable[[float], str],
) -> str:
    def x(share: float) -> float:
        return _LEFT + share * (_WIDTH - _LEFT - _TOP)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - min(value, top) / top * (_HEIGHT - _BOTTOM - _TOP)

    most = max((player.hand_count for player in players), default=1)
    lines = []
    for step in range(6):
        share = step / 5
        lines.append(f'<line class="axis" x1="{x(share):.1f}" y1="{_TOP}" x2="{x(share):.1f}" y2="{y(0):.1f}"/>')
        lines.append(
            f'<line class="axis" x1="{_LEFT}" y1="{y(share * top):.1f}" x2="{x(1):.1f}" y2="{y(share * top):.1f}"/>'
        )
        lines.append(f'<text x="{x(share):.1f}" y="{_HEIGHT - 24}" text-anchor="middle">{100 * share:.0f} %</text>')
        lines.append(
            f'<text x="{_LEFT - 6}" y="{y(share * top) + 4:.1f}" text-anchor="end">{label(share * top)}</text>'
        )
    drawn = [player for player in players[:_MOST_POINTS] if not isnan(player.vpip) and not isnan(height_of(player))]
    dots = [
        f'<circle cx="{x(player.vpip):.1f}" cy="{y(height_of(player)):.1f}" '
        f'r="{_SMALLEST + (_LARGEST - _SMALLEST) * sqrt(player.hand_count / most):.1f}" fill="{_colour(player)}">'
        f"<title>{escape(player.name)}: {escape(', '.join(cells_of(player)))}</title></circle>"
        for player in drawn
    ]
    words = f"{name} over VPIP, {len(drawn):,} players"
    axis = f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 6}" text-anchor="middle">VPIP; {name} upwards</text>'
    inside = "".join((*lines, *dots, axis))
    box = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{words}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{inside}</svg>'


def _colour(player: PlayerStatistics) -> str:
    """Return a colour for the win rate: green if it is above zero for sure, red if below, else grey."""
    if isnan(player.win_rate_error) or abs(player.win_rate) <= player.win_rate_error:
        return "#7a8a99"
    return "#1f9d6b" if player.win_rate > 0 else "#c8503c"
