"""Agents with a parameter: a class that takes one is named like my-bot:0.5.

Such a class has a class method `with_parameter`, which makes a maker of bots from the text after the colon, and raises
InvalidInput (or anything else) if that makes no sense.
"""

from typing import Any

import numpy as np

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.player import one_line
from riverboat.errors import InvalidInput


def takes_parameter(make_bot: MakeBot) -> bool:
    """Whether bots of this kind may be named with a parameter."""
    return callable(getattr(make_bot, "with_parameter", None))


def with_parameter(make_bot: Any, word: str, parameter: str) -> MakeBot:
    """Make bots of this kind, which is called `word`, with a parameter; InvalidInput says what is wrong with it."""
    if not takes_parameter(make_bot):
        raise InvalidInput("", f"{word} takes no parameter")
    try:
        made: MakeBot = make_bot.with_parameter(parameter)
        made(np.random.default_rng(0))  # whoever wants to play is told now, not in the first hand
    except InvalidInput as error:
        raise InvalidInput("", error.reason) from None
    except (Exception, SystemExit) as error:  # anybody may have written it
        raise InvalidInput("", one_line(error)) from error
    return made
