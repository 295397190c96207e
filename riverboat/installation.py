"""How to install what a part needs: said the same way wherever something is missing."""


def how_to_install(*extras: str) -> str:
    """Return what to type in a clone (Riverboat is in no package index); versions are those that it is tested with."""
    wanted = f".[{','.join(extras)}]" if extras else "."
    return f".venv/bin/pip install -c requirements/constraints.txt -e '{wanted}' in Riverboat's folder"
