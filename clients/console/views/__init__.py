"""What commands show: tables, grids, pictures and progress bars."""
