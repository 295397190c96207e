"""How to install what a part needs: said the same way wherever something is missing."""


def how_to_install(*extras: str) -> str:
    """Return the command to type in a clone (Riverboat is in no package index); it pins the versions of the tests."""
    wanted = f".[{','.join(extras)}]" if extras else "."
    return f".venv/bin/pip install -c requirements/constraints.txt -e '{wanted}' in Riverboat's folder"
