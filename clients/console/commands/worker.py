"""riverboat worker: solve situations for training, on this machine."""

import os
import sys
from typing import Annotated

import typer

from riverboat.clients.local.processes import core_count
from riverboat.clients.local.services import WORKERS, service_settings
from riverboat.clients.local.settings import child_environment, redis_url


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(worker)


def worker(
    redis: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The queue; RIVERBOAT_REDIS_URL does the same.", show_default=False),
    ] = None,
    store: Annotated[
        str, typer.Option(metavar="URL", help="Where shards go: a folder that the trainer sees too, or s3://… .")
    ] = "riverboat-data",
    processes: Annotated[
        int | None, typer.Option(min=1, help="Jobs at a time; all cores if not given.", show_default=False)
    ] = None,
) -> None:
    """Solve situations for a trainer, until Ctrl-C.

    Start as many as you like, on any machine that reaches Redis and the store. A worker may be killed at any time: its
    job goes to another.

    riverboat worker --redis redis://10.0.0.5:6379/0 --store s3://bucket/riverboat
    """
    settings = service_settings(
        WORKERS.name,
        redis=redis or redis_url() or "redis://127.0.0.1:6379/0",
        store=store,
        processes=str(processes or core_count()),
    )
    sys.stdout.flush()
    words = [sys.executable, "-m", WORKERS.module]
    os.execve(words[0], words, child_environment(settings))  # noqa: S606  # our own module
