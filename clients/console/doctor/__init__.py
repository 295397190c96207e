"""What riverboat doctor looks at: a module for each part of an installation."""
