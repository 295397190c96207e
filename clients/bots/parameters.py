"""Agents with a parameter, which is the text after a colon, as in my-bot:0.5.

The class of such an agent has a class method `with_parameter`, which returns a maker of bots, and raises InvalidInput
(or any other error) if the parameter makes no sense.
"""

from typing import Any

import numpy as np

from riverboat.arena.bot import MakeBot
from riverboat.clients.bots.bot_runner import one_line
from riverboat.errors import InvalidInput, RiverboatError


def takes_parameter(make_bot: MakeBot) -> bool:
    """Return whether an agent takes a parameter."""
    return callable(getattr(make_bot, "with_parameter", None))


def with_parameter(make_bot: Any, word: str, parameter: str) -> MakeBot:
    """Return a maker of bots with a parameter for the agent called `word`; InvalidInput says what is wrong."""
    if not takes_parameter(make_bot):
        raise InvalidInput("", f"{word} takes no parameter")
    try:
        made: MakeBot = make_bot.with_parameter(parameter)
        made(np.random.default_rng(0))  # so that a bad parameter is refused now, not in the first hand
    except InvalidInput as error:
        raise InvalidInput("", error.reason) from None
    except RiverboatError as error:
        raise InvalidInput("", str(error)) from None
    except (Exception, SystemExit) as error:  # the agent's author may have written it
        raise InvalidInput("", one_line(error)) from error
    return made
