"""Shows a match in a terminal, step by step, with the table as it was."""
