"""riverboat situations: a picture of the situations that networks are trained on."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from riverboat.clients.analysis.wording import joined
from riverboat.clients.console.option_values import fields_named
from riverboat.clients.console.options import HoldemDeck, TrainedStreet
from riverboat.clients.console.views.output import note, progress_bar
from riverboat.clients.remote.refusals import Refused
from riverboat.rpc.installation import how_to_install
from riverboat.situations.sampler import PLAYED_SHARE, sample
from riverboat.situations.situation import Situation, find_deck, find_street
from riverboat.streets import PREFLOP

_ENDINGS = (".png", ".svg", ".pdf")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(situations)


def situations(
    picture: Annotated[Path, typer.Argument(metavar="FILE", dir_okay=False, help="File to write: .png, .svg or .pdf.")],
    deck: HoldemDeck = "24",
    street: TrainedStreet = "turn",
    count: Annotated[
        int, typer.Option("--count", "-n", min=10, max=100_000, metavar="N", help="Number of situations to sample.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the situations.")] = 0,
) -> None:
    """Draw the situations that networks are trained on.

    The picture shows pots, ranges, and who is ahead.

    riverboat situations situations.png --deck 24 --street turn
    """
    if picture.suffix not in _ENDINGS:
        raise Refused(f"FILE: {picture} must end in {joined(_ENDINGS, ' or ')}")
    with fields_named({"deck": "--deck", "street": "--street"}):
        asked = find_deck(deck), find_street(street)
    rng, sampled = np.random.default_rng(seed), []
    with progress_bar("sampling…") as bar:
        for situation in sample(*asked, count, rng):
            sampled.append(situation)
            bar.show(len(sampled) / count)
    where = "at the end of preflop" if street == PREFLOP else f"at the start of the {street}"
    draw(picture, sampled, f"{count:,} situations {where}, {deck} cards")
    note(f"written to {picture}")


def draw(picture: Path, drawn: list[Situation], title: str) -> None:
    """Draw four views of situations: pots, how wide ranges are, what they look like, and who is ahead."""
    try:
        from riverboat.clients.console.views.situations_picture import draw_situations
    except ModuleNotFoundError:
        raise Refused(f"pictures need matplotlib: {how_to_install('pictures')}") from None
    draw_situations(picture, drawn, title, round(len(drawn) * (1 - PLAYED_SHARE)))
