"""What Dealt shows in a terminal: a match stepped through, the table drawn as it was."""
