"""The `riverboat` command: one module per group of commands, put together here."""

import sys

import grpc
import typer
from typer.exceptions import TyperException

from clients.console import card_commands, cheatsheet_command, equity_command, utility_command
from clients.console.failures import EXIT_INTERRUPTED, EXIT_REFUSED, Refused, refusal_of
from clients.console.output import err

app = typer.Typer(
    name="riverboat",
    help="A Texas Hold'em laboratory. Each command asks an oracle: the one at --server (or in "
    "RIVERBOAT_ORACLE_SERVER), or one that it starts and stops itself.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (equity_command, card_commands, utility_command, cheatsheet_command):
    module.add_to(app)


@app.callback()
def help_without_command(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Run a command; every error is one line on standard error and exit code 2."""
    try:
        code = app(standalone_mode=False)
        if code == EXIT_INTERRUPTED:
            _fail("stopped", code)
    except TyperException as error:
        code = _fail(" ".join(error.format_message().split()), EXIT_REFUSED)
    except Refused as error:
        code = _fail(str(error), EXIT_REFUSED)
    except grpc.RpcError as error:
        code = _fail(str(refusal_of(error, "the server")), EXIT_REFUSED)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
        code = 0
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> int:
    err.print(f"riverboat: {message}", markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    main()
