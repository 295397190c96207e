"""The command that installs missing packages, for every message that has to name it."""


def how_to_install(*extras: str) -> str:
    """Return the command that installs extras in a clone of Riverboat, which is in no package index.

    It pins the versions that the tests run with.
    """
    wanted = f".[{','.join(extras)}]" if extras else "."
    return f".venv/bin/pip install -c requirements/constraints.txt -e '{wanted}' in Riverboat's folder"
