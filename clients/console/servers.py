"""The servers that commands ask, with a spinner on the terminal while one is started or waited for."""

from functools import partial

from riverboat.clients.console.views.output import waiting
from riverboat.clients.local import connections, private_services

oracle = partial(connections.oracle, waiting=waiting)
resolver = partial(connections.resolver, waiting=waiting)
game_manager = partial(connections.game_manager, waiting=waiting)
running_game_manager = partial(connections.running_game_manager, waiting=waiting)
private_game_manager = partial(private_services.private_game_manager, waiting=waiting)
trainer = partial(connections.trainer, waiting=waiting)
