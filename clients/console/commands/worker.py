"""riverboat worker: do a trainer's jobs on this machine."""

import os
import sys
from typing import Annotated

import typer

from riverboat.clients.analysis.wording import joined
from riverboat.clients.local.processes import core_count
from riverboat.clients.local.services import WORKERS, service_settings
from riverboat.clients.local.settings import child_environment, redis_url
from riverboat.clients.remote.refusals import Refused

_SCHEMES = ("redis://", "rediss://", "unix://")
_DEFAULT_URL = "redis://127.0.0.1:6379/0"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(worker)


def worker(
    redis: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Redis with the job queue; default: RIVERBOAT_REDIS_URL, or redis://127.0.0.1:6379/0.",
            show_default=False,
        ),
    ] = None,
    store: Annotated[
        str,
        typer.Option(metavar="URL", help="Store for shards: a folder that the trainer shares, or s3://bucket/folder."),
    ] = "riverboat-data",
    processes: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Number of jobs at a time; default: one per core.", show_default=False),
    ] = None,
) -> None:
    """Do a trainer's jobs, until Ctrl-C.

    Jobs are situations to solve, and the work of runs in rounds. Start as many as you like, on any machine that reaches
    Redis and the store. You may kill a worker at any time: its job goes to another worker.

    riverboat worker --redis redis://10.0.0.5:6379/0 --store s3://bucket/riverboat
    """
    url = redis or redis_url() or _DEFAULT_URL
    if not url.startswith(_SCHEMES):
        where = "--redis" if redis else "RIVERBOAT_REDIS_URL"
        schemes = joined(_SCHEMES, " or ")
        raise Refused(f"{where}: {url[:40]!r} must begin with {schemes}, like {_DEFAULT_URL}")
    settings = service_settings(
        WORKERS.name,
        redis=url,
        store=store,
        processes=str(processes or core_count()),
    )
    sys.stdout.flush()
    words = [sys.executable, "-m", WORKERS.module]
    os.execve(words[0], words, child_environment(settings))  # noqa: S606  # our own module
