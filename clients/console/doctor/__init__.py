"""The checks of riverboat doctor: a module for each part of an installation."""
