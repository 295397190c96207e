"""The output of commands: tables, grids, pictures and progress bars."""
